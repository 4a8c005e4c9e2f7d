"""The benchmarks, in the order people see them.

A family is imported when it is asked for. One from outside this package registers under the
entry-point group `causarium.families`; its entry names its `Family` value.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from causarium.contract.family import AnyFamily, Family
from causarium.contract.rules import Edition
from causarium.errors import CausariumError, ContractError, UnknownName, UsageError

if TYPE_CHECKING:
    from causarium.contract.family_card import FamilyCard

FAMILIES = ("causallink", "causalab", "causalgame", "replayscm", "recite")
WINGS: Mapping[str, Mapping[Edition, str]] = {
    name: {"certified": f"{name}.certified", "paper": f"{name}.paper"} for name in FAMILIES
}
"""The families whose editions are two values, and the package of each below this one."""
COMMAND_PACKAGES = {
    "data-card": "causarium-data",
    "export": "causarium-data",
    "local-model": "causarium-local",
    "mcp": "causarium-mcp",
    "paper": "causarium-paper",
    "recite": "causarium-recite-lab",
    "replayscm": "causarium-data",
}
"""Commands of packages beside this one, which no score needs."""


def names() -> tuple[str, ...]:
    """Return the names of all families, ours first."""
    return FAMILIES + tuple(sorted(set(_find_installed_families()) - set(FAMILIES)))


def get(name: str, edition: Edition | None = None) -> AnyFamily:
    """Return the family called `name`.

    Args:
        name: The family.
        edition: The edition that is asked for; None if the value shall answer for both.

    Raises:
        UnknownName: There is none; the nearest one is suggested.
        UsageError: The package that brings it cannot be imported.
        ContractError: An entry point of another package does not lead to a family.
    """
    if name in WINGS:
        return _join_wings(name) if edition is None else _load_wing(name, edition)
    if name in FAMILIES:
        found = import_module(f"causarium.families.{name}").FAMILY
    elif name in (outside := _find_installed_families()):
        found = _load_installed_family(outside[name])
    else:
        raise UnknownName("family", name, names())
    if not isinstance(found, Family):
        raise ContractError(f"the family {name!r} is a {type(found).__name__}, not a Family")
    return found


def _load_wing(name: str, edition: Edition) -> AnyFamily:
    found: AnyFamily = import_module(f"causarium.families.{WINGS[name][edition]}").FAMILY
    return found


@lru_cache(maxsize=8)  # 0.1 ms, and each value loads its companions anew
def _join_wings(name: str) -> AnyFamily:
    from causarium.contract.join_editions import join_editions

    return join_editions({edition: _load_wing(name, edition) for edition in WINGS[name]})


def card(name: str) -> "FamilyCard":
    """Return a family's card with its levels and players, without importing the family if it can.

    Raises:
        UnknownName: There is no such family; the nearest one is suggested.
    """
    from causarium.contract.family_card import FamilyCard

    if name in FAMILIES:
        found = FamilyCard.load(Path(__file__).parent / name / "card.toml")
        if found.levels and found.players:
            return found
    family = get(name)
    named = {"levels": tuple(family.levels), "players": tuple(family.players)}
    return family.card.model_copy(update=named)


def find_played(
    names: Iterable[str], release: str | Path | None, *, anyway: bool = False
) -> Callable[[str], AnyFamily]:
    """Return what finds the families of logs by name, played from a release where one is given.

    Args:
        names: The families of the logs.
        release: A clone of the release that they were played from; None: find them as they are.
        anyway: Whether an unknown state of it will do.

    Raises:
        UsageError: It is no release of one of these families, or in an unknown state.
    """
    if release is None:
        return get
    given = {"release": str(release), "release_anyway": anyway}
    played = {
        name: family.with_release(family.rules_for("paper", **given), "paper")
        for name in dict.fromkeys(names)
        if (family := get(name))
    }
    return lambda name: played.get(name) or get(name)


class Cards(NamedTuple):
    """The cards of all families that can be loaded, and what is wrong with the others."""

    cards: "dict[str, FamilyCard]"
    problems: dict[str, str]
    """One sentence for each family that cannot be loaded, by name."""


def read_cards() -> Cards:
    """Read every family's card; a broken package costs its own family alone."""
    read = Cards({}, {})
    for name in names():
        try:
            read.cards[name] = card(name)
        except CausariumError as wrong:
            read.problems[name] = str(wrong)
    return read


def _load_installed_family(point: EntryPoint) -> object:
    try:
        return point.load()
    except Exception as wrong:
        # Another package's code: importing it may fail in any way.
        reason = f"{type(wrong).__name__}: {wrong}"
        raise UsageError(f"{point.name} cannot be loaded ({reason})") from wrong


@cache  # 26 ms, and every row of a report asks: reads what each package on this machine brings
def _find_installed_families() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group="causarium.families")}
