"""What a trainer may ask of CausaLab: how far an episode has come, and numbers after each turn."""

from collections.abc import Sequence
from math import log

from causarium.contract.companions import Training
from causarium.contract.turn import Turn
from .model.bench import BenchInstance
from .model.config import LabRules
from .model.instance import LabInstance
from .model.stored_instance import EitherPublic, EitherSecret, by_edition
from .play.dialog import open_bench_again
from .scoring.bench_score import replay_bench, share_settled
from .scoring.episode_history import equivalent, points, recall


def share_ruled_out(instance: LabInstance, rules: LabRules, turns: Sequence[Turn]) -> float:
    """Return the share of the equivalence class, in logarithms, that is ruled out."""
    at_start = equivalent(instance, ())
    if at_start <= 1:
        return 1.0
    rows = recall(instance, rules, turns).lab.rows[1:]
    return 1.0 - log(equivalent(instance, rows)) / log(at_start)


def number_bench_turns(
    instance: BenchInstance, rules: LabRules, turns: Sequence[Turn]
) -> list[dict[str, float]]:
    """Return what is known after each turn of an episode at the bench, as named numbers."""
    world, numbers = open_bench_again(instance, rules), []
    for turn in turns:
        world.follow(turn)
        settled = share_settled(instance, world.experiments)
        numbers.append({"acts": float(world.spent), "settled": settled})
    return numbers


def number_paper_turns(
    instance: LabInstance, rules: LabRules, turns: Sequence[Turn]
) -> list[dict[str, float]]:
    """Return what is known after each turn of an episode of the paper edition."""
    history = recall(instance, rules, turns)
    rows = history.lab.rows
    return [
        {
            "interventions": float(point.interventions),
            **point.numbers,
            "equivalent": float(equivalent(instance, rows[: point.interventions + 1])),
        }
        for point in points(instance, rules, history)
    ]


TRAINING: Training[EitherPublic, EitherSecret, LabRules] = Training(
    progress=by_edition(
        lambda instance, rules, turns: share_settled(
            instance, replay_bench(instance, rules, turns).experiments
        ),
        share_ruled_out,
    ),
    turn_numbers=by_edition(number_bench_turns, number_paper_turns),
)
