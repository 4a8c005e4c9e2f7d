"""What a trainer may ask of CausaLab: how far an episode has come, and numbers after each turn."""

from collections.abc import Sequence
from math import log, nan
from typing import cast

from causarium.contract.companions import Training
from causarium.contract.turn import Turn
from causarium.families.causalab.model.bench import BenchInstance
from causarium.families.causalab.model.config import LabRules
from causarium.families.causalab.model.instance import LabInstance
from causarium.families.causalab.model.stored_instance import (
    EitherInstance,
    EitherPublic,
    EitherSecret,
    is_bench,
)
from causarium.families.causalab.play.dialog import open_bench_again
from causarium.families.causalab.scoring.ambiguity import Ambiguity, ambiguity, equivalent
from causarium.families.causalab.scoring.bench_score import (
    read_experiments,
    replay_bench,
    share_settled,
)
from causarium.families.causalab.scoring.episode_history import recall, trajectory


def progress(instance: EitherInstance, rules: LabRules, turns: Sequence[Turn]) -> float:
    """Return how much experiments have settled, from 0 to 1.

    At the bench it is the share of the questions that count; in the paper edition the share of the
    equivalence class, in logarithms, that is ruled out.
    """
    if is_bench(instance):
        return share_settled(instance, read_experiments(replay_bench(instance, rules, turns)))
    paper = cast("LabInstance", instance)
    at_start = equivalent(paper, ())
    if at_start <= 1:
        return 1.0
    rows = recall(paper, rules, turns).lab.rows[1:]
    return 1.0 - log(equivalent(paper, rows)) / log(at_start)


def compute_turn_numbers(
    instance: EitherInstance, rules: LabRules, turns: Sequence[Turn]
) -> list[dict[str, float]]:
    """Return what is known after each turn of an episode, as named numbers."""
    if is_bench(instance):
        return _number_bench_turns(instance, rules, turns)
    paper = cast("LabInstance", instance)
    _, *still_open = ambiguity(paper, rules, turns)
    return [
        {"interventions": float(point.interventions), **point.numbers, **_counts(left)}
        for point, left in zip(trajectory(paper, rules, turns), still_open, strict=True)
    ]


def _number_bench_turns(
    instance: BenchInstance, rules: LabRules, turns: Sequence[Turn]
) -> list[dict[str, float]]:
    world, numbers = open_bench_again(instance, rules), []
    for turn in turns:
        world.follow(turn)
        settled = share_settled(instance, read_experiments(world))
        numbers.append({"acts": float(world.spent), "settled": settled})
    return numbers


def _counts(left: Ambiguity) -> dict[str, float]:
    counts = {
        "equivalent": left.equivalent,
        "equivalent_told": left.equivalent_told,
        "consistent": left.consistent,
        "consistent_loosely": left.consistent_loosely,
    }
    return {name: nan if count is None else float(count) for name, count in counts.items()}


TRAINING: Training[EitherPublic, EitherSecret, LabRules] = Training(
    progress=progress,
    turn_numbers=compute_turn_numbers,
)
