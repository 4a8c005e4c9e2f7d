"""The verdict on one problem, from the instance and the recorded turns alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

from causarium.contract.replies import excerpt
from causarium.contract.turn import Turn
from causarium.contract.unparsed import Unparsed
from causarium.contract.verdict import Verdict
from causarium.families.replayscm.config import ReplayRules
from causarium.families.replayscm.evidence.open_models import open_models
from causarium.families.replayscm.instance import (
    ACTIONS,
    Ask,
    Extracted,
    ReplayInstance,
    Submit,
    WorldRows,
)
from causarium.families.replayscm.scoring.compile_answer import (
    STAGES,
    Executable,
    Refusal,
    Stage,
    examine,
)
from causarium.families.replayscm.scoring.packed_rows import Packed, pack
from causarium.families.replayscm.scoring.replay_answer import Evaluation, compare, evaluate
from causarium.families.replayscm.scoring.tell_apart import separation
from causarium.families.replayscm.scoring.verdict_numbers import (
    METRICS,
    Numbers,
    alternative_numbers,
    replay_numbers,
    root_numbers,
    size_numbers,
    stage_numbers,
    structure_numbers,
)
from causarium.families.replayscm.world import asked_world, true_model
from causarium.scoring.effort import effort

__all__ = ["METRICS", "Played", "play_again", "refused", "score"]


@dataclass(frozen=True, slots=True)
class Played:
    """What the turns of a problem come to."""

    asked: tuple[WorldRows, ...]
    """The worlds that were asked for and shown."""
    answer: Submit | None
    unparsed: Unparsed | None
    """What could not be read, where nothing was handed in after it."""


def play_again(instance: ReplayInstance, turns: Sequence[Turn]) -> Played:
    """Return what recorded turns come to."""
    asked: list[WorldRows] = []
    unparsed: Unparsed | None = None
    scm = true_model(instance) if instance.public.budget else None
    for turn in turns:
        move = turn.move(ACTIONS)
        if isinstance(move, Submit) and turn.legal:
            return Played(tuple(asked), move, None)
        if isinstance(move, Unparsed):
            unparsed = move
        elif isinstance(move, Ask) and turn.cost and scm is not None:
            asked.append(asked_world(instance.public, scm, move.set, len(asked) + 1))
    return Played(tuple(asked), None, unparsed)


def score(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> Verdict:
    """Score one problem."""
    played = play_again(instance, turns)
    packed = pack(instance, played.asked)
    found = None if played.answer is None else evaluate(packed, played.answer)
    refusal = refused(played, found)
    numbers = {
        **dict.fromkeys(METRICS, nan),
        **stage_numbers(
            refusal, strict=_strict(played, rules), silent=found is None and refusal is None
        ),
        **_judged(instance, packed, found),
        "models_log2": open_models(instance.public, played.asked),
        "worlds": float(len(instance.public.train) + len(played.asked)),
        "asked": float(len(played.asked)) if instance.public.budget else nan,
        "effort": effort(len(played.asked), len(instance.secret.plan or ()) or None),
    }
    return Verdict(
        numbers=numbers,
        labels={
            **_labels(numbers, refusal, silent=found is None and refusal is None),
            **_found_by(instance),
        },
        answer=_short(found.answer) if found else None,
        explanation=_explanation(packed, found, refusal),
    )


def refused(played: Played, found: Evaluation | None) -> Refusal | None:
    """Return why what was handed in cannot be executed; None if it can, or if nothing was."""
    return found.refusal if found else _unread(played.unparsed)


def _unread(unparsed: Unparsed | None) -> Refusal | None:
    """Return the refusal of a reply in which no answer was found; its mode names the stage."""
    if unparsed is None:
        return None
    stage, _, fault = unparsed.mode.partition(": ")
    for known in STAGES:
        if stage == known:
            return Refusal(known, fault, unparsed.detail)
    # The engine's own words: a tool call that does not fit is at least a call.
    called: Stage = "schema" if unparsed.mode == "invalid action" else "extraction"
    return Refusal(called, unparsed.mode, unparsed.detail)


def _strict(played: Played, rules: ReplayRules) -> bool | None:
    """Say whether the reply was one JSON object alone; None where answers are no texts."""
    if isinstance(played.answer, Extracted):
        return played.answer.strict
    return None if played.answer or rules.interface != "json" else False


def _judged(instance: ReplayInstance, packed: Packed, found: Evaluation | None) -> Numbers:
    replayed = found.replayed if found else None
    replay = replay_numbers(replayed)
    sizes = size_numbers(packed, replayed)
    if packed.reference is not None:
        # What a second model does in worlds that were not shown is nobody's mistake.
        kept = {name: replay[name] for name in ("train_exact", "train_world", "train_cells")}
        return {**kept, **sizes, **_alternative(instance, packed, found)}
    roots = root_numbers(packed, found, replay) if instance.public.roots is None else {}
    return {**replay, **structure_numbers(packed, replayed), **sizes, **roots}


def _alternative(instance: ReplayInstance, packed: Packed, found: Evaluation | None) -> Numbers:
    replayed = found.replayed if found else None
    if found is None or replayed is None or packed.reference is None:
        return alternative_numbers(None, None, None, nan)
    like = compare(replayed.known, packed.reference)
    given = examine(Submit(mechanisms=instance.public.reference or {}), packed.disclosure)
    apart = None
    if isinstance(given, Executable):
        apart = separation(replayed.model, given, found.answer.experiment, found.answer.witness)
    source = instance.secret.source
    return alternative_numbers(replayed, like, apart, source.disagreement if source else nan)


def _labels(numbers: Numbers, refusal: Refusal | None, *, silent: bool) -> dict[str, str]:
    limit = {1.0: "within the limit", 0.0: "beyond the limit"}
    return {
        "stage": "none" if silent else refusal.stage if refusal else "valid",
        "fault": refusal.fault if refusal else "none",
        "outcome": _outcome(numbers),
        "parents": limit.get(numbers["within_parent_limit"], "unknown"),
    }


def _found_by(instance: ReplayInstance) -> dict[str, str]:
    """Name who found the second model that a task was made with, so that they can be left out."""
    source = instance.secret.source
    return {} if source is None else {"found_by": ", ".join(source.found_by) or "nobody"}


def _outcome(numbers: Numbers) -> str:
    if not numbers["valid"]:
        return "not executable"
    if numbers["alternative_joint"] == 1:
        return "alternative found and shown"
    if numbers["heldout_exact"] == 1:
        return "held-out exact"
    return "train exact" if numbers["train_exact"] else "executable"


def _short(answer: Submit) -> str:
    return excerpt("; ".join(f"{name} = {text}" for name, text in answer.mechanisms.items()))


def _explanation(packed: Packed, found: Evaluation | None, refusal: Refusal | None) -> str:
    if refusal is not None:
        return f"Refused at {refusal.stage} ({refusal.fault}): {refusal.detail}."
    if found is None or found.replayed is None:
        return "No answer was given."
    train, heldout = found.replayed.train, found.replayed.heldout
    said = f"{train.exact} of {train.of} training worlds are replayed exactly"
    if packed.reference is None:
        said += f", and {heldout.exact} of {heldout.of} held-out ones"
    return f"{said}; {train.wrong_cells} of {train.cells} training cells are wrong."
