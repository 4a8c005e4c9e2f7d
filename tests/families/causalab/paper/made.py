"""Instances made by hand, and episodes played on them without the rest of the house."""

from pathlib import Path

import pytest

from causarium.contract.turn import Turn
from causarium.contract.world import Unparsed
from causarium.families.causalab.paper.generation import Bases, make_paper_instance
from causarium.families.causalab.paper.levels import LabRules
from causarium.families.causalab.paper.model.hypothesis import Hypothesis
from causarium.families.causalab.paper.model.instance import FREQUENCY, PUBLISHED, LabEdge
from causarium.families.causalab.paper.play.dialog import DialogWorld
from causarium.families.causalab.paper.play.world import LabWorld
from causarium.families.causalab.paper.players import PLAYERS
from causarium.families.causalab.paper.scoring.episode_history import points, recall
from causarium.families.causalab.paper.scoring.score import score
from causarium.seeds import stream

F = FREQUENCY
SUITES = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "causalab"
"""Where the released suites are, if they are beside the repository."""


def made(edges, *, names=("density", "moisture", "ph"), base=20.0, **changes):
    """Make an instance; `edges` maps (cause, effect) to a weight, or to (linear, square)."""
    by_name = {p.name: p for p in PUBLISHED}
    weights = {pair: w if isinstance(w, tuple) else (float(w), 0.0) for pair, w in edges.items()}
    count = len(names)
    shown = {
        "properties": tuple(by_name[name] for name in names),
        "form": "quadratic" if any(square for _, square in weights.values()) else "linear",
        "budget": 4 * count,
        **changes,
    }
    return widen(
        make_paper_instance(
            "causalab-made-0000",
            {},
            tuple(
                LabEdge(cause=c, effect=e, linear=a, square=b) for (c, e), (a, b) in weights.items()
            ),
            Bases(
                records=(tuple(range(10, 10 + count)), tuple(range(50, 50 - 3 * count, -3))),
                manipulator=tuple(float(5 + 7 * i) for i in range(count)),
                reactor=tuple(float(30 + i * i) for i in range(count)),
                frequency=base,
            ),
            shown.pop("disturbance", None),
            **shown,
        )
    )


def widen(instance):
    """Return an instance with a reactor that reaches every target, and moves of some size."""
    limit = 10_000.0 if instance.public.form == "linear" else 1_000.0
    wide = {"limit": limit, "reactor_range": (-1e6, 1e6), "printed_order": ()}
    return instance.model_copy(update={"public": instance.public.model_copy(update=wide)})


def suite(name):
    """Return the path of a released suite, or skip the test."""
    path = SUITES / f"{name}.jsonl"
    if not path.exists():
        pytest.skip(f"the released suite {path.name} is not beside the repository")
    return path


def believe(*edges, equation="", **coefficients):
    """Write a hypothesis from (cause, effect) pairs and coefficients."""
    return Hypothesis.model_validate(
        {
            "edges": [{"from": cause, "to": effect} for cause, effect in edges],
            "freq_equation": equation,
            "coefficients": coefficients,
        }
    )


def open_world(instance, rules):
    return (DialogWorld if rules.interface == "dialog" else LabWorld)(instance, rules)


def recorded(move, seen):
    unparsed = move if isinstance(move, Unparsed) else None
    return Turn(
        action=None if unparsed else move.record(),
        unparsed=unparsed,
        observation=seen.text,
        legal=seen.legal,
        cost=seen.cost,
    )


def turns_of(instance, *moves, rules=None):
    """Make moves in a fresh world and return the recorded turns."""
    world = open_world(instance, rules or LabRules())
    return [recorded(move, world.act(move)) for move in moves]


def numbers_of(instance, *moves, rules=None):
    """Make moves in a fresh world and return the verdict's numbers."""
    rules = rules or LabRules()
    return score(instance, rules, turns_of(instance, *moves, rules=rules)).numbers


def trajectory(instance, rules, turns):
    """Return what was believed after each recorded turn."""
    return points(instance, rules, recall(instance, rules, turns))


def played(player, instance, rules=None):
    """Let a player play, and return the recorded turns."""
    rules = rules or LabRules()
    world = open_world(instance, rules)
    plan = PLAYERS[player].start(instance, rules, stream(0, "test", player, instance.id))
    turns = []
    try:
        move = next(plan)
        while not world.done:
            seen = world.act(move)
            turns.append(recorded(move, seen))
            move = plan.send(seen)
    except StopIteration:
        pass
    return turns


def verdict_of(player, instance, rules=None):
    """Let a player play, and score it."""
    return score(instance, rules or LabRules(), played(player, instance, rules))


def paper_rules(**changes):
    """Return the rules of the paper edition."""
    return LabRules(**(dict.fromkeys(LabRules.quirks, True) | changes))
