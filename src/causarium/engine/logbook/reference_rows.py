"""Reference players: on the instances of a run, under its rules, without a model.

A score says little without what programs earn that do not reason, and what full inference would.
They play when a run is printed or reported; they leave no log.

Their rows are kept in the user's cache folder, so that a second report costs nothing. The name of a
file is a digest of all that could move its rows: the family and its version, the code, the player,
the rules and the instances.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

import causarium
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.frozen import canonical_json, digest
from causarium.contract.places import cache_folder, write_atomically
from causarium.contract.row import Row
from causarium.contract.rules import Edition, Rules
from causarium.engine.logbook.log_book import LogBook, LoggedSample
from causarium.errors import BadFile, UnknownName, UsageError
from causarium.players.direct_runner import play_all

MOST_FILES = 1_000
"""Beyond so many, the oldest files are deleted."""

_MODEL_ONLY = frozenset(Rules.model_fields) - {"interface"}
"""The rules that only a model notices: how it is worded, continued, checked and shortened."""


def _cache_file(group: "Group", player: str, instances: Iterable[str]) -> Path:
    key = digest(
        group.family.name,
        group.family.card.version,
        group.code,
        player,
        canonical_json(group.rules.model_dump(mode="json", exclude=set(_MODEL_ONLY))),
        *instances,
    )
    return cache_folder() / "reference-rows" / f"{key.partition(':')[2][:32]}.jsonl"


def code_stamp(module: str) -> str:
    """Return a digest of when the code was last touched: ours, and the family's where it lives."""
    places = {Path(causarium.__file__).parent}
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is not None:
        places.add(Path(file).parent)
    stamps = []
    for path in sorted(path for place in places for path in place.rglob("*.py")):
        with suppress(OSError):
            stat = path.stat()
            stamps.append(f"{path.name} {stat.st_size} {stat.st_mtime_ns}")
    return digest(*stamps)


def delete_oldest(folder: Path) -> None:
    """Delete the oldest files of a folder of this cache, beyond `MOST_FILES`."""
    files = sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)
    for path in files[:-MOST_FILES]:
        path.unlink(missing_ok=True)


Lookup = Callable[[str], AnyFamily]
"""Finds a family by name."""

BOUNDS = ("silent", "random", "oracle")
"""The players that every family has: floor, chance and ceiling."""
MOST_PROGRAMS = 6


@dataclass(frozen=True)
class Group:
    """What a player plays in one go."""

    family: AnyFamily
    edition: Edition
    set: str
    rules: Rules
    instances: dict[str, AnyInstance]
    """By the digest of their line."""

    @cached_property
    def code(self) -> str:
        """The stamp of the code; looking at all files takes 30 ms."""
        return code_stamp(self.family.instance.__module__)


def list_reference_players(family: AnyFamily) -> tuple[str, ...]:
    """Return the players that stand beside every run: floor, chance, programs, reference, ceiling.

    What takes too long for this is left to the audit.
    """
    reference = family.card.reference
    named = (*BOUNDS[:-1], *list_programs(family), reference, *BOUNDS[-1:])
    return tuple(name for name in dict.fromkeys(named) if _is_quick(family, name))


def list_programs(family: AnyFamily) -> tuple[str, ...]:
    """Return the quick programs that are shown beside others, the strongest first, at most six.

    They are those of the card's tour, which goes from floor to ceiling, and then the others in the
    order of the family, which begins with the strongest; nobody who guesses is among them.
    """
    card, players = family.card, family.players
    named = dict.fromkeys((*reversed(card.tour), *players))
    return tuple(
        name
        for name in named
        if _is_quick(family, name)
        and name not in {*card.blind, *BOUNDS, card.reference}
        and players[name].sees != "nothing"
        and not players[name].sees_truth
    )[:MOST_PROGRAMS]


def _is_quick(family: AnyFamily, player: str) -> bool:
    return player in family.players and not family.players[player].slow


def reference_rows(book: LogBook, lookup: Lookup) -> list[Row]:
    """Return the rows of the reference players on all instances that `book` has rows of.

    A player that has a row of its own for an instance does not play it again. A player that needs
    a package which is not installed is left out.
    """
    played = {(*_setting(row), row.id, row.agent) for row in book.rows}
    rows: list[Row] = []
    for group in _group_instances(book, lookup):
        for player in list_reference_players(group.family):
            rows += play_group(group, player, played)
    return rows


def _setting(row: Row) -> tuple[str, ...]:
    return (row.family, row.edition, row.set, row.interface)


def _group_instances(book: LogBook, lookup: Lookup) -> list[Group]:
    """Gather the instances of each family, edition and set that are played by the same rules."""
    groups: dict[tuple[str, ...], Group] = {}
    met: set[tuple[object, ...]] = set()
    for sample in book.samples:
        identity = (*_setting(sample.row), sample.instance_bytes)
        if identity in met:
            continue
        met.add(identity)
        for family, instance, rules in _rebuild(sample, lookup):
            row = sample.row
            key = (*_setting(row), rules.model_dump_json())
            group = groups.setdefault(key, Group(family, row.edition, row.set, rules, {}))
            group.instances[digest(sample.instance_bytes.decode("utf-8", "replace"))] = instance
    return list(groups.values())


def _rebuild(
    sample: LoggedSample, lookup: Lookup
) -> Iterator[tuple[AnyFamily, AnyInstance, Rules]]:
    """Yield what a sample was played on; nothing if it cannot be played here and now."""
    try:
        family = lookup(sample.row.family).for_edition(sample.row.edition)
        if family.card.version == sample.row.version:
            yield family, *sample.record.rebuild(family)
    except (UnknownName, BadFile):
        return


def play_group(group: Group, player: str, played: set[tuple[str, ...]]) -> list[Row]:
    """Return a player's rows on the instances of a group that it has not played yet.

    Args:
        group: What is played.
        player: Who plays.
        played: Family, edition, set, interface, instance and agent of every row there is; those
            of the new rows are added.
    """
    family, rules = group.family, group.rules
    agent = f"player/{player}"
    setting = (family.name, group.edition, group.set, rules.interface)
    missing = {
        line: instance
        for line, instance in group.instances.items()
        if (*setting, instance.id, agent) not in played
    }
    if not missing:
        return []

    path = _cache_file(group, player, missing)
    rows = _read_kept(path, missing)
    if rows is None:
        try:
            rows = list(
                play_all(
                    family,
                    missing.values(),
                    player,
                    edition=group.edition,
                    set_name=group.set,
                    rules=rules,
                )
            )
        except UsageError:
            return []
        # What cannot be written, as half a pair of surrogates, costs time and nothing else.
        with suppress(BadFile, OSError, ValueError):
            write_atomically(path, "".join(f"{row.model_dump_json()}\n" for row in rows))
            delete_oldest(path.parent)
    played.update((*setting, row.id, agent) for row in rows)
    # The same instances may have been played as part of another set.
    return [row.model_copy(update={"edition": group.edition, "set": group.set}) for row in rows]


def _read_kept(path: Path, instances: Mapping[str, AnyInstance]) -> list[Row] | None:
    """Return the rows that the cache has of these instances; None if it has none."""
    with suppress(OSError, ValidationError):
        lines = path.read_text(encoding="utf-8").splitlines()
        rows = [Row.model_validate_json(line) for line in lines]
        if [row.id for row in rows] == [instance.id for instance in instances.values()]:
            return rows
    return None
