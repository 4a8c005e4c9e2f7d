"""The verdict on one problem, from the instance and the recorded turns alone.

What no answer changes is kept on a desk, so that many answers to one problem cost little each.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import NamedTuple

from causarium.contract.metric import SLIPS
from causarium.contract.texts.replies import excerpt
from causarium.contract.turn import Turn
from causarium.contract.unparsed import Unparsed
from causarium.contract.verdict import Verdict
from causarium.families.replayscm.model.actions import ACTIONS, Answered, Extracted, Submit
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.model.instance import ReplayInstance
from causarium.families.replayscm.play.compile_answer import (
    STAGES,
    Answer,
    Refusal,
    Stage,
    explain_unreadable,
)
from causarium.families.replayscm.play.parse import parse, read_plainly
from causarium.families.replayscm.play.read_units import read_unit_reply
from causarium.families.replayscm.play.unit_play import UnitPlay
from causarium.families.replayscm.play.world import ReplayWorld
from causarium.families.replayscm.scoring.desk import Desk
from causarium.families.replayscm.scoring.packed_rows import (
    Evaluation,
    Packed,
    compare,
    compare_parents,
)
from causarium.families.replayscm.scoring.tell_apart import Claim, Separation
from causarium.families.replayscm.scoring.unit_score import UNIT_METRICS, score_units
from causarium.families.replayscm.scoring.verdict_numbers import (
    PAPER_METRICS,
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

_NOTHING = dict.fromkeys(PAPER_METRICS, nan)
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
    replay = replay_numbers(replayed)
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


__all__ = ["METRICS", "find_refusal", "play_again", "score", "score_many"]

METRICS = {**PAPER_METRICS, **UNIT_METRICS}
"""Every number that a verdict of either edition can hold."""


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """What the turns of a problem come to."""

    answer: Submit | None
    unparsed: Unparsed | None
    """What could not be read, where nothing was handed in after it."""
    asked_again: int
    """How often something was asked for again because of its form."""


def play_again(
    instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]
) -> EpisodeResult:
    """Return what recorded turns come to."""
    world = ReplayWorld(instance, rules)
    for turn in turns:
        if world.done:
            break
        world.act(turn.move(ACTIONS))
    return EpisodeResult(world.answer, world.unparsed, world.asked_again)


def play_units(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> UnitPlay:
    """Return what recorded turns of a problem of the certified edition come to."""
    play = UnitPlay(instance, rules)
    for turn in turns:
        if play.done:
            break
        play.act(turn.move(ACTIONS))
    return play


def score(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> Verdict:
    """Score one problem of either edition."""
    if instance.public.task is not None:
        return score_units(instance, play_units(instance, rules, turns))
    played = play_again(instance, rules, turns)
    return _verdict(Desk(instance, strict=rules.strict_form), rules, played)


def score_many(
    instance: ReplayInstance, replies: Iterable[str], rules: ReplayRules
) -> list[Verdict]:
    """Score many replies to one problem, each as if it were the only one.

    Args:
        instance: The problem. One in which worlds are asked for is left unscored, and it is said
            why: an answer counts for what was shown before it, and a lone reply shows nothing.
        replies: What was replied.
        rules: The rules of play; the interface is taken to be text.
    """
    if instance.public.budget:
        return [_leave_unscored(instance) for _ in replies]
    if instance.public.task is not None:
        return [_score_unit_reply(instance, reply, rules) for reply in replies]
    desk = Desk(instance, strict=rules.strict_form)
    return [_score_reply(desk, reply, rules) for reply in replies]


def _leave_unscored(instance: ReplayInstance) -> Verdict:
    reason = (
        f"{instance.id} asks for worlds before the answer, and a lone reply asks for none: "
        "play it, or rescore a log in which its questions stand"
    )
    return Verdict(
        numbers=dict.fromkeys(UNIT_METRICS, nan), labels={"outcome": "unscored"}, unscored=reason
    )


def _score_unit_reply(instance: ReplayInstance, reply: str, rules: ReplayRules) -> Verdict:
    play = UnitPlay(instance, rules)
    play.act(read_unit_reply(reply, play.allowed_actions))
    return score_units(instance, play)


def _score_reply(desk: Desk, reply: str, rules: ReplayRules) -> Verdict:
    plain = read_plainly(reply) if desk.instance.public.reference is None else None
    if plain is not None:
        found = desk.evaluate(plain)
        is_refused = found.refusal is not None
        return write_verdict(
            desk,
            Outcome(
                found,
                found.refusal,
                strict=True,
                asked_again=int(is_refused and not rules.strict_form),
            ),
        )
    move = parse(reply, (Submit, Extracted), rules)
    unparsed = move if isinstance(move, Unparsed) else None
    answer = move if isinstance(move, Submit) else None
    if answer is None:
        asked_again = not rules.strict_form
    else:
        unreadable = explain_unreadable(answer, desk.packed.disclosure) is not None
        asked_again = unreadable and not rules.strict_form
    return _verdict(desk, rules, EpisodeResult(answer, unparsed, int(asked_again)))


def _verdict(desk: Desk, rules: ReplayRules, played: EpisodeResult) -> Verdict:
    found = None if played.answer is None else desk.evaluate(played.answer)
    outcome = Outcome(
        found,
        find_refusal(played, found),
        strict=_is_strict(played, rules),
        asked_again=played.asked_again,
    )
    return write_verdict(desk, outcome)


def find_refusal(played: EpisodeResult, found: Evaluation | None) -> Refusal | None:
    """Return why what was handed in cannot be executed; None if it can, or if nothing was."""
    return found.refusal if found else _refuse_unread(played.unparsed)


def _refuse_unread(unparsed: Unparsed | None) -> Refusal | None:
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


def _is_strict(played: EpisodeResult, rules: ReplayRules) -> bool | None:
    """Say whether the reply was one JSON object alone; None where answers are no texts."""
    if isinstance(played.answer, Extracted):
        return played.answer.strict
    return None if played.answer or rules.interface != "json" else False
