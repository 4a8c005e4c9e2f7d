"""A problem in the terms of the Boolean mathematics, and how many models fit what is shown of it.

Numbers are given as binary logarithms: 0 is one model, and each further 1 doubles their number.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import log2, nan
from typing import TYPE_CHECKING

from causarium.families.replayscm.mechanics import Panel, mask_names
from causarium.families.replayscm.model.instance import ReplayPublic, WorldRows

if TYPE_CHECKING:
    from causarium.scm.boolean.row_evidence import Admissible, Evidence

MAX_VARIABLES = 12
"""Larger problems are not counted."""


def admissible(public: ReplayPublic) -> "Admissible":
    """Return which models the rules of a problem admit, as far as they are told."""
    from causarium.scm.boolean.row_evidence import Admissible

    names, most = public.variables, public.limits.max_parents
    if public.roots is None:
        return Admissible.hidden_roots(len(names), public.n_roots, most)
    roots = mask_names(public.roots, names)
    if public.order is None and public.blocks is None:
        return Admissible.from_roots(len(names), roots, most)
    told = public.blocks or [(name,) for name in public.order or ()]
    blocks = [[names.index(name) for name in block] for block in told]
    later = [block for block in blocks if not roots >> block[0] & 1]
    return Admissible.blocks(len(names), roots, later, most)


def evidence(worlds: Iterable[WorldRows], variables: Sequence[str]) -> "Evidence":
    """Return the rows of stored worlds."""
    return panel_evidence((Panel.read(world, variables) for world in worlds), len(variables))


def panel_evidence(panels: Iterable[Panel], n: int) -> "Evidence":
    """Return the rows of simulated worlds."""
    from causarium.scm.boolean.row_evidence import Evidence

    pairs = [(row, panel.targets) for panel in panels for row in panel.rows]
    return Evidence.of(n, (row for row, _ in pairs), (targets for _, targets in pairs))


def open_models(public: ReplayPublic) -> float:
    """Return the logarithm of how many models fit the shown worlds; nan if it is not counted."""
    if len(public.variables) > MAX_VARIABLES or public.limits.max_parents > 4:
        return nan
    return _count_bits(_Shown(public))


class _Shown:
    """What is given and shown, to be compared by what tells two problems apart here."""

    def __init__(self, public: ReplayPublic) -> None:
        self.public = public
        worlds = ((world.targets, *world.columns.values()) for world in public.train)
        told = (public.roots, public.n_roots, public.order, public.blocks, public.limits)
        self._key = (public.variables, told, *worlds)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shown) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@lru_cache(maxsize=1024)  # Players and replies meet the same problem: counting takes 3 ms or more.
def _count_bits(shown: _Shown) -> float:
    from causarium.scm.boolean.count_models import count_models
    from causarium.scm.boolean.row_evidence import ModelFacts

    public = shown.public
    seen = evidence(public.train, public.variables)
    total = sum(count_models(ModelFacts.of(seen, admissible(public))).values())
    return log2(total) if total else nan
