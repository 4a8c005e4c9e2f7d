"""Reading replies in published games, and the JSON schema that a provider may hold a model to.

As `json`, a reply holds one JSON object with a thought and an action. As `code`, the last fenced
Python block of a reply is the program. When only the report is left to write, plain words are one.
Published tool names (`deploy_drone`, `submit_final_design`, …) are read as ours.
"""

from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from causarium.contract.texts.read_reply import read_code
from causarium.contract.texts.replies import (
    describe_validation_error,
    excerpt,
    explain_too_large,
    find_json_object,
    find_json_objects,
    remove_thinking,
)
from causarium.contract.texts.reply_schemas import (
    NAME_CHARS,
    NUMBER,
    Schema,
    any_schema,
    choice_schema,
    list_schema,
    mapping_schema,
    object_schema,
    text_schema,
)
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action
from causarium.families.causalgame.model.actions import (
    MOST_CLAIMS,
    MOST_QUESTION_CHARS,
    PUBLISHED_ACTIONS,
    Believe,
    Deploy,
    History,
    PlayProgram,
    Query,
    Report,
    RunAnalysis,
    Submit,
)
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.instance import GamePublic
from causarium.families.causalgame.play.published.game_session import SUFFIX

NO_JSON = "no json"
NO_ACTION = "no action"
UNKNOWN_ACTION = "unknown action"
BAD_FIELDS = "bad fields"
NO_CODE = "no code"
EMPTY = "empty"

PUBLISHED = {
    "get_status": "status",
    "get_mission_status": "status",
    "get_history": "history",
    "get_flight_history": "history",
    "get_action_space": "action_space",
    "query_environment": "query",
    "deploy_drone": "deploy",
    "submit_final_design": "submit",
}
"""The published names of actions."""
TOO_LARGE = "too large"
ERROR_MODES = (TOO_LARGE, NO_JSON, NO_ACTION, UNKNOWN_ACTION, BAD_FIELDS, NO_CODE, EMPTY)
"""Why no action could be read in a reply."""

_BY_KIND = {action.kind: action for action in PUBLISHED_ACTIONS if action is not PlayProgram}
_ENGINE_ONLY = frozenset({"ran", "reading"})
"""Fields that an agent does not fill in."""


def read_session_reply(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: GameRules
) -> Action | Unparsed:
    """Read `reply` as an action of the interface.

    What is not expected just now is read all the same: the world says why it is refused.
    """
    if reason := explain_too_large(reply):
        return Unparsed(mode=TOO_LARGE, detail=reason)
    if rules.interface == "code":
        return _program(reply, allowed_actions)
    if _only_report(allowed_actions):
        return _report(reply, allowed_actions)
    found = find_json_object(reply, mode=NO_JSON)
    return found if isinstance(found, Unparsed) else _parse_named_action(found, allowed_actions)


def _only_report(allowed_actions: tuple[type[Action], ...]) -> bool:
    return Report in allowed_actions and Submit not in allowed_actions


def _parse_named_action(
    found: dict[str, Any], allowed_actions: tuple[type[Action], ...]
) -> Action | Unparsed:
    offered = ", ".join(action.kind for action in allowed_actions)
    if "action" not in found:
        detail = f'the JSON object names no "action"; actions: {offered}'
        return Unparsed(mode=NO_ACTION, detail=detail)
    word = found["action"]
    said = word.strip().lower() if isinstance(word, str) else ""
    action = _BY_KIND.get(PUBLISHED.get(said, said))
    if action is None:
        detail = f"there is no action {excerpt(repr(word))}; actions: {offered}"
        return Unparsed(mode=UNKNOWN_ACTION, detail=detail)
    return _fill_action(action, found)


def _fill_action(action: type[Action], found: dict[str, Any]) -> Action | Unparsed:
    """Make an action of the fields it has; other keys are left to the log."""
    fields = {
        name: found[name]
        for name in action.model_fields
        if name in found and found[name] is not None and name not in _ENGINE_ONLY
    }
    try:
        return action.model_validate(fields)
    except ValidationError as wrong:
        return Unparsed(
            mode=BAD_FIELDS,
            detail=f"{action.kind} cannot be read: {describe_validation_error(wrong)}",
        )


def _program(reply: str, allowed_actions: tuple[type[Action], ...]) -> Action | Unparsed:
    code = read_code(reply)
    if code is not None:
        return PlayProgram(code=code)
    if _only_report(allowed_actions):
        return _report(reply, allowed_actions)
    detail = f"no fenced python block in the reply: {excerpt(reply)!r}"
    return Unparsed(mode=NO_CODE, detail=detail)


def _report(reply: str, allowed_actions: tuple[type[Action], ...]) -> Action | Unparsed:
    """Read a report: the one JSON object with a text, or else the whole reply."""
    said = remove_thinking(reply).strip()
    objects = [found for found in find_json_objects(said) if "text" in found or "action" in found]
    if len(objects) == 1:
        found = objects[0]
        return (
            _parse_named_action(found, allowed_actions)
            if "action" in found
            else _fill_action(Report, found)
        )
    if not said:
        return Unparsed(mode=EMPTY, detail="the reply is empty")
    return Report(text=said)


_CODE_CHARS = 2_000
_REPORT_CHARS = 2_000
_MOST_UNDER = 4


def write_session_schema(
    public: GamePublic, allowed_actions: tuple[type[Action], ...], rules: GameRules
) -> Schema:
    """Return the schema of one of the expected actions, in the names of this game."""
    del rules
    return any_schema(*(_reply(action, public) for action in allowed_actions))


def _reply(action: type[Action], public: GamePublic) -> Schema:
    own = _OWN[action](public) if action in _OWN else {}
    before: dict[str, Schema] = {} if action is Report else {"thought": text_schema()}
    optional = () if action is Believe else ("of", "equipment", "claims")
    return object_schema({**before, "action": choice_schema(action.kind), **own}, optional=optional)


def _write_design_schema(public: GamePublic) -> dict[str, Schema]:
    armour: Schema = {"type": "integer", "minimum": public.lowest, "maximum": public.highest}
    slots = {
        slot.name: choice_schema(*(option.name for option in slot.options)) for slot in public.slots
    }
    plates = [name + SUFFIX for name in public.names]
    return {
        "design": mapping_schema(plates, armour),
        "equipment": object_schema(slots, optional=slots),
    }


def _deploy(public: GamePublic) -> dict[str, Schema]:
    count: Schema = {"type": "integer", "minimum": 1, "maximum": public.budget.per_deployment}
    return {**_write_design_schema(public), "count": count, "claims": _CLAIMS}


def _claims() -> Schema:
    name = text_schema(NAME_CHARS)
    held: Schema = {
        "type": "object",
        "additionalProperties": any_schema(NUMBER, name),
        "maxProperties": _MOST_UNDER,
    }
    relation = choice_schema("raises", "lowers", "does not affect")
    effect = {
        "claim": choice_schema("effect"),
        "cause": name,
        "relation": relation,
        "effect": name,
        "under": held,
    }
    claim = any_schema(
        object_schema(effect, optional=("under",)),
        object_schema(
            {
                "claim": choice_schema("confounder"),
                "confounder": name,
                "of": list_schema(name, 2, least=2),
            }
        ),
        object_schema({"claim": choice_schema("selection"), "on": name}),
    )
    return list_schema(claim, MOST_CLAIMS)


_CLAIMS = _claims()
_OWN: dict[type[Action], Callable[[GamePublic], dict[str, Schema]]] = {
    History: lambda _: {"of": choice_schema("all", "opening", "session")},
    Query: lambda _: {"question": text_schema(MOST_QUESTION_CHARS)},
    Deploy: _deploy,
    RunAnalysis: lambda _: {"code": text_schema(_CODE_CHARS)},
    Believe: lambda _: {"claims": _CLAIMS},
    Submit: lambda public: {**_write_design_schema(public), "claims": _CLAIMS},
    Report: lambda _: {"text": text_schema(_REPORT_CHARS), "claims": _CLAIMS},
}
"""The fields of each action beside its thought and its name."""
