"""Evidence: numerals, marks, tables, and the one estimator, twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.errors import ContractError
from causarium.families.recite.certified.evidence.estimate import (
    LEAST,
    MOST_NOTHING,
    RefusedError,
    estimate,
)
from causarium.families.recite.certified.evidence.marks import (
    find_unmarked,
    read_passage,
    write_versions,
)
from causarium.families.recite.certified.evidence.numerals import (
    find_numerals,
    read_numeral,
    write_numeral,
)
from causarium.families.recite.certified.evidence.table import Table, make_table
from causarium.families.recite.certified.proofs.recheck import shows_effect

WRONG_IN_VERSION_4 = {
    "legalaid s18": (1, 1, 1, 4, -0.75),
    "orders s18": (60, 60, 60, 36, 0.67),
    "orders s20": (12, 12, 12, 30, -0.60),
    "rescue s18": (20, 20, 20, 11, 0.82),
    "rescue s20": (50, 50, 50, 200, -0.75),
    "software s33": (30, 30, 30, 20, 0.50),
    "software s35": (3, 3, 3, 2, 0.50),
    "wildfire s16": (4, 4, 4, 10, -0.60),
    "fishery s22": (30, 30, 30, 20, 0.50),
}
"""Treated before and after, untreated before and after, in versions that denied an effect, and the
effect that they show: names of places exchanged cannot make a denial."""


def read_table(text: str) -> Table:
    """Return the table of some cells."""
    return make_table(tuple(one.split()) for one in text.split(";"))


def compare(first: int, second: int, control: int, moved: int) -> Table:
    """Return a table of a treated and an untreated place, before and after."""
    return read_table(
        f"fig p t1 {first};fig p t2 {second};fig q t1 {control};fig q t2 {moved};set p t2 X"
    )


@given(st.integers(2, 9999))
def test_numerals_are_read_as_written(value: int) -> None:
    words = write_numeral(value)
    assert read_numeral(words) == read_numeral(words.capitalize()) == value
    assert find_numerals(f"He had {words} hens, and one ewe.") == [words]


@pytest.mark.parametrize("slot", WRONG_IN_VERSION_4)
def test_the_wrong_keys_of_version_4_are_reversed(slot: str) -> None:
    *figures, effect = WRONG_IN_VERSION_4[slot]
    found = estimate(compare(*map(int, figures)), "X")
    assert found.told
    assert found.effect == pytest.approx(effect, abs=0.006)


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ("fig p t1 40;fig p t2 20;set p t2 X", False),  # Moved once in a single place.
        ("fig p t1 20;fig p t2 40;fig p t3 20;fig p t4 40;set p t1 X;set p t3 X", True),
        ("fig p t1 10;fig p t2 15;fig p t3 22;fig p t4 33;set p t1 X;set p t3 X", False),
        ("fig p/a now 20;fig p/b now 40;set p/a now X", True),
        ("fig p/a now 20;fig q/b now 40;set p/a now X", False),  # Two places, once.
        ("fig p/a now 20;fig p/b now 40;set p/a now X;chosen X", False),
        ("fig p/a now 20;fig p/b now 40;set p/a now X;chosen X p", False),
        ("fig p/a now 20;fig p/b now 40;set p/a now X;set p/a now M", False),  # Moves with M.
        ("fig p/a now 20 bo;fig p/b now 40 bo;set p/a now X;unsound ann;is ann bo", False),
        ("fig p/0 now 10;fig p/1 now 20;fig p/2 now 40;set p/1 now X 1;set p/2 now X 2", True),
    ],
)
def test_what_counts_as_evidence(cells: str, *, told: bool) -> None:
    table = read_table(cells)
    assert estimate(table, "X").told is told
    assert shows_effect(table, "X") is told


def test_what_the_untreated_shows_too_is_taken_off() -> None:
    assert not estimate(compare(40, 60, 40, 60), "X").told
    assert estimate(compare(40, 60, 40, 40), "X").told


@pytest.mark.parametrize(
    "cells",
    [
        "fig p/a now 23;fig p/b now 20;set p/a now X",
        "fig p/a now 20 n;fig p/a now 40 m;fig p/b now 40 n;fig p/b now 40 m;set p/a now X",
    ],
)
def test_what_is_in_between_or_contradictory_is_refused(cells: str) -> None:
    with pytest.raises(RefusedError):
        estimate(read_table(cells), "X")


@given(st.lists(st.integers(3, 99), min_size=4, max_size=4))
def test_both_paths_agree_wherever_the_estimator_does_not_refuse(figures: list[int]) -> None:
    table = compare(*figures)
    try:
        found = estimate(table, "X")
    except RefusedError:
        return
    effect = figures[1] * figures[2] / figures[0] / figures[3] - 1
    assert found.effect == pytest.approx(effect)
    assert not MOST_NOTHING < abs(effect) - 1e-5 < LEAST - 2e-5
    assert found.told is shows_effect(table, "X")


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ("fig p t1 4;fig p t1 5", "two values"),
        ("is a b;is b a;fig a t1 5", "circle"),
    ],
)
def test_a_table_that_contradicts_itself_says_where(cells: str, why: str) -> None:
    with pytest.raises(ContractError, match=why):
        read_table(cells)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("It was [[forty|fig p t1 41]].", "do not read as"),
        ("It was [[forty|figure p t1 40]].", "there is no cell"),
        ("It was [[forty|fig p t1 many]].", "needs a whole number"),
        ("It was [[forty.", "not of the form"),
    ],
)
def test_a_bad_mark_says_why(text: str, why: str) -> None:
    with pytest.raises(ContractError, match=why):
        read_passage(text)


def test_a_number_in_no_mark_is_found() -> None:
    passage = read_passage("Twenty came, [[three|idle]] stayed and 5 slept.")
    assert find_unmarked(passage) == ["Twenty", "5"]


def test_shorthands_write_both_versions() -> None:
    first, second = write_versions("{Ann ~ Ben} had <a t1 & b t1 20~30 @slate> hens.")
    assert first == "Ann had [[twenty|fig a t1 20 slate; fig b t1 20 slate]] hens."
    assert second == "Ben had [[thirty|fig a t1 30 slate; fig b t1 30 slate]] hens."
    assert write_versions("Nothing moved.") == ("Nothing moved.",)
