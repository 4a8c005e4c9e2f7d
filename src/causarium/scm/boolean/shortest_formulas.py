"""Shortest formulas: of a function, of a model, of whatever fits what is known of a function."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from causarium.errors import ContractError
from causarium.scm.boolean.formula import Formula, Tree
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.truth_table import all_rows, column, essential, rewrite
from causarium.scm.dag import bits

MAX_ARITY = 4
"""Functions of more arguments are too many to be listed."""

_FOLDS = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}
_NAMES = ("", "not", "and", "or", "xor", "iff")
_LONGEST = 14
"""No function of four arguments needs a longer formula, so no list is kept that would make one."""
_Words = NDArray[np.uint32]


@lru_cache(maxsize=8)  # One table a number of arguments; that of four takes half a second.
def compute_shortest(arity: int) -> "Shortest":
    """Return the lengths of all functions of `arity` arguments.

    Example:
        >>> [int(compute_shortest(arity).lengths.max()) for arity in (1, 2, 3)]
        [3, 4, 9]
    """
    if arity > MAX_ARITY:
        raise ContractError(f"functions of {arity} arguments are not listed")
    return Shortest(arity)


def _depends_on_all(tables: _Words, arity: int) -> NDArray[np.bool_]:
    depends = np.ones(len(tables), np.bool_)
    for j in range(arity):
        low = np.uint32(all_rows(arity) & ~column(j, arity))
        depends &= (tables ^ tables >> np.uint32(1 << j)) & low != 0
    return depends


class Shortest:
    """The shortest formulas of all functions of some arity, found by a search by length."""

    def __init__(self, arity: int) -> None:
        self.arity, self.everything = arity, np.uint32(all_rows(arity))
        self.lengths = np.zeros(1 << (1 << arity), np.uint8)
        """For each truth table, how long its shortest formula is."""
        self.operators = np.zeros(len(self.lengths), np.uint8)
        """For each function, the place of its outermost operator in `_NAMES`."""
        self.levels: list[_Words] = [np.zeros(0, np.uint32)]
        """By length, the functions of that length."""
        self.lists = {name: _Lists(len(self.lengths)) for name in _FOLDS}
        self.equal: dict[tuple[int, int], list[_Equal]] = {}
        """Lists under iff, by total length and length of the longest member."""
        self.matched: dict[int, tuple[int, ...]] = {}
        """The members of the functions that are made by iff."""
        leaves = np.array([column(j, arity) for j in range(arity)], np.uint32)
        self._enter(leaves, "")
        self._close(1)
        # Without arguments there are only the constants, which no formula says.
        while arity and not self.lengths.all():
            self._find(len(self.levels))
        order = np.argsort(self.lengths, kind="stable").astype(np.uint32)
        whole = order[_depends_on_all(order, arity)]
        sizes = self.lengths[whole]
        self.full = [(size, whole[sizes == size]) for size in sorted({*sizes.tolist()})]
        """The functions that depend on all their arguments: by length, shortest first."""

    def tree(self, table: int, names: Sequence[str]) -> Tree:
        """Return a shortest formula of `table`."""
        leaves = [column(j, self.arity) for j in range(self.arity)]
        if table in leaves:
            return names[leaves.index(table)]
        if not self.arity:
            raise ContractError("formulas have no constants")
        operator = _NAMES[self.operators[table]]
        if operator == "not":
            parts: tuple[int, ...] = (int(self.everything) & ~table,)
        elif operator == "iff":
            parts = self.matched[table]
        else:
            parts = self.lists[operator].members(table)
        ordered = sorted(parts, key=lambda part: (self.lengths[part], part))
        return (operator, *(self.tree(part, names) for part in ordered))

    def _find(self, size: int) -> None:
        """Find the functions of length `size`."""
        total = size - 1
        self._enter(~self.levels[total] & self.everything, "not")
        for name, lists in self.lists.items():
            self._enter(lists.extend(_FOLDS[name], total, self.levels), name)
        self._match(total)
        self._close(size)

    def _enter(self, values: _Words, name: str) -> None:
        new = values[self.lengths[values] == 0]
        self.lengths[new] = len(self.levels)
        self.operators[new] = _NAMES.index(name)

    def _close(self, size: int) -> None:
        tables_of_size = np.flatnonzero(self.lengths == size).astype(np.uint32)
        self.levels.append(tables_of_size)
        for lists in self.lists.values():
            lists.begin(tables_of_size)
        self.equal[size, size] = [_Equal(tables_of_size, tables_of_size, tables_of_size)]

    def _match(self, total: int) -> None:
        """Make the lists under iff with lengths that add up to `total`."""
        for longest in range(1, total):
            grown = [
                rest.extend(self.levels[longest])
                for last in range(1, longest + 1)
                for rest in self.equal.get((total - longest, last), ())
            ]
            for lists in grown:
                self._equate(lists)
            if total + longest < _LONGEST:
                self.equal[total, longest] = [lists.drop_repeats() for lists in grown]

    def _equate(self, lists: "_Equal") -> None:
        values = (lists.all_of | ~lists.any_of) & self.everything
        fresh = np.flatnonzero(self.lengths[values] == 0)
        new, first = np.unique(values[fresh], return_index=True)
        for value, row in zip(new.tolist(), fresh[first].tolist(), strict=True):
            self.matched[value] = lists.members(row)
        self._enter(new, "iff")


class _Lists:
    """Lists of functions under one operator that folds, by the value that they fold to."""

    def __init__(self, size: int) -> None:
        self._values: list[_Words] = [np.zeros(0, np.uint32)]
        """By total length of the members, the values of lists that no shorter list has."""
        self._known = np.zeros(size, np.bool_)
        self._rest = np.zeros(size, np.uint32)
        self._last = np.zeros(size, np.uint32)
        self._alone = np.zeros(size, np.bool_)

    def begin(self, found: _Words) -> None:
        """Take the functions of the next length as lists of one member."""
        new = found[~self._known[found]]
        self._known[new] = True
        self._alone[new] = True
        self._values.append(new)

    def extend(self, fold: np.ufunc, total: int, levels: list[_Words]) -> _Words:
        """Return the new values of lists of total length `total` with two members and more."""
        blocks = [self._values[total]]
        for length in range(1, total):
            rests, lasts = self._values[total - length], levels[length]
            values = fold.outer(rests, lasts).ravel()
            fresh = np.flatnonzero(~self._known[values])
            new, first = np.unique(values[fresh], return_index=True)
            at = fresh[first]
            self._known[new] = True
            self._rest[new] = rests[at // max(1, len(lasts))]
            self._last[new] = lasts[at % max(1, len(lasts))]
            blocks.append(new)
        self._values[total] = np.concatenate(blocks)
        return np.concatenate(blocks[1:]) if total > 1 else blocks[0][:0]

    def members(self, value: int) -> tuple[int, ...]:
        """Return the members of the shortest list that folds to `value`."""
        if self._alone[value]:
            return (value,)
        return (*self.members(int(self._rest[value])), int(self._last[value]))


@dataclass(frozen=True, slots=True)
class _Equal:
    """Lists of functions under iff, one in each row."""

    all_of: _Words
    any_of: _Words
    added: _Words
    """The last member of each list."""
    before: "_Equal | None" = None
    """The lists without it."""
    row: NDArray[np.intp] | None = None
    """For each list, its row there."""

    def members(self, row: int) -> tuple[int, ...]:
        """Return the members of one list."""
        last = int(self.added[row])
        if self.before is None or self.row is None:
            return (last,)
        return (*self.before.members(int(self.row[row])), last)

    def extend(self, adds: _Words) -> "_Equal":
        """Return these lists with each of `adds` added."""
        all_of = np.bitwise_and.outer(self.all_of, adds).ravel()
        any_of = np.bitwise_or.outer(self.any_of, adds).ravel()
        rows = np.repeat(np.arange(len(self.all_of)), len(adds))
        return _Equal(all_of, any_of, np.tile(adds, len(self.all_of)), self, rows)

    def drop_repeats(self) -> "_Equal":
        """Return one list of each value."""
        _, first = np.unique(self.all_of << np.uint32(16) | self.any_of, return_index=True)
        rows = None if self.row is None else self.row[first]
        return _Equal(self.all_of[first], self.any_of[first], self.added[first], self.before, rows)


def minimal_formula(table: int, names: Sequence[str]) -> Formula:
    """Return a shortest formula of the function with this table over `names`.

    Raises:
        ContractError: There are no names, and formulas have no constants.

    Example:
        >>> str(minimal_formula(0b0110, ["A", "B"])), str(minimal_formula(0b1011, ["A", "B"]))
        ('(xor A B)', '(or A (not B))')
    """
    if not names:
        raise ContractError("a formula needs at least one name, for it has no constants")
    arity = len(names)
    mask = essential(table, arity) or 1
    inputs = list(bits(mask))
    shortest = compute_shortest(len(inputs))
    return Formula(shortest.tree(rewrite(table, range(arity), inputs), [names[j] for j in inputs]))


def formulas_of(scm: BooleanScm, variables: Sequence[str]) -> dict[str, Formula]:
    """Return a shortest formula of each mechanism; a constant is said with the first root.

    Example:
        >>> str(formulas_of(BooleanScm(2, 1, (0, 1), (0, 1)), ["A", "B"])["B"])
        '(not A)'
    """
    formula_by_table = {}
    for v in scm.order:
        # A constant reads nothing, so any root serves to write it down.
        mask = scm.parents[v] or scm.roots & -scm.roots
        table = scm.tables[v] if scm.parents[v] else (scm.tables[v] & 1) * 0b11
        formula_by_table[variables[v]] = minimal_formula(table, [variables[u] for u in bits(mask)])
    return formula_by_table


def minimal_size(table: int, arity: int) -> int:
    """Return how long the formula of `minimal_formula` is."""
    return int(compute_shortest(arity).lengths[table])


def cheapest(zeros: int, ones: int, arity: int) -> tuple[int, int] | None:
    """Return the length and the table of a shortest function that fits what is known of it.

    Only functions that depend on all their arguments are considered.

    Args:
        zeros: The patterns at which it must be 0.
        ones: The patterns at which it must be 1.
        arity: How many arguments it has.
    """
    if zeros & ones:
        return None
    for length, tables in compute_shortest(arity).full:
        fits = tables[(tables & np.uint32(zeros) == 0) & (~tables & np.uint32(ones) == 0)]
        if len(fits):
            return length, int(fits[0])
    return None
