"""Score answers item by item, so that every blind answer has 0 in expectation.

Names and signs of a system are dealt by fair chance after all else. So a rule with the right causes
has each of its signs equally often, and a wrong one costs what the right one earns, shared among
them; of n equally likely answers a wrong one costs 1 / (n - 1). What is not answered is 0. What-ifs
have a fixed share of the score, because the answers that they are to have are drawn before the rest
and may bear on how much else is asked.
"""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict, read_metrics
from .levels import ReplayRules
from .mechanics.systems import OUTSIDE, Rule, list_signs
from .model import ACTIONS, LETTERS, ReplayInstance, ReplayPublic
from .play.examine import Meant, examine_answers
from .play.world import ReplayWorld

METRICS = read_metrics(Path(__file__).parent / "metrics.toml")["certified"]

_FIRST_CHOICES = {1: 4, 2: 3}
"""On the first rungs, how many answers to a rule are equally likely."""
_WHATIFS = 0.25
"""The share of what-ifs in a score, where there are any."""
_KINDS = 3
"""A what-if is answered with 0, 1 or ?, each equally often."""


def score(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> Verdict:
    """Return the verdict on the turns of a game."""
    world = ReplayWorld(instance, rules)
    for turn in turns:
        world.act(turn.move(ACTIONS))
    public, meant = instance.public, world.meant
    points = weigh_items(instance, meant) if meant else dict.fromkeys(public.items, 0.0)
    right = {name: float(points[name] == 1) for name in points}
    numbers = {
        "score": _join_points(public, points),
        "exact": float(all(right.values())),
        "rules_right": _mean([right[name] for name in public.rules_asked]),
        "hands_right": _mean([right[name] for name in public.hands_asked]),
        "whatifs_right": _mean([right[one.id] for one in public.whatifs]),
        "plans_right": _mean([right[one.id] for one in public.plans]),
        "questions": float(world.spent),
        "refused": float(world.refused),
        "valid": float(meant is not None),
        "slips": float(world.slips),
    }
    answer = f"{int(sum(right.values()))} of {len(right)} items right" if meant else None
    wrong = [f"{name} is {instance.secret.answers[name]}" for name in right if not right[name]]
    outcome = "no answer" if meant is None else "wrong" if wrong else "right"
    labels = {"outcome": outcome}
    return Verdict(numbers=numbers, labels=labels, answer=answer, explanation="; ".join(wrong))


def weigh_items(instance: ReplayInstance, meant: Meant) -> dict[str, float]:
    """Return the points of each item."""
    public = instance.public
    truth = examine_answers(public, instance.secret.answers)
    others = len(public.with_rules) - 1
    plans = {one.id for one in public.plans}
    points = dict.fromkeys(public.items, 0.0)
    for name, rule in meant.rules.items():
        points[name] = _weigh_rule(public, truth.rules[name], rule)
    for name, word in meant.words.items():
        choices = len(LETTERS) if name in plans else _KINDS
        costs = 1 / others if name in public.hands_asked else 1 / (choices - 1)
        points[name] = 1.0 if word == truth.words[name] else -costs
    return points


def _join_points(public: ReplayPublic, points: Mapping[str, float]) -> float:
    """Return the score: the mean of what-ifs by their share, and that of all other items."""
    whatifs = {one.id for one in public.whatifs}
    rest = _mean([earned for name, earned in points.items() if name not in whatifs])
    if not whatifs:
        return rest
    return (1 - _WHATIFS) * rest + _WHATIFS * _mean([points[name] for name in whatifs])


def _weigh_rule(public: ReplayPublic, truth: Rule, said: Rule) -> float:
    if said == truth:
        return 1.0
    if choices := _FIRST_CHOICES.get(public.rung):
        return -1 / (choices - 1)
    if said.causes != truth.causes or truth == OUTSIDE:
        return 0.0
    signs = list_signs(truth, len(public.names))
    return -1 / (len(signs) - 1) if said.table in signs else 0.0


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else math.nan
