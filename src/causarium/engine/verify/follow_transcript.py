"""Do the turns of a sample follow from what the model said: every reply is read and taken again.

Each interface has its own rule, the one by which it was played: a text is a move, a message with
calls is a move for each call, an agent of one's own made the calls that passed its wall. What no
message can show is as recorded: what a program did while it ran, and what helpers replied.
"""

from collections.abc import Iterator
from typing import NamedTuple

from jsonschema import Draft7Validator  # type: ignore[import-untyped]
from pydantic import ValidationError

from causarium.contract.episode import Episode, not_handled
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.rules import Rules
from causarium.contract.texts.replies import describe_validation_error
from causarium.contract.turn import Turn
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action, Move, Program, gives_answer, offered_actions
from causarium.engine.play.action_tools import INVALID_CALL, NO_CALL, tool_schema
from causarium.engine.play.ask_roles import begin_repair
from causarium.engine.record.episode_store import EXCEEDED
from causarium.engine.record.transcript import SaidCall, Transcript


class _SaidMove(NamedTuple):
    """A move as it was said, before anybody read it otherwise or held it back."""

    move: Move
    reply: int
    """The number of the reply that it is from."""
    is_bare: bool = False
    """Whether it is taken as it is: a reply that calls no tool, or a call that does not fit."""


class _Mismatch(Exception):
    """The turns are not those that follow; never leaves this module."""


def find_unsaid_turn(
    family: AnyFamily,
    instance: AnyInstance,
    rules: Rules,
    turns: list[Turn],
    transcript: Transcript,
    *,
    own_agent: bool,
    compare_texts: bool = True,
) -> str:
    """Say which recorded turn does not follow from what was said; empty if all do.

    Args:
        family: The family.
        instance: What was played.
        rules: How it was played.
        turns: The turns as they were recorded.
        transcript: What was said.
        own_agent: Whether an agent of one's own played.
        compare_texts: Whether the world's words are compared, and not just what it did.
    """
    episode = Episode(family, instance, rules)
    follower = _Follower(episode, turns, transcript, compare_texts=compare_texts)
    try:
        follower.follow(own_agent=own_agent)
    except _Mismatch as wrong:
        return str(wrong)
    return ""


class _Follower:
    """Plays what was said, and holds each turn against the recorded one."""

    def __init__(
        self, episode: Episode, turns: list[Turn], transcript: Transcript, *, compare_texts: bool
    ) -> None:
        self._episode, self._turns, self._said = episode, turns, transcript
        self._compare_texts = compare_texts
        self._repairs = list(transcript.repairs)
        self._validators: dict[str, Draft7Validator] = {}
        self._held: int | None = None
        """The reply that held the answer that was held back."""

    def follow(self, *, own_agent: bool) -> None:
        """Play all that was said.

        Raises:
            _Mismatch: Something else was recorded.
        """
        tools = {action.kind: action for action in offered_actions(self._episode.world)}
        last = len(self._said.replies) - 1
        for said in self._list_calls(tools) if own_agent else self._list_moves(tools):
            if own_agent and self._episode.done:
                continue
            if self._is_all_recorded() and self._said.limit and (own_agent or said.reply == last):
                break
            self._make(said)
        for turn in self._turns[self._count :]:
            if turn.unparsed is None or turn.unparsed.mode != EXCEEDED:
                raise _Mismatch(f"turn {self._count + 1} is none that the model said")
            self._take(turn.unparsed)

    @property
    def _count(self) -> int:
        return len(self._episode.turns)

    def _is_all_recorded(self) -> bool:
        return self._count >= len(self._turns)

    def _list_moves(self, tools: dict[str, type[Action]]) -> Iterator[_SaidMove]:
        """Yield the moves of a model that plays by itself."""
        rules = self._episode.rules
        by_tools = rules.interface in type(rules).tool_interfaces
        for number, reply in enumerate(self._said.replies):
            if not by_tools:
                yield _SaidMove(self._episode.parse_reply(reply.text), number)
            elif not reply.calls:
                no_call = Unparsed(mode=NO_CALL, detail="the reply calls no tool")
                yield _SaidMove(no_call, number, is_bare=True)
            for call in reply.calls if by_tools else ():
                yield self._read_call(call, number, tools)

    def _read_call(self, call: SaidCall, number: int, tools: dict[str, type[Action]]) -> _SaidMove:
        """Read a call as Inspect does: one that does not fit its tool never reaches us."""
        action = tools.get(call.name)
        fits = action is not None and action.in_tools and call.problem is None
        if fits and action is not None:
            if call.name not in self._validators:
                self._validators[call.name] = Draft7Validator(tool_schema(action))
            fits = self._validators[call.name].is_valid(call.arguments)
        if not fits or action is None:
            return _SaidMove(Unparsed(mode=INVALID_CALL, detail=""), number, is_bare=True)
        return _SaidMove(_validate(action, call), number)

    def _list_calls(self, tools: dict[str, type[Action]]) -> Iterator[_SaidMove]:
        """Yield the moves of an agent of one's own."""
        for call in self._said.calls:
            action = tools.get(call.name)
            if action is None:
                raise _Mismatch(f"there is no tool {call.name!r}")
            yield _SaidMove(_validate(action, call), call.reply)

    def _make(self, said: _SaidMove) -> None:
        """Make a move as it was made: mended by a helper, held back, or run as a program."""
        if said.is_bare:
            self._take(said.move)
            return
        move = self._mend(said.move)
        if self._is_held(move, said.reply):
            return
        if isinstance(move, Program):
            self._run(move)
        else:
            self._take(move)

    def _mend(self, move: Move) -> Move:
        """Ask the helper again, with what it replied then."""
        begun = begin_repair(self._episode, move)
        if not isinstance(begun, tuple):
            return begun
        consultation, _ = begun
        if not self._repairs or self._repairs[0].turn != self._count:
            consultation.close()
            return move
        try:
            for reply in self._repairs.pop(0).replies:
                consultation.send(reply)
        except StopIteration as end:
            mended: Move = end.value
            return mended
        raise _Mismatch(f"turn {self._count + 1}: a helper's replies are missing")

    def _is_held(self, move: Move, reply: int) -> bool:
        if not self._episode.rules.recheck or not gives_answer(self._episode.world, move):
            return False
        if self._held is None:
            self._held = reply
        return self._held == reply

    def _run(self, program: Program) -> None:
        """Take what a program did as recorded, up to the turn of the program itself."""
        while not self._is_all_recorded():
            turn = self._turns[self._count]
            recorded = turn.action or {}
            if recorded.get("kind") == program.kind and recorded.get("code") == program.code:
                mine = turn.move(self._episode.family.actions)
                ran = mine.ran if isinstance(mine, Program) else None
                self._take(program.model_copy(update={"ran": ran}))
                return
            verbs = {verb.kind for verb in program.verbs}
            if turn.unparsed is None and recorded.get("kind") not in verbs:
                break
            self._take(turn.move(self._episode.family.actions))
            if self._episode.done:
                return
        raise _Mismatch(f"turn {self._count + 1} is not the program that was said")

    def _take(self, move: Move) -> None:
        """Take a move and hold the turn against the recorded one."""
        number = self._count + 1
        if self._is_all_recorded():
            raise _Mismatch(f"turn {number} was said and is not recorded")
        recorded = self._turns[number - 1]
        if _is_refusal(move) and recorded.unparsed is not None:
            # The words of a refusal are the library's that refused.
            if recorded.unparsed.mode != INVALID_CALL:
                raise _Mismatch(f"turn {number} is not what the model said")
            move = recorded.unparsed
        self._episode.take(move)
        made = self._episode.turns[-1]
        if made == recorded:
            return
        mine, theirs = made.model_dump(mode="json"), recorded.model_dump(mode="json")
        if (mine["action"], mine["unparsed"]) != (theirs["action"], theirs["unparsed"]):
            raise _Mismatch(f"turn {number} is not what the model said")
        if self._compare_texts and mine["observation"] != theirs["observation"]:
            raise _Mismatch(f"turn {number} was not answered so")
        if made.legal != recorded.legal:
            raise _Mismatch(f"turn {number} was {'allowed' if made.legal else 'refused'}")
        if made.cost != recorded.cost:
            raise _Mismatch(f"turn {number} cost {made.cost}, not {recorded.cost}")


def _is_refusal(move: Move) -> bool:
    return isinstance(move, Unparsed) and move.mode == INVALID_CALL and not move.detail


def _validate(action: type[Action], call: SaidCall) -> Move:
    try:
        return action.model_validate(call.arguments)
    except ValidationError as wrong:
        return Unparsed(mode=INVALID_CALL, detail=describe_validation_error(wrong))
    except Exception:  # noqa: BLE001 - as when it was played
        return not_handled("read")
