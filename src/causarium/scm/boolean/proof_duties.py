"""What worlds must show before a model can be the only one left, as one bit each.

For each variable `v` with a mechanism and each largest set `P` of variables that it could read
(four, or all that are no effects of `v`), a word has a bit for each pattern of `P` seen with `v` at
0, and sixteen places higher one for each pattern seen with `v` at 1. Where `P` holds all parents of
`v`, every pattern has to be shown with its true value; where it does not, some pattern has to be
shown with both values. Both are necessary for uniqueness, whatever is told of the order, and almost
always enough: what they miss, the proof itself finds.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations
from typing import cast

import numpy as np
from numpy.typing import NDArray

from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import Flags, Layout, Rows, layout
from causarium.scm.boolean.truth_table import pattern
from causarium.scm.dag import Dag, bits, mask_of

Duties = NDArray[np.uint32]
"""One word for each pair of a variable and a set."""

READ = 4
"""How many variables a mechanism may read."""
_HALF = np.uint32(16)
_MAX_BYTES = 1 << 25
"""So many bytes at most are worked upon at a time."""


class ProofDuties:
    """The duties of a proof that one model is the only one that fits.

    With `allowed`, for each variable the mask of what it may read at all, only such sets count.
    """

    def __init__(self, scm: BooleanScm, allowed: Sequence[int] | None = None) -> None:
        self.scm = scm
        effects = Dag(scm.parents).descendants
        pairs: list[tuple[int, int]] = []
        for v in scm.order:
            may = -1 if allowed is None else allowed[v]
            others = [
                u for u in range(scm.n) if u != v and not effects[v] >> u & 1 and may >> u & 1
            ]
            sets = combinations(others, min(READ, len(others)))
            pairs += [(v, mask_of(members)) for members in sets]
        pairs.sort(key=lambda pair: scm.parents[pair[0]] & ~pair[1] != 0)
        self.variables = np.array([v for v, _ in pairs], np.uint32)
        self.sets = np.array([mask for _, mask in pairs], np.uint32)
        """Those that hold all parents of their variable stand first."""
        self.need: Duties = np.array(
            [self._true_bits(v, mask) for v, mask in pairs if not scm.parents[v] & ~mask], np.uint32
        )
        """For each of these first, the bits that have to be shown; the others must be refuted."""

    def _true_bits(self, variable: int, mask: int) -> int:
        parents = self.scm.parents[variable]
        members = list(bits(mask))
        inner = mask_of(j for j, u in enumerate(members) if parents >> u & 1)
        table = self.scm.tables[variable]
        values = (table >> pattern(p, inner) & 1 for p in range(1 << len(members)))
        return mask_of(p + 16 * value for p, value in enumerate(values))

    @cached_property
    def _layout(self) -> Layout:
        return layout(self.scm.n, READ)

    @cached_property
    def _places(self) -> NDArray[np.intp]:
        return self._layout.place[self.sets].astype(np.intp)

    def list_shown(self, rows: Rows, targets: Rows) -> Duties:
        """Return what each world shows, one line a world.

        Args:
            rows: For each world, its rows.
            targets: For each world, the mask of what is set in it.
        """
        shown = np.zeros((len(rows), len(self.sets)), np.uint32)
        step = max(1, _MAX_BYTES // (4 * rows.shape[1] * max(1, len(self.sets))))
        for begin in range(0, len(rows), step):
            part = rows[begin : begin + step]
            different, index = np.unique(part, return_inverse=True)
            words, index = self.row_words(different), index.reshape(part.shape)
            out = shown[begin : begin + step]
            for u in range(part.shape[1]):
                out |= words[index[:, u]]
        free = ~targets[:, None] >> self.variables & np.uint32(1)
        return shown * free

    def row_words(self, rows: Rows) -> Duties:
        """Return what each row shows of every variable that is not set in it."""
        index = self._layout.indexes(rows, self._places)
        value = (rows[:, None] >> self.variables & np.uint32(1)).astype(np.uint8)
        return _BITS[index | value << np.uint8(4)]

    def lacking(self, seen: Duties) -> Duties:
        """Return the bits that are still to be shown, for each pair whose set holds all parents."""
        return self.need & ~seen[: len(self.need)]

    def flag_unrefuted(self, seen: Duties) -> Flags:
        """Return, for each of the other pairs, whether its set is still to be refuted."""
        words = seen[len(self.need) :]
        return cast("Flags", words & words >> _HALF == 0)

    def list_wanted(self, seen: Duties) -> Duties:
        """Return all bits that would help: those lacking, and those that would refute a set.

        A set that has to be refuted is, by any pattern that was seen with one value and is then
        seen with the other.
        """
        words = seen[len(self.need) :]
        flipped = words << _HALF | words >> _HALF
        refuting = np.where(self.flag_unrefuted(seen), flipped, np.uint32(0))
        return np.concatenate([self.lacking(seen), refuting])

    def is_fulfilled(self, seen: Duties) -> bool:
        """Say whether nothing is lacking."""
        return not self.lacking(seen).any() and not self.flag_unrefuted(seen).any()


_BITS: Duties = np.uint32(1) << np.arange(32, dtype=np.uint32)


def union(shown: Duties, chosen: Iterable[int], start: Duties) -> Duties:
    """Return what the start and the chosen worlds show together."""
    return cast("Duties", np.bitwise_or.reduce(shown[list(chosen)], axis=0, initial=0) | start)
