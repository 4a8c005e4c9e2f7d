"""Reading replies into actions, the names of what can go wrong, and the schema of a reply.

A reply holds one JSON object; of several the first that is an expected action counts, or else the
first that is any. Published, the first one in a json fence counts, or else the last. Besides the
forms that our texts ask for, the published ones are read wherever they fit the interface: an
`experiment` in place of an intervention, `action` with `arg1` and `arg2`,
`chosen_dialog_option_int`, and a bare `value`.

Unless under `strict_form`, every form that leaves no doubt is read: keys and action words in any
case, numbers as text (a frequency with its `Hz`), an action as an object of its own, the same
object twice, an object without its last brackets or as Python would write it.

A hypothesis is attached as it is, however odd: judging it is the world's work. Keys that nothing
here knows (`memory`, `thought`, `past_data`, …) are left to the log.

In the schema, what is noted (`memory`, `thought`, `past_data`, `experiment`) is bounded, and only
the first two must be there, so that a small model comes to its action.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from causarium.contract.texts.read_reply import read_numeral, take_first
from causarium.contract.texts.replies import excerpt
from causarium.contract.texts.reply_schemas import (
    NULL,
    NUMBER,
    Schema,
    any_schema,
    choice_schema,
    list_schema,
    mapping_schema,
    object_schema,
    text_schema,
)
from causarium.contract.texts.say_action import visible_fields, write_reply
from causarium.contract.texts.scan_reply import ReplyScan, scan_reply
from causarium.contract.world import Action, Unparsed
from ..levels import LabRules
from ..model.actions import (
    Choose,
    Enter,
    Go,
    Handle,
    Intervene,
    Measure,
    Move,
    Read,
    Rotate,
    Submit,
    Talk,
    Teleport,
    Verify,
)
from ..model.hypothesis import MAX_EDGES
from ..model.instance import LabPublic
from ..model.lab_plan import (
    BOOK,
    BY_NAME,
    CORRIDOR,
    DIRECTIONS,
    LANDINGS,
    MANIPULATOR,
    NOTEBOOK,
    PLACES,
    REACTOR,
    THINGS,
    VERBS,
    find_thing,
)

_TRIM = " \t\r\n\"'`.,;:!?()[]{}<>*_"
_NUMERIC = ("value", "target_value", "arg1", "arg2", "option", "chosen_dialog_option_int")
_WORD_KEYS = ("action", "kind", "type", "name")


def fold(text: str) -> str:
    """Return the form in which words are compared: trimmed, blanks as one, no case.

    Example:
        >>> fold('  **Submit**. ')
        'submit'
    """
    return " ".join(text.split()).strip(_TRIM).casefold()


def unify_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """Return an object in the plain form: keys and words folded, numbers as numbers."""
    plain = _fold_keys(fields)
    action = plain.get("action")
    if isinstance(action, dict):
        inner = _fold_keys(action)
        word = next((inner.pop(key) for key in _WORD_KEYS if isinstance(inner.get(key), str)), None)
        plain = {**inner, **plain, "action": word}
    if isinstance(plain.get("action"), str):
        plain["action"] = fold(plain["action"]).replace(" ", "_")
    if isinstance(plain.get("experiment"), dict):
        plain["experiment"] = _read_numbers(_fold_keys(plain["experiment"]))
    return _read_numbers(plain)


def _fold_keys(fields: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for key, value in fields.items():
        name = fold(key)
        # Of two keys that fold alike the one that was written plainly counts.
        if name not in plain or key == name:
            plain[name] = value
    return plain


def _read_numbers(fields: dict[str, Any]) -> dict[str, Any]:
    texts = {key: fields[key] for key in _NUMERIC if isinstance(fields.get(key), str)}
    found = {key: read_numeral(text, unit="hz") for key, text in texts.items()}
    return fields | {key: number for key, number in found.items() if number is not None}


TOO_LARGE = "too large"
NO_JSON = "no json"
NO_ACTION = "no action"
UNKNOWN_ACTION = "unknown action"
MISSING_FIELD = "missing field"
BAD_NAME = "bad name"
BAD_VALUE = "bad value"
BAD_OPTION = "bad option"

Fields = dict[str, Any]
_Word = TypeVar("_Word", bound=str)
_MAX_NAME_CHARS = 200
_MAX_OPTION = 10_000
_MAX_NUMBER = 100_000
"""Things of the released world have numbers up to 65,536."""
_ABSENT = object()
_HYPOTHESIS = "hypothesis"


def parse(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: LabRules
) -> Action | Unparsed:
    """Read `reply` as an action of the interface.

    What is not expected just now is read all the same: the world says why it is refused.
    """
    scan = scan_reply(reply, strict=rules.strict_form)
    if scan.is_too_large:
        return Unparsed(mode=TOO_LARGE, detail=scan.problem)
    if not scan.objects:
        missing = f"no JSON object in the reply: {excerpt(reply)!r}"
        return Unparsed(mode=NO_JSON, detail=scan.problem or missing)
    objects = _choose_published(scan) if rules.strict_form else scan.objects

    def read(value: Fields) -> Action | Unparsed:
        return _read_object(value, allowed_actions, rules)

    return take_first(objects, read, allowed_actions)


def _choose_published(scan: ReplyScan) -> list[Fields]:
    """Return the one object that the published reader takes: in the first json fence, or the last.

    It looks no further, whatever the object says.
    """
    fence = scan.text.find("```json")
    end = scan.text.find("```", fence + 1)
    found = [value for value in scan.values if isinstance(value.value, dict)]
    fenced = [one.value for one in found if 0 <= fence < one.start and one.end <= end]
    return fenced[:1] or [found[-1].value]


def _read_object(
    value: Fields, allowed_actions: tuple[type[Action], ...], rules: LabRules
) -> Action | Unparsed:
    fields = dict(value) if rules.strict_form else unify_fields(value)
    if rules.interface == "plain" and _word(fields) != Verify.kind:
        fields.pop(_HYPOTHESIS, None)
    try:
        forms = _BODY if rules.has_body else _DIALOG if rules.has_dialogs else _LAB
        return _read_fields(fields, forms, allowed_actions)
    except _Unreadable as wrong:
        return Unparsed(mode=wrong.mode, detail=wrong.detail)


class _Unreadable(Exception):
    """Something in the object cannot be read; never leaves this module."""

    def __init__(self, mode: str, detail: str) -> None:
        super().__init__(detail)
        self.mode = mode
        self.detail = detail


def _word(fields: Fields) -> str:
    word = fields.get("action")
    return word.strip().lower() if isinstance(word, str) else ""


def _read_fields(
    fields: Fields, forms: "Forms", allowed_actions: tuple[type[Action], ...]
) -> Action:
    """Read an object by its word, or by the field that only one action has."""
    if "action" in fields:
        form = forms.get(_word(fields))
        if form is None:
            given = excerpt(repr(fields["action"]))
            raise _Unreadable(UNKNOWN_ACTION, f"there is no action {given}; {_choices(forms)}")
        return form(fields)
    experiment = fields.get("experiment")
    planned = isinstance(experiment, dict) and "target_prop" in experiment
    if forms is _LAB and (planned or "property" in fields):
        return _intervene(fields)
    if forms is not _LAB and "chosen_dialog_option_int" in fields:
        return _CHOOSE(fields)
    if "value" in fields and (forms is not _LAB or allowed_actions == (Submit,)):
        return (_SUBMIT if forms is _LAB else _ENTER)(fields)
    raise _Unreadable(NO_ACTION, f"the JSON object names no action; {_choices(forms)}")


def _choices(forms: "Forms") -> str:
    return f"actions: {', '.join(word for word in forms if word not in _PUBLISHED_WORDS)}"


def _intervene(fields: Fields) -> Intervene:
    planned = fields.get("experiment")
    planned = planned if isinstance(planned, dict) else {}
    name = _get_first(fields, "property", "arg1", default=planned.get("target_prop", _ABSENT))
    value = _get_first(fields, "value", "arg2", default=planned.get("target_value", _ABSENT))
    return Intervene(
        property=_name(name, "property"), value=_number(value), hypothesis=fields.get(_HYPOTHESIS)
    )


def _verify(fields: Fields) -> Verify:
    if fields.get(_HYPOTHESIS) is None:
        raise _Unreadable(MISSING_FIELD, 'verify needs a "hypothesis" in the same reply')
    return Verify(hypothesis=fields[_HYPOTHESIS])


def _go_to_thing(fields: Fields) -> Go:
    """Read the published walk to a thing, which it names by number: to the device beside it."""
    named = _thing(_get_first(fields, "place", "arg1"), "place")
    thing = find_thing(named)
    letter = thing.letter if thing else ""
    device = next((device for device in PLACES if BY_NAME[device].letter == letter), named)
    return Go(place=device, hypothesis=fields.get(_HYPOTHESIS))


def _handle(fields: Fields) -> Handle:
    word = _word(fields)
    verb = word if word in VERBS else _get_first(fields, "verb")
    return Handle(
        verb=_one_of(verb, "verb", VERBS),
        thing=_thing(_get_first(fields, "thing", "arg1"), "thing"),
        other=_thing(_get_first(fields, "other", "arg2", default=""), "other"),
        hypothesis=fields.get(_HYPOTHESIS),
    )


def _get_first(fields: Fields, *keys: str, default: object = _ABSENT) -> object:
    return next((fields[key] for key in keys if key in fields), default)


def _name(value: object, field: str) -> str:
    if value is _ABSENT:
        raise _Unreadable(MISSING_FIELD, f'the action needs a "{field}"')
    if not isinstance(value, str) or len(value) > _MAX_NAME_CHARS:
        raise _Unreadable(BAD_NAME, f'"{field}" must be a name, not {excerpt(repr(value))}')
    return value


def _thing(value: object, field: str) -> str:
    """Read a name, or the number of a thing."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value) if abs(value) <= _MAX_NUMBER else "another number"
    return _name("" if value is None else value, field)


def _one_of(value: object, field: str, choices: tuple[_Word, ...]) -> _Word:
    word = _name(value, field).strip().lower()
    for choice in choices:
        if choice == word:
            return choice
    raise _Unreadable(
        BAD_NAME, f'"{field}" must be one of {", ".join(choices)}, not {excerpt(word)!r}'
    )


def _number(value: object, _field: str = "") -> float:
    if value is _ABSENT:
        raise _Unreadable(MISSING_FIELD, 'the action needs a "value"')
    if isinstance(value, str):
        raise _Unreadable(
            BAD_VALUE, f'"value" must be a number without quotes, not the text {excerpt(value)!r}'
        )
    if isinstance(value, bool) or not isinstance(value, int | float):
        kind = "null" if value is None else type(value).__name__
        raise _Unreadable(BAD_VALUE, f'"value" must be a number, not {kind}')
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise _Unreadable(BAD_VALUE, '"value" must be a finite number')
    return number


def _option(value: object, field: str) -> int:
    if value is _ABSENT:
        raise _Unreadable(MISSING_FIELD, f'choose needs an "{field}"')
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > _MAX_OPTION:
        given = excerpt(repr(value)) if not isinstance(value, int) else "another"
        raise _Unreadable(BAD_OPTION, f"an option is its number on the page, not {given}")
    return value


Form = Callable[[Fields], Action]
Forms = dict[str, Form]


def _form(
    action: type[Action],
    read: Callable[[object, str], object],
    *keys: str,
    default: object = _ABSENT,
) -> Form:
    """Return how an action with one field is read, under any of its keys, the field's own first."""

    def build(fields: Fields) -> Action:
        given = read(_get_first(fields, *keys, default=default), keys[0])
        return action.model_validate({keys[0]: given, _HYPOTHESIS: fields.get(_HYPOTHESIS)})

    return build


_SUBMIT = _form(Submit, _number, "value", "arg1")
_CHOOSE = _form(Choose, _option, "option", "chosen_dialog_option_int", "arg1")
_ENTER = _form(Enter, _number, "value", "arg1")
_GO = _form(Go, _name, "place", "arg1")
_MOVE, _ROTATE = (
    _form(action, partial(_one_of, choices=DIRECTIONS), "direction", "arg1")
    for action in (Move, Rotate)
)
_TELEPORT = _form(Teleport, _thing, "to", "place", "thing", "object", "arg1")
_LAB: Forms = {
    "measure": lambda fields: Measure(hypothesis=fields.get(_HYPOTHESIS)),
    "intervene": _intervene,
    "verify": _verify,
    "submit": _SUBMIT,
}
_DIALOG: Forms = {
    "go": _GO,
    "talk": _form(Talk, _name, "device", "arg1", default=""),
    "choose": _CHOOSE,
    "enter": _ENTER,
    "teleport_to_location": _GO,
    "teleport_to_object": _go_to_thing,
}
_BODY: Forms = {
    "move": _MOVE,
    "rotate": _ROTATE,
    "teleport": _TELEPORT,
    "talk": _form(Talk, _thing, "device", "thing", "arg1", default=""),
    "read": _form(Read, _thing, "thing", "arg1", default=""),
    "handle": _handle,
    "choose": _CHOOSE,
    "enter": _ENTER,
    "move_direction": _MOVE,
    "rotate_direction": _ROTATE,
    "teleport_to_location": _TELEPORT,
    "teleport_to_object": _TELEPORT,
    **dict.fromkeys(VERBS, _handle),
}
_PUBLISHED_WORDS = frozenset(
    {
        *("teleport_to_location", "teleport_to_object", "move_direction", "rotate_direction"),
        *VERBS,
    }
)


_MOST_READINGS = 40
_MOST_OPTIONS = 30
_EQUATION_CHARS = 400
_COEFFICIENTS = {"linear": ("c_",), "quadratic": ("c2_", "c1_", "c_")}
"""What stands before a property's name in the name of a coefficient, by form."""


def reply_schema(
    public: LabPublic, allowed_actions: tuple[type[Action], ...], rules: LabRules
) -> Schema:
    """Return the schema of one of the expected actions, in the names of this instance."""
    return any_schema(*(_reply(public, action, rules) for action in allowed_actions))


def _reply(public: LabPublic, action: type[Action], rules: LabRules) -> Schema:
    fields: dict[str, Schema] = {"memory": text_schema(), "thought": text_schema()}
    believed = _hypothesis(public)
    if rules.interface != "plain":
        values = mapping_schema(public.names, NUMBER)
        read = object_schema({"id": text_schema(20), "props": values, "freq": NUMBER})
        planned = {"target_prop": choice_schema(*public.names), "target_value": NUMBER}
        fields["past_data"] = list_schema(read, _MOST_READINGS)
        fields["hypothesis"] = believed if action is Verify else any_schema(believed, NULL)
        fields["experiment"] = any_schema(object_schema(planned), object_schema({}))
    elif action is Verify:
        fields["hypothesis"] = believed
    fields |= {
        "action": choice_schema(action.kind),
        **_list_own_fields(action, public.names, rules),
    }
    return object_schema(fields, optional=("past_data", "experiment"))


def _list_own_fields(
    action: type[Action], names: Sequence[str], rules: LabRules
) -> dict[str, Schema]:
    """Return the fields that an action has for itself."""
    places = (*PLACES.values(), CORRIDOR)
    things = [thing.name for thing in THINGS]
    option: Schema = {"type": "integer", "minimum": 1, "maximum": _MOST_OPTIONS}
    forms: dict[type[Action], dict[str, Schema]] = {
        Intervene: {"property": choice_schema(*names), "value": NUMBER},
        Submit: {"value": NUMBER},
        Go: {"place": choice_schema(*places)},
        Choose: {"option": option},
        Enter: {"value": NUMBER},
        Move: {"direction": choice_schema(*DIRECTIONS)},
        Rotate: {"direction": choice_schema(*DIRECTIONS)},
        Teleport: {"to": choice_schema(*dict.fromkeys((*LANDINGS, *things)))},
        Read: {"thing": choice_schema(BOOK)},
        Handle: {"verb": choice_schema(*VERBS), "thing": choice_schema(*things)},
    }
    if action is Talk and rules.has_body:
        return {"device": choice_schema(MANIPULATOR, REACTOR, NOTEBOOK)}
    return forms.get(action, {})


def _hypothesis(public: LabPublic) -> Schema:
    nodes = public.nodes
    arrow = object_schema({"from": choice_schema(*nodes), "to": choice_schema(*nodes)})
    names = [head + name for name in public.names for head in _COEFFICIENTS[public.form]]
    return object_schema(
        {
            "edges": list_schema(arrow, min(MAX_EDGES, len(nodes) * (len(nodes) - 1) // 2)),
            "freq_equation": text_schema(_EQUATION_CHARS),
            "coefficients": mapping_schema(["base", *names], any_schema(NUMBER, NULL)),
        }
    )


def write_action(action: Action, rules: LabRules) -> str:
    """Write an action as the reply in which it is read again."""
    fields = visible_fields(action)
    if rules.interface == "plain" and not isinstance(action, Verify):
        # That interface reads no hypothesis elsewhere.
        fields.pop("hypothesis", None)
    return write_reply({"action": action.kind, **fields})
