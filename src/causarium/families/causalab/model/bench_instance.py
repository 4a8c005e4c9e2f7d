"""One instance of the bench: what an agent may see before it acts, and what the scorer knows.

The reactor's readings and the questions are secret until the lock: they come in its answer.
Readings are tuples of whole numbers, the properties in listing order and the frequency last.
"""

from typing import Literal

from pydantic import Field

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Instance, Public, Secret
from causarium.families.causalab.instance import FREQUENCY, Property
from causarium.families.causalab.model.whole_mechanism import WholeMechanism

QuestionKind = Literal["held", "one hold", "whole"]
"""`held` counts. `one hold` asks for the basic idea, `whole` for what whole numbers alone settle;
both are scored apart."""


class BenchPublic(Public):
    """What the agent may see before it acts."""

    properties: tuple[Property, ...]
    """In listing order, which says nothing of causes."""
    holdable: tuple[str, ...]
    """The names of the properties that the manipulator can hold."""
    manipulator: tuple[int, ...]
    """The readings of the manipulator's crystal at rest, the frequency last."""
    largest: int = Field(gt=0)
    """Weights are whole, from -largest to largest, and not 0."""
    limit: int = Field(gt=0)
    """How far from its reading a property may be held."""
    budget: int = Field(gt=0)
    """How many experiments may be made."""
    questions: int = Field(gt=0)
    """How many questions are asked after the lock."""
    holds: int = Field(ge=2)
    """How many properties a question holds at most."""

    @property
    def names(self) -> tuple[str, ...]:
        """The properties' names, in listing order."""
        return tuple(p.name for p in self.properties)

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of all nodes: the properties in listing order, then the frequency."""
        return (*self.names, FREQUENCY)


class WholeEdge(Frozen):
    """One arrow of the mechanism, with its weight."""

    cause: str
    effect: str
    weight: int


class Question(Frozen):
    """What is held in the reactor's crystal, at which values, and what is read."""

    holds: dict[str, int]
    """In the order in which they are written."""
    asked: str
    kind: QuestionKind


class BenchSecret(Secret):
    """What only the world and the scorer may know."""

    edges: tuple[WholeEdge, ...]
    reactor: tuple[int, ...]
    """The readings of the reactor's crystal at rest, the frequency last; shown after the lock."""
    questions: tuple[Question, ...]
    """Shown after the lock."""
    answers: tuple[int, ...]
    plan: tuple[str, ...]
    """Properties; one experiment on each settles every question that counts."""
    any_weights: bool
    """Whether that holds for equations with any real weights, or for whole ones alone."""

    def mechanism(self, nodes: tuple[str, ...]) -> WholeMechanism:
        """Return the mechanism over nodes with these names."""
        index = {name: node for node, name in enumerate(nodes)}
        terms: list[list[tuple[int, int]]] = [[] for _ in nodes]
        for edge in self.edges:
            terms[index[edge.effect]].append((index[edge.cause], edge.weight))
        return WholeMechanism(tuple(tuple(sorted(one)) for one in terms))


BenchInstance = Instance[BenchPublic, BenchSecret]
"""One instance of the bench."""
