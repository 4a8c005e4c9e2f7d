"""Who plays the bench: exact inference gets everything, shortcuts get nothing."""

import json
import re
from random import Random
from statistics import fmean

import numpy as np
import pytest
from causarium_data.export_data import demonstrate

import causarium as cm
from causarium.contract.rules import Rules
from causarium.families.causalab.model.bench import BenchInstance
from causarium.families.causalab.players.bench import (
    WAYS,
    eliminate,
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


def test_least_squares_drops_the_same_causes_however_sums_are_rounded() -> None:
    """Causes that move alike have equal weights but for rounding, and rows set how that goes."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        half = rng.integers(-3, 4, size=(4, 4)).astype(float)
        matrix, wanted, order = np.hstack([half, half]), half[:, :2].sum(axis=1), rng.permutation(4)
        assert list(eliminate(matrix, wanted)) == list(eliminate(matrix[order], wanted[order]))
