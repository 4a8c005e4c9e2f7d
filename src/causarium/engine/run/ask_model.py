"""A model that answers single questions, outside of any run."""

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    get_model,
)

from causarium.contract.frozen import make_writable
from causarium.contract.role_questions import Ask
from causarium.engine.run.start_run import PATIENCE
from causarium.errors import RunError, UsageError


@contextmanager
def asker(model: str) -> Iterator[Callable[[Ask], str]]:
    """Give a function that puts a question to `model` and returns its reply.

    All questions share one event loop, because providers keep their connections in it. A question
    that the provider does not answer raises `RunError`.

    Raises:
        UsageError: There is no such model, or its key or package is missing.
    """
    try:
        asked = get_model(model, config=GenerateConfig.model_validate(PATIENCE))
    except (PrerequisiteError, ValueError) as wrong:
        reason = " ".join(re.sub(r"\[/?[a-z ]+\]", "", str(wrong)).split())
        raise UsageError(f"cannot ask the model {model!r}: {reason}") from wrong

    async def put(ask: Ask) -> str:
        messages: list[ChatMessage] = [
            ChatMessageSystem(content=ask.system),
            ChatMessageUser(content=ask.user),
        ]
        return str(make_writable((await asked.generate(messages)).completion))

    def reply(ask: Ask) -> str:
        try:
            found: str = runner.run(put(ask))
        except Exception as wrong:
            # Every provider has errors of its own.
            raise RunError(
                f"the model {model!r} did not answer ({wrong}); what was done is kept, "
                "so give the same command again"
            ) from wrong
        return found

    with asyncio.Runner() as runner:
        yield reply
