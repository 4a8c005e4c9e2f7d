"""How much the shown worlds leave open: the exact number of models that fit them.

Numbers are given as binary logarithms: 0 is one model, and each further 1 doubles their number.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import log2, nan

from causarium.contract.frozen import canonical_json
from causarium.families.replayscm.model.instance import ReplayPublic, WorldRows

MAX_VARIABLES = 14
"""Larger problems are not counted."""


def open_models(public: ReplayPublic, more: Sequence[WorldRows] = ()) -> float:
    """Return the logarithm of how many models fit the shown worlds; nan if it is not counted."""
    if len(public.variables) > MAX_VARIABLES or public.limits.max_parents > 5:
        return nan
    shown = public.model_copy(update={"train": (*public.train, *more)})
    # What tells two problems apart here; several players play the same one.
    told = shown.model_dump(mode="json", exclude={"reference", "budget", "max_targets"})
    return _count_bits(canonical_json(told), len(more))


@lru_cache(maxsize=4096)
def _count_bits(told: str, asked: int) -> float:
    from causarium.families.replayscm.evidence.boolean_view import admissible, evidence
    from causarium.scm.boolean.count_models import Count

    public = ReplayPublic.model_validate_json(told)
    limits = admissible(public, public.train[len(public.train) - asked :])
    total = Count.of(evidence(public.train, public.variables), limits).total
    return log2(total) if total else nan


def course(public: ReplayPublic, more: Sequence[WorldRows] = ()) -> list[float]:
    """Return the same after each world, the first one alone first."""
    given = len(public.train)
    shown = [public.model_copy(update={"train": public.train[:count]}) for count in range(1, given)]
    return [
        *map(open_models, shown),
        *(open_models(public, more[:count]) for count in range(len(more) + 1)),
    ]
