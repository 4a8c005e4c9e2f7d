"""The verdict on one problem, from the instance and the recorded turns alone.

What no answer changes is kept on a desk for each problem, so that many answers to one problem, in a
file or from many runs, cost little each.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from causarium.contract.turn import Turn
from causarium.contract.unparsed import Unparsed
from causarium.contract.verdict import Verdict
from causarium.families.replayscm.actions import ACTIONS, Extracted, Submit
from causarium.families.replayscm.config import ReplayRules
from causarium.families.replayscm.instance import ReplayInstance, WorldRows
from causarium.families.replayscm.parse import parse, read_plainly
from causarium.families.replayscm.scoring.compile_answer import (
    STAGES,
    Refusal,
    Stage,
    explain_unreadable,
)
from causarium.families.replayscm.scoring.desk import Desk
from causarium.families.replayscm.scoring.replay_answer import Evaluation
from causarium.families.replayscm.scoring.verdict_numbers import METRICS
from causarium.families.replayscm.scoring.write_verdict import Outcome, write_verdict
from causarium.families.replayscm.world import ReplayWorld

__all__ = ["METRICS", "Played", "desk_of", "find_refusal", "play_again", "score", "score_many"]

_KEPT_DESKS = 512
_by_id: OrderedDict[tuple[int, bool], Desk] = OrderedDict()
_by_digest: OrderedDict[tuple[str, bool], Desk] = OrderedDict()


def desk_of(instance: ReplayInstance, *, strict: bool) -> Desk:
    """Return the desk of a problem, remembered for a while.

    It is looked up by the object itself first, for writing a problem down to take its digest costs
    more than most verdicts.
    """
    desk = _by_id.get((id(instance), strict))
    if desk is not None and desk.instance is instance:
        return desk
    digest = hashlib.sha256(instance.line().encode()).hexdigest()
    desk = _by_digest.get((digest, strict))
    if desk is None:
        desk = Desk(instance, strict=strict)
        _by_digest[digest, strict] = desk
        if len(_by_digest) > _KEPT_DESKS:
            _by_digest.popitem(last=False)
    if desk.instance is instance:
        _by_id[id(instance), strict] = desk
        if len(_by_id) > _KEPT_DESKS:
            _by_id.popitem(last=False)
    return desk


@dataclass(frozen=True, slots=True)
class Played:
    """What the turns of a problem come to."""

    asked: tuple[WorldRows, ...]
    """The worlds that were asked for and shown."""
    answer: Submit | None
    unparsed: Unparsed | None
    """What could not be read, where nothing was handed in after it."""
    asked_again: int
    """How often something was asked for again because of its form."""


def play_again(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> Played:
    """Return what recorded turns come to."""
    world = ReplayWorld(instance, rules)
    for turn in turns:
        if world.done:
            break
        world.act(turn.move(ACTIONS))
    return Played(tuple(world.asked), world.answer, world.unparsed, world.asked_again)


def score(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> Verdict:
    """Score one problem."""
    return _verdict(instance, rules, play_again(instance, rules, turns))


def score_many(
    instance: ReplayInstance, replies: Iterable[str], rules: ReplayRules
) -> list[Verdict]:
    """Score many replies to one problem, each as if it were the only one.

    Args:
        instance: The problem; one in which worlds are asked for takes an answer at once here.
        replies: What was replied.
        rules: The rules of play; the interface is taken to be text.
    """
    desk = desk_of(instance, strict=rules.strict_form)
    return [_score_reply(desk, reply, rules) for reply in replies]


def _score_reply(desk: Desk, reply: str, rules: ReplayRules) -> Verdict:
    plain = read_plainly(reply) if desk.instance.public.reference is None else None
    if plain is not None:
        found = desk.evaluate(plain)
        form = found.refusal is not None and found.refusal.stage in {"schema", "parse"}
        return write_verdict(
            desk,
            Outcome(
                found,
                found.refusal,
                strict=True,
                asked_again=int(form and not rules.strict_form),
            ),
        )
    move = parse(reply, (Submit, Extracted), rules)
    unparsed = move if isinstance(move, Unparsed) else None
    answer = move if isinstance(move, Submit) else None
    if answer is None:
        asked_again = not rules.strict_form or desk.instance.public.budget > 0
    else:
        unreadable = explain_unreadable(answer, desk.packed.disclosure) is not None
        asked_again = unreadable and not rules.strict_form
    return _verdict(desk.instance, rules, Played((), answer, unparsed, int(asked_again)))


def _verdict(instance: ReplayInstance, rules: ReplayRules, played: Played) -> Verdict:
    if played.asked:
        # Worlds that were asked for belong to one game alone.
        desk = Desk(instance, played.asked, strict=rules.strict_form)
    else:
        desk = desk_of(instance, strict=rules.strict_form)
    found = None if played.answer is None else desk.evaluate(played.answer)
    outcome = Outcome(
        found,
        find_refusal(played, found),
        strict=_is_strict(played, rules),
        asked_again=played.asked_again,
    )
    return write_verdict(desk, outcome)


def find_refusal(played: Played, found: Evaluation | None) -> Refusal | None:
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


def _is_strict(played: Played, rules: ReplayRules) -> bool | None:
    """Say whether the reply was one JSON object alone; None where answers are no texts."""
    if isinstance(played.answer, Extracted):
        return played.answer.strict
    return None if played.answer or rules.interface != "json" else False
