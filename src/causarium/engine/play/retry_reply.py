"""Asking a provider again whose answer made no sense.

Inspect asks again, waiting longer each time, where a provider says that it failed or says
nothing. An answer that is none (a page called JSON, an object without choices) would end the
sample at once; it is a provider's error like the others, and most of them pass.
"""

import json
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import anyio

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
        Halted: The run's budget is spent, or its provider has failed too often.
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
