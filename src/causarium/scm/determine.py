"""What a collection of readings determines about a mechanism, exactly.

Values are taken as whole hundredths, and ranks are computed over the integers, so that an answer
here is a proof and not a matter of a threshold.

A property's base value differs from crystal to crystal and changes when the property is put to a
value, so its equation can only be read off states of one crystal between which its own base stayed
the same. The frequency's base never changes, so its equation may use every reading there is.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import gcd

SCALE = 100
"""Readings have two decimals."""


@dataclass(frozen=True, slots=True)
class State:
    """One reading of a crystal in the course of an experiment."""

    values: tuple[float, ...]
    """Of all nodes, the frequency last."""
    epochs: tuple[int | None, ...]
    """For each node, which base value is at work: 0 is the first, None is held by force."""
    target: int | None = None
    """The node that was put to a value just before this reading."""
    since: int | None = None
    """The index of the state that this one differs from by that one intervention alone."""


def rank(rows: Iterable[Sequence[int]]) -> int:
    """Return the rank of an integer matrix, exactly.

    Example:
        >>> rank([[1, 2], [2, 4], [0, 1]])
        2
    """
    basis: list[tuple[int, list[int]]] = []
    for given in rows:
        row = list(given)
        for pivot, known in basis:
            if row[pivot]:
                a, b = known[pivot], row[pivot]
                row = [a * x - b * y for x, y in zip(row, known, strict=True)]
        divisor = gcd(*row) if row else 0
        if divisor:
            row = [x // divisor for x in row]
            basis.append((next(i for i, x in enumerate(row) if x), row))
    return len(basis)


def features(values: Sequence[float], nodes: Iterable[int], *, squares: bool) -> list[int]:
    """Return the terms that `nodes` can add to an equation, in whole hundredths."""
    whole = [round(values[node] * SCALE) for node in nodes]
    return whole + [x * x for x in whole] if squares else whole


def frequency_determined(readings: Sequence[Sequence[float]], *, squares: bool) -> bool:
    """Say whether readings of all properties determine the frequency's equation.

    They do when no other equation of the same form gives the same frequency on all of them.
    """
    if not readings:
        return False
    nodes = range(len(readings[0]))
    rows = [[1, *features(values, nodes, squares=squares)] for values in readings]
    return rank(rows) == len(rows[0])


def proven_descendants(states: Sequence[State]) -> list[int]:
    """Return, for each node, the mask of nodes that an intervention on it was seen to move."""
    masks = [0] * len(states[0].values)
    for state in states:
        if state.target is None or state.since is None:
            continue
        before = states[state.since].values
        for node, value in enumerate(state.values):
            if value != before[node] and node != state.target:
                masks[state.target] |= 1 << node
    return masks


def freedom(states: Sequence[State], node: int, candidates: Sequence[int], *, squares: bool) -> int:
    """Return in how many independent ways `node`'s equation may differ and still fit `states`.

    Zero means that the equation is determined among those that use `candidates` as parents.
    """
    first: dict[int, list[int]] = {}
    rows = []
    for state in states:
        epoch = state.epochs[node]
        if epoch is None:
            continue
        row = features(state.values, candidates, squares=squares)
        start = first.setdefault(epoch, row)
        if start is not row:
            rows.append([x - y for x, y in zip(row, start, strict=True)])
    unknowns = len(candidates) * (2 if squares else 1)
    return unknowns - rank(rows)


def freedom_by_property(states: Sequence[State], *, squares: bool) -> list[int]:
    """Return the freedom that is left to each property's equation.

    The frequency, which is the last node, is taken to be no property's parent, and a node that
    was seen to move with an intervention on another is not that other's parent.
    """
    moved = proven_descendants(states)
    properties = range(len(moved) - 1)
    return [
        freedom(
            states,
            node,
            [p for p in properties if p != node and not moved[node] >> p & 1],
            squares=squares,
        )
        for node in properties
    ]
