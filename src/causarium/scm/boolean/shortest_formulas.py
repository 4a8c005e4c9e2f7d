"""Shortest formulas: of a function, of a model, of whatever fits what is known of a function."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import cast

import numpy as np
from numpy.typing import NDArray

from causarium.errors import ContractError
from causarium.scm.boolean.formula import Formula, Tree
from causarium.scm.boolean.formula_lengths import MAX_ARITY, compute_shortest
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.truth_table import all_rows, essential, rewrite
from causarium.scm.dag import bits

__all__ = [
    "MAX_ARITY",
    "cheapest",
    "compute_shortest",
    "fitting",
    "formulas_of",
    "minimal_formula",
    "minimal_size",
]

_Words = NDArray[np.uint32]


def minimal_formula(table: int, names: Sequence[str]) -> Formula:
    """Return a shortest formula of the function with this table over `names`.

    Up to four names that matter, it is a shortest one; above, it is put together from shortest
    formulas of its parts and need not be.

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
    return Formula(_tree(rewrite(table, range(arity), inputs), tuple(names[j] for j in inputs)))


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
    if arity <= MAX_ARITY:
        return int(compute_shortest(arity).lengths[table])
    return minimal_formula(table, [f"x{j}" for j in range(arity)]).size


@lru_cache(maxsize=1 << 16)
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
    if arity > MAX_ARITY:
        return _assemble_function(zeros, ones, arity)
    for length, tables in compute_shortest(arity).full:
        fits = tables[(tables & np.uint32(zeros) == 0) & (~tables & np.uint32(ones) == 0)]
        if len(fits):
            return length, int(fits[0])
    return None


def fitting(zeros: int, ones: int, arity: int) -> _Words:
    """Return all functions that fit and depend on all their arguments, shortest first."""
    if arity > MAX_ARITY:
        raise ContractError(f"functions of {arity} arguments are not listed")
    tables = _all_full(arity)
    fits = (tables & np.uint32(zeros) == 0) & (~tables & np.uint32(ones) == 0)
    return cast("_Words", tables[fits])


def _tree(table: int, names: tuple[str, ...]) -> Tree:
    arity = len(names)
    if arity <= MAX_ARITY:
        return compute_shortest(arity).tree(table, names)
    trees = (_split(table, names, j) for j in range(arity))
    return min(trees, key=lambda tree: Formula(tree).size)


def _split(table: int, names: tuple[str, ...], j: int) -> Tree:
    """Return a formula that asks for argument `j` first."""
    rest = [i for i in range(len(names)) if i != j]
    arity = len(names)
    low = rewrite(table, range(arity), rest)
    high = rewrite(table >> (1 << j), range(arity), rest)
    every = all_rows(arity - 1)
    others = [names[i] for i in rest]
    name = names[j]
    if high == every & ~low:
        return ("xor", name, minimal_formula(low, others).tree)
    if low in {0, every}:
        return _guard_tree(low, minimal_formula(high, others).tree, name, ("not", name))
    if high in {0, every}:
        return _guard_tree(high, minimal_formula(low, others).tree, ("not", name), name)
    then = minimal_formula(high, others).tree
    otherwise = minimal_formula(low, others).tree
    return ("or", ("and", name, then), ("and", ("not", name), otherwise))


def _guard_tree(constant: int, tree: Tree, here: Tree, there: Tree) -> Tree:
    """Return what is `tree` under `here` and constant under `there`, its opposite."""
    return ("or", there, tree) if constant else ("and", here, tree)


def _assemble_function(zeros: int, ones: int, arity: int) -> tuple[int, int] | None:
    """Return a short function that fits, for arities whose functions are not listed."""
    every = all_rows(arity)
    whole = [t for t in (ones, every & ~zeros) if essential(t, arity).bit_count() == arity]
    sized = [(minimal_size(table, arity), table) for table in whole]
    free = list(bits(every & ~zeros & ~ones))
    # Changing one free pattern of a table makes every argument matter in all but tiny cases.
    for table in (ones | 1 << p for p in free):
        if not sized and essential(table, arity).bit_count() == arity:
            sized.append((minimal_size(table, arity), table))
    return min(sized, default=None)


@cache
def _all_full(arity: int) -> _Words:
    return np.concatenate([tables for _, tables in compute_shortest(arity).full])
