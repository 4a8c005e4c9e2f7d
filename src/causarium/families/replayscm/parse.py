"""Reading replies: which JSON object in a reply is the answer, and what may be wrong with one.

An object looks like an answer when it has mechanisms. Certified rules read a reply that holds one
answer, however often it is repeated, and refuse one that holds two different ones. The paper's
rules choose: all answers are ordered by how much of the asked-for shape they have, then by size,
then by place, and the first that can be executed counts; that last choice needs the problem, so
the others travel with the first and `stages.chosen` makes it. Mechanisms are never repaired.
"""

import json
from typing import Any, NamedTuple

from pydantic import ValidationError

from causarium.contract.replies import (
    describe_validation_error,
    excerpt,
    find_json_objects,
    remove_thinking,
    why_too_large,
)
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action
from causarium.families.replayscm.config import ReplayRules
from causarium.families.replayscm.instance import Ask, Extracted, Submit

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
_FIELDS = ("mechanisms", "roots", "experiment", "witness")
_KINDS: dict[str, type] = {"mechanisms": dict, "roots": list, "experiment": dict, "witness": dict}


def parse(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: ReplayRules
) -> Action | Unparsed:
    """Read `reply` as an answer or, where worlds can be asked for, as a question."""
    if reason := why_too_large(reply):
        return Unparsed(mode=TOO_LARGE, detail=reason)
    said = remove_thinking(reply)
    objects = find_json_objects(said)
    if not objects:
        return _no_object(said)
    moves = _different(
        [move for move in (_shaped(one, allowed_actions) for one in objects) if move]
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


class _Shaped(NamedTuple):
    """What an object in a reply looks like."""

    kind: type[Action]
    fields: dict[str, Any]


def _shaped(found: dict[str, Any], allowed_actions: tuple[type[Action], ...]) -> _Shaped | None:
    """Return the object as an action's fields; None if it looks like none that is expected."""
    answers = Submit in allowed_actions or Extracted in allowed_actions
    value = _flat(found)
    if answers and "mechanisms" in value:
        return _Shaped(Submit, {key: value[key] for key in _FIELDS if key in value})
    if Ask in allowed_actions:
        inner = found.get("ask", found)
        if isinstance(inner, dict) and ("ask" in found or inner.keys() & {"constant", "assigned"}):
            return _Shaped(Ask, inner)
    return None


def _flat(found: dict[str, Any]) -> dict[str, Any]:
    """Return an answer in the released form as one in ours; anything else as it is."""
    inner = found.get("alternative")
    if not isinstance(inner, dict):
        return found
    experiment, witness = found.get("experiment"), found.get("witness")
    if isinstance(experiment, dict):
        experiment = experiment.get("assignments", experiment)
    if isinstance(witness, dict):
        witness = witness.get("rootAssignment", witness)
    return {"mechanisms": inner.get("mechanisms"), "experiment": experiment, "witness": witness}


def _different(moves: list[_Shaped]) -> list[_Shaped]:
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
    read = [_validated(move) for move in moves]
    kept = [one for one in read if isinstance(one, Action)]
    if not kept:
        return next(one for one in read if isinstance(one, Unparsed))
    first, *rest = kept
    if not isinstance(first, Submit) or Extracted not in allowed_actions:
        return first
    others = tuple(one for one in rest if isinstance(one, Submit))
    return Extracted(**dict(first), strict=strict, others=others)


def _validated(move: _Shaped) -> Action | Unparsed:
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
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _SaidTwice(key)
        found[key] = value
    return found


def _no_object(said: str) -> Unparsed:
    """Say why there is no JSON object in a reply, and where it breaks off."""
    at = said.find('{"') if '{"' in said else said.find("{")
    if at < 0:
        return Unparsed(mode=NO_OBJECT, detail=f"no JSON object in the reply: {excerpt(said)!r}")
    try:
        json.JSONDecoder(object_pairs_hook=_once_each).raw_decode(said, at)
    except _SaidTwice as twice:
        key = json.dumps(str(twice), ensure_ascii=False)
        place = said.find(key, said.find(key) + 1)
        detail = f"the key {excerpt(key)} stands twice in one object, again at character {place}"
        return Unparsed(mode=TWICE, detail=detail)
    except json.JSONDecodeError as wrong:
        detail = f"the JSON object is not valid: {wrong.msg} at character {wrong.pos}"
        return Unparsed(mode=BROKEN, detail=detail)
    except (ValueError, RecursionError) as wrong:
        return Unparsed(mode=BROKEN, detail=f"the JSON object cannot be read: {wrong}")
    return Unparsed(mode=BROKEN, detail=f"the JSON object is not valid: {excerpt(said)!r}")
