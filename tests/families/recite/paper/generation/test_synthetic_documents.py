"""Made documents: what is told at every rung, in which words, and what may not be there."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.errors import UsageError
from causarium.families.recite.paper.generation.facets import nodes_on_cycles
from causarium.families.recite.paper.generation.generate import document
from causarium.families.recite.paper.generation.made_documents import Talk, filler
from causarium.families.recite.paper.generation.made_graphs import Latent, draw_loops
from causarium.families.recite.paper.levels import LEVELS
from causarium.families.recite.paper.model.instance import Document
from causarium.families.recite.paper.model.wordings import (
    RUNGS,
    area_terms,
    lexicon,
    wordings,
)
from causarium.seeds import stream

SEEDS = st.integers(0, 10**6)
INDEXES = st.integers(0, 500)


def made(rung: str = "connective", seed: int = 0, index: int = 0, **changes: object) -> Document:
    return document(LEVELS[f"paper-synth-{rung}"].model_copy(update=changes), seed, index)


def pairs(drawn: Document) -> set[tuple[str, str]]:
    return {(edge.source, edge.sink) for edge in drawn.edges}


@given(rung=st.sampled_from(RUNGS), seed=SEEDS, index=INDEXES)
@settings(max_examples=12, deadline=None)
def test_the_sentences_of_every_edge_stand_in_the_text(rung: str, seed: int, index: int) -> None:
    drawn = made(rung, seed, index, largest=40)
    assert all(said in drawn.text for edge in drawn.edges for said in edge.evidence)
    assert all(edge.evidence for edge in drawn.edges)
    assert all(decoy.sentence in drawn.text for decoy in drawn.decoys)


@given(seed=SEEDS, index=INDEXES)
@settings(max_examples=4, deadline=None)
def test_all_rungs_tell_the_same_graph(seed: int, index: int) -> None:
    rungs = [made(rung, seed, index, largest=25) for rung in RUNGS]
    assert all(pairs(one) == pairs(rungs[0]) for one in rungs)
    assert len({one.latent for one in rungs}) == 1


def test_documents_have_the_published_length() -> None:
    for rung in RUNGS:
        assert 40_541 <= len(made(rung, index=4).text) <= 60_000


def test_small_talk_speaks_of_no_node() -> None:
    words = lexicon()
    kinds = ("asides", "pauses", "delays", "vignettes", "headings", "first_headings", "endings")
    fixed = " ".join(text for kind in kinds for text in filler()[kind]).casefold()
    for wording in wordings():
        assert not any(anaphor in fixed for anaphor in wording.anaphors), wording.key
    assert not any(nickname in fixed for nickname in words.nicknames())
    for area in range(len(words.areas)):
        for term in area_terms(area):
            assert term.spoken.casefold() not in fixed


@pytest.mark.parametrize(("rung", "smallest"), [("connective", 5), ("mechanism", 50)])
def test_nothing_is_told_twice_in_a_document(rung: str, smallest: int) -> None:
    drawn = made(rung, 3, 1, smallest=smallest, largest=smallest + 10)
    paragraphs = drawn.text.split("\n\n")
    assert len(set(paragraphs)) == len(paragraphs)
    assert len(drawn.text) >= 40_541
    for kind in ("vignettes", "asides", "pauses", "delays"):
        for text in filler()[kind]:
            longest = max(re.split(r"\{\w+\}", text), key=len)
            assert drawn.text.count(longest) <= 1, text


def test_a_person_keeps_the_pronoun_and_is_told_of_once() -> None:
    talk = Talk(Latent(LEVELS["paper-synth-verb"], 0, 0))
    women = {name: pronoun for pronoun, name in _people(talk)}
    assert set(women.values()) == {"she, her, her, herself", "he, him, his, himself"}
    assert len(women) == 200
    words = filler()["words"]
    assert all((name.split()[0] in words["women"]) == (p[0] == "s") for name, p in women.items())


def _people(talk: Talk) -> list[tuple[str, str]]:
    told = (talk.fill("{person}: {he}, {him}, {his}, {himself}") for _ in range(200))
    return [(pronoun, name) for name, pronoun in (one.split(": ") for one in told)]


@pytest.mark.parametrize("kind", ["vignettes", "asides", "pauses", "delays", "endings"])
def test_only_somebody_named_before_has_a_pronoun(kind: str) -> None:
    pronoun = re.compile(r"\{(?:he|him|his|himself|He|His)\}")
    for text in filler()[kind]:
        found = pronoun.search(text)
        assert found is None or "{person}" in text[: found.start()], text


@pytest.mark.parametrize("area", range(len(lexicon().areas)))
def test_no_two_nodes_have_a_word_in_common(area: int) -> None:
    spoken = [word for term in area_terms(area) for word in (term.spoken, *term.synonyms)]
    assert len(set(spoken)) == len(spoken)


def test_more_statements_than_people_cannot_be_told(monkeypatch) -> None:
    latent = Latent(LEVELS["paper-synth-mechanism"], 0, 0)
    monkeypatch.setattr(type(lexicon()), "mediators", lambda *_: ["the old millers"])
    with pytest.raises(UsageError, match="draw smaller graphs"):
        _ = latent.mediators


@given(seed=SEEDS, size=st.integers(5, 140))
@settings(max_examples=60, deadline=None)
def test_a_drawn_graph_is_connected_sparse_and_one_way(seed: int, size: int) -> None:
    loops = draw_loops(stream(seed, "test"), size)
    near: dict[int, set[int]] = {node: set() for node in range(size)}
    for cause, effect in loops.edges:
        assert cause != effect
        assert (effect, cause) not in loops.edges
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


def test_sizes_are_spread_as_published() -> None:
    sizes = [Latent(LEVELS["paper-synth-verb"], 5, index).linked for index in range(400)]
    assert min(sizes) >= 5
    assert max(sizes) <= 140
    assert 22 <= sum(sizes) / len(sizes) <= 28
