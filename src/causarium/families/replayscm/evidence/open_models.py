"""How much the shown worlds leave open: the exact number of models that fit them.

Numbers are given as binary logarithms: 0 is one model, and each further 1 doubles their number.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import log2, nan

from causarium.families.replayscm.model.instance import ReplayPublic, WorldRows

MAX_VARIABLES = 14
"""Larger problems are not counted."""


def open_models(public: ReplayPublic, more: Sequence[WorldRows] = ()) -> float:
    """Return the logarithm of how many models fit the shown worlds; nan if it is not counted."""
    if len(public.variables) > MAX_VARIABLES or public.limits.max_parents > 5:
        return nan
    return _count_bits(_Shown(public, more))


class _Shown:
    """What is told and shown, to be compared by what tells two problems apart here."""

    def __init__(self, public: ReplayPublic, more: Sequence[WorldRows]) -> None:
        self.public, self.more = public, more
        worlds = ((w.targets, *w.columns.values()) for w in (*public.train, *more))
        told = (public.roots, public.n_roots, public.order, public.blocks, public.limits)
        self._key = (public.variables, told, len(more), *worlds)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Shown) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@lru_cache(maxsize=1024)  # Players and replies meet the same problem: counting takes 3 ms or more.
def _count_bits(shown: _Shown) -> float:
    from causarium.families.replayscm.evidence.boolean_view import admissible, evidence
    from causarium.scm.boolean.count_models import Count

    public, worlds = shown.public, (*shown.public.train, *shown.more)
    total = Count.of(evidence(worlds, public.variables), admissible(public, shown.more)).total
    return log2(total) if total else nan


def course(public: ReplayPublic, more: Sequence[WorldRows] = ()) -> list[float]:
    """Return the same after each world, the first one alone first."""
    given = len(public.train)
    shown = [public.model_copy(update={"train": public.train[:count]}) for count in range(1, given)]
    return [
        *map(open_models, shown),
        *(open_models(public, more[:count]) for count in range(len(more) + 1)),
    ]
