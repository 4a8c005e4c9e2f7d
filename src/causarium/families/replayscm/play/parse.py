"""Reading replies: which JSON object in a reply is the answer, and what may be wrong with one.

An object looks like an answer when it has mechanisms. Certified rules read a reply that holds one
answer, however often it is repeated, and refuse one that holds two different ones. The published
rules choose: all answers are ordered by how much of the asked-for shape they have, then by size,
then by place, and the first that can be executed counts; that last choice needs the problem, so
the others travel with the first. Formulas are not looked at here.
"""

import json
from typing import Any, NamedTuple

from pydantic import ValidationError

from causarium.contract.texts.replies import (
    describe_validation_error,
    excerpt,
    explain_too_large,
    find_json_objects,
    remove_thinking,
)
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action
from causarium.families.replayscm.model.actions import Answered, Explain, Extracted, Predict, Submit
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.play.answer_forms import flatten_answer
from causarium.families.replayscm.play.compile_answer import PlainAnswer
from causarium.families.replayscm.play.read_units import read_unit_reply

NO_OBJECT = "extraction: no object"
BROKEN = "extraction: broken object"
TWICE = "extraction: duplicate key"
TOO_LARGE = "extraction: too large"
SEVERAL = "extraction: several answers"
NO_MECHANISMS = "schema: no mechanisms"
WRONG_TYPE = "schema: wrong type"
MODES = (NO_OBJECT, BROKEN, TWICE, TOO_LARGE, SEVERAL, NO_MECHANISMS, WRONG_TYPE)
"""What may be wrong with a reply: the stage at which it fails, and how."""

MOST_CANDIDATES = 8
"""So many answers of one reply are looked at."""
_KINDS: dict[str, type] = {"mechanisms": dict, "roots": list, "experiment": dict, "witness": dict}
_PLAIN_BRACES = 32


def parse(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: ReplayRules
) -> Action | Unparsed:
    """Read `reply` as an answer, or as a question in the certified edition."""
    if Explain in allowed_actions or Predict in allowed_actions:
        return read_unit_reply(reply, allowed_actions)
    if reason := explain_too_large(reply):
        return Unparsed(mode=TOO_LARGE, detail=reason)
    text = remove_thinking(reply)
    objects = _find_objects(text, rules)
    if not objects:
        return _no_object(text, rules)
    moves = _drop_repeats(
        [move for move in (_shape(value, allowed_actions, rules) for value in objects) if move]
    )
    if not moves:
        keys = excerpt(", ".join(map(str, objects[0])) or "none")
        detail = f'no JSON object in the reply has "mechanisms"; the first has the keys: {keys}'
        return Unparsed(mode=NO_MECHANISMS, detail=detail)
    if rules.several_objects_chosen:
        moves = sorted(moves, key=_rank)[:MOST_CANDIDATES]
    elif len(moves) > 1:
        detail = f"{len(moves)} different answers in the reply; send one"
        return Unparsed(mode=SEVERAL, detail=detail)
    return _move(moves, allowed_actions, strict=_is_all(reply))


def read_plainly(reply: str) -> PlainAnswer | None:
    """Read a reply that is one plain JSON object with mechanisms, and perhaps roots, as an answer.

    None for any other reply, be it an answer or not: `parse` reads it.
    """
    plain = reply.isascii() and reply[:1] == "{" and "\\" not in reply and "<think" not in reply
    if not plain or reply.count("{") + reply.count("[") > _PLAIN_BRACES:
        return None
    try:
        value = _DECODER.decode(reply)
    except (ValueError, RecursionError):
        return None
    mechanisms, roots = value.pop("mechanisms", None), value.pop("roots", ())
    if value or not isinstance(mechanisms, dict) or not isinstance(roots, list | tuple):
        return None
    if {type(text) for text in (*mechanisms.values(), *roots)} - {str}:
        return None
    return PlainAnswer(mechanisms, tuple(roots) if roots else None)


class _Shaped(NamedTuple):
    """What an object in a reply looks like."""

    kind: type[Action]
    fields: dict[str, Any]
    slips: int = 0


def _find_objects(text: str, rules: ReplayRules) -> list[dict[str, Any]]:
    if not rules.strict_form:
        return find_json_objects(text)
    try:
        # Published: of a key that stands twice the last counts, and a list is no answer.
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return find_json_objects(text)
    return [whole] if isinstance(whole, dict) else []


def _shape(
    value: dict[str, Any], allowed_actions: tuple[type[Action], ...], rules: ReplayRules
) -> _Shaped | None:
    """Return the object as an action's fields; None if it looks like none that is expected."""
    if Submit in allowed_actions or Extracted in allowed_actions:
        fields, slips = flatten_answer(value, strict=rules.strict_form)
        if "mechanisms" in fields:
            return _Shaped(Answered, fields, slips)
    return None


def _drop_repeats(moves: list[_Shaped]) -> list[_Shaped]:
    return [move for place, move in enumerate(moves) if move not in moves[:place]]


def _rank(move: _Shaped) -> tuple[int, int, int]:
    """Put first what has most of the shape, then most mechanisms, then the longest text.

    Sorting keeps the order of the reply where all three are equal.
    """
    fields = move.fields
    fitting = sum(isinstance(fields.get(key), kind) for key, kind in _KINDS.items())
    mechanisms = fields.get("mechanisms")
    size = len(mechanisms) if isinstance(mechanisms, dict) else 0
    return -fitting, -size, -len(json.dumps(fields))


def _move(
    moves: list[_Shaped], allowed_actions: tuple[type[Action], ...], *, strict: bool
) -> Action | Unparsed:
    """Make the first candidate a move; others that are no answers at all are left out."""
    read = [(_validate(move), move.slips) for move in moves]
    actions = [(one, slips) for one, slips in read if isinstance(one, Action)]
    if not actions:
        return next(one for one, _ in read if isinstance(one, Unparsed))
    (first, slips), *rest = actions
    if not isinstance(first, Answered):
        return first
    if Extracted not in allowed_actions:
        return Submit(**{name: getattr(first, name) for name in Submit.model_fields})
    others = tuple(one for one, _ in rest if isinstance(one, Answered))
    fields = {name: getattr(first, name) for name in Answered.model_fields}
    return Extracted(**fields, strict=strict, slips=slips, others=others)


def _validate(move: _Shaped) -> Action | Unparsed:
    try:
        return move.kind.model_validate(move.fields)
    except ValidationError as wrong:
        return Unparsed(mode=WRONG_TYPE, detail=excerpt(describe_validation_error(wrong)))


def _is_all(reply: str) -> bool:
    """Tell whether a reply is one JSON object and nothing else."""
    try:
        return isinstance(json.loads(reply), dict)
    except (ValueError, RecursionError):
        return False


class _SaidTwice(ValueError):
    """A key that stands twice in one object."""


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        raise _SaidTwice(next(key for place, key in enumerate(keys) if key in keys[:place]))
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_once_each)


def _no_object(text: str, rules: ReplayRules) -> Unparsed:
    """Say why there is no JSON object in a reply, and where it breaks off."""
    if rules.strict_form and text.lstrip()[:1] == "[" and len(text) < 1 << 20:
        return Unparsed(mode=NO_OBJECT, detail="the reply is a list, and no JSON object")
    place = text.find('{"') if '{"' in text else text.find("{")
    if place < 0:
        return Unparsed(mode=NO_OBJECT, detail=f"no JSON object in the reply: {excerpt(text)!r}")
    try:
        _DECODER.raw_decode(text, place)
    except _SaidTwice as twice:
        key = json.dumps(str(twice), ensure_ascii=False)
        again = text.find(key, text.find(key) + 1)
        detail = f"the key {excerpt(key)} stands twice in one object, again at character {again}"
        return Unparsed(mode=TWICE, detail=detail)
    except json.JSONDecodeError as wrong:
        detail = f"the JSON object is not valid: {wrong.msg} at character {wrong.pos}"
        return Unparsed(mode=BROKEN, detail=detail)
    except (ValueError, RecursionError) as wrong:
        return Unparsed(mode=BROKEN, detail=f"the JSON object cannot be read: {wrong}")
    return Unparsed(mode=BROKEN, detail=f"the JSON object is not valid: {excerpt(text)!r}")
