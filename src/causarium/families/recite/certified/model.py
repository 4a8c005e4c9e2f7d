"""What an instance is: a text with the names to link, and the graph that it and its twin tell."""

from typing import ClassVar

from pydantic import ConfigDict, Field

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Instance, Public, Secret
from causarium.contract.world import Action

FAMILY_NAME = "recite"

Edge = tuple[str, str]
"""A cause and its effect, by name."""
Link = tuple[int, int]
"""A cause and its effect, by id: ids are the places of names in the list, from 1."""


class Question(Frozen):
    """Two edges of which the text tells exactly one."""

    first: Link
    second: Link


class RecitePublic(Public):
    """What a reader sees."""

    title: str
    text: str
    names: tuple[str, ...]
    """The names that edges may link, in a random order; the id of a name is its place."""
    questions: tuple[Question, ...] = ()
    """The pairs to choose from on the first rung; elsewhere the whole graph is asked for."""


class SlotRecord(Frozen):
    """One slot of the text, as drawn."""

    name: str
    kind: str
    versions: tuple[int, ...]
    """The version of each passage that has two."""
    twin_versions: tuple[int, ...]
    tells: tuple[Edge, ...]
    twin_tells: tuple[Edge, ...]

    @property
    def size(self) -> int:
        """How many passages decide it together."""
        return len(self.versions)


class ReciteSecret(Secret):
    """What only the scorer knows."""

    document: str
    edges: tuple[Edge, ...]
    """The edges that the text tells."""
    twin_edges: tuple[Edge, ...]
    """The edges that its twin tells."""
    slots: tuple[SlotRecord, ...]
    uncounted: tuple[Edge, ...] = ()
    """The edges of passages whose figures nothing was derived from; they are in no score."""


ReciteInstance = Instance[RecitePublic, ReciteSecret]


class Submit(Action):
    """Give the causal graph of the text; on the first rung, choose one edge for each question."""

    kind: ClassVar[str] = "submit"
    is_final: ClassVar[bool] = True
    model_config = ConfigDict(coerce_numbers_to_str=True)

    edges: tuple[tuple[str, str], ...] = Field(
        default=(), description="Pairs of a cause and its effect, by id, as in [1, 2]."
    )
    answers: tuple[str, ...] = Field(
        default=(),
        description="The letter a or b for each question, in order, where there are questions.",
    )


ACTIONS: tuple[type[Action], ...] = (Submit,)
