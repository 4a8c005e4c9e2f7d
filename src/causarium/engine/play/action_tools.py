"""A world's actions as Inspect tools.

The schema of a tool is that of the action. Inspect refuses arguments outside the schema before
they reach us; `read_refusal` turns such refusals into `Unparsed`, so that they count.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from inspect_ai.model import ChatMessageTool, Content
from inspect_ai.tool import ToolDef, ToolParams
from inspect_ai.util import JSONSchema
from pydantic import ValidationError

from causarium.contract.episode import not_handled
from causarium.contract.texts.replies import describe_validation_error
from causarium.contract.texts.reply_schemas import inline_references
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action, Move

INVALID_CALL = "invalid action"
"""The error mode of a call that does not fit its tool."""
NO_CALL = "invalid format"
"""The error mode of a reply without a tool call, where one is needed."""


Take = Callable[[Move], Awaitable[str | list[Content]]]
"""Makes a move and says, or shows, what the world answered."""


Note = Callable[[str, dict[str, Any]], None]
"""Notes down a call: the name of the tool and its arguments."""


def action_tools(
    actions: tuple[type[Action], ...], take: Take, note: Note | None = None
) -> list[ToolDef]:
    """Return one tool for each action that tool-calling agents are offered.

    Args:
        actions: The world's actions.
        take: Makes a move.
        note: Notes down every call as it came, if given.
    """
    return [_tool(action, take, note) for action in actions if action.in_tools]


def _tool(action: type[Action], take: Take, note: Note | None) -> ToolDef:
    return ToolDef(
        _execute(action, take, note),
        name=action.kind,
        description=(action.__doc__ or action.kind).strip(),
        parameters=_parameters(action),
        parallel=False,
    )


def _execute(
    action: type[Action], take: Take, note: Note | None
) -> Callable[..., Awaitable[str | list[Content]]]:
    async def execute(**arguments: Any) -> str | list[Content]:  # noqa: ANN401
        if note is not None:
            note(action.kind, arguments)
        try:
            move: Move = action.model_validate(arguments)
        except ValidationError as wrong:
            move = Unparsed(mode=INVALID_CALL, detail=describe_validation_error(wrong))
        except Exception:  # noqa: BLE001 - no call may end a sample
            move = not_handled("read")
        return await take(move)

    return execute


def _parameters(action: type[Action]) -> ToolParams:
    schema = inline_references(action.model_json_schema())
    properties = {
        name: JSONSchema.model_validate({"description": name, **field})
        for name, field in schema.get("properties", {}).items()
    }
    return ToolParams(properties=properties, required=schema.get("required", []))


def tool_schema(action: type[Action]) -> dict[str, Any]:
    """Return the schema that Inspect holds the arguments of a call against."""
    return _parameters(action).model_dump(exclude_none=True)


def read_refusal(message: ChatMessageTool) -> Unparsed | None:
    """Return what a tool message says that Inspect itself refused, if it did."""
    if message.error is None:
        return None
    return Unparsed(mode=INVALID_CALL, detail=message.error.message[:500])
