"""The verdict on one case, from the instance and the recorded turns alone.

The headline is `earned`: the answer is right, and what was done shows it. On practice and core
cases that means that the evidence left no other answer. On logs it means that the run was
decisive: it would have come out differently had the other answer been true.
"""

from collections.abc import Sequence
from math import nan
from pathlib import Path
from typing import NamedTuple

from causarium.contract.turn import Turn
from causarium.contract.verdict import SLIPS, Metric, Verdict, read_metrics
from causarium.scoring.measures import effort
from .evidence.diagnosis import Case, judge, name_bias
from .evidence.practice import find_optimum
from .mechanics import LogCase
from .model.instance import ACTIONS, LinkInstance, is_published
from .play.replies import ERROR_MODES
from .play.world import CaseWorld, GraphWorld, LogWorld, open_world
from .shared.rules import LinkRules
from .shared.theme import theme

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
    if isinstance(world, LogWorld):
        found = _judge_log(instance, world)
    else:
        found = _judge_graph(instance, rules, world)
    numbers = {
        "accuracy": float(right),
        "accuracy_true": float(right) if truth else nan,
        "accuracy_false": nan if truth else float(right),
        **found.numbers,
        SLIPS: float(world.slips),
        **{mode.replace(" ", "_"): float(world.error == mode) for mode in ERROR_MODES},
    }
    if not is_published(instance):
        # The published levels keep the published numbers and no others.
        numbers |= {
            "earned": float(right and found.settled),
            "stopped": float(world.answer is not None and not world.asked),
            "asked": float(world.asked),
        }
    return Verdict(
        numbers=numbers,
        labels={"error": world.error or "none", **found.labels},
        answer=world.answer,
        explanation=tell_answer(instance, world, f" {found.told}."),
    )


class _Found(NamedTuple):
    """What was found out by what was done."""

    settled: bool
    """Whether it shows the right answer."""
    numbers: dict[str, float]
    labels: dict[str, str]
    told: str


def _judge_graph(instance: LinkInstance, rules: LinkRules, world: GraphWorld) -> _Found:
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
        settled=evidence == "determined",
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


def _judge_log(instance: LinkInstance, world: LogWorld) -> _Found:
    public, answered = instance.public, world.answer is not None
    share, decisive = weigh_run(instance, world.run)
    suggested = theme(public.theme).suggests(public.cause, public.effect)
    agrees = (world.answer == "yes") == suggested
    told, evidence = "No run was made", "no run"
    if world.run is not None:
        evidence = "decisive" if decisive else "open"
        outcome = "was decisive" if decisive else "would have come out alike whatever is true"
        told = f"The run {outcome}; it is decisive in {share:.2f} of the worlds that fit the log"
    return _Found(
        settled=decisive,
        numbers={
            "share": share,
            "sure": float(share == 1),
            "decisive": float(decisive),
            "misread": float(decisive and answered and world.answer != instance.secret.answer),
            "words": nan if suggested is None or not answered else 0.5 if agrees else -0.5,
            "interventions": float(world.spent),
        },
        labels={"evidence": evidence, "form": public.machine.form if public.machine else ""},
        told=told,
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
    background = case.mask(run)
    share = float(case.machine.weigh_runs(case.left)[background])
    return share, case.world(secret).decides(background)


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
