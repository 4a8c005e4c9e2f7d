"""Mechanisms that somebody would believe in who skips a step, from effects of single pushes.

Each of them gets the effects of two held properties wrong, most of them after getting all single
pushes right. The generator asks no question that one of them answers, even when it knows every
effect, but for a few of `LAST_HOLD`; players act on them with the effects that they measured.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial

from ..model.bench import Terms, WholeMechanism, list_moved

Effects = Sequence[Sequence[int]]
"""Row x is what one unit of x, held alone, changes in every node."""
LAST_HOLD = "last_hold"
"""Who counts the hold that is named last, alone: questions were drawn in another order than that of
names, so that a few are hit; how many is the bound of all shortcuts."""


def join_all_that_moved(effects: Effects) -> WholeMechanism:
    """Take whatever moved for a child, and its change for the weight."""
    return WholeMechanism(tuple(_causes(effects, node) for node in range(len(effects))))


def join_fewest(effects: Effects) -> WholeMechanism:
    """Draw no arrow where a longer path of arrows explains why something moved.

    Example:
        >>> join_fewest(((1, 2, 5), (0, 1, 3), (0, 0, 1))).terms
        ((), ((0, 2),), ((1, 3),))
    """
    moves = list_moved(effects)
    moved_by = list_moved(tuple(zip(*effects, strict=True)))
    return WholeMechanism(
        tuple(
            tuple(term for term in _causes(effects, node) if not moves[term[0]] & moved_by[node])
            for node in range(len(effects))
        )
    )


def _causes(effects: Effects, node: int) -> Terms:
    return tuple(
        (cause, row[node]) for cause, row in enumerate(effects) if row[node] and cause != node
    )


Share = Callable[[Sequence[int], int], Sequence[int | Fraction]]
"""(what is held, as it is written; what is read) to what one unit of each hold adds."""


def list_shortcuts(mechanism: WholeMechanism, fixed: int = 0) -> Mapping[str, Share]:
    """Return the listed shortcuts, each with all effects of a mechanism known to it.

    Where some properties cannot be held, those that go by effects are listed a second time, with
    no effects of these, and with them the table of effects.

    Args:
        mechanism: The mechanism.
        fixed: What cannot be held, as bits.
    """
    direct = [dict(terms) for terms in mechanism.terms]

    def look_at_causes(held: Sequence[int], node: int) -> list[int]:
        return [direct[node].get(one, 0) for one in held]

    listed = {
        **share_by_effects(mechanism.effects),
        "static": look_at_causes,
        "fewest_arrows_known_frequency": _build_when_asked(
            lambda: WholeMechanism(
                (*join_fewest(mechanism.effects).terms[:-1], mechanism.terms[-1])
            )
        ),
    }
    del listed["table"]  # It is right where all can be held.
    if fixed:
        size = len(mechanism.terms)
        measured = [
            [int(node == other) for other in range(size)] if fixed >> node & 1 else row
            for node, row in enumerate(mechanism.effects)
        ]
        listed |= {f"{name}_measured": way for name, way in share_by_effects(measured).items()}
    # Those that make a mechanism first cost most, and are asked last.
    return dict(sorted(listed.items(), key=lambda one: one[0].startswith(("whatever", "fewest"))))


def share_by_effects(effects: Effects) -> dict[str, Share]:
    """Return the shortcuts of somebody who knows effects of single pushes and nothing else."""

    def add_up(held: Sequence[int], node: int) -> list[int]:
        return [effects[one][node] for one in held]

    def take_last(held: Sequence[int], node: int) -> list[int]:
        return [*(0 for _ in held[1:]), effects[held[-1]][node]]

    return {
        "superposition": add_up,
        LAST_HOLD: take_last,
        "whatever_moved": _build_when_asked(lambda: join_all_that_moved(effects)),
        "fewest_arrows": _build_when_asked(lambda: join_fewest(effects)),
        "table": partial(solve_table, effects),
    }


def _build_when_asked(build: Callable[[], WholeMechanism]) -> Share:
    # Most questions that are tried fail before anybody asks for the costlier mechanisms.
    made = cache(build)
    return lambda held, node: made().share_by_hold(held, node)


def solve_table(
    effects: Sequence[Sequence[int | Fraction]], held: Sequence[int], node: int
) -> list[Fraction]:
    """Find the pushes that bring one held node at a time to 1, and add up what they do to `node`.

    Args:
        effects: What one unit of each node changes.
        held: The nodes that are held.
        node: What is read.

    Returns:
        What one unit of each hold adds; nothing where the table cannot be solved.

    Example:
        >>> solve_table(((1, 2, 5), (0, 1, 3), (0, 0, 1)), (0, 1), 2)
        [Fraction(-1, 1), Fraction(3, 1)]
    """
    # Shares s obey, for every push x: sum over holds h of s_h * effects[x][h] = effects[x][node].
    rows = [[effects[x][h] for h in (*held, node)] for x in held]
    for place in range(len(held)):
        at = next((at for at in range(place, len(held)) if rows[at][place]), None)
        if at is None:
            return [Fraction(0)] * len(held)
        rows[place], rows[at] = rows[at], rows[place]
        lead = rows[place]
        for other, row in enumerate(rows):
            factor = row[place]
            if other != place and factor:
                pairs = zip(row, lead, strict=True)
                rows[other] = [lead[place] * value - factor * first for value, first in pairs]
    return [Fraction(row[-1], row[place]) for place, row in enumerate(rows)]
