"""What an agent of CausalLink may see, what only the scorer knows, and what can be done."""

from typing import ClassVar, Literal, TypeAlias

from pydantic import Field

from causarium.contract.instance import Instance, Public, Secret
from causarium.contract.world import Action
from causarium.scm.dag import mask_of
from .reach import Reach

FAMILY_NAME = "causallink"
ARROW = ">"
"""Stands between cause and effect in a stored edge."""
CONTINUE = "continue interaction"
STOP = "answer the question"


class LinkPublic(Public):
    """One question about one world, as it is first seen."""

    theme: str
    """Which theme words the world."""
    shapes: tuple[str, ...]
    """The variables' names, in the order in which they are listed."""
    moving: tuple[str, ...]
    """Those active at the start, in listing order."""
    cause: str
    effect: str
    cap: int
    """How many interventions are allowed: two for each variable."""

    @property
    def start(self) -> int:
        """The state at the start, as a bit mask over listing positions."""
        return mask_of(map(self.shapes.index, self.moving))


class LinkSecret(Secret):
    """The graph, and the answer that follows from it."""

    edges: tuple[str, ...]
    """Direct edges, each written `cause>effect`."""
    truth: bool
    """Whether a directed path leads from the cause to the effect."""

    @property
    def answer(self) -> Literal["yes", "no"]:
        """The right answer, in a word."""
        return "yes" if self.truth else "no"

    def pairs(self, shapes: tuple[str, ...]) -> list[tuple[int, int]]:
        """Return the direct edges over listing positions, each cause first."""
        places = {name: place for place, name in enumerate(shapes)}
        edges = (edge.split(ARROW) for edge in self.edges)
        return [(places[a], places[b]) for a, b in edges]

    def reach(self, shapes: tuple[str, ...]) -> Reach:
        """Return the reachability relation over listing positions."""
        return Reach.of_edges(len(shapes), self.pairs(shapes))


LinkInstance: TypeAlias = Instance[LinkPublic, LinkSecret]


class Intervene(Action):
    """Act once on one of the listed things; the answer shows the state of all of them after."""

    kind: ClassVar[str] = "intervene"

    shape: str = Field(description="The name of the thing to act on, exactly as listed.")
    action: str = Field(description="One of the two listed actions, exactly as written.")


class Choose(Action):
    """Say whether to go on interacting or to answer."""

    kind: ClassVar[str] = "choose"
    in_tools: ClassVar[bool] = False

    next: str = Field(description="'continue interaction' or 'answer the question'.")


class Answer(Action):
    """Give the final answer to the question; this ends the case."""

    kind: ClassVar[str] = "answer"
    is_final: ClassVar[bool] = True

    answer: str = Field(description="'yes' or 'no'.")


ACTIONS: tuple[type[Action], ...] = (Intervene, Choose, Answer)
