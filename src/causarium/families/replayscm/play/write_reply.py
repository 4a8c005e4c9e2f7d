"""Saying an action of ReplaySCM: a question, or the answer in the form it was given in."""

import json
from typing import Any

from causarium.contract.texts.reply_schemas import (
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
from causarium.families.replayscm.model.actions import (
    Answered,
    Ask,
    Extracted,
    Predict,
    Submit,
    UnitAction,
)
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.model.instance import ReplayPublic, UnitTask


def write_action(action: Action, rules: ReplayRules) -> str:  # noqa: ARG001 - one form for all rules
    """Write an action as the reply in which it is read again.

    Further answers of the same reply, among which published rules choose, follow the first. A
    reason stands before the rest, where there is one.
    """
    if isinstance(action, UnitAction):
        fields = dict(action.row) if isinstance(action, Predict) else visible_fields(action)
        return f"{action.thought}\n\n{write_reply(fields)}".lstrip()
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
        if next_fields is None or _rank(padded) >= _rank(next_fields):
            return padded
    return fields


def _rank(fields: dict[str, Any]) -> tuple[int, int, int]:
    given = sum(isinstance(value, dict | list) for value in fields.values())
    return given, len(fields.get("mechanisms", ())), len(json.dumps(fields))


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
