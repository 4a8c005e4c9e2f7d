"""One wrong cell, followed back to the mechanism that went wrong first.

In any row, the first variable whose replayed value is not the seen one, causes first, had right
inputs: its own mechanism is wrong there. Everything wrong below it may be its consequence.
"""

from dataclasses import dataclass

from causarium.families.replayscm.scoring.packed_rows import Group, Packed, Place
from causarium.families.replayscm.scoring.replay_answer import Replayed


@dataclass(frozen=True, slots=True)
class Trace:
    """A wrong cell, and how it came about."""

    world: str
    row: int
    """The number of the row within its world."""
    heldout: bool
    path: tuple[str, ...]
    """From the wrong cell back to the first wrong variable, each an input of the one before."""
    wrong: frozenset[str]
    """Every variable that is wrong in the row."""
    inputs: dict[str, int]
    """What the first wrong mechanism read, which is what was seen."""
    said: int
    """What it said; the other value was seen."""

    @property
    def first(self) -> str:
        """The variable whose mechanism went wrong first."""
        return self.path[-1]


def find_first_failure(packed: Packed, replayed: Replayed) -> Trace | None:
    """Return the longest path of the first held-out world that fails, else of a training world.

    A second model beside a given one may differ where nothing was shown, so there only training
    worlds can fail.
    """
    for group, heldout in ((packed.heldout, True), (packed.train, False)):
        if heldout and packed.reference is not None:
            continue
        if place := _failing(group, replayed):
            rows = range(place.first, place.first + place.rows.bit_count())
            traces = [_trace_error(replayed, place, row, heldout=heldout) for row in rows]
            found = [trace for trace in traces if trace is not None]
            return max(found, key=lambda trace: (len(trace.path), -trace.row))
    return None


def _failing(group: Group, replayed: Replayed) -> Place | None:
    anywhere = 0
    for mask in replayed.wrong.values():
        anywhere |= mask
    return next((place for place in group.places if anywhere & place.rows), None)


def _trace_error(replayed: Replayed, place: Place, row: int, *, heldout: bool) -> Trace | None:
    wrong = [name for name, mask in replayed.wrong.items() if mask >> row & 1]
    if not wrong:
        return None
    path = [wrong[-1]]
    while causes := replayed.model.written[path[-1]].names & set(wrong):
        path.append(min(causes))
    names = sorted(replayed.model.written[path[-1]].names)
    return Trace(
        world=place.id,
        row=row - place.first,
        heldout=heldout,
        path=tuple(path),
        wrong=frozenset(wrong),
        inputs={name: replayed.columns[name] >> row & 1 for name in names},
        said=replayed.columns[path[-1]] >> row & 1,
    )
