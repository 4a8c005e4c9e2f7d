"""Moves as programs write them: actions, data that describes them, and tool calls."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from pydantic import ValidationError

from causarium.contract.family import AnyFamily, Prompt
from causarium.contract.texts.replies import describe_validation_error
from causarium.contract.texts.reply_schemas import INVALID_CALL, tool_parameters
from causarium.contract.texts.say_action import list_shown_fields
from causarium.contract.texts.scan_reply import scan_reply
from causarium.contract.world import Action, Move, Unparsed
from causarium.errors import UnknownName, UsageError

MoveLike: TypeAlias = str | Action | Mapping[str, Any]
"""A reply as a model writes it, an action, or an action or tool call as data."""


def read_move(
    family: AnyFamily, move: Action | Mapping[str, Any], tools: Mapping[str, type[Action]]
) -> Move:
    """Return the move that an action, data or a tool call stands for.

    Args:
        family: The family.
        move: The action, its kind and fields, or the name and arguments of a tool.
        tools: The tools on offer; a call of another one, or one that does not fit, is `Unparsed`.

    Raises:
        UsageError: An action is not one of this family's, or its fields are wrong.
    """
    if not isinstance(move, Mapping):
        return check_action(family, move)
    if "kind" not in move and "name" in move:
        return _read_call(str(move["name"]), move.get("arguments"), tools)
    return build_action(family, move)


def check_action(family: AnyFamily, action: Action) -> Action:
    """Return an action if it is one of the family's.

    Raises:
        UsageError: It is not, or no action at all.
    """
    if not isinstance(action, Action):
        raise UsageError(
            f"a move is a text, an action, or a mapping with `kind` or `name`, not {action!r:.80}"
        )
    if type(action) not in family.actions:
        raise _unknown_kind(family, action.kind)
    return action


def _read_call(name: str, arguments: object, tools: Mapping[str, type[Action]]) -> Move:
    if isinstance(arguments, str):
        found = scan_reply(arguments, strict=True)
        if len(found.objects) > 1:
            detail = f"{len(found.objects)} JSON objects in a call; send one"
            return Unparsed(mode=INVALID_CALL, detail=detail)
        if not found.objects:
            return found.explain_none(INVALID_CALL)
        arguments = found.objects[0]
    if name not in tools:
        detail = f"there is no tool {name!r} now; tools: {', '.join(tools) or 'none'}"
        return Unparsed(mode=INVALID_CALL, detail=detail[:500])
    try:
        return tools[name].model_validate({} if arguments is None else arguments)
    except ValidationError as wrong:
        return Unparsed(mode=INVALID_CALL, detail=describe_validation_error(wrong))


def opening_text(prompt: Prompt) -> str:
    """Return a prompt as one text."""
    return f"{prompt.system}\n\n{prompt.user}"


def build_action(family: AnyFamily, fields: Mapping[str, Any]) -> Action:
    """Return the action that data describes: `{"kind": ..., and its fields}`.

    Raises:
        UsageError: The family has no action of that kind, or a field is wrong.
    """
    given = {name: value for name, value in fields.items() if name != "kind"}
    for action in family.actions:
        if action.kind == fields.get("kind"):
            try:
                return action.model_validate(given)
            except ValidationError as wrong:
                expected = ", ".join(list_shown_fields(action))
                raise UsageError(
                    f"not a {action.kind} action: {describe_validation_error(wrong)}; "
                    f"its fields: {expected}"
                ) from wrong
    raise _unknown_kind(family, fields.get("kind"))


def _unknown_kind(family: AnyFamily, kind: object) -> UnknownName:
    kinds = [action.kind for action in family.actions]
    return UnknownName(f"{family.name} action", str(kind), kinds, plural="kinds of action")


def describe_tool(action: type[Action]) -> dict[str, Any]:
    """Return an action as a tool: its name, description and the JSON schema of its parameters."""
    properties, required = tool_parameters(action)
    return {
        "name": action.kind,
        "description": (action.__doc__ or action.kind).strip(),
        "parameters": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        },
    }
