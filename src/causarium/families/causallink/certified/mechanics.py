"""What moves in a try.

What is started moves. What is held stands still. What is left alone stands still unless its starter
moves. The target moves if all objects of a group move and no stopper is at work; a stopper is at
work if it moves and its shield, where it has one, does not.
"""

from collections.abc import Collection

from .model import Parts


def moves(
    parts: Parts, asked: str, started: Collection[str], held: Collection[str], *, truth: bool
) -> bool:
    """Say whether the target moves in a try.

    Args:
        parts: Which object plays which part.
        asked: The object that the question asks about.
        started: The objects that are started by hand.
        held: The objects that are held by hand.
        truth: Whether the object asked about is in the first group.
    """
    moving = set(started)
    for starter, woken in zip(parts.starters, parts.started, strict=True):
        if starter in moving and woken not in held:
            moving.add(woken)
    shields = dict(zip(parts.shielded, parts.shields, strict=True))
    if any(name in moving and shields.get(name) not in moving for name in parts.stoppers):
        return False
    first = (*parts.partners, asked if truth else parts.stand_in)
    return any(moving.issuperset(group) for group in (first, *parts.rivals))


def decides(parts: Parts, asked: str, started: Collection[str], held: Collection[str]) -> bool:
    """Say whether a try would come out differently if the other answer were true."""
    yes, no = (moves(parts, asked, started, held, truth=truth) for truth in (True, False))
    return yes != no
