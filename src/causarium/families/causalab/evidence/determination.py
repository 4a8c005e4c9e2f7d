"""What a collection of readings determines about a mechanism, as a matter of proof.

Arithmetic is done modulo a large prime. A rank found there is never above the true one, and two
numbers that differ there do differ, so "determined" here is proven and not a matter of a threshold;
"not determined" could be wrong by an accident of one in 10^18.

A property's base value differs from crystal to crystal and changes when the property is put to a
value, so its equation can only be read off states of one crystal between which its own base stayed
the same, or in which it is known. The frequency's base never changes, so its equation may use
every reading there is.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from causarium.scm.mechanism import Mechanism, Semantics

PRIME = 2**61 - 1
KNOWN = -1
"""The epoch of a base whose value is known, because an intervention put it there."""


def residue(number: float) -> int:
    """Return a decimal number modulo the prime, taken as it is written.

    Example:
        >>> residue(0.5) * 2 % PRIME
        1
    """
    exact = Fraction(repr(number)) if isinstance(number, float) else Fraction(number)
    return exact.numerator * pow(exact.denominator, -1, PRIME) % PRIME


@dataclass(frozen=True, slots=True)
class State:
    """One reading of a crystal in the course of an experiment, modulo the prime."""

    values: tuple[int, ...]
    """Of all nodes, the frequency last."""
    epochs: tuple[int | None, ...]
    """For each node, which base value is at work; None while the node is held by force."""
    target: int | None = None
    """The node that was put to a value just before this reading."""
    since: int | None = None
    """The index of the state that this one differs from by that one intervention alone."""


class ExactCrystal:
    """A crystal without rounding, modulo the prime, that keeps every state it was in."""

    def __init__(self, mechanism: Mechanism, bases: Sequence[float], semantics: Semantics) -> None:
        self._terms = [
            [(t.parent, residue(t.linear), residue(t.square)) for t in terms]
            for terms in mechanism.terms
        ]
        self._order = mechanism.dag.order
        self._semantics = semantics
        self._start = [residue(base) for base in bases]
        self._bases = list(self._start)
        self._held: dict[int, int] = {}
        self._epochs: list[int] = [0] * len(bases)
        self._at = 0
        self.states = [State(self._read(), tuple(self._epochs))]

    def reset(self) -> None:
        """Undo every intervention."""
        self._bases = list(self._start)
        self._held = {}
        self._epochs = [0] * len(self._bases)
        self._at = 0

    def put(self, node: int, value: float) -> None:
        """Intervene on `node`."""
        number = residue(value)
        if self._semantics == "do":
            self._held[node] = number
        elif self._semantics == "shift":
            self._bases[node] = number
            self._epochs[node] = KNOWN
        else:
            now = self.states[self._at].values[node]
            self._bases[node] = (self._bases[node] + number - now) % PRIME
            self._epochs[node] = len(self.states)
        epochs = tuple(None if n in self._held else e for n, e in enumerate(self._epochs))
        self.states.append(State(self._read(), epochs, node, self._at))
        self._at = len(self.states) - 1

    def _read(self) -> tuple[int, ...]:
        values = list(self._bases)
        for node in self._order:
            if node in self._held:
                values[node] = self._held[node]
                continue
            total = self._bases[node]
            for parent, linear, square in self._terms[node]:
                x = values[parent]
                total += (square * x + linear) * x
            values[node] = total % PRIME
        return tuple(values)


def rank(rows: Iterable[Sequence[int]]) -> int:
    """Return the rank of a matrix modulo the prime.

    Example:
        >>> rank([[1, 2], [2, 4], [0, 1]])
        2
    """
    basis: list[tuple[int, list[int]]] = []
    for given in rows:
        row = [x % PRIME for x in given]
        for pivot, known in basis:
            if factor := row[pivot]:
                row = [(x - factor * y) % PRIME for x, y in zip(row, known, strict=True)]
        pivot = next((i for i, x in enumerate(row) if x), -1)
        if pivot >= 0:
            scale = pow(row[pivot], -1, PRIME)
            basis.append((pivot, [x * scale % PRIME for x in row]))
    return len(basis)


def features(values: Sequence[int], nodes: Iterable[int], *, squares: bool) -> list[int]:
    """Return the terms that `nodes` can add to an equation, up to their coefficients."""
    own = [values[node] for node in nodes]
    return own + [x * x % PRIME for x in own] if squares else own


def frequency_freedom(readings: Sequence[Sequence[int]], *, squares: bool) -> int:
    """Return in how many independent ways the frequency's equation may differ and fit them all.

    Each reading holds all properties. Zero means that the equation is determined.
    """
    nodes = range(len(readings[0]))
    rows = [[1, *features(values, nodes, squares=squares)] for values in readings]
    return len(rows[0]) - rank(rows)


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
        if epoch == KNOWN:
            rows.append(row)
            continue
        start = first.setdefault(epoch, row)
        if start is not row:
            rows.append([x - y for x, y in zip(row, start, strict=True)])
    return len(candidates) * (2 if squares else 1) - rank(rows)


def property_freedoms(states: Sequence[State], *, squares: bool) -> list[int]:
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
