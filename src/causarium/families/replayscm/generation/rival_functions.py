"""Simple functions that fit the rows seen so far and are not the truth, and worlds against them.

For a variable and a set of variables before it, the functions up to some length that fit are
listed from the tables of shortest formulas. A world rules one out if a row in which the variable
was not set contradicts it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from causarium.families.replayscm.evidence.boolean_view import panel_evidence
from causarium.families.replayscm.generation.true_models import Latent
from causarium.families.replayscm.mechanics.intervention_worlds import Panel
from causarium.scm.boolean.open_parents import Known
from causarium.scm.boolean.row_evidence import Admissible
from causarium.scm.boolean.shortest_formulas import compute_shortest
from causarium.scm.dag import bits

_Words = NDArray[np.uint32]
_MOST_EACH = 400
"""So many functions of one set of arguments are kept; more of them tell nothing new."""


@dataclass(frozen=True)
class Rows:
    """The rows of some worlds as arrays: one line a world."""

    rows: _Words
    targets: _Words

    @classmethod
    def of(cls, panels: Sequence[Panel]) -> "Rows":
        """Put worlds with equally many rows side by side."""
        rows = np.array([panel.rows for panel in panels], np.uint32)
        return cls(rows, np.array([panel.targets for panel in panels], np.uint32))

    def list_patterns(self, variable: int, inputs: Sequence[int]) -> tuple[_Words, _Words]:
        """Return, for each world, the patterns on `inputs` met where the variable is 0, and is 1.

        Patterns are bits of a mask; worlds in which the variable is set show none.
        """
        index = np.zeros(self.rows.shape, np.uint32)
        for j, i in enumerate(inputs):
            index |= (self.rows >> np.uint32(i) & np.uint32(1)) << np.uint32(j)
        met = np.uint32(1) << index
        one = (self.rows >> np.uint32(variable) & np.uint32(1)).astype(np.bool_)
        free = (self.targets >> np.uint32(variable) & np.uint32(1) == 0)[:, None]
        zeros = np.bitwise_or.reduce(np.where(~one & free, met, np.uint32(0)), axis=1)
        ones = np.bitwise_or.reduce(np.where(one & free, met, np.uint32(0)), axis=1)
        return zeros, ones


@dataclass(frozen=True)
class Rivals:
    """Functions of the same arguments that all fit, and none of which is the truth."""

    variable: int
    inputs: tuple[int, ...]
    tables: _Words

    def ruled_out(self, worlds: Rows) -> NDArray[np.bool_]:
        """Return which world rules out which function, one line a function."""
        zeros, ones = worlds.list_patterns(self.variable, self.inputs)
        wrong = (self.tables[:, None] & zeros) | (~self.tables[:, None] & ones)
        return cast("NDArray[np.bool_]", wrong != 0)


def rivals(
    latent: Latent, train: Sequence[Panel], caps: Mapping[int, int], most_inputs: int
) -> list[Rivals]:
    """Return the functions of earlier variables that fit and are not the truth.

    Args:
        latent: The true model.
        train: The worlds seen so far.
        caps: For each variable, how long a function's shortest formula may be.
        most_inputs: On how many variables a function may depend.
    """
    admissible = Admissible.from_order(latent.n, latent.scm.roots, latent.endogenous, most_inputs)
    known = Known.of(panel_evidence(train, latent.n), admissible)
    found = [
        _fitting(latent, known, variable, mask, cap)
        for variable, cap in caps.items()
        for mask in admissible.layout.parents[variable, known.explains[variable]].tolist()
        if mask
    ]
    return [one for one in found if len(one.tables)]


def rule_outs(found: Sequence[Rivals], candidates: Sequence[Panel]) -> NDArray[np.bool_]:
    """Return which candidate world rules out which function, one line a function."""
    if not found:
        return np.zeros((0, len(candidates)), np.bool_)
    rows = Rows.of(candidates)
    return np.concatenate([one.ruled_out(rows) for one in found])


def _fitting(latent: Latent, known: Known, variable: int, mask: int, cap: int) -> Rivals:
    zeros, ones = known.facts(variable, mask)
    arity = mask.bit_count()
    levels = [tables for length, tables in compute_shortest(arity).full if length <= cap]
    tables = np.concatenate([*levels, np.zeros(0, np.uint32)]).astype(np.uint32)
    tables = tables[(tables & zeros == 0) & (~tables & ones == 0)]
    if mask == latent.scm.parents[variable]:
        tables = tables[tables != latent.scm.tables[variable]]
    return Rivals(variable, tuple(bits(mask)), tables[:_MOST_EACH])
