"""What the agent sees of a lamp, and what only the scorer knows."""

from typing import TypeAlias

from causarium.contract.instance import Instance, Public, Secret


class LampsPublic(Public):
    """What the agent may see before it acts."""

    switches: tuple[str, ...]
    """The switches, in an order that says nothing."""


class LampsSecret(Secret):
    """What only the world and the scorer may know."""

    wired: str
    """The one switch that lights the lamp."""
    fuse_ohm: float
    """A number that nothing shows, so that a leak of it is easy to see."""


LampsInstance: TypeAlias = Instance[LampsPublic, LampsSecret]
"""One lamp and its switches."""
