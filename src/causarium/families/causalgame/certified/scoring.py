"""The verdict on one session, from the instance and the recorded turns alone."""

from collections.abc import Iterator, Sequence
from math import nan
from pathlib import Path

from causarium.contract.turn import Turn
from causarium.contract.verdict import SLIPS, Verdict, read_metrics
from .mechanics.legs import find_best
from .model import ACTIONS, KINDS, GameInstance, GameRules
from .play.world import GameWorld, open_world

METRICS = read_metrics(Path(__file__).with_name("metrics.toml"))["session"]
"""Every number of a verdict."""
NEEDY = ("hidden", "rows", "clerks")
"""The kinds of legs that need a trial."""


def replay_session(instance: GameInstance, rules: GameRules, turns: Sequence[Turn]) -> GameWorld:
    """Play recorded turns again, and return how the world then stands."""
    world = open_world(instance, rules)
    for turn in turns:
        world.act(turn.move(ACTIONS))
    return world


def score(instance: GameInstance, rules: GameRules, turns: Sequence[Turn]) -> Verdict:
    """Score one session."""
    world = replay_session(instance, rules, turns)
    choices = world.choices or {}
    marks: list[tuple[str, int, int]] = []
    for place, (leg, hidden) in enumerate(
        zip(instance.public.legs, instance.secret.legs, strict=True)
    ):
        choice, best = choices.get(str(place + 1)), find_best(leg, hidden)
        mark = 0 if choice is None else 1 if choice == best else -1
        marks.append((hidden.kind, leg.stake, mark))
    needy = [place for place, mark in enumerate(marks) if mark[0] in NEEDY]
    numbers = {
        "score": _weigh(marks),
        "all_right": float(all(mark > 0 for _, _, mark in marks)),
        **dict(_weigh_kinds(marks)),
        "needed": sum(place in world.flown for place in needy) / len(needy) if needy else nan,
        "trials": float(world.spent),
        "refusals": float(sum(not turn.legal for turn in turns)),
        SLIPS: float(sum(bool(t.unparsed or (t.action or {}).get("mended")) for t in turns)),
    }
    wrong = [str(place + 1) for place, (_, _, mark) in enumerate(marks) if mark < 1]
    said = [choices.get(str(place + 1), "open") for place in range(len(marks))]
    return Verdict(
        numbers=numbers,
        labels={"outcome": "none" if not choices else "right" if not wrong else "wrong"},
        answer=" ".join(said) if choices else None,
        explanation=f"Not right on leg {', '.join(wrong)}." if wrong else "Right on every leg.",
    )


def _weigh_kinds(marks: Sequence[tuple[str, int, int]]) -> Iterator[tuple[str, float]]:
    for kind in KINDS:
        yield kind, _weigh([mark for mark in marks if mark[0] == kind])


def _weigh(marks: Sequence[tuple[str, int, int]]) -> float:
    """Return the mean mark, each by its stake; nan if there is none."""
    total = sum(stake for _, stake, _ in marks)
    return sum(stake * mark for _, stake, mark in marks) / total if total else nan
