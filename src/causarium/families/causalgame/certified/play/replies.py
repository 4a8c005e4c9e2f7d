"""Replies: reading them as actions, and writing actions as replies.

A decision is read as a JSON object or as bare words in a row; the number of legs is for the world
to check. Where a reply holds several objects, the first complete legal one counts.
"""

import json
import re
from typing import Any

from causarium.contract.texts.read_reply import fold_keys
from causarium.contract.texts.replies import MAX_REPLY_CHARS, excerpt, fit_action
from causarium.contract.texts.reply_schemas import (
    Schema,
    any_schema,
    choice_schema,
    mapping_schema,
    object_schema,
)
from causarium.contract.texts.scan_reply import scan_reply
from causarium.contract.world import Action, Unparsed
from ..model import CHOICES, Decide, Fly, GamePublic, GameRules

UNREAD = "no action"
TOO_LARGE = "too large"
_WORDS = {"fit": "fit", "fitted": "fit", "bare": "bare"}
_ROW = re.compile(r"(?:leg\s*)?(\d{1,2})\s*[:=.)-]+\s*(fit|fitted|bare)\b")
_TOKEN = re.compile(r"[a-z]+|\d{1,2}")
_PAST = {"answer", "decision", "final", "my", "is", "the", "leg", "legs", "decide", "and", "so"}
_MOST_LINE = 400


def parse(
    reply: str, allowed_actions: tuple[type[Action], ...], _rules: GameRules
) -> Action | Unparsed:
    """Read a reply as a trial or as the decision."""
    if len(reply) > MAX_REPLY_CHARS:
        detail = f"the reply has {len(reply):,} characters; at most {MAX_REPLY_CHARS:,} are read"
        return Unparsed(mode=TOO_LARGE, detail=detail)
    scan = scan_reply(reply)
    found = [_read_object(value, allowed_actions) for value in scan.objects]
    legal = [action for action in found if not isinstance(action, Unparsed)]
    if legal:
        mended = len(scan.objects) > 1 or any(one.mended for one in scan.values)
        return legal[0].model_copy(update={"mended": int(mended)})
    words = _read_words(scan.text)
    if words and Decide in allowed_actions and not found:
        return Decide.model_validate({"choices": words})
    if found:
        return found[0]
    return Unparsed(mode=UNREAD, detail=f"no decision in {excerpt(scan.text.strip())!r}")


def _read_object(value: dict[str, Any], allowed: tuple[type[Action], ...]) -> Action | Unparsed:
    folded = fold_keys(value, ("fly", "decide", "leg", "set", "choices", "action"))
    fields = folded if isinstance(folded, dict) else {}
    word = fields.pop("action", None)
    if isinstance(word, str) and word in {"fly", "decide"} and word not in fields:
        fields = {word: fields}
    if isinstance(fields.get("fly"), int):
        fields = {"fly": {"leg": fields["fly"], **{k: fields[k] for k in ("set",) if k in fields}}}
    inner: object = fields.get("fly", fields)
    if "leg" in fields or "fly" in fields:
        return _fit(Fly, inner, allowed)
    inner = fields.get("decide", fields)
    if isinstance(inner, dict) and isinstance(inner.get("choices"), dict):
        inner = inner["choices"]
    if isinstance(inner, str):
        inner = _read_words(inner)
    if isinstance(inner, list):
        inner = {str(place): word for place, word in enumerate(inner, 1)}
    if isinstance(inner, dict):
        inner = {"choices": {_fold_leg(k): _fold_word(v) for k, v in inner.items()}}
    return _fit(Decide, inner, allowed)


def _fit(kind: type[Action], value: object, allowed: tuple[type[Action], ...]) -> Action | Unparsed:
    if kind not in allowed:
        return Unparsed(mode=UNREAD, detail=f"{kind.kind} is not taken now")
    fields = value if isinstance(value, dict) else {}
    shown = {name: fields[name] for name in ("leg", "set", "choices") if name in fields}
    return fit_action(shown, (kind,), mode=UNREAD)


def _fold_leg(key: str) -> str:
    return key.casefold().removeprefix("leg").strip(" _-#")


def _fold_word(word: object) -> object:
    return _WORDS.get(word.strip().casefold(), word) if isinstance(word, str) else word


def _read_words(text: str) -> dict[str, str]:
    """Return the choices that bare words make, by the last lines that hold nothing else."""
    choices: dict[str, str] = {}
    lines = [line for line in text.casefold().splitlines() if line.strip()]
    numbered = [_ROW.fullmatch(line.strip(" *`-.,")) for line in lines]
    for match in numbered:
        if match is not None:
            choices[match[1]] = _WORDS[match[2]]
    if choices:
        return choices
    for line in reversed(lines[-3:]):
        tokens = _TOKEN.findall(line[-_MOST_LINE:])
        said = [_WORDS[token] for token in tokens if token in _WORDS]
        rest = {token for token in tokens if token not in _WORDS and not token.isdigit()}
        if said and rest <= _PAST:
            return {str(place): word for place, word in enumerate(said, 1)}
    return {}


def write_action(action: Action, _rules: GameRules) -> str:
    """Return the reply in which `parse` reads an action again."""
    if isinstance(action, Fly):
        settings = {"set": dict(action.set)} if action.set else {}
        return json.dumps({"fly": {"leg": action.leg, **settings}})
    if isinstance(action, Decide):
        return json.dumps({"decide": dict(action.choices)})
    return json.dumps({})


def make_schema(
    public: GamePublic,
    allowed_actions: tuple[type[Action], ...],
    _rules: GameRules,
) -> Schema:
    """Return the schema of what is expected, in the names of this session."""
    numbers = range(1, len(public.legs) + 1)
    choices = object_schema({str(number): choice_schema(*CHOICES) for number in numbers})
    decide = object_schema({"decide": choices})
    if Fly not in allowed_actions:
        return decide
    columns = [column for leg in public.legs for column in leg.columns]
    values = dict.fromkeys(value for column in columns for value in column.values)
    held = mapping_schema((column.name for column in columns), choice_schema(*values))
    leg: Schema = {"type": "integer", "enum": list(numbers)}
    return any_schema(object_schema({"fly": object_schema({"leg": leg, "set": held})}), decide)
