"""What an agent of CausalLink may see, what only the scorer knows, and what can be done.

A case of the practice, core and paper levels is a graph to be tried out. A case of `laws`
has a machine beside it: a log of earlier runs, and one run of the agent's own.
"""

from typing import ClassVar, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from causarium.contract.frozen import Frozen, Sparse
from causarium.contract.instance import Instance, Public, Secret
from causarium.contract.world import Action
from causarium.scm.dag import mask_of
from ..shared.reach import Reach

FAMILY_NAME = "causallink"
ARROW = ">"
"""Stands between cause and effect in a stored edge."""
CONTINUE = "continue interaction"
STOP = "answer the question"

Form = Literal["cause", "direct"]
"""How the question of a log is put; both ask which suspect is live."""
Need = Literal["all", "none", "one", "some", "not all"]
"""How many parts of a pair must move for the pair to do what it does."""
Needs = tuple[Need, Need, Need]
"""What is needed of the helpers, of the rivals and of the guards."""
_NEEDS: TypeAdapter[Needs] = TypeAdapter(Needs)


class LogRow(Frozen):
    """One run of the log."""

    moved: tuple[str, ...]
    """The parts that moved, in listing order; all others but the target were held."""
    target: bool
    """Whether the target moved."""


class MachinePublic(Frozen):
    """What is shown of a machine."""

    companion: str
    """The suspect that is not asked about."""
    form: Form
    needs: Needs
    """The law that the case states."""
    log: tuple[LogRow, ...]


class MachineSecret(Frozen):
    """How the machine is built."""

    suspect: str
    """The live suspect."""
    helpers: tuple[str, ...]
    rivals: tuple[str, ...]
    guards: tuple[str, ...]
    laws: tuple[str, ...]
    """The laws under which the same log is shown, this case's among them: the three needs of each,
    joined by commas."""

    def list_needs(self) -> tuple[Needs, ...]:
        """Return what each of the laws needs."""
        return tuple(_NEEDS.validate_python(tuple(law.split(", "))) for law in self.laws)


class LinkPublic(Sparse, Public):
    """One question about one world, as it is first seen."""

    theme: str
    """Which theme words the world."""
    shapes: tuple[str, ...]
    """The variables' names, in the order in which they are listed."""
    moving: tuple[str, ...]
    """Those active at the start, in listing order; a machine is seen by its log alone."""
    cause: str
    effect: str
    cap: int
    """How many interventions are allowed: two for each variable, or one run."""
    machine: MachinePublic | None = None
    """The log and what is said of the machine; None on all other levels."""

    @property
    def start(self) -> int:
        """The state at the start, as a bit mask over listing positions."""
        return mask_of(map(self.shapes.index, self.moving))

    def list_moving(self, row: LogRow) -> frozenset[str]:
        """Return who moved in a run of the log, the target among them if it did."""
        return frozenset({*row.moved, *([self.effect] if row.target else [])})

    @property
    def parts(self) -> tuple[str, ...]:
        """What can be moved and held by hand: all but the target of a machine."""
        return tuple(name for name in self.shapes if name != self.effect)


class LinkSecret(Sparse, Secret):
    """The graph or the machine, and the answer that follows from it."""

    edges: tuple[str, ...]
    """Direct edges, each written `cause>effect`; a machine has none."""
    truth: bool
    """Whether a directed path leads from the cause to the effect, or the suspect asked about is
    the live one."""
    machine: MachineSecret | None = None

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


def is_published(instance: LinkInstance) -> bool:
    """Say whether a case is one of the paper edition's, which is scored as published."""
    return instance.id.startswith(f"{FAMILY_NAME}-paper-")


class Intervene(Action):
    """Act once on one of the listed things; the answer shows the state of all of them after."""

    kind: ClassVar[str] = "intervene"

    shape: str = Field(description="The name of the thing to act on, exactly as listed.")
    action: str = Field(description="One of the two listed actions, exactly as written.")


class Run(Action):
    """Make the one run: the parts that you name are moved, all others are held."""

    kind: ClassVar[str] = "run"
    comment_fields: ClassVar[frozenset[str]] = frozenset({"reasoning"})

    move: tuple[str, ...] = Field(description="The names of the parts to move, as listed.")
    reasoning: str | None = Field(default=None, description="Why this run; it is never graded.")


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


ACTIONS: tuple[type[Action], ...] = (Intervene, Run, Choose, Answer)
