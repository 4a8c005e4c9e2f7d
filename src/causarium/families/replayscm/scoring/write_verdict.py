"""From what became of an answer to its verdict: numbers, labels, and words for people."""

from collections.abc import Mapping
from math import nan
from typing import NamedTuple

from causarium.contract.metric import SLIPS
from causarium.contract.texts.replies import excerpt
from causarium.contract.verdict import Verdict
from causarium.families.replayscm.model.actions import Answered, Extracted
from causarium.families.replayscm.model.instance import ReplayInstance
from causarium.families.replayscm.play.compile_answer import Answer, Refusal
from causarium.families.replayscm.scoring.desk import Desk
from causarium.families.replayscm.scoring.packed_rows import Packed
from causarium.families.replayscm.scoring.replay_answer import (
    Evaluation,
    compare,
    compare_parents,
)
from causarium.families.replayscm.scoring.tell_apart import Claim, Separation
from causarium.families.replayscm.scoring.verdict_numbers import (
    METRICS,
    Numbers,
    alternative_numbers,
    lift_number,
    replay_numbers,
    root_numbers,
    shown_numbers,
    size_numbers,
    stage_numbers,
    structure_numbers,
)

_NOTHING = dict.fromkeys(METRICS, nan)
_LIMIT = {1.0: "within the limit", 0.0: "beyond the limit"}


class Outcome(NamedTuple):
    """What became of one problem."""

    found: Evaluation | None
    """None if nothing was handed in that could be read."""
    refusal: Refusal | None
    strict: bool | None
    """Whether the reply was one JSON object alone; None where answers are no texts."""
    asked_again: int
    """How often something was asked for again because of its form."""


def write_verdict(desk: Desk, outcome: Outcome) -> Verdict:
    """Write the verdict on an answer."""
    found, refusal = outcome.found, outcome.refusal
    silent = found is None and refusal is None
    numbers = _NOTHING.copy()
    numbers.update(stage_numbers(refusal, strict=outcome.strict, silent=silent))
    numbers.update(_judge(desk, found))
    numbers.update(shown_numbers(desk.instance, desk.models_log2))
    numbers["lift"] = lift_number(desk.instance.public, numbers["heldout_world"])
    slips = outcome.asked_again + _count_forgiven(found)
    numbers[SLIPS] = float(slips)
    numbers["strict_valid"] = float(numbers["valid"] == 1 and not slips)
    labels = {
        "stage": "none" if silent else refusal.stage if refusal else "valid",
        "fault": refusal.fault if refusal else "none",
        "outcome": _outcome(numbers),
        "parents": _LIMIT.get(numbers["within_parent_limit"], "unknown"),
    }
    if (source := desk.instance.secret.source) is not None:
        # Who found the second model that a task was made with, so that they can be left out.
        labels["found_by"] = ", ".join(source.found_by) or "nobody"
    # Everything is of its kind already; checking it again takes longer than the rest.
    return Verdict.model_construct(
        numbers=numbers,
        labels=labels,
        answer=_shorten(found.answer) if found else None,
        explanation=_explain(desk.packed, found, refusal),
        unscored=None,
    )


def _count_forgiven(found: Evaluation | None) -> int:
    if found is None:
        return 0
    in_reply = found.answer.slips if isinstance(found.answer, Extracted) else 0
    return in_reply + found.slips


def _judge(desk: Desk, found: Evaluation | None) -> Numbers:
    packed = desk.packed
    replayed = found.replayed if found else None
    replay = replay_numbers(replayed, asked=desk.instance.public.budget > 0)
    sizes = size_numbers(packed, replayed)
    if packed.reference is not None:
        # What a second model does in worlds that were not shown is nobody's mistake.
        kept = {name: replay[name] for name in ("train_exact", "train_world", "train_cells")}
        return {**kept, **sizes, **_alternative(desk, found)}
    roots = root_numbers(packed, found, replay) if packed.disclosure.roots is None else {}
    if replayed is not None and sorted(replayed.model.roots) == desk.sorted_roots:
        replay |= structure_numbers(replayed, compare(replayed.known, packed.gold))
        replay |= desk.edge_numbers(replayed.known.parents)
    return replay | sizes | roots


def _alternative(desk: Desk, found: Evaluation | None) -> Numbers:
    replayed = found.replayed if found else None
    reference, experiments = desk.packed.reference, desk.experiments
    if found is None or replayed is None or reference is None or experiments is None:
        return alternative_numbers(None, None, None, nan)
    like = compare(replayed.known, reference)
    answer = found.answer
    experiment, claims = answer.experiment, None
    released = answer.released if isinstance(answer, Answered) else None
    if released is not None and desk.packed.disclosure.strict:
        claims = [Claim(d.variable, d.reference, d.alternative) for d in released.differences]
        if released.experiment_type != "hard_do":
            experiment = None
    apart = experiments.separation(replayed.model, experiment, answer.witness, claims)
    if desk.packed.disclosure.strict and _is_unknown(experiment, desk.instance):
        # Published: to set what is no variable is an experiment that separates nothing.
        apart = Separation(experiment_valid=True, share=0.0, best=apart.best, witness=False)
    source = desk.instance.secret.source
    numbers = alternative_numbers(replayed, like, apart, source.disagreement if source else nan)
    edges = compare_parents(replayed.known.parents, reference.parents)
    return {**numbers, "reference_parent_f1": edges.f1}


def _is_unknown(experiment: Mapping[str, int] | None, instance: ReplayInstance) -> bool:
    if experiment is None or len(experiment) != 1:
        return False
    ((name, bit),) = experiment.items()
    return name not in instance.public.variables and bit in (0, 1)


def _outcome(numbers: Numbers) -> str:
    if not numbers["valid"]:
        return "not executable"
    if numbers["alternative_joint"] == 1:
        return "alternative found and shown"
    if numbers["heldout_exact"] == 1:
        return "held-out exact"
    return "train exact" if numbers["train_exact"] else "executable"


def _shorten(answer: Answer) -> str:
    return excerpt("; ".join([f"{name} = {text}" for name, text in answer.mechanisms.items()]))


def _explain(packed: Packed, found: Evaluation | None, refusal: Refusal | None) -> str:
    if refusal is not None:
        return f"Refused at {refusal.stage} ({refusal.fault}): {refusal.detail}."
    if found is None or found.replayed is None:
        return "No answer was given."
    train, heldout = found.replayed.train, found.replayed.heldout
    said = f"{train.exact} of {train.of} training worlds are replayed exactly"
    if packed.reference is None:
        said += f", and {heldout.exact} of {heldout.of} held-out ones"
    return f"{said}; {train.wrong_cells} of {train.cells} training cells are wrong."
