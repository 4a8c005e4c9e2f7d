"""How much the shown worlds leave open: the exact number of models that fit them.

Numbers are given as binary logarithms: 0 is one model, and each further 1 doubles their number.
"""

from functools import lru_cache
from math import log2, nan

from causarium.families.replayscm.model.instance import ReplayPublic

MAX_VARIABLES = 14
"""Larger problems are not counted."""


def open_models(public: ReplayPublic) -> float:
    """Return the logarithm of how many models fit the shown worlds; nan if it is not counted."""
    if len(public.variables) > MAX_VARIABLES or public.limits.max_parents > 5:
        return nan
    return _count_bits(_Shown(public))


class _Shown:
    """What is told and shown, to be compared by what tells two problems apart here."""

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
    from causarium.families.replayscm.evidence.boolean_view import admissible, evidence
    from causarium.scm.boolean.count_models import Count

    public = shown.public
    total = Count.of(evidence(public.train, public.variables), admissible(public)).total
    return log2(total) if total else nan


def course(public: ReplayPublic) -> list[float]:
    """Return the same after each world, the first one alone first."""
    counts = range(1, len(public.train) + 1)
    return [open_models(public.model_copy(update={"train": public.train[:n]})) for n in counts]
