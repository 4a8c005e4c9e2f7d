"""Made documents: what a level changes, and what it leaves as it is."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.recite.config import LEVELS, RUNGS
from causarium.families.recite.formats.dataset_row import is_named
from causarium.families.recite.generate import document
from causarium.families.recite.generation.loop_graphs import draw_loops
from causarium.families.recite.generation.sentences import Voice
from causarium.families.recite.generation.synthetic_words import grammar, lexicon, terms
from causarium.families.recite.instance import Document, lenient_explicitness
from causarium.families.recite.mechanics.topology import nodes_on_cycles
from causarium.seeds import stream

SEEDS = st.integers(0, 10**6)
INDEXES = st.integers(0, 500)
SYNTH = sorted(n for n, c in LEVELS.items() if c.corpus == "synth" and n != "synth-large")


def made(level: str, seed: int = 0, index: int = 0) -> Document:
    return document(LEVELS[level], seed, index)


def sentences(text: str) -> list[str]:
    paragraphs = [block for block in text.split("\n\n") if not block.startswith("#")]
    return [said for block in paragraphs for said in re.split(r"(?<=\.) ", block)]


def named(found: Document) -> set[str]:
    return {node.name for node in found.nodes if node.explicitness == 1}


@given(level=st.sampled_from(SYNTH), seed=SEEDS, index=INDEXES)
@settings(max_examples=25, deadline=None)
def test_labels_and_evidence_are_true_of_the_text(level: str, seed: int, index: int) -> None:
    found = made(level, seed, index)
    text = found.text.casefold()
    for node in found.nodes:
        spoken = [name for name in (node.name, *node.aliases) if is_named(name, text)]
        assert bool(spoken) == (node.explicitness == 1), (node.name, spoken)
    labels = {node.name: node.explicitness for node in found.nodes}
    for edge in found.edges:
        assert bool(edge.evidence) == (3 not in (labels[edge.source], labels[edge.sink]))
        assert all(said in found.text for said in edge.evidence)
    assert all(decoy.sentence in found.text for decoy in found.decoys)


@given(seed=SEEDS, index=INDEXES)
@settings(max_examples=10, deadline=None)
def test_the_ladder_tells_one_graph_at_four_rungs(seed: int, index: int) -> None:
    rungs = [made(f"synth-{told}", seed, index) for told in RUNGS]
    pairs = [{(e.source, e.sink) for e in one.edges} for one in rungs]
    assert all(found == pairs[0] for found in pairs)
    assert all(one.latent == rungs[0].latent for one in rungs)
    for higher, lower in pairwise(rungs):
        assert named(lower) <= named(higher)
    for told, one in zip(RUNGS, rungs, strict=True):
        assert len(named(one)) == round(len(one.nodes) * told / 100)
        assert len(sentences(one.text)) == len(sentences(rungs[0].text))


def test_lower_rungs_differ_only_in_what_is_no_longer_told() -> None:
    high, low = made("synth-100", index=8), made("synth-50", index=8)
    gone = {node.name for node in low.nodes if node.explicitness != 1}
    kept = [edge.evidence[0] for edge in high.edges if not gone & {edge.source, edge.sink}]
    assert kept
    assert all(said in low.text for said in kept)
    told = [e.evidence for e in low.edges if e.evidence and gone & {e.source, e.sink}]
    assert told
    assert all(said not in high.text for evidence in told for said in evidence)


def test_both_definitions_of_explicitness_fall_along_the_ladder() -> None:
    strict, lenient = [], []
    for told in RUNGS:
        labels = [n.explicitness for i in range(12) for n in made(f"synth-{told}", index=i).nodes]
        strict.append(labels.count(1) / len(labels))
        lenient.append(lenient_explicitness(labels))
    assert strict == pytest.approx([1, 0.75, 0.5, 0.25], abs=0.03)
    assert lenient == pytest.approx([1, 0.81, 0.62, 0.44], abs=0.05)


def test_without_synonyms_every_node_goes_by_its_own_name() -> None:
    for node in made("synth-plain").nodes:
        text = made("synth-plain").text.casefold()
        assert is_named(node.name, text)
        assert not any(is_named(alias, text) for alias in node.aliases)
    found = made("synth-synonyms")
    assert any(
        is_named(alias, found.text.casefold()) for node in found.nodes for alias in node.aliases
    )


def test_effects_first_turns_every_sentence_round_and_nothing_else() -> None:
    plain, reversed_ = made("synth-plain", index=4), made("synth-reversed", index=4)
    assert [(e.source, e.sink) for e in plain.edges] == [
        (e.source, e.sink) for e in reversed_.edges
    ]
    assert cause_first(plain) == len(plain.edges)
    assert cause_first(reversed_) <= len(plain.edges) / 4
    rest = set(sentences(plain.text)) - {e.evidence[0] for e in plain.edges}
    assert rest == set(sentences(reversed_.text)) - {e.evidence[0] for e in reversed_.edges}


def cause_first(found: Document) -> int:
    said = [(edge, edge.evidence[0].casefold()) for edge in found.edges]
    return sum(
        text.index(edge.source.casefold()) < text.index(edge.sink.casefold()) for edge, text in said
    )


def test_distractors_join_no_edge_and_leave_the_rest_in_order() -> None:
    plain, distracted = made("synth-plain", index=2), made("synth-distracted", index=2)
    joined = {frozenset((e.source, e.sink)) for e in distracted.edges}
    assert distracted.decoys
    assert not plain.decoys
    assert not joined & {frozenset((d.first, d.second)) for d in distracted.decoys}
    told = [s for s in sentences(plain.text) if s in {e.evidence[0] for e in plain.edges}]
    again = [s for s in sentences(distracted.text) if s in set(told)]
    assert told == again


def test_no_two_documents_are_alike_and_sentences_seldom_are() -> None:
    texts = [made("synth-100", index=i).text for i in range(30)]
    assert len(set(texts)) == 30
    every = [said for text in texts for said in sentences(text)]
    assert len(set(every)) > 3000
    assert len(set(every)) > 0.9 * len(every)


def test_a_large_graph_is_told_in_a_long_document() -> None:
    found = made("synth-large")
    assert 60 <= len(found.nodes) <= 140
    assert len(found.text.split()) > 6000


@pytest.mark.parametrize("area", range(len(lexicon().domains)))
def test_no_word_for_a_node_is_part_of_a_word_for_another(area: int) -> None:
    every = terms(area)
    assert len({term.name for term in every}) == len(every)
    whole = "\n".join(name.casefold() for term in every for name in (term.name, *term.aliases))
    for term in every[::7]:
        for name in (term.name, *term.aliases):
            found = re.findall(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", whole)
            assert len(found) == 1, name


def test_every_sentence_of_the_grammar_can_be_said() -> None:
    words = grammar()
    voice = Voice(stream(0, "test"), words)
    given = dict.fromkeys(("a", "b", "c", "e", "C", "E", "s", "field"), "the thing")
    groups = (words.decoys, words.alone, words.lead, words.filler, words.headings)
    listed = [t for group in groups for templates in group.values() for t in templates]
    listed += [t for templates in words.edges.model_dump().values() for t in templates]
    for template in filter(None, listed):
        assert "{" not in voice.sentence(template, given)


def test_hints_and_fillers_name_no_node() -> None:
    fixed = " ".join((*grammar().filler["sentences"], *grammar().slots["thing"])).casefold()
    for area in range(len(lexicon().domains)):
        hints = " ".join(term.hint for term in terms(area)).casefold()
        for term in terms(area):
            assert not any(is_named(n, hints + fixed) for n in (term.name, *term.aliases))


@given(seed=SEEDS, size=st.integers(4, 140))
@settings(max_examples=60, deadline=None)
def test_a_drawn_graph_is_connected_and_sparse(seed: int, size: int) -> None:
    loops = draw_loops(stream(seed, "test"), size)
    near: dict[int, set[int]] = {node: set() for node in range(size)}
    for cause, effect in loops.edges:
        assert cause != effect
        near[cause].add(effect)
        near[effect].add(cause)
    reached, todo = {0}, [0]
    while todo:
        fresh = near[todo.pop()] - reached
        reached |= fresh
        todo += fresh
    assert len(reached) == size
    assert size - 1 <= len(loops.edges) <= 1.75 * size + 2
    assert len(loops.rises) == len(loops.edges)


def test_about_a_tenth_of_the_drawn_graphs_have_no_cycle() -> None:
    drawn = [draw_loops(stream(seed, "share"), 20) for seed in range(400)]
    acyclic = sum(not nodes_on_cycles(one.edges) for one in drawn)
    assert 20 <= acyclic <= 65
