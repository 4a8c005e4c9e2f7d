"""The texts as they stand in their files, and what is refused of a file."""

from collections import Counter

import pytest

from causarium.errors import ContractError
from causarium.families.recite.certified.evidence.numerals import find_numerals
from causarium.families.recite.certified.generation.documents import (
    Document,
    check_document,
    list_documents,
    read_slot,
)

SPLITS = ("test", "train")


def read_all(form: str) -> list[Document]:
    """Return the documents of a form, of both splits."""
    return [document for split in SPLITS for document in list_documents(form, split)]


@pytest.mark.parametrize(("form", "names"), [("choice", 9), ("line", 8)])
def test_short_texts_are_twenty_four_of_one_form(form: str, names: int) -> None:
    documents = read_all(form)
    assert len(documents) == 24
    assert {len(list_documents(form, split)) >= 10 for split in SPLITS} == {True}
    assert {(len(one.slots), len(one.names)) for one in documents} == {(6, names)}
    assert len({one.title for one in documents}) == 24


@pytest.mark.parametrize("form", ["choice", "line"])
def test_no_kind_of_slot_is_a_mould(form: str) -> None:
    kinds = Counter(slot.kind for one in read_all(form) for slot in one.slots)
    assert len(kinds) >= 10
    assert max(kinds.values()) <= 0.15 * kinds.total()
    assert all(len({slot.kind for slot in one.slots}) >= 5 for one in read_all(form))


def test_every_question_of_the_first_rung_has_one_answer() -> None:
    for document in read_all("choice"):
        for slot in document.slots:
            assert len(slot.edges) == 2
            assert {len(told) for told in slot.key.values()} == {1}


def test_chain_slots_are_of_several_passages_in_different_paragraphs() -> None:
    for document in read_all("chain"):
        chains = [slot for slot in document.slots if not slot.held]
        assert 4 <= len(chains) <= 6
        assert all(2 <= len(slot.free) <= 4 for slot in chains)
        kinds = [slot.kind for slot in chains]
        assert len(kinds) == len(set(kinds))


def test_figures_of_long_documents_without_cells_are_in_no_score() -> None:
    for document in read_all("twin"):
        assert sum(slot.counted for slot in document.slots) >= 5
        for slot in document.slots:
            words = [one.render() for place in slot.places for one in place.versions]
            assert slot.counted == (not any(map(find_numerals, words))) or slot.held


def test_fresh_figures_keep_every_key() -> None:
    from random import Random

    for slot in (
        slot for form in ("line", "chain") for one in read_all(form) for slot in one.slots
    ):
        rng = Random(slot.name)
        drawn = [slot.draw_figures(rng) for _ in range(3)]
        if slot.plans:
            assert all(drawn), f"{slot.name} has no fresh figures"


LOT = "Some had [[it|set p/a now X]], by lot, and <p/a now 20~40> eggs, the others <p/o now 40>."


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"passage": f"{LOT} There were two."}, "stands in no mark"),
        (
            {"passage": "It {helped ~ helped a bit}.", "edges": ["X > Y"], "tells": [[], []]},
            "one of",
        ),
        ({"passages": [{"passage": LOT}, {"passage": "It was {fine ~ wet}."}]}, "decides nothing"),
        ({"passage": LOT.replace("20~40", "36~40")}, "neither much nor nothing"),
        ({"passage": LOT.replace("20~40", "20")}, "no passage in two versions"),
        ({"passage": LOT, "turned": LOT.replace("p/o", "p/z")}, "different cells"),
    ],
)
def test_a_bad_slot_says_why(value: dict[str, object], why: str) -> None:
    with pytest.raises(ContractError, match=why):
        read_slot("s", {"kind": "drawn by lot", "edges": ["X > Y"], **value})


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"names": ("X",)}, "'Y' is not listed"),
        ({"text": "No hole."}, "the text has no {s}"),
        ({"shared": (("X", "Y", "{s}"),)}, "decided twice"),
        ({"shared": (("Y", "X", "Never said."),)}, "has no sentence"),
    ],
)
def test_a_bad_document_says_why(changes: dict[str, object], why: str) -> None:
    slot = read_slot("s", {"kind": "k", "edges": ["X > Y"], "passage": "X {makes ~ unmakes} Y."})
    fields = {"text": "{s}", "names": ("X", "Y"), "shared": (), **changes}
    document = Document(name="d", title="D", split="test", aliases={}, slots=(slot,), **fields)  # type: ignore[arg-type]
    with pytest.raises(ContractError, match=why):
        check_document(document)


def test_versions_with_names_in_another_order_are_refused() -> None:
    slot = read_slot("s", {"kind": "k", "edges": ["X > Y"], "passage": "{X ~ Y} and {Y ~ X} met."})
    document = Document("d", "D", "test", "{s}", ("X", "Y"), {}, (), (slot,))
    with pytest.raises(ContractError, match="names or their order"):
        check_document(document)
