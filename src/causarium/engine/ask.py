"""A model that answers single questions, outside of any run."""

import asyncio
from collections.abc import Callable

from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser, get_model

from causarium.contract.consult import Ask
from causarium.contract.frozen import writable


def asker(model: str) -> Callable[[Ask], str]:
    """Return a function that puts a question to `model` and returns its reply.

    All questions share one event loop, because providers keep their connections in it.
    """
    runner, asked = asyncio.Runner(), get_model(model)

    async def put(ask: Ask) -> str:
        messages: list[ChatMessage] = [
            ChatMessageSystem(content=ask.system),
            ChatMessageUser(content=ask.user),
        ]
        return str(writable((await asked.generate(messages)).completion))

    return lambda ask: runner.run(put(ask))
