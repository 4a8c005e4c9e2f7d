"""What a replay shows beside the words: the truth, and what the agent believed, turn by turn."""

from causarium.contract.frozen import Frozen


class Graph(Frozen):
    """A causal graph in names."""

    nodes: tuple[str, ...]
    edges: tuple[tuple[str, str], ...]
    """Cause and effect."""


class Line(Frozen):
    """One thing that can be believed: an equation, a claim, a state."""

    name: str
    believed: str
    true: str = ""
    right: bool | None = None
    """Whether the belief holds; None where nothing says so."""


class Scene(Frozen):
    """How things stand after one turn, or before the first."""

    belief: Graph | None = None
    lines: tuple[Line, ...] = ()
    note: str = ""
    """A sentence on this turn, for people."""
    frame: str = ""
    """A picture of the world then, a PNG as a data address; nothing where it has no looks."""
    determined: bool = False
    """Whether all that was seen so far settles the answer."""


class ReplayScene(Frozen):
    """An episode as a replay shows it."""

    truth: Graph | None = None
    scenes: tuple[Scene, ...]
    """One more than there are turns: the first stands before them."""
    column: str = "believed"
    """What the middle of a line is: a belief, a state."""
