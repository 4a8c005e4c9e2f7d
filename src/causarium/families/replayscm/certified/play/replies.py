"""Read replies: a question as an object, answers as lines or as an object."""

import re
from typing import Any

from causarium.contract.texts.read_reply import fold_keys, fold_symbols, read_lines, unwrap
from causarium.contract.texts.replies import excerpt
from causarium.contract.texts.reply_schemas import (
    Schema,
    any_schema,
    choice_schema,
    mapping_schema,
    object_schema,
    text_schema,
)
from causarium.contract.texts.say_action import write_reply
from causarium.contract.texts.scan_reply import ReplyScan, scan_reply
from causarium.contract.world import Action, Unparsed
from ..levels import ReplayRules
from ..model import LETTERS, Answer, Ask, ReplayPublic

NO_REPLY = "no reply"
_NAME = re.compile(r"[XWQP]\d{1,3}", re.IGNORECASE)
_MARKS = (":=", "=", ":", "<-")
_FORMULA_CHARS = 200
_MOST_ANSWERS = 100
_QUESTION = ("set", "read")
_WRAPPERS = ("answers", "answer", "rules", "mechanisms")


def parse(
    reply: str,
    allowed_actions: tuple[type[Action], ...],
    rules: ReplayRules,  # noqa: ARG001 - one form for all rules
) -> Action | Unparsed:
    """Read a reply as a question or as answers; of several objects the first legal one counts."""
    scan = scan_reply(reply)
    objects = [_read_fields(value, allowed_actions) for value in scan.objects]
    found = [one for one in objects if one is not None]
    if found:
        others = [one for one in found[1:] if one != found[0]]
        return found[0].model_copy(update={"slips": len(others)})
    lines = _read_answer_lines(scan)
    if lines and Answer in allowed_actions:
        return Answer(answers=lines)
    said = scan.problem or f"the reply is {excerpt(scan.text.strip())!r}"
    return Unparsed(mode=NO_REPLY, detail=f"neither a question nor an answer was found: {said}")


def _read_fields(value: dict[str, Any], allowed: tuple[type[Action], ...]) -> Action | None:
    inner = fold_keys(unwrap(value, _QUESTION), _QUESTION)
    if isinstance(inner, dict) and "set" in inner and Ask in allowed:
        setting = inner["set"]
        read = inner.get("read", "")
        return Ask(
            set=setting if isinstance(setting, dict) else {"set": setting},
            read=read if isinstance(read, str) else str(read),
        )
    inner = fold_keys(unwrap(value, _WRAPPERS), _WRAPPERS)
    fields = value
    if isinstance(inner, dict):
        held = [inner[key] for key in _WRAPPERS if isinstance(inner.get(key), dict)]
        fields = held[0] if held else inner
    answers = {
        _fold(name): str(said)
        for name, said in list(fields.items())[:_MOST_ANSWERS]
        if _NAME.fullmatch(_fold(name)) and isinstance(said, str | int | float)
    }
    return Answer(answers=answers) if answers else None


def _read_answer_lines(scan: ReplyScan) -> dict[str, str]:
    found = {}
    for name, said in read_lines(scan.text, _MARKS):
        plain = _fold(fold_symbols(name))
        if _NAME.fullmatch(plain) and not said.startswith("..."):
            found[plain] = said
    return dict(list(found.items())[:_MOST_ANSWERS])


def _fold(name: str) -> str:
    return name.strip(" >&$`*#").replace("_", "").replace("{", "").replace("}", "").upper()


def write_action(action: Action, rules: ReplayRules) -> str:  # noqa: ARG001 - one form for all
    """Write an action as the reply in which it is read again."""
    if isinstance(action, Ask):
        return write_reply({"set": action.set, "read": action.read})
    answers = action.answers if isinstance(action, Answer) else {}
    return "\n".join(f"{name} = {said}" for name, said in answers.items())


def make_schema(
    public: ReplayPublic,
    allowed_actions: tuple[type[Action], ...],
    rules: ReplayRules,  # noqa: ARG001 - one form for all rules
) -> Schema:
    """Return the schema of what is expected, in the names of this game."""
    fields: dict[str, Schema] = dict.fromkeys(public.rules_asked, text_schema(_FORMULA_CHARS))
    fields |= dict.fromkeys(public.hands_asked, choice_schema(*public.with_rules))
    fields |= {one.id: choice_schema("0", "1", "?") for one in public.whatifs}
    fields |= {one.id: choice_schema(*LETTERS) for one in public.plans}
    answer = object_schema(fields)
    if Ask not in allowed_actions or public.asking is None:
        return answer
    values = mapping_schema(public.names, {"type": "integer", "enum": [0, 1]})
    return any_schema(
        object_schema({"set": values, "read": choice_schema(*public.asking.gauges)}), answer
    )
