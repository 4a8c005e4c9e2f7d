"""The JSON schema of a reply: what was thought through, then the graph."""

from causarium.contract.texts.reply_schemas import Schema, list_schema, object_schema, text_schema
from causarium.contract.world import Action
from causarium.families.recite.config import ReciteRules
from causarium.families.recite.instance import RecitePublic

_THOUGHT_CHARS = 2_000
_NAME_CHARS = 160
_MOST_EDGES = 500


def reply_schema(
    public: RecitePublic,
    allowed_actions: tuple[type[Action], ...],  # noqa: ARG001
    rules: ReciteRules,  # noqa: ARG001
) -> Schema:
    """Return the schema of a graph; nodes are ids where the task gives them, else names."""
    end = text_schema(_NAME_CHARS) | {"minLength": 1}
    if public.names is not None:
        end = {"type": "integer", "minimum": 1, "maximum": len(public.names)}
    edges = list_schema(object_schema({"source": end, "sink": end}), _MOST_EDGES)
    return object_schema(
        {"thought": text_schema(_THOUGHT_CHARS), "relationships": edges}, optional=("thought",)
    )
