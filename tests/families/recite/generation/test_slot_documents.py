"""Slot documents: what is drawn from them, and what is refused."""

import re
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.turn import Turn
from causarium.errors import BadFile, UsageError
from causarium.families.recite.paper.generation.generate import FOLDER, make_twin_instance, read_shelf
from causarium.families.recite.paper.generation.slot_checks import find_problems, load_slot_document
from causarium.families.recite.paper.generation.slot_documents import (
    FORMS,
    KINDS,
    LEAST_DIFFERING,
    MOST_LONGER,
    Form,
    SlotDocument,
    bind_volume,
    draw_twins,
    list_pages,
    read_slot_file,
)
from causarium.families.recite.paper.levels import ReciteRules
from causarium.families.recite.paper.model.graphs import submit
from causarium.families.recite.paper.model.names import name_skeleton, split_paragraphs
from causarium.families.recite.paper.players.tone_of_passages import (
    BY_FIGURES,
    MOST_CONTRAST,
    attack_tone,
)
from causarium.families.recite.paper.proofs import recheck
from causarium.families.recite.paper.proofs.certify import certify
from causarium.families.recite.paper.scoring.score import score
from causarium.scoring.graph_scores import Edge
from tests.families.recite.toy_slots import toy_document, toy_fields, word

TOY = toy_document()
FILES = sorted(FOLDER.glob("*.slots.toml"))
any_form = st.sampled_from(FORMS)


def wrong_with(fields: dict[str, Any]) -> str:
    problems = find_problems(SlotDocument.model_validate(fields))
    return "\n".join(f"{one.slot}: {one.reason}" for one in problems)


def hand_in(edges: list[Edge], names: Sequence[str] | None) -> Turn:
    action = submit(edges, names).record()
    return Turn(action=action, observation="Thank you.", legal=True, cost=1)


def check_twins(document: SlotDocument, form: Form, seed: int) -> None:
    draw = draw_twins(document, form, Random(seed))
    text, other = draw.render(), draw.twin.render()
    assert draw.twin.twin == draw
    assert "{" not in text + other
    assert abs(len(text) - len(other)) <= MOST_LONGER * min(len(text), len(other))
    assert name_skeleton(text, document.finder) == name_skeleton(other, document.finder)
    free = document.free_slots(form)
    own, others = ({edge for key in free for edge in one.told_by(key)} for one in (draw, draw.twin))
    assert len(own - others) == len(others - own) >= LEAST_DIFFERING
    for kind in KINDS:
        keys = [key for key, slot in free.items() if slot.kind(form) == kind]
        told = sum(len(draw.told_by(key)) for key in keys)
        assert told == sum(len(draw.twin.told_by(key)) for key in keys)
    for key, slot in free.items():
        changed = [a != b for a, b in zip(draw.passages(key), draw.twin.passages(key), strict=True)]
        assert sum(changed) == 1
        if slot.kind(form) != "near":
            for pair in slot.differing:
                here, there = (
                    [p for p in split_paragraphs(one) if document.finder.nodes_in(p) >= {*pair}]
                    for one in (text, other)
                )
                assert here == there


@given(any_form, st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_twins_differ_in_what_they_tell_alone(form: Form, seed: int) -> None:
    check_twins(TOY, form, seed)


def test_a_toy_document_passes_every_check() -> None:
    assert wrong_with(toy_fields()) == ""
    assert TOY.far_share() >= 0.6


def test_a_draw_and_its_twin_are_equally_likely_and_each_kind_is_even() -> None:
    document = toy_document(near=2, far=2, parity=0)
    seen = {
        tuple(c.version for c in draw_twins(document, "far", Random(seed)).choices.values())
        for seed in range(200)
    }
    assert seen == {(0, 1, 0, 1), (0, 1, 1, 0), (1, 0, 0, 1), (1, 0, 1, 0)}


def test_an_odd_slot_out_is_held() -> None:
    document = toy_document(near=3, far=0, parity=0)
    assert list(document.free_slots("near")) == ["s01", "s02"]
    draw = draw_twins(document, "near", Random(1))
    assert draw.told_by("s03") == draw.twin.told_by("s03") != frozenset()


def test_a_withdrawn_slot_stands_in_the_text_and_in_neither_graph() -> None:
    key = next(key for key, slot in TOY.slots.items() if slot.kind("far") == "parity")
    wrong = {**TOY.slots, key: TOY.slots[key].model_copy(update={"withdrawn": "Its key is wrong."})}
    document = TOY.model_copy(update={"slots": wrong})
    for seed in range(20):
        draw, before = (draw_twins(one, "far", Random(seed)) for one in (document, TOY))
        assert draw.render() == before.render()
        pairs = TOY.slots[key].differing
        assert draw.edges == before.edges - pairs
        assert draw.twin.edges == before.twin.edges - pairs
        instance, twin = (make_twin_instance(one, "names", "toy") for one in (draw, draw.twin))
        with_it, without = (
            score(instance, ReciteRules(), [hand_in(sorted(one), instance.public.names)])
            for one in (draw.edges | pairs, draw.edges - pairs)
        )
        assert with_it.numbers["reading"] == without.numbers["reading"] == 1
        assert with_it == without
        findings = [find(one) for one in (instance, twin) for find in (certify, recheck)]
        assert all(proof.holds for found in findings for proof in found.proofs)


def test_one_of_two_deciding_passages_says_nothing() -> None:
    key = "s28"
    slot, draws = TOY.slots[key], [draw_twins(TOY, "far", Random(seed)) for seed in range(300)]
    for place in (1, 2):
        passages = {draw.passages(key)[place] for draw in draws}
        for passage in passages:
            told = [d.choices[key].version for d in draws if d.passages(key)[place] == passage]
            assert 0.4 < sum(told) / len(told) < 0.6
    assert slot.parity is not None
    for draw in draws:
        _, far, parity = draw.passages(key)
        assert slot.far is not None
        same = slot.far.index(far) == slot.parity.index(parity)
        assert same == (draw.choices[key].version == 0)


def test_pages_are_short_runs_of_sections_with_enough_slots() -> None:
    pages = list_pages(TOY)
    assert pages
    for page in (TOY.part(*run) for run in pages):
        assert page.count_differing("near") >= LEAST_DIFFERING
        assert len(page.text) < len(TOY.whole)
        assert not wrong_with({**page.model_dump(), "levels": ["twin"]})
        check_twins(page, "near", 5)


def test_a_volume_binds_documents_without_common_names() -> None:
    fields = toy_fields()
    text = repr(fields).replace("Q", "W").replace("'toy'", "'second'")
    other = SlotDocument.model_validate(eval(text))
    volume = bind_volume([TOY, other], "Two")
    assert not wrong_with(volume.model_dump())
    assert volume.text.count("# Toy") == 2
    assert volume.afterword.index("# On") < volume.afterword.index("{s1")
    check_twins(volume, "far", 3)
    with pytest.raises(UsageError, match="that both speak of"):
        bind_volume([TOY, TOY.model_copy(update={"key": "again"})], "Twice")


def damage(**changes: Any) -> dict[str, Any]:
    fields = toy_fields()
    fields["slots"]["s01"] |= changes
    return fields


A, B = word(0), word(1)


def change(**changes: Any) -> dict[str, Any]:
    return toy_fields() | changes


DAMAGED = {
    "s01: near: other names or another order": damage(
        near=[f"{A} moves {B} a lot.", f"{B} is as {A} left it."]
    ),
    "s01: near: other names": damage(near=[f"{A} moves {B} a lot.", f"{A} leaves all as it was."]),
    "s01: near: both versions are the same": damage(near=[f"{A} moves {B}.", f"{A} moves {B}."]),
    "s01: near: version two has": damage(
        near=[f"{A} moves {B}.", f"{A} left {B} as it was in all the years before."]
    ),
    "s01: near: a version is no line of whole sentences": damage(
        near=[f"{A} moves {B} and", f"{A} leaves {B} be"]
    ),
    "s01: both versions tell the same edges": damage(tells_one=[]),
    "s02: .* stands in s01 already": damage(tells_one=[[word(2), word(3)]]),
    "s01: .* stands in shared already": damage(tells_one=[[word(200), word(201)]]),
    "s01: 'Nobody' is not in": damage(tells_one=[[A, "Nobody"]]),
    "s01: .* acts on itself": damage(tells_one=[[A, A]]),
    "s01: near: tells .* and does not name": damage(tells_one=[[A, word(4)]]),
    "s01: `local` and `far` go together": damage(far=["One.", "Two."]),
    "s01: has neither": damage(near=None),
    "s01: {s01} stands in the text 0 times": change(text="# Toy\n\nNothing."),
    "s01: {s01} does not stand between sentences": change(
        text=toy_fields()["text"].replace("{s01}", "so {s01}")
    ),
    "shared: .* its sentence is not in the text": change(shared=[[A, word(3), "Not there."]]),
    "nodes: 'Ghost' is never named": change(nodes=toy_fields()["nodes"] | {"Ghost": 1}),
    "aliases: .* is a word for": change(aliases={A: [B]}),
    "aliases: a word for .* is empty": change(aliases={A: [" "]}),
    "levels: twin: 2 edges differ a side": toy_fields(near=4, far=0, parity=0),
    "levels: far: .* of the differing edges are far": toy_fields(near=20, far=10, parity=0),
    "levels: far: .* two deciding passages": toy_fields(near=2, far=30, parity=2),
}


@pytest.mark.parametrize("reason", DAMAGED)
def test_a_damaged_document_is_refused_with_slot_and_reason(reason: str) -> None:
    assert re.search(reason, wrong_with(DAMAGED[reason])), wrong_with(DAMAGED[reason])


def test_a_missing_alias_is_found_by_the_words_of_the_name() -> None:
    two = f"Price and rate: {A} leaves {B} be."
    fields = damage(near=[f"The rate of {A} moves {B} a lot.", two])
    fields["nodes"]["Price rate"] = 1
    fields["text"] += "\n\nThe price rate is known."
    assert "one version has all words of" in wrong_with(fields)


def test_a_paragraph_that_varies_may_not_name_a_far_pair() -> None:
    fields = toy_fields()
    far = f"{word(20)} and {word(21)} are as the remark says."
    fields["slots"]["s12"]["far"] = [f"Indeed {far}", f"Indeed not, {far}"]
    assert "s11: a paragraph that varies names both" in wrong_with(fields)


def test_files_that_cannot_be_read_are_refused(tmp_path: Any) -> None:
    path = tmp_path / "x.slots.toml"
    with pytest.raises(BadFile, match="cannot read the slot file"):
        read_slot_file(path)
    path.write_text("title = [", encoding="utf-8")
    with pytest.raises(BadFile, match="cannot be read as TOML"):
        read_slot_file(path)
    path.write_text('title = "x"\ntext = "y"\nshared = []\n[slots]\n[nodes]\n', encoding="utf-8")
    with pytest.raises(BadFile, match="has no slot"):
        load_slot_document(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_document_of_ours_is_sound_and_its_tone_gives_little_away(path: Any) -> None:
    document = load_slot_document(path)
    others = [one for one in read_shelf() if one.key != document.key]
    for level in document.levels:
        if level != "page":
            check_twins(document, "far" if level == "far" else "near", 11)
    for result in attack_tone(document, others):
        if result.kind == "near" and result.attack != BY_FIGURES:
            assert result.contrast <= MOST_CONTRAST, result
