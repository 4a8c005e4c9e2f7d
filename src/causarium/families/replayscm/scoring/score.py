"""The verdict on one problem, from the instance and the recorded turns alone.

What no answer changes is kept on a desk, so that many answers to one problem cost little each.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import nan

from causarium.contract.turn import Turn
from causarium.contract.unparsed import Unparsed
from causarium.contract.verdict import Verdict
from causarium.families.replayscm.model.actions import ACTIONS, Extracted, Submit
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.model.instance import ReplayInstance
from causarium.families.replayscm.play.compile_answer import (
    STAGES,
    Refusal,
    Stage,
    explain_unreadable,
)
from causarium.families.replayscm.play.parse import parse, read_plainly
from causarium.families.replayscm.play.read_units import read_unit_reply
from causarium.families.replayscm.play.unit_play import UnitPlay
from causarium.families.replayscm.play.world import ReplayWorld
from causarium.families.replayscm.scoring.desk import Desk
from causarium.families.replayscm.scoring.replay_answer import Evaluation
from causarium.families.replayscm.scoring.unit_score import UNIT_METRICS, score_units
from causarium.families.replayscm.scoring.verdict_numbers import METRICS as PAPER_METRICS
from causarium.families.replayscm.scoring.write_verdict import Outcome, write_verdict

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
