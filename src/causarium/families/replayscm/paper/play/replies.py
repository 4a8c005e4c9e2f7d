"""Read replies, each one JSON object, and write them.

An object looks like an answer when it has mechanisms. Of different answers the first counts. The
published rules choose: all answers are ordered by how much of the asked-for shape they have, then
by size, then by place, and the first that can be executed counts; that last choice needs the
problem, so the others travel with the first. Formulas are not looked at here.

An answer that asks for a second model may be in the released form, where the experiment has a type
and the witness lists what differs. Bits may be written as digits in quotation marks, or as true and
false. Under the published rules a bad experiment or witness is none, and the model still counts.
"""

import json
from typing import Any

from pydantic import ValidationError

from causarium.contract.texts.replies import (
    MAX_REPLY_CHARS,
    describe_validation_error,
    excerpt,
)
from causarium.contract.texts.reply_schemas import (
    Schema,
    choice_schema,
    list_schema,
    mapping_schema,
    object_schema,
    text_schema,
)
from causarium.contract.texts.say_action import visible_fields, write_reply
from causarium.contract.texts.scan_reply import ReplyScan, scan_reply
from causarium.contract.world import Action, Unparsed
from ..levels import ReplayRules
from ..model.actions import Answered, Extracted, Submit
from ..model.instance import ReplayPublic
from .examine_answer import PlainAnswer

NO_OBJECT = "extraction: no object"
BROKEN = "extraction: broken object"
TWICE = "extraction: duplicate key"
TOO_LARGE = "extraction: too large"
NO_MECHANISMS = "schema: no mechanisms"
WRONG_TYPE = "schema: wrong type"
"""What may be wrong with a reply: the stage at which it fails, and how."""
MOST_CANDIDATES = 8
"""So many answers of one reply are looked at."""
_KINDS: dict[str, type] = {"mechanisms": dict, "roots": list, "experiment": dict, "witness": dict}
_PLAIN_BRACES, _MOST_DIFFERENCES, _FORMULA_CHARS = 32, 100, 2_000
_BIT: Schema = {"type": "integer", "enum": [0, 1]}
_BITS = {"0": 0, "1": 1}


def parse(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: ReplayRules
) -> Action | Unparsed:
    """Read `reply` as an answer."""
    plain = read_plainly(reply) if Extracted in allowed_actions else None
    if plain is not None:
        return Extracted(mechanisms=plain.mechanisms, roots=plain.roots)
    return read_generally(reply, allowed_actions, rules)


def read_generally(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: ReplayRules
) -> Action | Unparsed:
    """Read an answer in any reply."""
    scan = scan_reply(reply, strict=True)
    if scan.is_too_large:
        return Unparsed(mode=TOO_LARGE, detail=scan.problem)
    objects = _list_objects(scan, rules)
    if not objects:
        return _no_object(scan.text, rules)
    answers: list[tuple[dict[str, Any], int]] = []
    for value in objects if Submit in allowed_actions or Extracted in allowed_actions else ():
        flat = _flatten_answer(value, strict=rules.strict_form)
        if "mechanisms" in flat[0] and flat not in answers:
            answers.append(flat)
    if not answers:
        keys = excerpt(", ".join(map(str, objects[0])) or "none")
        detail = f'no JSON object in the reply has "mechanisms"; the first has the keys: {keys}'
        return Unparsed(mode=NO_MECHANISMS, detail=detail)
    if rules.several_objects_chosen:
        answers = sorted(answers, key=lambda one: _rank(one[0]), reverse=True)[:MOST_CANDIDATES]
    move = _make_move(answers, allowed_actions, rules, strict=_is_all(reply))
    is_choice = len(answers) > 1 and not rules.several_objects_chosen
    return (
        move.model_copy(update={"forgiven": 1}) if is_choice and isinstance(move, Action) else move
    )


def read_plainly(reply: str) -> PlainAnswer | None:
    """Read a reply that is one plain JSON object with mechanisms, and perhaps roots, as an answer.

    None for any other reply, be it an answer or not: `read_generally` reads it.
    """
    plain = reply.isascii() and reply[:1] == "{" and "\\" not in reply and "<think" not in reply
    if not plain or len(reply) > MAX_REPLY_CHARS:
        return None
    if reply.count("{") + reply.count("[") > _PLAIN_BRACES:
        return None
    try:
        value = _DECODER.decode(reply)
    except (ValueError, RecursionError):
        return None
    mechanisms, roots = value.pop("mechanisms", None), value.pop("roots", None)
    if value or not isinstance(mechanisms, dict) or not isinstance(roots, list | None):
        return None
    if {type(text) for text in (*mechanisms.values(), *(roots or ()))} - {str}:
        return None
    return PlainAnswer(mechanisms, None if roots is None else tuple(roots))


def _list_objects(scan: ReplyScan, rules: ReplayRules) -> list[dict[str, Any]]:
    if not rules.strict_form:
        return scan.objects
    try:
        # Published: of a key that stands twice the last counts, and a list is no answer.
        whole = json.loads(scan.text)
    except (ValueError, RecursionError):
        return scan.objects
    return [whole] if isinstance(whole, dict) else []


def _rank(fields: dict[str, Any]) -> tuple[int, int, int]:
    """Return how much of the shape an answer has, how many mechanisms, and how long it is.

    Sorting keeps the order of the reply where all three are equal.
    """
    fitting = sum(isinstance(fields.get(key), kind) for key, kind in _KINDS.items())
    mechanisms = fields.get("mechanisms")
    size = len(mechanisms) if isinstance(mechanisms, dict) else 0
    return fitting, size, len(json.dumps(fields))


def _make_move(
    answers: list[tuple[dict[str, Any], int]],
    allowed_actions: tuple[type[Action], ...],
    rules: ReplayRules,
    *,
    strict: bool,
) -> Action | Unparsed:
    """Make the first candidate a move; others that are no answers at all are left out."""
    read: list[tuple[Answered, int]] = []
    wrong = ""
    for fields, slips in answers:
        try:
            read.append((Answered.model_validate(fields), slips))
        except ValidationError as error:
            wrong = wrong or excerpt(describe_validation_error(error))
    if not read:
        return Unparsed(mode=WRONG_TYPE, detail=wrong)
    (first, slips), *rest = read
    if Extracted not in allowed_actions:
        return Submit(**{name: getattr(first, name) for name in Submit.model_fields})
    given = {name: getattr(first, name) for name in Answered.model_fields}
    others = tuple(one for one, _ in rest if rules.several_objects_chosen)
    return Extracted(**given, strict=strict, slips=slips, others=others)


def _flatten_answer(value: dict[str, Any], *, strict: bool) -> tuple[dict[str, Any], int]:
    """Return the fields of an answer, and how many of them had to be forgiven their form."""
    fields = _flatten_released(value)
    if fields is None:
        fields = {key: value[key] for key in _KINDS if key in value}
    roots = fields.get("roots")
    if strict and not (isinstance(roots, list) and all(isinstance(one, str) for one in roots)):
        # Published: roots are looked at only where they are asked for.
        fields.pop("roots", None)
    slips = 0
    for key in ("experiment", "witness"):
        if key not in fields:
            continue
        given = fields[key]
        fields[key] = _read_bits(given)
        if fields[key] is None and not strict:
            fields[key] = given
        elif fields[key] is not None and not strict:
            slips += any(type(bit) is not int for bit in given.values())
    return fields, slips


def _flatten_released(value: dict[str, Any]) -> dict[str, Any] | None:
    """Return an answer in the released form as one in ours; None for anything else."""
    inner = value.get("alternative")
    if not isinstance(inner, dict) or "mechanisms" not in inner:
        return None
    experiment, witness = value.get("experiment"), value.get("witness")
    kind, differences = None, []
    if isinstance(experiment, dict):
        kind = experiment.get("type")
        experiment = experiment.get("assignments", experiment)
    if isinstance(witness, dict):
        given = witness.get("differences")
        differences = [_difference(one) for one in (given if isinstance(given, list) else [])]
        witness = witness.get("rootAssignment", witness)
    return {
        "mechanisms": inner["mechanisms"],
        "experiment": experiment,
        "witness": witness,
        "released": {
            "experiment_type": kind if isinstance(kind, str) else None,
            "differences": [one for one in differences if one][:_MOST_DIFFERENCES],
        },
    }


def _difference(value: object) -> dict[str, Any] | None:
    if not isinstance(value, dict) or not isinstance(value.get("variable"), str):
        return None
    return {
        "variable": value["variable"],
        "reference": read_bit(value.get("reference")),
        "alternative": read_bit(value.get("alternative")),
    }


def read_bit(value: object) -> int | None:
    """Return 0 or 1 for what is written for one: a number, a digit, true or false; else None."""
    if isinstance(value, str):
        return _BITS.get(value)
    if isinstance(value, bool | int | float) and value in (0, 1):
        return int(value)
    return None


def _read_bits(value: object) -> dict[str, int] | None:
    """Return the bits of an object; None if it is none, or a value in it is no bit."""
    if not isinstance(value, dict):
        return None
    bits = {name: read_bit(given) for name, given in value.items()}
    found = {name: bit for name, bit in bits.items() if bit is not None}
    return found if len(found) == len(bits) else None


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


def write_action(action: Action, rules: ReplayRules) -> str:  # noqa: ARG001 - one form for all rules
    """Write an action as the reply in which it is read again.

    Further answers of the same reply, among which published rules choose, follow the first.
    """
    others = action.others if isinstance(action, Extracted) else ()
    answers: list[dict[str, Any]] = []
    for answer in reversed((action, *others)):
        answers.insert(0, _outrank(_answer_fields(answer), answers[0] if answers else None))
    return "\n".join(map(write_reply, answers))


def _outrank(fields: dict[str, Any], next_fields: dict[str, Any] | None) -> dict[str, Any]:
    """Add as many empty fields as it takes for an answer to be chosen before the next one.

    Published rules take the longest of answers that are otherwise alike, and a field that was given
    and could not be read counts.
    """
    empty = [name for name in ("experiment", "witness") if name not in fields]
    for added in ([], empty[1:], empty[:1], empty):
        padded = {**fields, **dict.fromkeys(added)}
        if next_fields is None or _rank_written(padded) >= _rank_written(next_fields):
            return padded
    return fields


def _rank_written(fields: dict[str, Any]) -> tuple[int, int, int]:
    return _rank(_flatten_answer(fields, strict=True)[0])


def _answer_fields(action: Action) -> dict[str, Any]:
    fields = visible_fields(action)
    answer = {name: fields[name] for name in Submit.model_fields if name in fields}
    released = action.released if isinstance(action, Answered) else None
    if released is None:
        return answer
    return {
        "alternative": {"mechanisms": answer["mechanisms"]},
        "experiment": {
            "type": released.experiment_type,
            "assignments": answer.get("experiment"),
        },
        "witness": {
            "rootAssignment": answer.get("witness"),
            "differences": [
                difference.model_dump(mode="json") for difference in released.differences
            ],
        },
    }


def reply_schema(
    public: ReplayPublic,
    allowed_actions: tuple[type[Action], ...],  # noqa: ARG001
    rules: ReplayRules,  # noqa: ARG001
) -> Schema:
    """Return the schema of an answer, in the names of this problem."""
    if public.roots is None:
        mechanisms = mapping_schema(public.variables, text_schema(_FORMULA_CHARS))
        roots = list_schema(choice_schema(*public.variables), len(public.variables))
        return object_schema({"roots": roots, "mechanisms": mechanisms})
    named = [name for name in public.variables if name not in public.roots]
    fields = {"mechanisms": object_schema(dict.fromkeys(named, text_schema(_FORMULA_CHARS)))}
    if public.alternative:
        fields["experiment"] = mapping_schema(public.variables, _BIT)
        fields["witness"] = object_schema(dict.fromkeys(public.roots, _BIT))
    return object_schema(fields)
