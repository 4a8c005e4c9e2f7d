"""The verdict on one case, from the instance and the recorded turns alone."""

from collections.abc import Sequence
from math import nan

from causarium.contract.metric import SLIPS, SLIPS_METRIC, Metric
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.families.causallink.actions import ACTIONS
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.evidence.diagnosis import Case, Judgement, judge, name_bias
from causarium.families.causallink.evidence.optimum import find_optimum
from causarium.families.causallink.instance import LinkInstance
from causarium.families.causallink.parse import ERROR_MODES
from causarium.families.causallink.world import LinkWorld
from causarium.scoring.effort import effort

METRICS = {
    "accuracy": Metric(
        "1 for the right answer; 0 for a wrong one, and where there is none.", "higher", share=True
    ),
    "accuracy_true": Metric("Accuracy on questions whose answer is yes.", "higher", share=True),
    "accuracy_false": Metric("Accuracy on questions whose answer is no.", "higher", share=True),
    "interventions": Metric("How many interventions were carried out."),
    "steps": Metric(
        "The published step counter; without its quirk, the interventions that were counted."
    ),
    "effort": Metric(
        "Interventions for each one that the worst case needs, where an answer was given and at "
        "least one is needed; below 1 means a lucky case or an answer without enough evidence."
    ),
    "determined": Metric(
        "1 if what was seen left only one answer possible in the end.", "higher", share=True
    ),
    "answered_early": Metric(
        "1 if an answer was given while both were still possible.", "lower", share=True
    ),
    "against_evidence": Metric(
        "1 if an answer was given that what was seen had ruled out.", "lower", share=True
    ),
    "steps_after_determined": Metric(
        "Interventions made of one's own will after only one answer was possible; the first one of "
        "the text protocol is forced.",
        "lower",
    ),
    SLIPS: SLIPS_METRIC,
    **{
        mode.replace(" ", "_"): Metric(f"1 if the case is filed under {mode}.", "lower", share=True)
        for mode in ERROR_MODES
    },
}
"""Every number of a verdict, with a sentence on what it says."""


def score(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> Verdict:
    """Score one case."""
    world = replay_turns(instance, rules, turns)
    truth = instance.secret.truth
    right = float(world.answer == ("yes" if truth else "no"))
    case = describe_case(instance, world)
    judged = judge(case)
    least = find_optimum(instance.public)
    numbers = {
        "accuracy": right,
        "accuracy_true": right if truth else nan,
        "accuracy_false": nan if truth else right,
        "interventions": float(len(world.steps)),
        "steps": float(world.requests if rules.uncounted_first_step else world.spent),
        "effort": effort(len(world.steps), least) if world.answer else nan,
        **_evidence_numbers(world, rules, judged, wrong=not right),
        SLIPS: float(world.slips),
        **{mode.replace(" ", "_"): float(world.error == mode) for mode in ERROR_MODES},
    }
    labels = {
        "error": world.error or "none",
        "bias": name_bias(case, world.answer, judged.evidence),
        "evidence": judged.evidence,
    }
    return Verdict(
        numbers=numbers,
        labels=labels,
        answer=world.answer,
        explanation=_explanation(instance, world, judged, least),
    )


def replay_turns(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> LinkWorld:
    """Return a world in which the recorded turns were played again."""
    world = LinkWorld(instance, rules)
    for turn in turns:
        world.act(turn.move(ACTIONS))
    return world


def describe_case(instance: LinkInstance, world: LinkWorld) -> Case:
    """Return what was asked, and what was seen in a world so far."""
    public = instance.public
    return Case(
        reach=instance.secret.reach(public.shapes),
        start=public.start,
        cause=public.shapes.index(public.cause),
        effect=public.shapes.index(public.effect),
        steps=tuple(world.steps),
    )


def _evidence_numbers(
    world: LinkWorld, rules: LinkRules, judged: Judgement, *, wrong: bool
) -> dict[str, float]:
    known = judged.evidence != "undecided"
    determined = judged.evidence == "determined"
    answered = world.answer is not None
    forced = 1 if rules.interface == "json" else 0
    return {
        "determined": float(determined) if known else nan,
        "answered_early": float(not determined) if known and answered else nan,
        "against_evidence": float(determined and wrong) if known and answered else nan,
        "steps_after_determined": nan
        if judged.since is None
        else float(max(len(world.steps) - max(judged.since, forced), 0)),
    }


def _explanation(instance: LinkInstance, world: LinkWorld, judged: Judgement, least: int) -> str:
    given = "No answer was given" if world.answer is None else f"The answer was {world.answer}"
    right = "yes" if instance.secret.truth else "no"
    since = {
        "determined": f"the evidence determined it after {judged.since}",
        "open": "the evidence left it open",
        "undecided": "whether the evidence determined it was not decided",
    }[judged.evidence]
    error = f" Error mode: {world.error}." if world.error else ""
    return (
        f"{given}; {right} is right. {len(world.steps)} interventions were made; {since}; "
        f"{least} suffice in the worst case.{error}"
    )
