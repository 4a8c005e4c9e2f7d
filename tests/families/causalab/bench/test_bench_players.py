"""Who plays the bench: exact inference gets everything, shortcuts get nothing."""

import json
import re
from fractions import Fraction
from random import Random
from statistics import fmean

import numpy as np
import pytest
from causarium_data.export_data import demonstrate
from hypothesis import given
from hypothesis import strategies as st

import causarium as cm
from causarium.contract.rules import Rules
from causarium.families.causalab.model.bench import BenchInstance, Experiment
from causarium.families.causalab.players.bench import (
    WAYS,
    eliminate,
    fit_exactly,
    play_bench,
    say_the_truth,
)
from tests.families.causalab.bench.made_bench import draw, follow

SHORTCUTS = ("superposition", "last_hold", "whatever_moved", "fewest_arrows", "copy")


def _share(instance: BenchInstance, player: str) -> float:
    moves = play_bench(WAYS[player])(instance.public, Rules(), Random(instance.id))
    world = follow(instance, moves)
    assert world.answers is not None
    return fmean(
        float(said == answer)
        for one, said, answer in zip(
            instance.secret.questions, world.answers, instance.secret.answers, strict=True
        )
        if one.kind == "held"
    )


@pytest.mark.parametrize("level", ["bench-3", "practice-6", "bench-4", "bench-6", "part-8"])
def test_the_reference_answers_everything(level: str) -> None:
    assert all(_share(draw(level, index), "scientist") == 1 for index in range(4))


@pytest.mark.parametrize("player", SHORTCUTS)
@pytest.mark.parametrize("level", ["practice-4", "bench-4", "part-8"])
def test_a_shortcut_answers_nothing(level: str, player: str) -> None:
    assert all(_share(draw(level, index), player) == 0 for index in range(4))


def test_the_table_of_effects_answers_practice_and_nothing_that_is_fixed() -> None:
    assert all(_share(draw("practice-4", index), "table") == 1 for index in range(4))
    assert all(_share(draw("bench-4", index), "table") == 0 for index in range(4))


@pytest.mark.parametrize("level", ["bench-6", "part-8"])
def test_a_second_cause_added_to_each_answers_what_any_weights_settle(level: str) -> None:
    assert all(_share(draw(level, index), "forward_fits") == 1 for index in range(4))


@pytest.mark.parametrize("player", WAYS)
def test_everybody_plays_to_the_end(player: str) -> None:
    assert 0 <= _share(draw("bench-4", 2), player) <= 1


def test_the_oracle_answers_everything() -> None:
    instance = draw("top-12", 0)
    world = follow(instance, say_the_truth(instance, Rules()))
    assert world.answers == instance.secret.answers


@pytest.mark.parametrize("level", ["bench-3", "bench-4", "part-8", "part-12", "top-12"])
def test_demonstrations_show_their_work_and_all_of_it_is_true(level: str) -> None:
    lab = cm.load("causalab")
    for index in range(3):
        instance = draw(level, index)
        session = lab.open(instance)
        talk = demonstrate(session, "scientist")
        final = json.loads(talk[-1]["content"])
        nodes, mechanism = instance.public.nodes, instance.secret.mechanism(instance.public.nodes)
        measured, _, rest = final["thought"].partition("so ")
        equations, *worked = re.split(r"\.? \d+: ", rest.rstrip("."))
        for name, by, moved in re.findall(r"(\w+) (-?\d+) gives ([^;]+);", measured):
            changes = mechanism.changes({nodes.index(name): int(by)})
            told = {one: int(change) for one, change in re.findall(r"(\w+) (-?\d+)", moved)}
            seen = {nodes[n]: c for n, c in enumerate(changes) if c and nodes[n] != name}
            assert told == seen
        for effect, terms in re.findall(r"(\w+) = ([^;]+)", equations):
            found = {(nodes.index(c), int(w)) for w, c in re.findall(r"(-?\d+) (\w+)", terms)}
            assert found == set(mechanism.terms[nodes.index(effect)])
        for question, answer, work in zip(
            instance.secret.questions, final["answers"], worked, strict=True
        ):
            one = instance.public.find_offsets(question, instance.secret.reactor)
            changes = mechanism.changes(one.offset_of)
            steps = re.findall(r"(\w+) ([-\d* +]+) = (-?\d+)[,;]", work)
            for name, sums, change in steps:
                assert eval(sums) == int(change) == changes[nodes.index(name)]
            assert work.endswith(f" {answer}")
            assert bool(steps) == ("most of these" not in work)
        assert "thought" not in str(session.tools())


TABLES = st.integers(1, 5).flatmap(
    lambda wide: st.lists(st.tuples(*[st.integers(-6, 6)] * (wide + 1)), min_size=1, max_size=5)
)
"""A row an experiment; the last column is fitted by the others."""


@given(TABLES)
def test_a_fit_is_that_of_least_squares_where_that_is_exact(table: list[tuple[int, ...]]) -> None:
    node = len(table[0]) - 1
    fit = fit_exactly([Experiment(0, 1, row) for row in table], node, range(node))
    given_rows = np.array(table, float)
    causes, wanted = given_rows[:, :node], given_rows[:, node]
    weights = np.linalg.lstsq(causes, wanted, rcond=None)[0]
    assert (fit is not None) == np.allclose(causes @ weights, wanted, atol=1e-6)
    if fit is not None:
        assert np.allclose([float(weight) for weight in fit.values()], weights)
        assert all(sum(row[at] * w for at, w in fit.items()) == row[node] for row in table)


@given(TABLES, st.randoms(use_true_random=False))
def test_least_squares_is_the_same_however_sums_are_ordered(
    table: list[tuple[int, ...]], rng: Random
) -> None:
    """Columns that move alike have equal weights, and the order of rows is that of the sums."""
    twice = [(*row[:-1], *row[:-1], sum(row[:2])) for row in table]
    mixed = [tuple(by * one for one in row) for row in twice for by in [rng.choice((1, -3))]]
    rng.shuffle(mixed)
    node = len(twice[0]) - 1
    first, second = (
        eliminate([Experiment(0, 1, row) for row in rows], node, range(node))
        for rows in (twice, mixed)
    )
    assert first == second


def test_two_that_move_alike_share_a_weight_and_one_of_them_gets_all_of_it() -> None:
    rows = [Experiment(0, 1, (1, 1, 0, 1)), Experiment(1, 1, (0, 0, 2, 1))]
    half, whole = Fraction(1, 2), Fraction(1)
    assert fit_exactly(rows, 3, [0, 1, 2]) == {0: half, 1: half, 2: half}
    assert eliminate(rows, 3, [0, 1, 2]) == {1: whole, 2: half}
    assert eliminate(rows, 3, [0, 1, 2], (2, 1, 0)) == {0: whole, 2: half}
    assert fit_exactly(rows, 3, [0, 1]) is None
