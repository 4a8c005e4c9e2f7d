"""Reading replies of a twin pair: what can be read without doubt is read, and counted as a slip.

Forgiven are commas too many, Python's quotes and words, arguments in a wrapper, an action that only
its fields name, and several objects of which one alone acts. What stays in doubt is not guessed at.
"""

import re
from typing import Any

from pydantic import ValidationError

from causarium.contract.texts.replies import (
    describe_validation_error,
    excerpt,
    find_json_object,
    find_json_objects,
    remove_thinking,
)
from causarium.contract.texts.scan_reply import scan_reply
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action
from causarium.families.causalgame.actions import (
    AnswerQuestions,
    Commit,
    Explain,
    Fly,
    PlayMission,
    RunAnalysis,
    Tabulate,
)
from causarium.families.causalgame.config import GameRules

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
_ALSO = {**PUBLISHED, "deploy": "fly", "submit": "commit", "report": "explain", "answers": "answer"}
_ALSO |= {"deploy_drone": "fly", "submit_final_design": "commit"}
_WRAPPERS = ("arguments", "args", "parameters", "input")
_TELLING: dict[str, type[Action]] = {
    "columns": Tabulate,
    "answers": AnswerQuestions,
    "code": RunAnalysis,
    "count": Fly,
    "text": Explain,
}
"""Fields that only one action has."""
_ENGINE_ONLY = frozenset({"ran", "mended"})
_BLOCK = re.compile(r"^[ \t]*```(?:python|py)[ \t]*\n(.*?)^[ \t]*```", re.DOTALL | re.MULTILINE)
_QUESTION = re.compile(r"q\d{1,2}")


def find_last_block(reply: str) -> str | None:
    """Return the last fenced Python block of a reply."""
    blocks: list[str] = _BLOCK.findall(remove_thinking(reply))
    return blocks[-1] if blocks else None


def read_twin_reply(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: GameRules
) -> Action | Unparsed:
    """Read a reply as an action of a twin pair."""
    only_report = Explain in allowed_actions and Commit not in allowed_actions
    if rules.interface == "code":
        code = find_last_block(reply)
        if code is not None:
            return PlayMission(code=code)
        if not only_report:
            detail = f"no fenced python block in the reply: {excerpt(reply)!r}"
            return Unparsed(mode=NO_CODE, detail=detail)
    if only_report:
        return _read_report(reply)
    given = find_json_object(reply, mode=NO_JSON)
    mends = 0
    if isinstance(given, Unparsed):
        if rules.strict_form:
            return given
        mended = _mend_object(remove_thinking(reply))
        if mended is None:
            return given
        given, mends = mended, 1
    return _name_action(given, allowed_actions, mends, strict=rules.strict_form)


def _mend_object(reply: str) -> dict[str, Any] | None:
    """Return the one object that a reply can mean, or None."""
    acting = [found for found in find_json_objects(reply) if "action" in found]
    if acting and all(found == acting[0] for found in acting):
        return acting[0]
    objects = [] if acting else scan_reply(reply).objects
    return objects[0] if len(objects) == 1 else None


def _name_action(
    given: dict[str, Any], allowed_actions: tuple[type[Action], ...], mends: int, *, strict: bool
) -> Action | Unparsed:
    offered = ", ".join(action.kind for action in allowed_actions)
    fields = dict(given)
    if not strict:
        fields, unwrapped = _unwrap(fields)
        mends += unwrapped
    if "action" not in fields:
        action = None if strict else _guess_action(fields, allowed_actions)
        if action is None:
            detail = f'the JSON object names no "action"; actions: {offered}'
            return Unparsed(mode=NO_ACTION, detail=detail)
        if action is AnswerQuestions and "answers" not in fields:
            fields = {"answers": fields}
        return _fill(action, fields, mends + 1)
    word = fields["action"]
    kind = word.strip().lower() if isinstance(word, str) else ""
    kinds: dict[str, type[Action]] = {one.kind: one for one in (*_KINDS, *allowed_actions)}
    action = kinds.get(kind) or kinds.get(_ALSO.get(kind, ""))
    if action is None:
        detail = f"there is no action {excerpt(repr(word))}; actions: {offered}"
        return Unparsed(mode=UNKNOWN_ACTION, detail=detail)
    return _fill(action, fields, mends)


_KINDS: tuple[type[Action], ...] = (Fly, Tabulate, Commit, AnswerQuestions, Explain, RunAnalysis)


def _unwrap(given: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Take an action and its arguments out of a wrapper, as tool callers write them."""
    fields, unwrapped = given, 0
    inner = fields.get("action")
    if isinstance(inner, dict) and isinstance(name := inner.get("name", inner.get("action")), str):
        fields = {**fields, **inner, "action": name}
        unwrapped = 1
    for wrapper in _WRAPPERS:
        if isinstance(fields.get(wrapper), dict):
            fields = {**{k: v for k, v in fields.items() if k != wrapper}, **fields[wrapper]}
            unwrapped = 1
    return fields, unwrapped


def _guess_action(
    fields: dict[str, Any], allowed_actions: tuple[type[Action], ...]
) -> type[Action] | None:
    """Return the action that the fields alone name, or None."""
    if AnswerQuestions in allowed_actions and Commit not in allowed_actions:
        named = [key for key in fields if _QUESTION.fullmatch(key)]
        return AnswerQuestions if named or "answers" in fields else None
    named_by = [action for field, action in _TELLING.items() if field in fields]
    return named_by[0] if len(named_by) == 1 and named_by[0] in allowed_actions else None


def _fill(action: type[Action], given: dict[str, Any], mends: int) -> Action | Unparsed:
    """Make an action of the fields it has; other keys are left to the log."""
    fields = {
        name: given[name]
        for name in action.model_fields
        if name in given and given[name] is not None and name not in _ENGINE_ONLY
    }
    if "mended" in action.model_fields:
        fields["mended"] = mends + _has_texts_for_numbers(fields) or None
    try:
        return action.model_validate(fields)
    except ValidationError as wrong:
        return Unparsed(
            mode=BAD_FIELDS,
            detail=f"{action.kind} cannot be read: {describe_validation_error(wrong)}",
        )


def _has_texts_for_numbers(fields: dict[str, Any]) -> bool:
    design = fields.get("design")
    values = [fields.get("count"), *(design.values() if isinstance(design, dict) else ())]
    return any(isinstance(value, str) for value in values)


def _read_report(reply: str) -> Action | Unparsed:
    """Read a report: the one JSON object with a text, or else the whole reply."""
    words = remove_thinking(reply).strip()
    objects = [found for found in find_json_objects(words) if "text" in found]
    if len(objects) == 1:
        report = _fill(Explain, objects[0], 0)
        if isinstance(report, Explain):
            return report
        text = objects[0]["text"]
        return Explain(text=text if isinstance(text, str) else words, mended=1)
    if not words:
        return Unparsed(mode=EMPTY, detail="the reply is empty")
    return Explain(text=words)
