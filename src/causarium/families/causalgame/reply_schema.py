"""The JSON schema of a reply: a thought, then one action with its fields."""

from collections.abc import Callable

from causarium.contract.texts.reply_schemas import (
    NAME_CHARS,
    NUMBER,
    WHOLE,
    Schema,
    any_schema,
    choice_schema,
    list_schema,
    mapping_schema,
    object_schema,
    text_schema,
)
from causarium.contract.world import Action
from causarium.families.causalgame.actions import (
    MOST_QUESTION_CHARS,
    AnswerQuestions,
    Believe,
    Commit,
    Deploy,
    Explain,
    Fly,
    History,
    Query,
    Report,
    RunAnalysis,
    Submit,
    Tabulate,
)
from causarium.families.causalgame.config import GameRules
from causarium.families.causalgame.generation.draw_questions import ANSWERS
from causarium.families.causalgame.instance import AnyPublic, GamePublic, TwinPublic
from causarium.families.causalgame.interface.claims import MOST_CLAIMS
from causarium.families.causalgame.interface.design_input import SUFFIX
from causarium.families.causalgame.interface.twin_wording import name_question

_CODE_CHARS = 2_000
_REPORT_CHARS = 2_000
_MOST_UNDER = 4


def reply_schema(
    public: AnyPublic,
    allowed_actions: tuple[type[Action], ...],
    rules: GameRules,  # noqa: ARG001
) -> Schema:
    """Return the schema of one of the expected actions, in the names of this game."""
    if isinstance(public, TwinPublic):
        return any_schema(*(_twin_reply(action, public) for action in allowed_actions))
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


def _twin_reply(action: type[Action], public: TwinPublic) -> Schema:
    own = _TWIN_OWN[action](public) if action in _TWIN_OWN else {}
    before: dict[str, Schema] = {} if action is Explain else {"thought": text_schema()}
    optional = ("of", "equipment", "won", "survival", "threshold", "because")
    return object_schema({**before, "action": choice_schema(action.kind), **own}, optional=optional)


def _twin_design(public: TwinPublic) -> dict[str, Schema]:
    armour: Schema = {"type": "integer", "minimum": 0, "maximum": public.highest}
    slots = {slot.name: choice_schema(*slot.values) for slot in public.slots}
    return {
        "design": mapping_schema(public.parts, armour),
        "equipment": object_schema(slots, optional=slots),
    }


def _twin_order(public: TwinPublic) -> dict[str, Schema]:
    count: Schema = {"type": "integer", "minimum": 1, "maximum": public.budget.per_deployment}
    return {**_twin_design(public), "count": count}


def _table(public: TwinPublic) -> dict[str, Schema]:
    named = [one.name for one in (*public.slots, *public.conditions)]
    return {"columns": list_schema(choice_schema(*named, "returned"), 4, least=1)}


def _answers(_: TwinPublic) -> dict[str, Schema]:
    questions = [name_question(place) for place in range(12)]
    # One word, or a probability for each.
    shares = mapping_schema(ANSWERS, {"type": "number", "minimum": 0, "maximum": 1})
    answer = any_schema(choice_schema(*ANSWERS), shares)
    return {"answers": mapping_schema(questions, answer)}


def _explanation(public: TwinPublic) -> dict[str, Schema]:
    levers = choice_schema(*public.parts, *(slot.name for slot in public.slots))
    contrast = {"mission": WHOLE, "lever": levers, "deployments": list_schema(WHOLE, 2, least=2)}
    return {
        "text": text_schema(_REPORT_CHARS),
        "won": list_schema({"type": "boolean"}, 2),
        "survival": list_schema(NUMBER, 2),
        "threshold": NUMBER,
        "because": list_schema(object_schema(contrast), 8),
    }


_TWIN_OWN: dict[type[Action], Callable[[TwinPublic], dict[str, Schema]]] = {
    History: lambda _: {"of": choice_schema("all", "opening", "session")},
    RunAnalysis: lambda _: {"code": text_schema(_CODE_CHARS)},
    Fly: _twin_order,
    Tabulate: _table,
    Commit: _twin_design,
    AnswerQuestions: _answers,
    Explain: _explanation,
}
