"""What every reader of replies needs: limits, and words for what is wrong.

`scan_reply.find_json_object` finds the JSON object of a reply within limits of size and depth;
`fit_action` makes it one of the allowed actions. `read_reply` has the tolerant readers.
"""

from typing import Any

from pydantic import ValidationError

from causarium.contract.world import Action, Unparsed

MAX_REPLY_CHARS = 200_000
"""Longer replies are not read at all."""
MAX_DEPTH = 32
"""Deeper nesting is not read at all."""
_EXCERPT = 120


def excerpt(text: str) -> str:
    """Return the head of `text`, short enough for a message."""
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"


def fit_action(
    value: dict[str, Any], allowed_actions: tuple[type[Action], ...], *, mode: str
) -> Action | Unparsed:
    """Make `value` the first of the expected actions that it fits, or unreadable by `mode`."""
    reasons = []
    for action in allowed_actions:
        try:
            return action.model_validate(value)
        except ValidationError as wrong:
            reasons.append(describe_validation_error(wrong))
    return Unparsed(mode=mode, detail="; or ".join(reasons) or "nothing more is expected")


def describe_error(wrong: Exception) -> str:
    """Say what is wrong, of what pydantic found in one line."""
    return describe_validation_error(wrong) if isinstance(wrong, ValidationError) else str(wrong)


def describe_validation_error(wrong: ValidationError) -> str:
    """Say in one line what pydantic found wrong, without quoting the whole input."""
    parts = []
    for error in wrong.errors(include_url=False, include_input=False)[:4]:
        where = excerpt(".".join(str(step) for step in error["loc"])) or "reply"
        parts.append(f"{where}: {error['msg'].removeprefix('Value error, ')}")
    return ", ".join(parts)
