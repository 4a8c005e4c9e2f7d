"""Which equations experiments have left standing, exactly, and which questions these settle.

An experiment is a row of changes against rest. It keeps the equations of a node that give the
node's change in that row; where the node itself was held, it keeps those without a cause that
moved, because what a node moves is not among its causes. Rows are coded as one whole number a
column, slot by slot, so that adding columns is one addition and looking an equation up one look
into a table.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from causarium.scm.dag import bits, mask_of
from ..model.bench import Experiment

_SLOT = 96
"""Bits for one reading. Sums of six products of three readings stay below 2**96."""

Equation = tuple[tuple[int, int | Fraction | None], ...]
"""Causes in ascending order, each with its weight; None: any of infinitely many would do."""


@dataclass(frozen=True)
class VersionSpace:
    """All equations of the stated form that agree with some experiments, node by node."""

    equations: tuple[tuple[Equation, ...], ...]

    @cached_property
    def may_cause(self) -> tuple[int, ...]:
        """The nodes that some equation left of each node names, as bits."""
        return tuple(
            mask_of(cause for equation in left for cause, _ in equation) for left in self.equations
        )

    def find_moving(self, held: int) -> int:
        """Return what may move while `held` (bits) is held, as bits."""
        return self._follow(held, (1 << len(self.equations)) - 1)

    def _follow(self, reached: int, within: int) -> int:
        """Return `reached` (bits) with all of `within` that it may cause, directly or not."""
        grows = bool(reached)
        while grows:
            grows = False
            for node in bits(within & ~reached):
                if self.may_cause[node] & reached:
                    reached |= 1 << node
                    grows = True
        return reached

    def find_settled(self, held: int) -> int:
        """Return the nodes that change alike in all mechanisms left, whatever the offsets.

        Every equation that takes part has one set of weights on what may move; what does not move,
        or does not reach a node, may be unknown. That is enough and not needed: nodes are looked at
        one by one, so an equation that only mechanisms with circles could use counts as left. Of
        the questions of bench-3 after two of three experiments, one in four is of that kind.

        Args:
            held: What is held, as bits.
        """
        moving = self.find_moving(held)
        free = moving & ~held
        unsettled = mask_of([node for node in bits(free) if self.agree(node, moving) is None])
        return (1 << len(self.equations)) - 1 & ~self._follow(unsettled, free)

    def settles(self, held: int, node: int) -> bool:
        """Whether all mechanisms left give the same change of a node while `held` (bits) is."""
        return bool(self.find_settled(held) >> node & 1)

    def predict(self, held: Mapping[int, int], node: int) -> int | None:
        """Return the change of `node` under offsets that are held; None where it is not settled."""
        mask = mask_of(held)
        if not self.settles(mask, node):
            return None
        moving = self.find_moving(mask)
        found = {one: Fraction(offset) for one, offset in held.items()}

        def change(one: int) -> Fraction:
            if one not in found:
                terms = self.agree(one, moving) or ()
                found[one] = sum((Fraction(w or 0) * change(p) for p, w in terms), Fraction(0))
            return found[one]

        return int(change(node))

    def agree(self, node: int, moving: int) -> Equation | None:
        """Return the terms on what moves, if all equations of a node have the same, else None."""
        first: Equation | None = None
        for equation in self.equations[node]:
            terms = tuple([term for term in equation if moving >> term[0] & 1])
            if first is None:
                first = terms
                if any(weight is None for _, weight in terms):
                    return None
            elif terms != first:
                return None
        return first


def list_whole_equations(rows: Sequence[Experiment], size: int, largest: int) -> VersionSpace:
    """Return what experiments leave of all equations with whole weights and at most two causes.

    Args:
        rows: The experiments.
        size: How many nodes there are, the frequency last: it causes nothing.
        largest: Weights are whole, from -largest to largest, and not 0.
    """
    columns = [_encode(rows, node) for node in range(size)]
    sizes = [weight for weight in range(-largest, largest + 1) if weight]
    by_cause = [[(w, w * columns[cause]) for w in sizes] for cause in range(size - 1)]
    terms_of: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for cause, weighted in enumerate(by_cause):
        for weight, value in weighted:
            terms_of[value].append((cause, weight))

    def list_for(node: int) -> Iterator[Equation]:
        barred, target = _constrain(rows, node, columns[node])
        if not target:
            yield ()
        for cause, weighted in enumerate(by_cause):
            if barred >> cause & 1:
                continue
            for weight, value in weighted:
                if value == target:
                    yield ((cause, weight),)
                if target - value in terms_of:
                    for other, second in terms_of[target - value]:
                        if other > cause and not barred >> other & 1:
                            yield ((cause, weight), (other, second))

    return VersionSpace(tuple(tuple(list_for(node)) for node in range(size)))


def list_real_equations(rows: Sequence[Experiment], size: int) -> VersionSpace:
    """Return what experiments leave of all equations with any weights and at most two causes.

    Args:
        rows: The experiments.
        size: How many nodes there are, the frequency last: it causes nothing.
    """
    plain = [[row.changes[node] for row in rows] for node in range(size)]
    columns = [_Column.of(_encode(rows, node), plain[node]) for node in range(size)]
    others = {
        (first, second): _find_other(columns[first], columns[second])
        for first, second in combinations(range(size - 1), 2)
    }

    def list_for(node: int) -> Iterator[Equation]:
        barred, target = _constrain(rows, node, columns[node].code)
        pushed = [0 if row.held == node else row.changes[node] for row in rows]
        wanted = _Column.of(target, pushed)
        free = [cause for cause in range(size - 1) if not barred >> cause & 1]
        if not target:
            yield ()
        for cause in free:
            fits, weight = _solve_one(columns[cause], wanted)
            if fits and weight != 0:
                yield ((cause, weight),)
        for first, second in combinations(free, 2):
            other = others[first, second]
            found = _solve_pair(columns[first], columns[second], other, wanted)
            if found is not None:
                yield ((first, found[0]), (second, found[1]))

    return VersionSpace(tuple(tuple(list_for(node)) for node in range(size)))


class _Column(NamedTuple):
    """The changes of one node in all rows: coded as one number, plain, and which first moved it."""

    code: int
    plain: Sequence[int]
    at: int

    @classmethod
    def of(cls, code: int, plain: Sequence[int]) -> "_Column":
        return cls(code, plain, next((place for place, value in enumerate(plain) if value), 0))


def _find_other(first: _Column, second: _Column) -> int | None:
    """Return a row by which two columns are not proportional; None: they are, or one is 0."""
    if not first.code or not second.code:
        return None
    pivot, beside = first.plain[first.at], second.plain[first.at]
    both = enumerate(zip(first.plain, second.plain, strict=True))
    return next((row for row, (lead, value) in both if value * pivot != lead * beside), None)


def _solve_one(column: _Column, wanted: _Column) -> tuple[bool, Fraction | None]:
    """Say whether a multiple of a column is what is wanted, and which; None: any multiple."""
    if not column.code:
        return not wanted.code, None
    pivot, value = column.plain[column.at], wanted.plain[column.at]
    fits = wanted.code * pivot == column.code * value
    return fits, Fraction(value, pivot) if fits else None


def _solve_pair(
    first: _Column, second: _Column, other: int | None, wanted: _Column
) -> tuple[Fraction | None, Fraction | None] | None:
    """Solve `v*first + w*second = wanted` in all rows at once; None: only with a weight of 0."""
    if other is None:
        fits, weight = _solve_one(second if second.code else first, wanted)
        if first.code and second.code:
            weight = None  # The two columns are proportional: one line of weights, or none.
        if not fits or weight == 0:
            return None
        return (None, weight) if second.code else (weight, None)
    # By two rows, as Cramer did, and then by all of them.
    (a, b, c), (d, e, f) = (
        (first.plain[row], second.plain[row], wanted.plain[row]) for row in (first.at, other)
    )
    whole, first_part, second_part = a * e - b * d, c * e - b * f, a * f - c * d
    if not first_part or not second_part:
        return None
    if first_part * first.code + second_part * second.code != whole * wanted.code:
        return None
    return Fraction(first_part, whole), Fraction(second_part, whole)


def _encode(rows: Sequence[Experiment], node: int) -> int:
    return sum(row.changes[node] << _SLOT * place for place, row in enumerate(rows))


def _constrain(rows: Sequence[Experiment], node: int, column: int) -> tuple[int, int]:
    """Return what cannot cause a node, as bits, and the coded column that its causes add up to."""
    barred = 1 << node
    for place, row in enumerate(rows):
        if row.held == node:
            column -= row.changes[node] << _SLOT * place
            barred |= sum(1 << one for one, change in enumerate(row.changes) if change)
    return barred, column
