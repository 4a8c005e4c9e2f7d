"""Puts a family's questions to the models that a run names for its roles.

A provider that answers nonsense is asked again; that goes for the model under test as well.
"""

import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeVar, cast

import anyio
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser, Model, model_roles

from causarium.contract.episode import Episode, not_handled
from causarium.contract.frozen import make_writable
from causarium.contract.texts.role_questions import Ask, Consultation, Judgement
from causarium.contract.world import Move
from causarium.engine.gate import pass_gate
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
        BudgetSpent: The run's budget is spent, or its provider has failed too often.
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
    return models if isinstance(models, list) else [models]


def begin_repair(episode: Episode, move: Move) -> Move | tuple[Consultation[Move], Ask]:
    """Return a move as the family reads it without a question, or the first question of a helper.

    Args:
        episode: What is played.
        move: The move as it was said.
    """
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
    return str(make_writable(output.completion))
