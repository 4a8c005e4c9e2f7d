"""One model that steps of a build, or labels, are asked of: a question in, a reply out."""

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    get_model,
)

from causarium.contract.frozen import make_writable
from causarium.contract.texts.role_questions import Ask
from causarium.engine.inspect_private import PrerequisiteError
from causarium.engine.run.options import RETRIES
from causarium.errors import RunError, UsageError


@contextmanager
def open_model(model: str) -> Iterator[Callable[[Ask], str]]:
    """Give a function that puts a question to `model` and returns its reply.

    All questions share one event loop, because providers keep their connections in it. A question
    that the provider does not answer raises `RunError`.

    Raises:
        UsageError: There is no such model, or its key or package is missing.
    """
    try:
        opened = get_model(model, config=GenerateConfig.model_validate(RETRIES))
    except (PrerequisiteError, ValueError) as wrong:
        reason = " ".join(re.sub(r"\[/?[a-z ]+\]", "", str(wrong)).split())
        raise UsageError(f"Cannot use the model {model!r}: {reason}") from wrong

    async def put(ask: Ask) -> str:
        messages: list[ChatMessage] = [
            ChatMessageSystem(content=ask.system),
            ChatMessageUser(content=ask.user),
        ]
        return str(make_writable((await opened.generate(messages)).completion))

    def reply(ask: Ask) -> str:
        try:
            answer: str = runner.run(put(ask))
        except Exception as wrong:
            # Every provider has errors of its own.
            raise RunError(
                f"The model {model!r} did not answer ({wrong}). Finished work is saved; run the "
                "same command to resume."
            ) from wrong
        return answer

    with asyncio.Runner() as runner:
        yield reply
