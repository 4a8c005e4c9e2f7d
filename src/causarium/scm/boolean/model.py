"""Boolean structural causal models over packed rows, and replaying them under interventions.

Variable `i` is bit `i` of a row. A mechanism is a set of parents, as a mask, and a truth table;
its argument `j` is the parent with the `j`-th lowest number. Roots have neither.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from causarium.errors import GraphError
from causarium.scm.boolean.formula import Formula, parse_formula, tabulate
from causarium.scm.boolean.truth_table import essential, rewrite
from causarium.scm.dag import Dag, bits, mask_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class BooleanScm:
    """A Boolean structural causal model."""

    n: int
    """How many variables there are."""
    roots: int
    """The mask of the variables that have no mechanism."""
    parents: tuple[int, ...]
    """For each variable, the mask of what its mechanism reads; 0 for roots."""
    tables: tuple[int, ...]
    """For each variable, the truth table over its parents; 0 for roots."""

    def __post_init__(self) -> None:
        if len(self.parents) != self.n or len(self.tables) != self.n:
            raise GraphError(f"{self.n} variables need as many parent masks and tables")
        if any(self.parents[root] for root in bits(self.roots)):
            raise GraphError("a root has parents")
        _ = self.order

    @classmethod
    def of(
        cls, variables: Sequence[str], roots: Sequence[str], mechanisms: Mapping[str, Formula]
    ) -> "BooleanScm":
        """Return the model with these formulas; its parents are the functional ones.

        Raises:
            GraphError: The formulas' functional parents form a cycle.
        """
        number = {name: i for i, name in enumerate(variables)}
        parents, tables = [0] * len(variables), [0] * len(variables)
        for name, formula in mechanisms.items():
            parents[number[name]], tables[number[name]] = tabulate(formula, variables)
        root_mask = mask_of(number[root] for root in roots)
        return cls(len(variables), root_mask, tuple(parents), tuple(tables))

    @classmethod
    def read(
        cls, variables: Sequence[str], roots: Sequence[str], texts: Mapping[str, str]
    ) -> "BooleanScm":
        """Return the model with these formulas, as they are written."""
        formulas = {name: parse_formula(text, variables) for name, text in texts.items()}
        return cls.of(variables, roots, formulas)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The variables that have mechanisms, causes first."""
        return tuple(i for i in Dag(self.parents).order if not self.roots >> i & 1)

    @property
    def endogenous(self) -> int:
        """The mask of the variables that have mechanisms."""
        return ((1 << self.n) - 1) & ~self.roots

    def canonical(self) -> "BooleanScm":
        """Return the same functions with no parent that never matters."""
        parents, tables = list(self.parents), list(self.tables)
        for i in self.order:
            inputs = list(bits(self.parents[i]))
            mask = essential(self.tables[i], len(inputs))
            needed = [inputs[j] for j in bits(mask)]
            if len(needed) < len(inputs):
                tables[i] = rewrite(self.tables[i], inputs, needed)
                parents[i] = mask_of(needed)
        return BooleanScm(self.n, self.roots, tuple(parents), tuple(tables))

    def response(self, variable: int, row: int) -> int:
        """Return what the mechanism of `variable` says in `row`, whatever the row shows."""
        shift = 0
        for j, u in self._inputs[variable]:
            shift |= (row >> u & 1) << j
        return self.tables[variable] >> shift & 1

    @cached_property
    def _inputs(self) -> list[list[tuple[int, int]]]:
        """For each variable, its parents with their places: drawing runs models all the time."""
        return [list(enumerate(bits(mask))) for mask in self.parents]

    def run(self, row: int, targets: int = 0) -> int:
        """Return the row that follows from the roots of `row` and its values at `targets`."""
        row &= self.roots | targets
        for i in self.order:
            if not targets >> i & 1:
                row |= self.response(i, row) << i
        return row

    def replay(
        self, rows: "NDArray[np.integer]", targets: "NDArray[np.integer] | int"
    ) -> "NDArray[np.uint32]":
        """Run many rows at once.

        Args:
            rows: Roots and clamped values; all other bits are ignored.
            targets: For each row, or for all of them, the mask of the clamped variables.
        """
        import numpy as np

        clamped = np.asarray(targets, np.uint32)
        now = np.asarray(rows, np.uint32) & (clamped | np.uint32(self.roots))
        for i in self.order:
            now |= self._look_up_values(i, now) << np.uint32(i) & ~clamped
        return now

    @cached_property
    def responses(self) -> "NDArray[np.uint32]":
        """For every row there is, what all mechanisms say in it; roots are copied."""
        import numpy as np

        rows = np.arange(1 << self.n, dtype=np.uint32)
        states = rows & np.uint32(self.roots)
        for i in self.order:
            states |= self._look_up_values(i, rows) << np.uint32(i)
        return states

    def _look_up_values(self, variable: int, rows: "NDArray[np.uint32]") -> "NDArray[np.uint32]":
        import numpy as np

        index = np.zeros(rows.shape, np.uint32)
        for j, i in self._inputs[variable]:
            index |= (rows >> np.uint32(i) & np.uint32(1)) << np.uint32(j)
        return self._values[variable][index]

    @cached_property
    def _values(self) -> "tuple[NDArray[np.uint32], ...]":
        import numpy as np

        return tuple(
            np.array([table >> p & 1 for p in range(1 << mask.bit_count())], np.uint32)
            for table, mask in zip(self.tables, self.parents, strict=True)
        )
