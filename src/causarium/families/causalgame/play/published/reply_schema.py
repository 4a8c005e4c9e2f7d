"""The JSON schema of a reply: a thought, then one action with its fields."""

from collections.abc import Callable

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
from causarium.contract.world import Action
from causarium.families.causalgame.model.actions import (
    MOST_QUESTION_CHARS,
    Believe,
    Deploy,
    History,
    Query,
    Report,
    RunAnalysis,
    Submit,
)
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.instance import GamePublic
from causarium.families.causalgame.model.published.claims import MOST_CLAIMS
from causarium.families.causalgame.play.published.design_input import SUFFIX

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
