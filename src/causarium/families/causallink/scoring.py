"""The verdict on one case, from the instance and the recorded turns alone.

The headline is `earned`: the answer is right, and what was done shows it. On practice and core
cases that means that the evidence left no other answer. On logs it means that the run was
decisive: it would have come out differently had the other answer been true.
"""

from collections.abc import Sequence
from math import nan
from typing import TypeVar

from causarium.contract.metric import SLIPS, SLIPS_METRIC, Metric
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.families.causallink.evidence.diagnosis import Case, Judgement, judge, name_bias
from causarium.families.causallink.evidence.practice import find_optimum
from causarium.families.causallink.mechanics import LogCase, name_mask
from causarium.families.causallink.model.config import LinkRules
from causarium.families.causallink.model.instance import (
    ACTIONS,
    LinkInstance,
    is_published,
)
from causarium.families.causallink.model.theme import theme
from causarium.families.causallink.play.replies import ERROR_MODES
from causarium.families.causallink.play.world import GraphWorld, LogWorld
from causarium.scoring.measures import effort

AnyWorld = TypeVar("AnyWorld", GraphWorld, LogWorld)

METRICS = {
    "earned": Metric(
        "1 for a right answer that what was done shows to be right; 0 for all else.",
        "higher",
        share=True,
    ),
    "accuracy": Metric(
        "1 for the right answer; 0 for a wrong one, and where there is none.", "higher", share=True
    ),
    "accuracy_true": Metric("Accuracy on questions whose answer is yes.", "higher", share=True),
    "accuracy_false": Metric("Accuracy on questions whose answer is no.", "higher", share=True),
    "share": Metric(
        "In how large a share of the worlds that fit the log the run is decisive: what the choice "
        "of this run earns in expectation, free of luck; 0 without a run.",
        "higher",
    ),
    "sure": Metric(
        "1 if the run is decisive in every world that fits the log.", "higher", share=True
    ),
    "decisive": Metric(
        "1 if the run would have come out differently had the other answer been true.",
        "higher",
        share=True,
    ),
    "misread": Metric("1 if the run was decisive and the answer wrong.", "lower", share=True),
    "words": Metric(
        "One half if the answer says what the words suggest, minus one half if it says the "
        "opposite; where names suggest something."
    ),
    "stopped": Metric("1 if an answer was given before all interventions were used.", share=True),
    "asked": Metric(
        "1 if more was asked for than the budget allows, so that the answer was asked for.",
        "lower",
        share=True,
    ),
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
    """Score one case.

    Args:
        instance: The case.
        rules: How it was played.
        turns: What was done.
    """
    if instance.public.machine is not None:
        return _score_log(instance, replay(LogWorld(instance, rules), turns))
    return _score_graph(instance, rules, replay(GraphWorld(instance, rules), turns))


def _score_graph(instance: LinkInstance, rules: LinkRules, world: GraphWorld) -> Verdict:
    case = Case.of(instance, world.steps)
    judged = judge(case)
    least = find_optimum(instance.public)
    numbers = {
        **_grade(instance, world),
        "interventions": float(len(world.steps)),
        "steps": float(world.requests if rules.uncounted_first_step else world.spent),
        "effort": effort(len(world.steps), least) if world.answer else nan,
        **_evidence_numbers(world, rules, judged, wrong=not is_right(instance, world)),
        **_count_slips(world),
    }
    if not is_published(instance):
        # The published levels keep the published numbers and no others.
        numbers |= {
            "earned": float(is_right(instance, world) and judged.evidence == "determined"),
            "stopped": float(world.answer is not None and not world.asked),
            "asked": float(world.asked),
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


def _score_log(instance: LinkInstance, world: LogWorld) -> Verdict:
    public, answered = instance.public, world.answer is not None
    right = is_right(instance, world)
    share, decisive = weigh_run(instance, world.run)
    suggested = theme(public.theme).suggests(public.cause, public.effect)
    agrees = (world.answer == "yes") == suggested
    numbers = {
        "earned": float(right and decisive),
        **_grade(instance, world),
        "share": share,
        "sure": float(share == 1),
        "decisive": float(decisive),
        "misread": float(decisive and answered and not right),
        "words": nan if suggested is None or not answered else 0.5 if agrees else -0.5,
        "interventions": float(world.spent),
        "stopped": float(answered and not world.asked),
        "asked": float(world.asked),
        **_count_slips(world),
    }
    evidence = "decisive" if decisive else "open" if world.run is not None else "no run"
    return Verdict(
        numbers=numbers,
        labels={
            "error": world.error or "none",
            "evidence": evidence,
            "form": public.machine.form if public.machine else "",
        },
        answer=world.answer,
        explanation=_explain_log(instance, world, share, decisive=decisive),
    )


def weigh_run(instance: LinkInstance, run: frozenset[str] | None) -> tuple[float, bool]:
    """Return in how large a share of the worlds that fit the log a run is decisive.

    Args:
        instance: A case with a log.
        run: Who was moved; None: there was no run.

    Returns:
        The share, and whether the run is decisive in the true world: it would have come out
        differently had the other answer been true.
    """
    public, shown, secret = instance.public, instance.public.machine, instance.secret.machine
    if run is None or shown is None or secret is None:
        return 0.0, False
    if (public.cause in run) == (shown.companion in run):
        return 0.0, False
    case = LogCase.of(public)
    background = name_mask(case.others, run)
    return case.machine.share(case.left, background), case.world(secret).decides(background)


def replay(world: AnyWorld, turns: Sequence[Turn]) -> AnyWorld:
    """Return a world in which the recorded turns were played again.

    Args:
        world: The world of a case, untouched.
        turns: What was done.
    """
    for turn in turns:
        world.act(turn.move(ACTIONS))
    return world


def _evidence_numbers(
    world: GraphWorld, rules: LinkRules, judged: Judgement, *, wrong: bool
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


def _explanation(instance: LinkInstance, world: GraphWorld, judged: Judgement, least: int) -> str:
    since = {
        "determined": f"the evidence determined it after {judged.since}",
        "open": "the evidence left it open",
        "undecided": "whether the evidence determined it was not decided",
    }[judged.evidence]
    made = f"{len(world.steps)} interventions were made; {since}; {least} suffice in the worst case"
    return tell_answer(instance, world, f" {made}.")


def _explain_log(instance: LinkInstance, world: LogWorld, share: float, *, decisive: bool) -> str:
    if world.run is None:
        return tell_answer(instance, world, " No run was made.")
    outcome = "was decisive" if decisive else "would have come out alike whatever is true"
    run = f"The run {outcome}; it is decisive in {share:.2f} of the worlds that fit the log"
    return tell_answer(instance, world, f" {run}.")


def tell_answer(instance: LinkInstance, world: GraphWorld | LogWorld, more: str = "") -> str:
    """Say what was answered, what is right, and under which error the case is filed.

    Args:
        instance: The case.
        world: Its world, played to the end.
        more: What to say before the error.
    """
    given = "No answer was given" if world.answer is None else f"The answer was {world.answer}"
    error = f" Error mode: {world.error}." if world.error else ""
    return f"{given}; {instance.secret.answer} is right.{more}{error}"


def is_right(instance: LinkInstance, world: GraphWorld | LogWorld) -> bool:
    """Say whether a case ended with the right answer."""
    return world.answer == instance.secret.answer


def _grade(instance: LinkInstance, world: GraphWorld | LogWorld) -> dict[str, float]:
    right, truth = float(is_right(instance, world)), instance.secret.truth
    return {
        "accuracy": right,
        "accuracy_true": right if truth else nan,
        "accuracy_false": nan if truth else right,
    }


def _count_slips(world: GraphWorld | LogWorld) -> dict[str, float]:
    modes = {mode.replace(" ", "_"): float(world.error == mode) for mode in ERROR_MODES}
    return {SLIPS: float(world.slips), **modes}
