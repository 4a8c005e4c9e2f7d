"""The JSON schema of a reply: the answer or, where worlds can be asked for, a question."""

from causarium.contract.texts.reply_schemas import (
    Schema,
    any_schema,
    choice_schema,
    list_schema,
    mapping_schema,
    object_schema,
    text_schema,
)
from causarium.contract.world import Action
from causarium.families.replayscm.model.actions import Ask, Predict
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.model.instance import ReplayPublic, UnitTask

_FORMULA_CHARS = 2_000
_BIT: Schema = {"type": "integer", "enum": [0, 1]}


def reply_schema(
    public: ReplayPublic,
    allowed_actions: tuple[type[Action], ...],
    rules: ReplayRules,  # noqa: ARG001
) -> Schema:
    """Return the schema of what is expected, in the names of this problem."""
    if public.task is None:
        return _answer(public)
    if Predict in allowed_actions:
        return object_schema(dict.fromkeys(public.variables, _BIT))
    if Ask not in allowed_actions:
        return _explanation(public, public.task)
    question = object_schema({"set": mapping_schema(public.variables, _BIT)})
    return any_schema(question, _explanation(public, public.task))


def _explanation(public: ReplayPublic, task: UnitTask) -> Schema:
    roots = public.roots or ()
    endogenous = [name for name in public.variables if name not in roots]
    fields = {"mechanisms": object_schema(dict.fromkeys(endogenous, text_schema(_FORMULA_CHARS)))}
    if task.traits:
        fields["hidden"] = text_schema(len(public.train[0].units))
    if task.touched:
        names = list_schema(choice_schema(*public.variables), task.touched, least=task.touched)
        fields["touched"] = object_schema({world.id: names for world in public.train[1:]})
    # Only mechanisms count; what is said of traits and hands is a diagnosis.
    return object_schema(fields, optional=fields.keys() - {"mechanisms"})


def _answer(public: ReplayPublic) -> Schema:
    if public.roots is None:
        mechanisms = mapping_schema(public.variables, text_schema(_FORMULA_CHARS))
        roots = list_schema(choice_schema(*public.variables), len(public.variables))
        return object_schema({"roots": roots, "mechanisms": mechanisms})
    endogenous = [name for name in public.variables if name not in public.roots]
    fields = {"mechanisms": object_schema(dict.fromkeys(endogenous, text_schema(_FORMULA_CHARS)))}
    if public.alternative:
        fields["experiment"] = mapping_schema(public.variables, _BIT)
        fields["witness"] = object_schema(dict.fromkeys(public.roots, _BIT))
    return object_schema(fields)
