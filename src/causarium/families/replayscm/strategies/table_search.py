"""Filling in tables: what is earned with no causal inference beyond reading off frequencies.

Variables are taken in the order that is told; where none is, roots first and then as listed, and
where even the roots are not told, those that are set least often are taken for roots. For each
variable, of all sets of so many earlier variables the one whose table, filled in by majority, has
the fewest mistakes is taken. Nothing is asked for, and no order is searched for.
"""

from itertools import combinations

import numpy as np

from causarium.families.replayscm.evidence.boolean_view import evidence
from causarium.families.replayscm.instance import ReplayPublic
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import Evidence, layout
from causarium.scm.dag import mask_of


def fill_tables(public: ReplayPublic, arity: int) -> BooleanScm:
    """Return the model whose mechanisms are majority tables of up to `arity` earlier variables."""
    rows = evidence(public.train, public.variables)
    roots, order = _guess_order(public)
    n = len(public.variables)
    parents, tables = [0] * n, [0] * n
    before = list(roots)
    for v in order:
        parents[v], tables[v] = _best_table(rows, v, sorted(before), arity)
        before.append(v)
    return BooleanScm(n, mask_of(roots), tuple(parents), tuple(tables)).canonical()


def _guess_order(public: ReplayPublic) -> tuple[list[int], list[int]]:
    """Return the roots and the order of the others, as told or else as listed."""
    names = list(public.variables)
    roots = public.roots or tuple(sorted(names, key=lambda name: _times_set(public, name)))
    chosen = [names.index(name) for name in roots[: public.n_roots]]
    blocks = public.blocks or ()
    listing = public.order or tuple(name for block in blocks for name in block) or names
    return chosen, [v for v in map(names.index, listing) if v not in chosen]


def _times_set(public: ReplayPublic, name: str) -> int:
    return sum(name in world.targets for world in public.train)


def _best_table(rows: Evidence, v: int, before: list[int], arity: int) -> tuple[int, int]:
    """Return the parents with the fewest mistakes, and the table by majority."""
    free = rows.rows[(rows.targets >> np.uint32(v) & np.uint32(1)) == 0]
    values = (free >> np.uint32(v) & np.uint32(1)).astype(np.int64)
    size = min(arity, len(before))
    masks = [mask_of(members) for members in combinations(before, size)]
    sets = layout(rows.n, arity)
    patterns = sets.indexes(free, sets.place[masks].astype(np.intp)).astype(np.int64)
    cells = (np.arange(len(masks)) << size + 1) + 2 * patterns + values[:, None]
    counts = np.bincount(cells.ravel(), minlength=len(masks) << size + 1)
    counts = counts.reshape(len(masks), -1, 2)
    best = int(counts.max(axis=2).sum(axis=1).argmax())
    # A pattern that was never seen gets 0.
    return masks[best], mask_of(np.flatnonzero(counts[best, :, 1] > counts[best, :, 0]).tolist())
