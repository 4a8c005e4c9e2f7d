"""A benchmark: one family in one edition, and what one does with it without a model.

It is found by family, by level, or by the set file that somebody has. A function of one's own plays
as reference players do: a generator of actions.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from pydantic import SecretStr

from causarium import families
from causarium.api.moves import build_action
from causarium.api.rows import Rows
from causarium.api.session import Session, check_instance
from causarium.contract.certificate import Certificate
from causarium.contract.checks.check_family import Finding, open_subject, run_checks
from causarium.contract.family import AnyFamily, AnyInstance, Prompt
from causarium.contract.family_card import Part
from causarium.contract.places import Place
from causarium.contract.player import Moves, Player
from causarium.contract.release import ReleaseFolder
from causarium.contract.rules import Edition, Rules, choose_edition
from causarium.contract.sets.instance_sets import (
    SetHeader,
    find_set,
    generate_instances,
    generate_one,
    generate_set,
    name_set,
    open_set,
    read_set,
    write_set,
)
from causarium.contract.sets.splits import check_split, split_part
from causarium.contract.verdict import Metric
from causarium.contract.world import Action, Observation
from causarium.errors import UnknownName, UsageError
from causarium.players.direct_runner import certify_instance, play_all

PlayerFunction: TypeAlias = Callable[
    [Any, Any, Random], Generator[Action | Mapping[str, Any], Observation, None]
]
"""(public, rules, rng): a generator that yields actions and is sent observations."""
AnyPlayer: TypeAlias = str | Player[Any, Any] | PlayerFunction
Instances: TypeAlias = str | Path | Iterable[AnyInstance]
"""A named set, a set file, or instances."""
AnyRules: TypeAlias = Rules | Mapping[str, Any]
"""Rules, or the changes to those of the edition."""

_MOST_DIGITS = 20
"""A number with so many digits is the place of no instance."""
CUSTOM_SET = "custom"
"""The set of rows with instances that came as a list."""


@dataclass(frozen=True)
class Benchmark:
    """One family in one edition.

    Example:
        >>> import causarium as cm
        >>> link = cm.load("causallink")
        >>> item = link.instances("smoke")[0]
        >>> link.certify(item).certified, link.play("oracle", [item]).mean("score").value
        (True, 1.0)
    """

    name: str
    edition: Edition
    family: AnyFamily
    """The family itself, as the contract has it."""
    release: ReleaseFolder | None = None
    """The published release that it is played from, in its words; None: in ours."""

    @property
    def sets(self) -> dict[str, int]:
        """The named sets of this edition, with their sizes."""
        return {name: spec.size for name, spec in self.family.card.sets[self.edition].items()}

    @property
    def levels(self) -> dict[str, bool]:
        """The levels of this edition, and which of them are to train on."""
        levels = self.family.levels.items()
        return {name: name in self.ladder for name, one in levels if one.edition == self.edition}

    @property
    def ladder(self) -> tuple[str, ...]:
        """The levels to train on, easiest first; of others, all or much is in the named sets."""
        return tuple(self.family.card.ladder) if self.edition == "certified" else ()

    def __repr__(self) -> str:
        sets = ", ".join(f"{name} ({size})" for name, size in self.sets.items())
        return f"Benchmark({self.name!r}, {self.edition!r}, sets: {sets})"

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the reference players."""
        return tuple(self.family.players)

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """What each number of a verdict says."""
        return self.family.metrics

    @property
    def actions(self) -> tuple[type[Action], ...]:
        """Everything that can ever be done in this benchmark's worlds."""
        return self.family.actions

    def rules(self, **changes: Any) -> Rules:  # noqa: ANN401
        """Return the rules of this edition with changes.

        Raises:
            UsageError: A change names no rule, or a value that the rule cannot have.
        """
        if self.release is not None:
            known = self.release.commit is not None
            changes = {"release": str(self.release.path), "release_anyway": not known, **changes}
        rules: Rules = self.family.rules_for(self.edition, **changes)
        return rules

    @property
    def released_sets(self) -> dict[str, Path]:
        """The files of instances in the release, by the names of sets."""
        return {} if self.release is None else self.release.sets

    def instances(
        self,
        set: str | Path = "standard",
        *,
        limit: int | None = None,
    ) -> list[AnyInstance]:
        """Return the instances of a named set, or of a set file.

        Args:
            set: The set's name, or a set of one's own: a file (.jsonl), or a folder of parts,
                on this machine or at a URL. All are proven by digest.
            limit: Return only the first so many.

        Raises:
            UsageError: There is no such set or file, or it is of another family or edition.
        """
        _check_limit(limit)
        place = self._find_file(set)
        if place is None:
            return generate_set(self.family, self.edition, str(set), limit=limit)
        header, instances = read_set(place, self._both, limit=limit)
        if header.edition != self.edition:
            raise UsageError(
                f"{set} holds instances of the {header.edition} edition; "
                f"use load({self.name!r}, edition={header.edition!r})"
            )
        return instances

    @property
    def _both(self) -> AnyFamily:
        """The family in both editions, which can say to which of them something belongs."""
        return self.family if self.family.edition is None else families.get(self.name)

    def _find_file(self, name: str | Path) -> str | Path | None:
        """Return the file of a set; None: it is drawn."""
        if self._is_file(name) and str(name) not in self.released_sets:
            return name
        return self.family.find_released_set(self.rules(), str(name))

    def _is_file(self, name: str | Path) -> bool:
        if isinstance(name, Path) or "://" in name:
            return True
        return name not in self.sets and (Path(name).suffix != "" or Path(name).exists())

    def instance(self, set: str | Path, number: int) -> AnyInstance:
        """Return one instance of a set, without generating the others.

        Args:
            set: A named set, or a file.
            number: Its position; 0 is the first.

        Raises:
            UsageError: There is no such set, or it is smaller.
        """
        if self._find_file(set) is None:
            return generate_one(self.family, self.edition, str(set), number)
        instances = self.instances(set)
        if not 0 <= number < len(instances):
            raise UsageError(f"{set} has instances 0 to {len(instances) - 1}, not {number}")
        return instances[number]

    def find_instance(self, set: str | Path, wanted: str) -> AnyInstance:
        """Return one instance of a set.

        Args:
            set: A named set, or a file.
            wanted: The instance's id, or its position (0 is the first).

        Raises:
            UsageError: There is no such set or instance; the nearest id is suggested.
        """
        ids: list[str] = []
        if self._find_file(set) is None:
            spec = find_set(self.family, self.edition, str(set))
            if wanted.isdecimal() and len(wanted) < _MOST_DIGITS and int(wanted) < spec.size:
                return self.instance(set, int(wanted))
            instances = generate_instances(self.family, spec.parts)
        else:
            instances = iter(self.instances(set))
        for place, instance in enumerate(instances):
            if wanted in (instance.id, str(place)):
                return instance
            ids.append(instance.id)
        near = UnknownName("instance", wanted, ids).nearest or ids[0]
        raise UsageError(
            f"{set} has no instance {wanted!r:.80}; give an id, as in {near}, or a number from 0 "
            f"to {len(ids) - 1}"
        )

    def generate(
        self,
        level: str,
        *,
        size: int,
        seed: int = 0,
        split: str = "train",
        salt: SecretStr | None = None,
    ) -> list[AnyInstance]:
        """Generate instances of a level that no named set holds, under any names.

        Args:
            level: One of `levels`.
            size: How many.
            seed: The random seed; the same seed gives the same instances everywhere.
            split: `train`, `validation` or `private`; no two have an instance in common.
            salt: What the private split is drawn with, as `read_salt` returns it.

        Raises:
            UsageError: There is no such level or split, or all of the level is held back.
        """
        return list(generate_instances(self.family, self._parts(level, size, seed, split, salt)))

    def write_set(
        self,
        path: str | Path,
        level: str,
        *,
        size: int,
        seed: int = 0,
        split: str = "train",
        salt: SecretStr | None = None,
    ) -> SetHeader:
        """Generate instances of a level, as `generate` does, and write them to a set file.

        Args:
            path: The file, JSON lines.
            level: One of `levels`.
            size: How many.
            seed: The random seed.
            split: The split.
            salt: What the private split is drawn with.

        Raises:
            UsageError: As `generate`, or the file cannot be written.
        """
        parts = self._parts(level, size, seed, split, salt)
        place = Place.parse(path)
        if place.path is not None:
            _check_file(place.path, level)
        return write_set(place, self.family, self.edition, parts)

    def write_released(
        self, path: str | Path, level: str, *, size: int, seed: int = 0, split: str = "train"
    ) -> int:
        """Generate instances and write them in the published release's own format.

        Args:
            path: The file.
            level: One of `levels`.
            size: How many.
            seed: The random seed.
            split: The split.

        Returns:
            How many were written.

        Raises:
            UsageError: The family has no such format, or it cannot hold these instances.
        """
        if self.family.publication.write_released is None:
            raise UsageError(f"{self.name} has no released format; leave out --released")
        if split == "private":
            raise UsageError("a released format cannot hold a canary; leave out --released")
        instances = self.generate(level, size=size, seed=seed, split=split)
        return self.family.publication.write_released(_check_file(path, level), instances)

    def _parts(
        self, level: str, size: int, seed: int, split: str, salt: SecretStr | None
    ) -> list[Part]:
        self.check_level(level, size)
        return [split_part(level, check_split(split), size=size, seed=seed, salt=salt)]

    def check_level(self, level: str, size: int) -> None:
        """Make sure that instances of a level can be generated here.

        Args:
            level: The level's name.
            size: How many instances.

        Raises:
            UsageError: There is no such level in this edition, or the size is less than one.
        """
        if size < 1 or size != int(size):
            raise UsageError(f"size is the number of instances to generate, 1 or more, not {size}")
        edition = self._both.level(level).edition
        if edition != self.edition:
            raise UsageError(
                f"the level {level} belongs to the {edition} edition; "
                f"use load({self.name!r}, edition={edition!r})"
            )

    def prompt(self, instance: AnyInstance, rules: AnyRules | None = None) -> Prompt:
        """Return the system and user text of an instance, exactly as a model reads them.

        Args:
            instance: The instance.
            rules: How to play it; the rules of the edition where it is not given.
        """
        return self.family.prompt(instance.public, self._complete_rules(rules))

    def open(
        self,
        instance: AnyInstance,
        rules: AnyRules | None = None,
        **changes: Any,  # noqa: ANN401
    ) -> Session:
        """Open an instance to be played step by step.

        Args:
            instance: The instance.
            rules: How to play it; the rules of the edition where it is not given.
            changes: Changes to the rules of the edition, in place of `rules`.

        Raises:
            UsageError: A change names no rule, or both rules and changes are given, or the instance
                is of another family or edition.
        """
        check_instance(self.family, self.edition, instance)
        if rules is not None and changes:
            raise UsageError("give rules or changes to them, not both")
        chosen = self._complete_rules(changes if rules is None else rules)
        return Session(self.family, instance, chosen, edition=self.edition)

    def _complete_rules(self, rules: AnyRules | None) -> Rules:
        if not isinstance(rules, Rules):
            return self.rules(**(rules or {}))
        if not issubclass(type(rules), self.family.rules):
            raise UsageError(
                f"these rules are {type(rules).__name__}, but {self.name} needs "
                f"{self.family.rules.__name__}; load({self.name!r}).rules() returns them"
            )
        return rules

    def certify(self, instance: AnyInstance) -> Certificate:
        """Prove an instance, with its floor and ceiling found by playing."""
        return certify_instance(self.family, instance, self.edition)

    def play(
        self,
        player: AnyPlayer,
        instances: Instances = "smoke",
        *,
        rules: AnyRules | None = None,
        seed: int = 0,
        limit: int | None = None,
        name: str | None = None,
    ) -> Rows:
        """Play instances in this process, without Inspect.

        Args:
            player: The name of a reference player, a `Player`, or a generator function
                (public, rules, rng) that yields actions (or mappings with `kind`) and is sent
                observations.
            instances: A named set, a set file, or instances.
            rules: How to play, or the changes to the rules of the edition.
            seed: Where a player's random draws start.
            limit: Play only the first so many.
            name: What the agent is called in rows; by default the function's name.

        Raises:
            UsageError: There is no such player, set or rule, or it is no generator function, or an
                instance is of another family or edition.
        """
        chosen, set_name = self._gather(instances, limit)
        complete = self._complete_rules(rules)
        if isinstance(player, str):
            self.family.player(player)
            family, named = self.family, player
        else:
            named = self._new_name(name or str(getattr(player, "__name__", "mine")))
            mine = player if isinstance(player, Player) else make_player(self.family, player)
            family = self.family.with_companions(players={**self.family.players, named: mine})
        return Rows(
            play_all(
                family,
                chosen,
                named,
                edition=self.edition,
                set_name=set_name,
                rules=complete,
                seed=seed,
            )
        )

    def _gather(self, instances: Instances, limit: int | None) -> tuple[list[AnyInstance], str]:
        if isinstance(instances, str | Path):
            is_file = self._is_file(instances)
            name = name_set(instances) if is_file else str(instances)
            return self.instances(instances, limit=limit), name
        chosen = list(instances)[: _check_limit(limit)]
        for instance in chosen:
            check_instance(self.family, self.edition, instance)
        return chosen, CUSTOM_SET

    def _new_name(self, name: str) -> str:
        if name in self.family.players:
            raise UsageError(f"{name!r} is a reference player; give yours another name with name=")
        return name


def _check_limit(limit: int | None) -> int | None:
    if limit is not None and limit < 0:
        raise UsageError(f"limit is a number of instances, 0 or more, not {limit}")
    return limit


def _check_file(path: str | Path, level: str) -> Path:
    place = Place.parse(path)
    if place.path is None:
        raise UsageError(f"{place} is not on this machine; a published release is written here")
    if place.path.is_dir():
        raise UsageError(f"{place} is a folder; name a file, as in {place / f'{level}.jsonl'}")
    return place.path


def make_player(family: AnyFamily, function: PlayerFunction) -> Player[Any, Any]:
    """Return the player that plays as a generator function does; it may yield actions as data.

    Raises:
        UsageError: It is no function. One that is no generator is refused when it is played.
    """
    if not callable(function):
        raise UsageError(
            f"a player must be a name, a Player or a function, not a {type(function).__name__}"
        )

    def moves(public: Any, rules: Rules, rng: Random) -> Moves:  # noqa: ANN401
        playing = function(public, rules, rng)
        if not isinstance(playing, Generator):
            raise UsageError(f"a player yields its moves; this function returned {playing!r:.80}")
        try:
            move = next(playing)
            while True:
                action = move if isinstance(move, Action) else build_action(family, move)
                move = playing.send((yield action))
        except StopIteration:
            return

    return Player(about=(function.__doc__ or "A player of your own.").strip(), moves=moves)


def list_families() -> tuple[str, ...]:
    """Return the names of all families, built-in ones first.

    Example:
        >>> list_families()[:3]
        ('causallink', 'causalab', 'causalgame')
    """
    return families.names()


def load(
    name: str,
    *,
    edition: str | None = None,
    release: str | Path | None = None,
    release_anyway: bool = False,
) -> Benchmark:
    """Load a family.

    Args:
        name: One of `list_families()`.
        edition: `certified`, or `paper` for the published mechanics; None: `certified`, and
            `paper` with a release.
        release: A clone of the published release: its words are played in place of ours, and its
            sets are found by name.
        release_anyway: Whether an unknown state of the release will do.

    Raises:
        UnknownName: There is no such family or edition; the nearest name is suggested.
        UsageError: The folder holds no release of the family, or one in an unknown state, or the
            edition is not the published one.

    Example:
        >>> "exact" in load("causallink").players
        True
    """
    chosen = choose_edition(edition, published=release is not None)
    family = families.get(name, chosen)
    if release is None:
        return Benchmark(name, chosen, family)
    given = {"release": str(release), "release_anyway": release_anyway}
    rules = family.rules_for(chosen, **given)
    family = family.with_release(rules, chosen)
    return Benchmark(name, chosen, family, family.open_release(rules))


def load_file(name: str, file: str | Path) -> Benchmark:
    """Load a family in the edition of a set file, or of a folder of parts.

    Raises:
        UsageError: There is no such family or file, or the file cannot be used.
    """
    edition = open_set(file, families.get(name)).header.edition
    return Benchmark(name, edition, families.get(name, edition))


def load_level(name: str, level: str) -> Benchmark:
    """Load a family in the edition that a level is of.

    Raises:
        UnknownName: There is no such family or level; the nearest name is suggested.
    """
    edition = families.get(name).level(level).edition
    return Benchmark(name, edition, families.get(name, edition))


def check(family: str, *, full: bool = False) -> Iterator[Finding]:
    """Check that a family keeps its promises; no model is needed.

    Args:
        family: The family's name.
        full: Check all sets; otherwise `smoke`, and a few of each other level of `standard`.

    Raises:
        UnknownName: There is no such family; the nearest name is suggested.
    """
    return run_checks(open_subject(families.get(family), quick=not full))
