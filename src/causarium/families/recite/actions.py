"""The one thing that can be done in ReCITE: handing in a graph."""

from typing import ClassVar

from pydantic import Field, StrictInt, StrictStr
from pydantic.json_schema import SkipJsonSchema

from causarium.contract.frozen import AgentInput
from causarium.contract.world import Action
from causarium.families.recite.mechanics.named_graphs import SUBMIT

MOST_EDGES = 20_000
"""So many relationships are taken; a complete graph of the largest published size has fewer."""


class Relationship(AgentInput):
    """One cause and one effect."""

    source: StrictStr | StrictInt = Field(
        description="The cause: its name, or its id where ids are given."
    )
    sink: StrictStr | StrictInt = Field(
        description="The effect: its name, or its id where ids are given."
    )


class Submit(Action):
    """Hand in the causal graph as a list of relationships. This ends the task."""

    kind: ClassVar[str] = SUBMIT
    is_final: ClassVar[bool] = True
    comment_fields: ClassVar[frozenset[str]] = frozenset({"slips", "repaired"})

    relationships: tuple[Relationship, ...] = Field(
        description="Every edge of the graph, once each.", max_length=MOST_EDGES
    )
    slips: SkipJsonSchema[dict[str, int]] = Field(
        default_factory=dict, description="What was mended on reading, counted by its name."
    )
    repaired: SkipJsonSchema[str] = Field(
        default="", description="Who repaired a reply that could not be read: rule, model, nobody."
    )


ACTIONS = (Submit,)
"""Everything that can be done."""
