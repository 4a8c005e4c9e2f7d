"""One episode as Inspect runs it, whoever plays: moves in, observations out, turns to the store.

The turns go to the sample's store as they are taken, so that a log that ends early still holds
what happened. A family's questions go to the models that a run names for its roles; a provider that
answers nonsense is asked again, and that goes for the model under test as well.

Under the rule `recheck` the first move that commits is held back. The agent is asked to compare its
answer with all it was shown; whatever it does next counts. Nothing of this reaches the
world: it costs no budget and is no turn.
"""

import json
import logging
import math
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import anyio
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Model,
    get_model,
    model_roles,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError, sample_limits

from causarium.contract.episode import Episode, not_handled, replay
from causarium.contract.family import AnyFamily
from causarium.contract.rules import Rules
from causarium.contract.texts.prompt_texts import RECHECK, read_text
from causarium.contract.texts.role_questions import Ask, Consultation, Judgement
from causarium.contract.turn import Turn
from causarium.contract.world import Action, Move, Observation, Program, Unparsed, gives_answer
from causarium.engine.gate import CallRefused, pass_gate
from causarium.engine.play.bound_replies import bound_replies, start_allowance
from causarium.engine.play.programs import run_program
from causarium.engine.record.episode_record import AnswerCheck, EpisodeStore, Repair, read_record
from causarium.engine.record.secrets import redact_error

WAITS_S = (2.0, 10.0, 30.0)
"""How long to wait before asking again; then the sample is left incomplete."""
_SENSELESS = (
    json.JSONDecodeError,
    UnicodeDecodeError,
    AttributeError,
    IndexError,
    KeyError,
    TypeError,
)
"""What the clients of providers raise when they read such an answer."""

AnswerT = TypeVar("AnswerT")


async def ask_until_readable(ask: Callable[[], Awaitable[AnswerT]]) -> AnswerT:
    """Return what `ask` returns, asked again where a provider's answer cannot be read.

    Raises:
        CallRefused: The run's budget is spent, or its provider has failed too often.
    """
    return await pass_gate(partial(_ask_again, ask))


async def _ask_again(ask: Callable[[], Awaitable[AnswerT]]) -> AnswerT:
    for wait in WAITS_S:
        try:
            return await _ask_discreetly(ask)
        except _SENSELESS as wrong:
            logging.getLogger(__name__).info(
                "an answer that cannot be read (%r); asking again in %g s", wrong, wait
            )
            await anyio.sleep(wait)
    return await _ask_discreetly(ask)


async def _ask_discreetly(ask: Callable[[], Awaitable[AnswerT]]) -> AnswerT:
    """Return what `ask` returns; keys are taken out of what it raises, which logs will hold."""
    try:
        return await ask()
    except Exception as wrong:
        redact_error(wrong)
        raise


JUDGE = "judge"

ResultT = TypeVar("ResultT")


def models_of_role(role: str) -> Sequence[Model]:
    """Return the models that this run names for a role; none if it names none."""
    models = model_roles().get(role, [])
    return [bound_replies(model) for model in (models if isinstance(models, list) else [models])]


def begin_repair(episode: Episode, move: Move) -> Move | tuple[Consultation[Move], Ask]:
    """Return a move as the family reads it without a question, or a helper's first question."""
    repair_move = episode.family.helpers.repair_move
    if repair_move is None:
        return move
    try:
        consultation = repair_move(episode.instance.public, episode.rules, move)
        return move if consultation is None else (consultation, next(consultation))
    except StopIteration as end:
        return cast("Move", end.value)
    except Exception:  # noqa: BLE001 - no reply may end a sample
        return not_handled("mended")


async def repair_with_helper(episode: Episode, move: Move) -> tuple[Move, list[str]]:
    """Return a move as the family's helper reads it, if the run binds one, and what it replied."""
    begun = begin_repair(episode, move)
    if not isinstance(begun, tuple):
        return begun, []
    consultation, ask = begun
    models = models_of_role(ask.role)
    if not models:
        consultation.close()
        return move, []
    return await _consult(consultation, models[0], ask)


async def judge_episode(episode: Episode) -> list[Judgement]:
    """Have an episode judged by every model that the run names as a judge."""
    judge = episode.family.helpers.judge
    if judge is None:
        return []
    judgements = []
    for model in models_of_role(JUDGE):
        consultation = judge.ask(episode.instance, episode.rules, episode.turns)
        result, replies = await _consult(consultation, model)
        judgements.append(Judgement(model=str(model), found=result, replies=tuple(replies)))
    return judgements


async def _consult(
    consultation: Consultation[ResultT], model: Model, first: Ask | None = None
) -> tuple[ResultT, list[str]]:
    """Run a consultation, from its first question on if that was taken out of it already."""
    replies: list[str] = []
    try:
        ask = first or next(consultation)
        while True:
            replies.append(await _ask_model(model, ask))
            ask = consultation.send(replies[-1])
    except StopIteration as end:
        return end.value, replies


async def _ask_model(model: Model, ask: Ask) -> str:
    messages: list[ChatMessage] = [
        ChatMessageSystem(content=ask.system),
        ChatMessageUser(content=ask.user),
    ]
    output = await ask_until_readable(partial(model.generate, messages))
    return output.completion


ASKED = (
    "Before this counts: hold it against everything that you have been shown, one observation "
    "after the other, and look for one that speaks against it. Then send your answer again, "
    "changed or not, or do something else that is still possible. What you send next counts."
)
"""What the agent reads; a folder of prompt texts may have another `recheck.md`."""


class Recheck:
    """Holds the first answer of an episode back, if the rules say so."""

    def __init__(self, state: TaskState, episode: Episode) -> None:
        self._store = EpisodeStore(state.store)
        self._edition = read_record(state.metadata).edition
        self._episode = episode
        self._text = recheck_text(episode.rules) if episode.rules.recheck else ""
        self._check: AnswerCheck | None = None
        self._reply = 0.0
        """Which of the model's replies held the answer that was held back."""

    def hold(self, move: Move) -> Observation | None:
        """Return what the agent reads in place of making a move; None if it is to be made."""
        if not self._text:
            return None
        answers = gives_answer(self._episode.world, move)
        reply = sample_limits().turn.usage
        if self._check is None:
            if not answers or isinstance(move, Unparsed):
                return None
            self._reply = reply
            self._keep(AnswerCheck(turn=len(self._episode.turns), intended=move.record()))
            return Observation(self._text, legal=False)
        if reply == self._reply:
            # Sent along with it, before anything could be thought over.
            return Observation(self._text, legal=False) if answers else None
        self._follow(self._check, move, answers=answers)
        return None

    def _follow(self, check: AnswerCheck, move: Move, *, answers: bool) -> None:
        """Note what is sent after the check."""
        if check.answer is not None or isinstance(move, Unparsed):
            return
        sent = move.record()
        changes: dict[str, Any] = {"next": check.next or sent}
        if answers:
            differs = _drop_comments(move, sent) != _drop_comments(move, check.intended)
            changes |= {"answer": sent, "changed": differs}
        self._keep(check.model_copy(update=changes))

    def settle(self) -> None:
        """Work out, at the end, what a changed answer was worth."""
        check, episode = self._check, self._episode
        if check is None or not check.changed:
            return
        family = episode.family
        numbers = episode.score().numbers
        metric = family.card.headline[self._edition]
        sign = -1.0 if family.metrics[metric].better == "lower" else 1.0
        before = replay(family, episode.instance, episode.rules, episode.turns[: check.turn])
        held = Turn(action=check.intended, observation="", legal=True, cost=0)
        before.take(held.move(family.actions))
        gain = sign * (numbers[metric] - before.score().numbers[metric])
        self._keep(check.model_copy(update={"gain": None if math.isnan(gain) else gain}))

    def _keep(self, check: AnswerCheck) -> None:
        self._check = self._store.answer_check = check


def _drop_comments(move: Action, record: dict[str, Any]) -> dict[str, Any]:
    """Return a recorded action without what is only said beside it."""
    return {name: value for name, value in record.items() if name not in move.comment_fields}


def recheck_text(rules: Rules) -> str:
    """Return what an agent reads, in a user's words if their folder has them.

    Raises:
        BadFile: The user's text cannot be read, or has slots.
    """
    own = Path(rules.prompts) / f"{RECHECK}.md" if rules.prompts else None
    if own is None or not own.is_file():
        return ASKED
    return read_text(own, needed=(), allowed=()).substitute()


def make_solver(name: str, play: Callable[[TaskState], Awaitable[TaskState]]) -> Solver:
    """Return a solver of Inspect's that plays a sample."""

    @solver(name=name)
    def make() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
            return await play(state)

        return solve

    return make()


_MOST_REASON_CHARS = 500
OVER = "It is over."
"""What is shown of a program that ended the episode."""


class Play:
    """An episode, and the sample that it is played for."""

    def __init__(self, family: AnyFamily, state: TaskState) -> None:
        instance, rules = read_record(state.metadata).open(family)
        start_allowance()
        bound_replies(get_model())
        self._store = EpisodeStore(state.store)
        self._turns = self._store.start_turns()
        self.state = state
        self.episode = Episode(family, instance, rules)
        self._recheck = Recheck(state, self.episode)

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self.episode.done

    async def make(self, move: Move) -> Observation:
        """Make a model's move: as its assistant reads it and, if it is a program, once it has run.

        An answer that the rules want checked first is held back, and what is returned then says so.
        """
        move, replies = await repair_with_helper(self.episode, move)
        if replies:
            repair = Repair(turn=len(self.episode.turns), replies=tuple(replies))
            self._store.repairs = [*self._store.repairs, repair]
        held = self._recheck.hold(move)
        if held is not None:
            return held
        if isinstance(move, Program):
            over = self.done
            move = await run_program(self.episode, move, self.make)
            if self.done and not over:
                # What the program did ended the episode; its own turn would come after the end.
                return Observation(OVER)
        return self.take(move)

    def take(self, move: Move) -> Observation:
        """Make a move as it is."""
        seen = self.episode.take(move)
        turn = self.episode.turns[-1].model_dump(mode="json")
        self._turns.append(turn)
        return seen

    async def finish(self) -> TaskState:
        """Have the episode judged, if there is a judge, and return the sample as it is then.

        A judge that fails costs what only a judge can say, and nothing else.

        Raises:
            CallRefused: The run may make no more calls; it is judged when the run resumes.
        """
        self._recheck.settle()
        try:
            judgements = await judge_episode(self.episode)
        except (CallRefused, LimitExceededError):
            raise
        except Exception as wrong:  # noqa: BLE001 — every provider has errors of its own
            self._store.judge_failed = f"{type(wrong).__name__}: {wrong}"[:_MOST_REASON_CHARS]
        else:
            if judgements:
                self._store.judgements = judgements
        self.state.completed = True
        return self.state
