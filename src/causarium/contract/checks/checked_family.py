"""What the checks look at: a family, some of its instances, and games played on them."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import ceil
from time import monotonic
from typing import Any, TypeAlias, TypeVar

from causarium.contract.episode import Episode, play
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.family_card import SetSpec
from causarium.contract.rules import EDITIONS, Edition, Rules
from causarium.contract.sets.instance_sets import find_set, generate_instances
from causarium.contract.verdict import Verdict
from causarium.errors import MissingExtra

FoundT = TypeVar("FoundT")

REFERENCE_PLAYERS = ("oracle", "random", "silent")
"""The players that every family has."""

_QUICK_GAMES = 8
_FULL_GAMES = 60
_FULL_SEATS = 12
"""In a full check everybody plays at the quick check's instances and at one of each level; where an
edition has fewer levels than this, at more of each."""
_QUICK_SAMPLE = 48
_LEAST_SAMPLE = 24
"""Fewer instances of a level would leave a coincidence too likely to be called a leak."""
_QUICK_IN_ALL = 360
_FULL_SAMPLE = 240
_FRESH_SEED = 2**60 + 104729
"""In the seed space of training draws, and of no player's own training."""
_QUICK_FRESH = 24
_FULL_FRESH = 400
_PATIENCE_S = 60.0
"""So long fresh instances of a level are drawn at most, but always as many as in a quick check."""


@dataclass(frozen=True, slots=True)
class Draw:
    """A set that was drawn."""

    edition: Edition
    name: str
    spec: SetSpec
    instances: Sequence[AnyInstance]

    def __str__(self) -> str:
        return f"{self.edition}/{self.name}"


class Subject:
    """A family under inspection.

    Everything is drawn and played once and then kept, because many checks look at the same games.
    """

    def __init__(self, family: AnyFamily, *, sets: Sequence[str], quick: bool) -> None:
        self.family = family
        self.sets = tuple(sets)
        self.quick = quick
        self._episodes: dict[tuple[str, str, str], Episode] = {}
        self._instances: dict[tuple[Edition, str], tuple[AnyInstance, ...]] = {}
        self._verdicts: dict[tuple[str, str, str], Verdict] = {}
        self._fresh: dict[tuple[str, bool], list[AnyInstance]] = {}
        self._kept: dict[Callable[[Subject], Any], Any] = {}

    @cached_property
    def draws(self) -> tuple[Draw, ...]:
        """The sets asked for, in every edition that has them."""
        card = self.family.card
        return tuple(
            Draw(edition, name, spec, self.instances(edition, name))
            for edition in EDITIONS
            for name, spec in card.sets.get(edition, {}).items()
            if name in self.sets
        )

    @cached_property
    def judged(self) -> tuple[Draw, ...]:
        """The sets asked for and, in a quick check, a few of each level of `standard` they lack."""
        standard = self.family.card.sets.get("certified", {}).get("standard")
        met = {part.level for drawn in self.draws for part in drawn.spec.parts}
        few = tuple(
            part.model_copy(update={"size": min(2, part.size)})
            for part in (standard.parts if standard is not None and self.quick else ())
            if part.level not in met
        )
        if standard is None or not few:
            return self.draws
        spec = standard.model_copy(update={"parts": few})
        instances = tuple(generate_instances(self.family, few))
        return (*self.draws, Draw("certified", "standard", spec, instances))

    def keep(self, collect: "Callable[[Subject], FoundT]") -> FoundT:
        """Return what a function finds out about the family, once for all promises that ask."""
        if collect not in self._kept:
            self._kept[collect] = collect(self)
        found: FoundT = self._kept[collect]
        return found

    def fresh(self, level: str, *, again: bool = False) -> Sequence[AnyInstance]:
        """Return instances of a level that are in no set; again: four times as many others.

        There are fewer where drawing takes long.
        """
        if (level, again) not in self._fresh:
            config = self.family.level(level)
            count = _QUICK_FRESH if self.quick else _FULL_FRESH
            places = range(count, 5 * count) if again else range(count)
            end, drawn = monotonic() + _PATIENCE_S, list[AnyInstance]()
            for index in places:
                # Instances that share something stand beside each other; none are torn apart.
                if index % _QUICK_FRESH == 0 and drawn and monotonic() > end:
                    break
                drawn.append(self.family.generate(config, _FRESH_SEED, index))
            self._fresh[level, again] = drawn
        return self._fresh[level, again]

    def instances(self, edition: Edition, name: str) -> Sequence[AnyInstance]:
        """Return the instances of a named set, drawn once."""
        if (edition, name) not in self._instances:
            parts = find_set(self.family, edition, name).parts
            self._instances[edition, name] = tuple(generate_instances(self.family, parts))
        return self._instances[edition, name]

    @cached_property
    def skipped(self) -> dict[str, str]:
        """The players that need a package which is not installed, each with the extra it needs."""
        missing = {}
        instance, rules = next(self.seats())
        for name, player in self.family.players.items():
            if self.quick and player.slow:
                continue
            try:
                self.episode(instance, rules, name)
            except MissingExtra as wrong:
                missing[name] = wrong.extra
        return missing

    @property
    def players(self) -> tuple[str, ...]:
        """The players that can be played here; a quick check leaves out the slow ones."""
        return tuple(
            name
            for name, player in self.family.players.items()
            if name not in self.skipped and not (self.quick and player.slow)
        )

    @property
    def watched(self) -> tuple[str, ...]:
        """The players without secrets that are searched for leaks: a few of each kind."""
        card = self.family.card
        named = [*card.tour, "random", card.reference]
        return tuple(
            name
            for name in dict.fromkeys(named)
            if name in self.players and not self.family.player(name).sees_truth
        )

    @property
    def games(self) -> int:
        """How many instances of a set a check takes that does not need all of them."""
        return _QUICK_GAMES if self.quick else _FULL_GAMES

    def tables(self) -> Iterator[tuple[Draw, Rules]]:
        """Yield every set that is judged with the rules of each interface."""
        for drawn in self.judged:
            family = self.family.for_edition(drawn.edition)
            for interface in family.rules.interfaces:
                if interface in family.rules.extras:
                    continue  # Such worlds are slow, and not on every machine.
                yield drawn, family.rules_for(drawn.edition, interface=interface)

    def seats(self) -> Iterator[tuple[AnyInstance, Rules]]:
        """Yield the instances at which everybody plays, under the rules of each interface.

        They are spread over each set; in a full check, over the levels of all sets together.
        """
        met: set[tuple[str, str]] = set()
        for drawn, rules in self.tables():
            for instance in self._seat_instances(drawn):
                place = (rules.model_dump_json(), instance.id)
                if place not in met:
                    met.add(place)
                    yield instance, rules

    def _seat_instances(self, drawn: Draw) -> Sequence[AnyInstance]:
        if self.quick:
            return spread(drawn.instances, self.games)
        seated = self._seated_in_full[drawn.edition]
        return [instance for instance in drawn.instances if instance.id in seated]

    @cached_property
    def _seated_in_full(self) -> dict[Edition, set[str]]:
        """The ids of the instances at which everybody plays in a full check, by edition."""
        by_level: dict[Edition, dict[str, list[str]]] = {edition: {} for edition in EDITIONS}
        seated: dict[Edition, set[str]] = {edition: set() for edition in EDITIONS}
        for drawn in self.draws:
            if drawn.name == "smoke":
                seated[drawn.edition].update(
                    one.id for one in spread(drawn.instances, _QUICK_GAMES)
                )
            ids = iter(instance.id for instance in drawn.instances)
            for part in drawn.spec.parts:
                by_level[drawn.edition].setdefault(part.level, []).extend(islice(ids, part.size))
        for edition, levels in by_level.items():
            for ids_of_level in levels.values():
                distinct = tuple(dict.fromkeys(ids_of_level))
                seated[edition].update(spread(distinct, ceil(_FULL_SEATS / len(levels))))
        return seated

    def episode(self, instance: AnyInstance, rules: Rules, player: str) -> Episode:
        """Return the game of a player, which is played when it is first asked for."""
        key = (rules.model_dump_json(), instance.id, player)
        if key not in self._episodes:
            self._episodes[key] = play(self.family, instance, rules, player)
        return self._episodes[key]

    def verdict(self, instance: AnyInstance, rules: Rules, player: str) -> Verdict:
        """Return the verdict on a player's game, scored once; the game is not kept for it."""
        key = (rules.model_dump_json(), instance.id, player)
        if key not in self._verdicts:
            episode = self._episodes.get(key) or play(self.family, instance, rules, player)
            self._verdicts[key] = episode.score()
        return self._verdicts[key]

    def scored_games(self) -> Iterator[tuple[Episode, Verdict]]:
        """Yield the games of every player at every seat, each with its verdict."""
        for instance, rules in self.seats():
            for player in self.players:
                episode = self.episode(instance, rules, player)
                yield episode, self.verdict(instance, rules, player)

    @cached_property
    def samples(self) -> dict[tuple[Edition, str], list[AnyInstance]]:
        """For each edition and level, instances spread over all sets that the card draws from it.

        Statistical checks need more of them than the smallest set holds. A quick check leaves out
        levels that are in none of its sets.
        """
        asked = {(d.edition, part.level) for d in self.judged for part in d.spec.parts}
        found: dict[tuple[Edition, str], dict[tuple[int, int], None]] = {}
        for edition, sets in self.family.card.sets.items():
            for part in (part for spec in sets.values() for part in spec.parts):
                places = found.setdefault((edition, part.level), {})
                for index in range(part.start, part.start + part.size):
                    places[part.seed, index] = None
        chosen = len(asked) or 1
        quick = min(_QUICK_SAMPLE, max(_LEAST_SAMPLE, _QUICK_IN_ALL // chosen))
        count = quick if self.quick else _FULL_SAMPLE
        return {
            (edition, level): [
                self.family.generate(self.family.level(level), seed, index)
                for seed, index in spread(tuple(places), count)
            ]
            for (edition, level), places in found.items()
            if not self.quick or (edition, level) in asked
        }


Check: TypeAlias = Callable[[Subject], Iterator[str]]
"""A promise: yields one complaint for each way in which it is broken."""


def spread(items: Sequence[Any], count: int) -> list[Any]:
    """Return at most `count` of `items`, evenly spread, the first and the last among them."""
    if len(items) <= count or count == 1:
        return list(items[:count])
    return [items[round(place * (len(items) - 1) / (count - 1))] for place in range(count)]


HASH_SEEDS = ("1", "4242")


def run_in_other_process(code: str, work: object, what: str) -> Iterator[tuple[str, str]]:
    """Run `code` in fresh processes that read the pickled `work` from stdin.

    Args:
        code: A program; it prints one line.
        work: What it unpickles, functions by name.
        what: What is being done, for complaints.

    Yields:
        A complaint and what was printed; one of the two is empty.
    """
    try:
        sent = pickle.dumps(work)
    except (pickle.PicklingError, AttributeError, TypeError) as wrong:
        yield f"{what} cannot be handed to another process ({wrong}); define it in a module", ""
        return
    for hash_seed in HASH_SEEDS:
        done = subprocess.run(  # noqa: S603 — our own interpreter, running our own text
            [sys.executable, "-c", code],
            input=sent,
            capture_output=True,
            check=False,
            env={
                **os.environ,
                "PYTHONHASHSEED": hash_seed,
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
        )
        if done.returncode:
            last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            yield f"a fresh process could not do {what}: {' '.join(last)}", ""
        else:
            yield "", done.stdout.decode().strip()
