"""The bench: its mechanism, what an agent may see before it acts, and what the scorer knows.

Every value is a base plus whole multiples of at most two causes. A mechanism speaks of changes
against a crystal at rest, so that bases play no part: a node that is not held changes by the sum of
its weights times its causes' changes, a held one by its offset.

The reactor's readings and the questions are secret until the lock: they come in its answer.
Readings are tuples of whole numbers, the properties in listing order and the frequency last.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple

from pydantic import Field, field_validator

from causarium.contract.frozen import Frozen
from causarium.contract.instance import Instance, Secret
from causarium.errors import GraphError
from causarium.scm.dag import Dag, mask_of
from .instance import CrystalPublic

Terms = tuple[tuple[int, int], ...]
"""The direct causes of one node, each with its weight, in ascending order of causes."""


def list_moved(effects: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return what each node moves when it is held alone, itself left out, as bits."""
    moved = []
    for source, row in enumerate(effects):
        mask, one = 0, 1
        for change in row:
            if change:
                mask |= one
            one <<= 1
        moved.append(mask & ~(1 << source))
    return tuple(moved)


class Experiment(NamedTuple):
    """One experiment in changes: what was held, how far from rest, and how far all nodes went."""

    held: int
    offset: int
    changes: tuple[int, ...]


QuestionKind = Literal["held", "one hold", "whole"]
"""`held` counts. `one hold` asks for the basic idea, `whole` for what whole numbers alone settle;
both are scored apart."""


class Inquiry(NamedTuple):
    """A question in offsets: what is held, how far from rest, what is read, and why it is asked."""

    held: tuple[int, ...]
    offsets: tuple[int, ...]
    asked: int
    kind: QuestionKind = "held"

    @property
    def offset_of(self) -> dict[int, int]:
        """The offset of each node that is held."""
        return dict(zip(self.held, self.offsets, strict=True))


@dataclass(frozen=True)
class WholeMechanism:
    """The equations of all nodes, the frequency last.

    Example:
        >>> chain = WholeMechanism(((), ((0, 2),), ((0, 1), (1, -1))))
        >>> chain.changes({0: 3}), chain.changes({0: 3, 1: 0})
        ((3, 6, -3), (3, 0, 3))
    """

    terms: tuple[Terms, ...]

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """The direct causes of each node, as bits."""
        return tuple(sum(1 << cause for cause, _ in terms) for terms in self.terms)

    @cached_property
    def dag(self) -> Dag:
        """The graph of direct causes.

        Raises:
            ValueError: The equations run in a circle.
        """
        try:
            return Dag(self.parents)
        except GraphError as wrong:
            raise ValueError("the equations run in a circle") from wrong

    def changes(self, held: Mapping[int, int]) -> tuple[int, ...]:
        """Return how far each node is from rest when some are held at offsets from it."""
        found = [0] * len(self.terms)
        for node in self.dag.order:
            if node in held:
                found[node] = held[node]
                continue
            # A plain loop: generation spends much of its time here.
            for cause, weight in self.terms[node]:
                found[node] += weight * found[cause]
        return tuple(found)

    @cached_property
    def effects(self) -> tuple[tuple[int, ...], ...]:
        """Row x is what one unit of x, held alone, changes in every node."""
        size = len(self.terms)
        by_effect: list[list[int]] = [[0] * size for _ in range(size)]
        for node in self.dag.order:
            # One pass a cause, without an index: generation spends a tenth of its time here.
            for cause, weight in self.terms[node]:
                both = zip(by_effect[node], by_effect[cause], strict=True)
                by_effect[node] = [change + weight * more for change, more in both]
            by_effect[node][node] = 1
        return tuple(zip(*by_effect, strict=True))

    @cached_property
    def farthest(self) -> tuple[int, ...]:
        """How far one unit of each node, held alone, moves anything."""
        return tuple(max(map(abs, row)) for row in self.effects)

    @cached_property
    def moved_by(self) -> tuple[int, ...]:
        """What each node moves when it is held alone, itself left out, as bits."""
        return list_moved(self.effects)

    def push_each(self, nodes: Iterable[int]) -> list[Experiment]:
        """Return the experiments that hold each of some nodes one unit from rest."""
        return [Experiment(node, 1, self.effects[node]) for node in nodes]

    def share_by_hold(self, held: Sequence[int], node: int) -> tuple[int, ...]:
        """Return what one unit of each held node adds to `node` while the others stay at rest."""
        at_rest = dict.fromkeys(held, 0)
        return tuple(self.changes({**at_rest, one: 1})[node] for one in held)


class Question(Frozen):
    """What is held in the reactor's crystal, at which values, and what is read."""

    holds: dict[str, int]
    """In the order of their names, which a file keeps: a question reads the same from both."""
    asked: str
    kind: QuestionKind

    @field_validator("holds")
    @classmethod
    def _sort_by_name(cls, holds: dict[str, int]) -> dict[str, int]:
        return dict(sorted(holds.items()))


class BenchPublic(CrystalPublic):
    """What the agent may see before it acts."""

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
    def fixed(self) -> int:
        """The properties that cannot be held, as bits."""
        names = enumerate(self.names)
        return mask_of(node for node, name in names if name not in self.holdable)

    def find_offsets(self, question: Question, reactor: Sequence[int]) -> Inquiry:
        """Return a question as offsets from what the reactor's crystal reads at rest."""
        index = self.index
        held = tuple(index[name] for name in question.holds)
        values = zip(held, question.holds.values(), strict=True)
        offsets = tuple(value - reactor[node] for node, value in values)
        return Inquiry(held, offsets, index[question.asked], question.kind)


class WholeEdge(Frozen):
    """One arrow of the mechanism, with its weight."""

    cause: str
    effect: str
    weight: int


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


def check_parts(public: BenchPublic, secret: BenchSecret) -> None:
    """Make sure that both parts of an instance speak of the same crystals and questions.

    Raises:
        ValueError: They do not; says in which field.
    """
    names, nodes, size = set(public.names), set(public.nodes), len(public.nodes)
    arrows = {(edge.cause, edge.effect) for edge in secret.edges}
    asked = secret.questions
    fits = {
        "properties": len(nodes) == size,
        "holdable": len(names.intersection(public.holdable)) == len(public.holdable),
        "manipulator": len(public.manipulator) == size,
        "reactor": len(secret.reactor) == size,
        "edges": len(arrows) == len(secret.edges) and nodes.issuperset(chain(*arrows)),
        "plan": names.issuperset(secret.plan),
        "questions": len(asked) == public.questions
        and any(one.kind == "held" for one in asked)
        and all(one.holds and names.issuperset(one.holds) for one in asked)
        and all(one.asked in nodes and one.asked not in one.holds for one in asked),
        "answers": len(secret.answers) == len(asked),
    }
    for field, is_fit in fits.items():
        if not is_fit:
            raise ValueError(f"{field}: does not fit the other fields of the instance")
    _ = secret.mechanism(public.nodes).dag  # Raises where arrows run in a circle.


BenchInstance = Instance[BenchPublic, BenchSecret]
"""One instance of the bench."""
