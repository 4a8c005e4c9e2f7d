"""The verdict on one case, from the instance and the recorded turns alone."""

from collections.abc import Sequence
from math import nan
from pathlib import Path
from typing import NamedTuple

from causarium.contract.turn import Turn
from causarium.contract.verdict import SLIPS, Metric, Verdict, read_metrics
from causarium.scoring.measures import effort
from .evidence import Case, find_optimum, judge, name_bias
from .model.instance import ACTIONS, LinkInstance
from .model.rules import LinkRules
from .play.replies import ERROR_MODES
from .play.world import CaseWorld, open_world

METRICS = {
    **read_metrics(Path(__file__).with_name("metrics.toml"))["cases"],
    **{
        mode.replace(" ", "_"): Metric(f"1 if the case is filed under {mode}.", "lower", share=True)
        for mode in ERROR_MODES
    },
}
"""Every number of a verdict, with a sentence on what it says."""


def score(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> Verdict:
    """Score one case."""
    world, truth = replay(instance, rules, turns), instance.secret.truth
    right = world.answer == instance.secret.answer
    found = _judge(instance, rules, world)
    numbers = {
        "accuracy": float(right),
        "accuracy_true": float(right) if truth else nan,
        "accuracy_false": nan if truth else float(right),
        **found.numbers,
        SLIPS: float(world.slips),
        **{mode.replace(" ", "_"): float(world.error == mode) for mode in ERROR_MODES},
    }
    return Verdict(
        numbers=numbers,
        labels={"error": world.error or "none", **found.labels},
        answer=world.answer,
        explanation=tell_answer(instance, world, f" {found.told}."),
    )


class _Found(NamedTuple):
    """What was found out by what was done."""

    numbers: dict[str, float]
    labels: dict[str, str]
    told: str


def _judge(instance: LinkInstance, rules: LinkRules, world: CaseWorld) -> _Found:
    case, made = Case.of(instance, world.steps), len(world.steps)
    least = find_optimum(instance.public)
    evidence, since = judge(case)
    # nan times anything is nan: without an answer or a judgement there is nothing to count.
    determined = float(evidence == "determined") if evidence != "undecided" else nan
    answered = 1.0 if world.answer else nan
    wrong = float(world.answer != instance.secret.answer)
    # The text protocol forces the first intervention.
    willed = nan if since is None else made - max(since, int(rules.interface == "json"))
    told = {
        "determined": f"the evidence determined it after {since}",
        "open": "the evidence left it open",
        "undecided": "whether the evidence determined it was not decided",
    }[evidence]
    return _Found(
        numbers={
            "interventions": float(made),
            "steps": float(world.requests if rules.uncounted_first_step else world.spent),
            "effort": answered * effort(made, least),
            "determined": determined,
            "answered_early": answered * (1 - determined),
            "against_evidence": answered * determined * wrong,
            "steps_after_determined": float(max(willed, 0)),
        },
        labels={"bias": name_bias(case, world.answer, evidence), "evidence": evidence},
        told=f"{made} interventions were made; {told}; {least} suffice in the worst case",
    )


def replay(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> CaseWorld:
    """Return the world of a case in which the recorded turns were played again."""
    world = open_world(instance, rules)
    for turn in turns:
        world.act(turn.move(ACTIONS))
    return world


def tell_answer(instance: LinkInstance, world: CaseWorld, more: str = "") -> str:
    """Say what was answered, what is right, and under which error the case is filed.

    Args:
        instance: The case.
        world: Its world, played to the end.
        more: What to say before the error.
    """
    given = "No answer was given" if world.answer is None else f"The answer was {world.answer}"
    error = f" Error mode: {world.error}." if world.error else ""
    return f"{given}; {instance.secret.answer} is right.{more}{error}"
