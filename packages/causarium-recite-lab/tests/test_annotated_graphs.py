"""Graphs as annotators write them: what is read, what is a slip, how far two agree."""

import math

import pytest
from causarium_recite_lab.building.annotation import (
    MOST_LINE,
    MOST_LINES,
    MOST_NAME,
    Slip,
    agreement,
    read_annotation,
)
from hypothesis import given
from hypothesis import strategies as st

names = st.text(alphabet="abcdefgh", min_size=1, max_size=3)
edges = st.lists(st.tuples(names, names), min_size=1, max_size=12, unique=True)


def write(arrows: list[tuple[str, str]]) -> str:
    return "\n".join(f'"{cause}" -> "{effect}"' for cause, effect in arrows)


@given(edges)
def test_what_is_written_is_read_in_order(arrows: list[tuple[str, str]]) -> None:
    read = read_annotation(write(arrows))
    assert list(read.edges) == arrows
    assert set(read.nodes) == {name for arrow in arrows for name in arrow}
    assert len(read.nodes) == len(set(read.nodes))


@given(edges, edges)
def test_agreement_is_the_same_from_both_sides_but_for_its_reference(
    one: list[tuple[str, str]], other: list[tuple[str, str]]
) -> None:
    first, second = read_annotation(write(one)), read_annotation(write(other))
    ours, theirs = agreement(first, second), agreement(second, first)
    assert ours is not None
    assert theirs is not None
    assert (ours["precision"], ours["missing"]) == (theirs["recall"], theirs["spurious"])
    assert ours["f1"] == theirs["f1"]
    assert math.isclose(ours["kappa"], theirs["kappa"]) or math.isnan(ours["kappa"])


def test_names_may_stand_without_quotes_and_blank_lines_do_not_count() -> None:
    read = read_annotation(' rain -> wet road \n\n  "wet road" -> "accidents"  ')
    assert read.edges == (("rain", "wet road"), ("wet road", "accidents"))
    assert read.nodes == ("rain", "wet road", "accidents")
    assert read.slips == ()


@pytest.mark.parametrize(
    ("text", "slips"),
    [
        ("rain", [Slip(1, 'write a line as "cause" -> "effect"')]),
        ('"" -> "a"', [Slip(1, 'write a line as "cause" -> "effect"')]),
        ('"a" -> "b"\n"a" -> "b"', [Slip(2, "the same as line 1")]),
        ('"a" -> "a"', [Slip(1, "an arrow from a thing to itself")]),
        (
            '"Wet-road" -> "b"\n"wet road" -> "c"',
            [Slip(2, "“wet road” and “Wet-road” look like one thing")],
        ),
        (
            f'"{"a" * (MOST_NAME + 1)}" -> "b"',
            [Slip(1, f"a name has at most {MOST_NAME} characters")],
        ),
        ("a" * (MOST_LINE + 1), [Slip(1, f"a name has at most {MOST_NAME} characters")]),
    ],
)
def test_a_slip_is_named_with_its_line(text: str, slips: list[Slip]) -> None:
    assert list(read_annotation(text).slips) == slips


def test_limits_themselves_are_kept() -> None:
    name = "a" * MOST_NAME
    assert read_annotation(f'"{name}" -> "b"').edges == ((name, "b"),)
    lines = [f'"x{number}" -> "y{number}"' for number in range(MOST_LINES + 1)]
    cut = read_annotation("\n".join(lines))
    assert len(cut.edges) == MOST_LINES == 2_000
    assert cut.slips == (Slip(MOST_LINES + 1, "only 2,000 lines are read"),)
    assert read_annotation("\n".join([*lines[:-1], " "])).slips == ()


def test_agreement_by_hand() -> None:
    one = read_annotation('"a" -> "b"\n"b" -> "c"\n"c" -> "d"')
    other = read_annotation('"a" -> "b"\n"d" -> "c"')
    got = agreement(one, other)
    assert got is not None
    assert (got["both"], got["missing"], got["spurious"]) == (1, 2, 1)
    assert (got["precision"], got["recall"]) == (1 / 2, 1 / 3)
    assert got["f1"] == 2 / 5
    # Of 16 ordered pairs, 13 are judged alike; 0.375 + 11.375 would be by chance.
    assert got["kappa"] == pytest.approx((13 - 11.75) / (16 - 11.75))
    assert agreement(one, read_annotation("")) is None
    assert agreement(read_annotation(""), one) is None
    same = agreement(one, one)
    assert same is not None
    assert (same["f1"], same["kappa"]) == (1, 1)
    everything = read_annotation('"a" -> "a"')
    alone = agreement(everything, everything)
    assert alone is not None
    assert math.isnan(alone["kappa"])
