"""What a replay shows beside the words: the truth, and what the agent believed, turn by turn."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from causarium.contract.frozen import Frozen
from causarium.contract.turn import Turn


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
    text: str = ""
    """A text that is read, in markdown; nothing where there is none."""
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
    truth_column: str = "true"
    """What the truth beside it is: the true value, a sentence that tells it."""


def list_turn_steps(
    turns: Sequence[Turn],
    scenes: Sequence[Scene],
    describe: Callable[[Mapping[str, Any]], str],
) -> tuple[Step, ...]:
    """Return one step a turn, for families in which every turn is one.

    Args:
        turns: The turns of an episode.
        scenes: How things stand before the first turn and after each; their notes are kept.
        describe: Says in a sentence what an action does, given its fields.
    """
    steps = [Step(last=0, title="At the start.")]
    for number, turn in enumerate(turns, 1):
        if turn.unparsed is not None:
            title = "Sent something that could not be read."
        else:
            title = f"{describe(turn.action or {})}{'' if turn.legal else ' It was refused.'}"
        note = scenes[number].note if number < len(scenes) else ""
        steps.append(Step(last=number, title=title, note=note))
    return tuple(steps)
