"""The JSON schema of a reply: the notes that the texts ask for, a hypothesis, and one action.

What is noted (`memory`, `thought`, `past_data`, `experiment`) is bounded, and only the first two
must be there, so that a small model comes to its action.
"""

from collections.abc import Sequence

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
from causarium.contract.world import Action
from causarium.families.causalab.model.actions import (
    Answer,
    BenchAction,
    Choose,
    Enter,
    Go,
    Handle,
    Hold,
    Intervene,
    Move,
    Read,
    Rotate,
    Submit,
    Talk,
    Teleport,
    Verify,
)
from causarium.families.causalab.model.bench import BenchPublic
from causarium.families.causalab.model.config import LabRules
from causarium.families.causalab.model.hypothesis import MAX_EDGES
from causarium.families.causalab.model.instance import LabPublic
from causarium.families.causalab.model.lab_plan import (
    BOOK,
    CORRIDOR,
    DIRECTIONS,
    LANDINGS,
    MANIPULATOR,
    NOTEBOOK,
    PLACES,
    REACTOR,
    THINGS,
    VERBS,
)
from causarium.families.causalab.model.stored_instance import EitherPublic

_INTEGER: Schema = {"type": "integer"}
_MOST_READINGS = 40
_MOST_OPTIONS = 30
_EQUATION_CHARS = 400
_COEFFICIENTS = {"linear": ("c_",), "quadratic": ("c2_", "c1_", "c_")}
"""What stands before a property's name in the name of a coefficient, by form."""


def reply_schema(
    public: EitherPublic, allowed_actions: tuple[type[Action], ...], rules: LabRules
) -> Schema:
    """Return the schema of one of the expected actions, in the names of this instance."""
    if isinstance(public, BenchPublic):
        return any_schema(*(_bench_reply(action, public, rules) for action in allowed_actions))
    return any_schema(*(_reply(action, public, rules) for action in allowed_actions))


def _bench_reply(action: type[Action], public: BenchPublic, rules: LabRules) -> Schema:
    asked, arrow = public.questions, list_schema(choice_schema(*public.nodes), 2, least=2)
    fields: dict[type[Action], dict[str, Schema]] = {
        Hold: {"property": choice_schema(*public.holdable), "value": _INTEGER},
        Answer: {
            "answers": list_schema(any_schema(_INTEGER, NULL), asked, least=asked),
            "arrows": any_schema(list_schema(arrow, 2 * len(public.nodes)), NULL),
        },
    }
    own = fields.get(action) or _list_own_fields(action, public.names, rules)
    return object_schema(
        {"thought": text_schema(), "action": choice_schema(action.kind), **own},
        optional=("arrows",),
    )


def _reply(action: type[Action], public: LabPublic, rules: LabRules) -> Schema:
    fields: dict[str, Schema] = {"memory": text_schema(), "thought": text_schema()}
    believed = _hypothesis(public)
    if rules.interface != "plain":
        fields["past_data"] = list_schema(_reading(public), _MOST_READINGS)
        fields["hypothesis"] = believed if action is Verify else any_schema(believed, NULL)
        fields["experiment"] = _experiment(public)
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


def _reading(public: LabPublic) -> Schema:
    return object_schema(
        {"id": text_schema(20), "props": mapping_schema(public.names, NUMBER), "freq": NUMBER}
    )


def _experiment(public: LabPublic) -> Schema:
    planned = {"target_prop": choice_schema(*public.names), "target_value": NUMBER}
    return any_schema(object_schema(planned), object_schema({}))


def write_action(action: Action, rules: LabRules) -> str:
    """Write an action as the reply in which it is read again."""
    if isinstance(action, BenchAction):
        thought = {"thought": action.thought} if action.thought else {}
        return write_reply({**thought, "action": action.kind, **visible_fields(action)})
    fields = visible_fields(action)
    if rules.interface == "plain" and not isinstance(action, Verify):
        # That interface reads no hypothesis elsewhere.
        fields.pop("hypothesis", None)
    return write_reply({"action": action.kind, **fields})
