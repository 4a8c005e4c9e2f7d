"""Boards made by hand: reaches, means, ranks as ranges, and what is not there."""

import json

import pytest

from causarium.report.data.leaderboard import (
    Entry,
    Facts,
    Leaderboard,
    build_leaderboard,
    list_columns,
)
from causarium.report.output.write_leaderboard import _write_ends, render_leaderboard
from tests.report.boards import COLUMNS, FIVE, climb, make_board, play_programs


@pytest.fixture(scope="module")
def board() -> Leaderboard:
    return make_board()


def entry(name: str) -> Entry:
    return Entry(facts=Facts(name=name))


def test_the_highest_mean_comes_first_and_ranks_are_ranges(board: Leaderboard) -> None:
    means = [one.mean.value for one in board.entries if one.mean]
    assert means == sorted(means, reverse=True)
    assert [one.mean for one in board.entries[9:]] == [None, None]
    ranks = [one.rank for one in board.entries]
    assert ranks[:4] == [(1, 1), (2, 2), (3, 3), (4, 4)]
    # What paired differences cannot separate shares a range.
    assert ranks[4:] == [(5, 9)] * 5 + [None, None]


def test_a_mean_is_of_five_reaches(board: Leaderboard) -> None:
    first = board.entries[0]
    assert first.mean is not None
    values = [first.reaches[name].value for name in FIVE]
    assert first.mean.value == pytest.approx(sum(values) / 5)
    assert first.mean.low < first.mean.value <= first.mean.high <= 8
    assert all(reach.open for reach in first.reaches.values())


def test_only_what_is_significantly_above_0_is_above_guessing(board: Leaderboard) -> None:
    assert [one.is_above_guessing for one in board.entries] == [True] * 4 + [False] * 7


def test_programs_stand_beside_the_entries(board: Leaderboard) -> None:
    for column in board.columns:
        assert column.reference is not None
        assert column.program is not None
        assert column.reference.reach.value == 8
        assert 2 < column.program.reach.value < 4
        assert column.program.name != column.reference.name


def test_an_early_end_is_compared_as_a_whole_climb() -> None:
    given = [
        (entry("low"), climb("low", -3, rungs=(1, 2))),
        (entry("high"), climb("high", 5)),
    ]
    high, low = build_leaderboard(given, columns=COLUMNS).entries
    assert (high.facts.name, low.facts.name) == ("high", "low")
    assert (high.rank, low.rank) == ((1, 1), (2, 2))
    (difference,) = build_leaderboard(given, columns=COLUMNS).differences
    assert difference.mean is not None
    assert high.mean is not None
    assert difference.mean.value == pytest.approx(high.mean.value)


def test_what_rows_do_not_tell_is_not_there() -> None:
    (bare,) = build_leaderboard([(entry("bare"), climb("bare", 2))], columns=COLUMNS).entries
    assert (bare.tokens, bare.dollars, bare.cut) == ({}, None, 0.0)
    rows = climb("rich", 2, tokens=100, cut=1)
    (rich,) = build_leaderboard([(entry("rich"), rows)], columns=COLUMNS).entries
    assert rich.tokens == dict.fromkeys(FIVE, 450.0)
    assert rich.dollars == pytest.approx(100 * 450e-6)
    assert rich.cut == 0.25


def test_a_set_that_is_no_ladder_has_no_reach_and_says_so() -> None:
    flat = [one.model_copy(update={"rungs": ()}) for one in COLUMNS]
    played = climb("flat", 2, played=["recite"])
    rows = [row.model_copy(update={"facets": {"size": 3}}) for row in played]
    board = build_leaderboard([(entry("flat"), rows)], columns=flat)
    assert board.entries[0].reaches == {}
    assert "ReCITE: its set standard is no ladder, so there is no reach" in board.left_out
    assert "not played" in render_leaderboard(board)


def test_unscored_rows_are_in_no_reach() -> None:
    rows = climb("m", 20)
    lost = [row.model_copy(update={"unscored": "lost", "numbers": {}}) for row in rows[:6]]
    (one,) = build_leaderboard([(entry("m"), [*lost, *rows[6:]])], columns=COLUMNS).entries
    assert one.reaches[FIVE[0]].value == 8
    assert one.reaches[FIVE[0]].rungs[0].n == 6


def test_a_board_is_read_back_as_it_was_written(board: Leaderboard) -> None:
    text = board.model_dump_json(indent=1)
    assert Leaderboard.model_validate_json(text) == board
    entries = json.loads(text)["entries"]
    assert [len(one["reaches"]) for one in entries] == [5] * 9 + [4] * 2


def test_columns_come_from_the_cards() -> None:
    columns = list_columns("standard")
    assert [column.family for column in columns] == list(FIVE)
    assert all(column.reference is None for column in columns)
    assert list_columns("no such set") == ()


def test_the_page_says_who_leads() -> None:
    players = play_programs()
    tied = [(entry(name), climb(name, 3)) for name in ("a", "b")]
    weak = [(entry(name), climb(name, -3)) for name in ("c", "d")]
    for given, said in (
        (tied, "2 entries share the lead; none is significantly ahead of the others."),
        (weak, "No entry is above guessing yet."),
        ([*tied[:1], *weak], "a leads with a mean reach of 2.5."),
    ):
        board = build_leaderboard(given, players, columns=COLUMNS)
        assert said in render_leaderboard(board)


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((2.0, 1.04, 2.96), "1.0–3.0"),
        ((0.3, -0.04, 0.6), "0.0–0.6"),
        ((0.0, 0.0, 0.46), "≤ 0.5"),
        ((-0.2, -0.44, 0.1), "−0.4 to 0.1"),
        ((-0.5, -0.7, -0.3), "−0.7 to −0.3"),
    ],
)
def test_an_interval_is_written_in_few_letters(ends: tuple[float, float, float], said: str) -> None:
    assert _write_ends(*ends) == said
