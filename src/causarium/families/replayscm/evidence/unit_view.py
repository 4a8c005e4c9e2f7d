"""A problem of the certified edition in the terms of the search: what is told, and the worlds."""

from collections.abc import Sequence

from causarium.families.replayscm.mechanics.unit_rows import mask_names, pack_rows
from causarium.families.replayscm.model.instance import ReplayPublic, WorldRows
from causarium.scm.boolean.unit_fits import UnitLaw, UnitWorld


def unit_law(public: ReplayPublic) -> UnitLaw:
    """Return which models are admissible, as it is told.

    Raises:
        ValueError: The problem is of the paper edition.
    """
    if public.task is None or public.roots is None:
        raise ValueError("a problem of the paper edition has no units to recognise")
    return UnitLaw(
        n=len(public.variables),
        roots=mask_names(public.roots, public.variables),
        units=len(public.train[0].units),
        arrows=public.task.arrows,
        trait=bool(public.task.traits),
        touched=public.task.touched,
    )


def unit_worlds(public: ReplayPublic, asked: Sequence[WorldRows] = ()) -> list[UnitWorld]:
    """Return the worlds that are shown, and those that were asked for."""
    names = public.variables
    return [
        UnitWorld(pack_rows(world, names), mask_names(world.targets, names))
        for world in (*public.train, *asked)
    ]
