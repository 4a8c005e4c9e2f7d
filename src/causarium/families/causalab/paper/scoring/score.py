"""The verdict on one episode, from the instance and the recorded turns alone.

Conventions:

* The final hypothesis is the last that came into force (`episode_history.py`); without one every
  ratio of its numbers is 0, but for `direct`, and `shd` is the number of true arrows.
* Under the `plain` interface no hypothesis is asked for, so all that speaks of one is nan.
* An agent's own data are the records, the chain if one was handed over, and every reading of the
  manipulator. A hypothesis fits when its frequency equation explains all that was known at the
  time, each to `EXPLAINED_HZ`, and to what a hidden disturbance of the frequency can add on top.
* Two empty sets agree (1); where just one of two is empty, every ratio is 0.
"""

from collections.abc import Sequence
from math import nan
from pathlib import Path

from causarium.contract.turn import Turn, count_forgiven
from causarium.contract.verdict import SLIPS, Verdict, read_metrics
from causarium.scoring.measures import effort, error_of
from ..evidence.consistency import EXPLAINED_HZ, check
from ..evidence.infer_mechanism import Notebook, least_interventions
from ..levels import LabRules
from ..mechanics.resolve_hypothesis import ResolvedHypothesis
from ..mechanics.shown_values import format_entered
from ..model.actions import WALKS
from ..model.instance import FREQUENCY, LabInstance
from .episode_history import History, areas, equivalent, points, recall
from .grade_hypothesis import Truth, grade


def count_steps(rules: LabRules, turns: Sequence[Turn]) -> dict[str, float]:
    """Return how many steps were science and how many were walking; nothing where nobody walks."""
    if not rules.has_dialogs:
        return {}
    kinds = [turn.action.get("kind") for turn in turns if turn.action is not None]
    walking = sum(kind in WALKS for kind in kinds)
    return {"science_steps": float(len(kinds) - walking), "walking_steps": float(walking)}


def label_navigation(steps: dict[str, float]) -> dict[str, str]:
    """Return how much of the way was walking, as a label; none where nobody walks."""
    taken = sum(steps.values())
    if not taken:
        return {}
    share = steps["walking_steps"] / taken
    if share < 1 / 4:
        return {"navigation": "under a quarter of the steps"}
    return {"navigation": "up to half the steps" if share <= 1 / 2 else "over half the steps"}


_TABLES = read_metrics(Path(__file__).parents[1] / "metrics.toml")
METRICS = {**_TABLES["episodes"], **_TABLES["hypotheses"]}
"""Every number of a verdict, with a sentence on what it says."""


def score(instance: LabInstance, rules: LabRules, turns: Sequence[Turn]) -> Verdict:
    """Score one episode."""
    history = recall(instance, rules, turns)
    lab, taken = history.lab, turns[: len(history.steps)]
    unread = sum(turn.unparsed is not None for turn in taken)
    submitted = lab.submitted[-1] if lab.submitted else nan
    numbers = {
        "prediction": float(lab.solved),
        "abs_error": error_of(submitted, instance.secret.target),
        "interventions": float(lab.used),
        "effort": effort(lab.used, least_interventions(instance) if lab.public.budget else None),
        "budget_left": float(lab.left),
        "refusals": float(sum(not turn.legal for turn in taken)),
        "unread": float(unread),
        SLIPS: float(unread + history.world.sent_back + count_forgiven(turns)),
        "equivalent": float(equivalent(instance, lab.rows)),
    }
    steps = count_steps(rules, taken)
    numbers |= steps
    labels = label_navigation(steps)
    if rules.interface == "plain":
        numbers |= dict.fromkeys(_TABLES["hypotheses"], nan)
    else:
        believed, judged = _score_beliefs(instance, rules, history)
        numbers |= believed
        labels |= judged
    return Verdict(
        numbers=numbers,
        labels=labels,
        answer=f"{format_entered(submitted)} Hz" if lab.submitted else None,
        explanation=_explain(instance, history),
    )


def _score_beliefs(
    instance: LabInstance, rules: LabRules, history: History
) -> tuple[dict[str, float], dict[str, str]]:
    empty = grade(None, Truth.of(instance, rules), rules)
    course = points(instance, rules, history)
    final = course[-1].grade if course else empty
    committed, how = judge_commitment(instance, rules, history)
    numbers = {
        **final.numbers(),
        **areas(course, empty),
        "sent_back": float(history.world.sent_back),
        "parse_failures": float(history.world.parse_failures),
        "hypotheses": float(sum(point.changed for point in course)),
        **committed,
        "verification_gain": nan
        if history.verified_at is None
        else final.edges.f1 - course[history.verified_at].grade.edges.f1,
    }
    return numbers, {"graph": final.label, "commitment": how}


def _explain(instance: LabInstance, history: History) -> str:
    target, made = instance.secret.target, history.lab.submitted
    said = ", ".join(format_entered(value) for value in made) or "nothing"
    return (
        f"Submitted {said}; the frequency is {format_entered(target)} Hz. "
        f"{history.lab.used} of {instance.public.budget} interventions were made."
    )


def slack(instance: LabInstance) -> float:
    """Return how far off an explained reading may be."""
    hidden = instance.secret.disturbance
    if hidden is None or FREQUENCY not in hidden.affected:
        return EXPLAINED_HZ
    return EXPLAINED_HZ + max(abs(hidden.weight * value) for value in hidden.values)


def judge_commitment(
    instance: LabInstance, rules: LabRules, history: History
) -> tuple[dict[str, float], str]:
    """Return how an agent committed, without the effect of a verification on its graph.

    The label is `unsubmitted`, `fitted`, `early` (misfit with budget left) or `spent` (without).
    """
    sights = Notebook.of(instance.public, history.lab.rows[1:]).sights
    at_start = len(sights) - history.lab.used
    beliefs = {id(belief): belief for belief in (None, *(step.belief for step in history.steps))}
    names, within = instance.public.names, slack(instance)
    checks = {key: check(one, sights, names) for key, one in beliefs.items()}

    def share_explained(belief: ResolvedHypothesis | None) -> float:
        return sum(miss <= within for miss in checks[id(belief)].misses) / len(sights)

    explained = share_explained(history.final)
    error = checks[id(history.final)].mean_error
    first = next(
        (
            number
            for number, step in enumerate(history.steps)
            if max(checks[id(step.belief)].misses[: at_start + step.used]) <= within
        ),
        None,
    )
    numbers = {
        "explained": explained,
        "fit_error": nan if error is None else error,
        "turns_after_fit": nan if first is None else float(len(history.steps) - 1 - first),
        "verified": nan if rules.verification == "none" else float(history.verified_at is not None),
        "revised": nan,
        "verification_fit_gain": nan,
    }
    if history.verified_at is not None:
        then = history.steps[history.verified_at].belief
        numbers["revised"] = float(
            then is not history.final and (then is None or not then.agrees_with(history.final))
        )
        numbers["verification_fit_gain"] = explained - share_explained(then)
    if not history.lab.submitted:
        label = "unsubmitted"
    elif explained == 1.0:
        label = "fitted"
    else:
        label = "early" if history.lab.left > 0 else "spent"
    return numbers, label
