"""Pictures that a family draws: of its own episodes and rows, and of its world."""

from causarium.contract.frozen import Frozen


class Figure(Frozen):
    """One drawing, ready for a page."""

    title: str
    svg: str
    """A whole `<svg>` element with no script and no address; all text in it is escaped."""
    caption: str
    """What to look at, in a sentence or two."""


class FrameGuide(Frozen):
    """A picture of a family's world, and what each thing in it is."""

    frame: str
    """A PNG as a data address."""
    caption: str
    legend: tuple[tuple[str, str], ...]
    """Each thing and what it is."""
