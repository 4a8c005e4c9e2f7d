"""Pictures that a family draws of its own episodes and rows."""

from causarium.contract.frozen import Frozen


class Figure(Frozen):
    """One drawing, ready for a page."""

    title: str
    svg: str
    """A whole `<svg>` element with no script and no address; all text in it is escaped."""
    caption: str
    """What to look at, in a sentence or two."""
