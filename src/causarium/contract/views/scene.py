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


class NodeState(Frozen):
    """How one thing of the world stands."""

    name: str
    value: str
    """In words, with its unit: `moving`, `12.50 Hz`."""
    on: bool | None = None
    """Whether it is drawn dark or light; None where it is no matter of on and off."""


class Step(Frozen):
    """One thing that an agent did, and how the world stood then; the first is the beginning."""

    last: int
    """The last turn that belongs to it; 0 at the beginning."""
    title: str
    """What was done, in a sentence."""
    states: tuple[NodeState, ...] = ()
    acted: tuple[str, ...] = ()
    """The things that were acted on."""
    changed: tuple[str, ...] = ()
    """The things that changed with it."""
    note: str = ""
    """What came of it, in a sentence."""


class ReplayScene(Frozen):
    """An episode as a replay shows it."""

    question: str = ""
    """What the agent is asked, in one sentence; always in sight."""
    answer: str = ""
    """The truth, as a sentence."""
    outcome: str = ""
    """How the episode ended, in a few words: `“no” after 4 actions`."""
    steps: tuple[Step, ...] = ()
    """Empty: each turn is a step."""
    truth: Graph | None = None
    scenes: tuple[Scene, ...]
    """One more than there are turns: the first stands before them."""
    column: str = "believed"
    """What the middle of a line is: a belief, a state."""
