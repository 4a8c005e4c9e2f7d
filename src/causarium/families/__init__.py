"""The benchmarks, in the order people see them.

A family is imported when it is asked for. One from outside this package registers under the
entry-point group `causarium.families`; its entry names its `Family` value.
"""

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from causarium.contract.family import AnyFamily, Family
from causarium.contract.family_card import FamilyCard
from causarium.errors import ContractError, UnknownName

FAMILIES = ("causallink", "causalab", "causalgame", "replayscm", "recite")


def names() -> tuple[str, ...]:
    """Return the names of all families, ours first."""
    return FAMILIES + tuple(sorted(set(_find_installed_families()) - set(FAMILIES)))


@cache
def get(name: str) -> AnyFamily:
    """Return the family called `name`.

    Raises:
        UnknownName: There is none; the nearest one is suggested.
        ContractError: An entry point of another package does not lead to a family.
    """
    if name in FAMILIES:
        found = import_module(f"causarium.families.{name}").FAMILY
    elif name in (outside := _find_installed_families()):
        found = outside[name].load()
    else:
        raise UnknownName("family", name, names())
    if not isinstance(found, Family):
        raise ContractError(f"the family {name!r} is a {type(found).__name__}, not a Family")
    return found


def card(name: str) -> FamilyCard:
    """Return a family's card with its levels and players, without importing the family if it can.

    Raises:
        UnknownName: There is no such family; the nearest one is suggested.
    """
    if name in FAMILIES:
        found = FamilyCard.load(Path(__file__).parent / name / "card.toml")
        if found.levels and found.players:
            return found
    family = get(name)
    named = {"levels": tuple(family.levels), "players": tuple(family.players)}
    return family.card.model_copy(update=named)


def _find_installed_families() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group="causarium.families")}
