"""The audit of a set: whether theorems hold there, and how far every program comes.

It plays everybody who does not see the truth, and the generic attacks that fit every family, which
learn from instances that nobody is tested on. Each theorem stands with its bound and with the best
of its members; all players stand in one table of programs, the strongest first. Several processes
may each play a share of the instances; what they found, put together, is what one process finds.
"""

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from statistics import fmean
from typing import Any, NamedTuple, TypeVar

from causarium.contract.checks.generic_attacks import score_player, train_attacks
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.family_card import Theorem
from causarium.contract.frozen import Frozen, Numbers
from causarium.contract.player import Player
from causarium.contract.row import find_cluster
from causarium.contract.rules import Edition, Rules
from causarium.contract.sets.instance_sets import find_set, generate_set
from causarium.contract.shard import WHOLE, Shard
from causarium.errors import MissingExtra, UsageError
from causarium.players.programs import (
    Played,
    Program,
    describe_program,
    find_players,
    sort_programs,
)
from causarium.scoring.intervals import Interval, summarize

TRAINING_SEED = 2**60 + 7919
"""In the seed space of training draws, so that nobody learns from what is tested."""
TESTING_SEED = TRAINING_SEED + 2
"""Where fresh instances start: levels may share what they draw from one seed and index."""
_MEMORIES = 60
_MORE_MEMORIES = 240
"""What the generic attacks of a full audit learn from."""
_ROUNDING = 1e-9
_Item = TypeVar("_Item")


class TheoremRow(Frozen):
    """What a theorem bounds on a set, and what the best of its members earned."""

    name: str
    says: str
    kind: str
    bound: float
    """In expectation on these instances."""
    best: str
    """The member that earned most."""
    value: float
    low: float
    high: float
    n: int
    kept: bool
    """Whether no member's interval lies above the bound on any level."""
    broken_levels: tuple[str, ...] = ()
    """The levels on which one does."""


class Audit(Frozen):
    """Whether theorems hold on one set, and how far programs come."""

    family: str
    version: str
    edition: Edition
    set: str
    headline: str
    theorems: tuple[TheoremRow, ...] = ()
    programs: tuple[Program, ...]
    """The strongest first."""
    skipped: tuple[str, ...] = ()
    """Players that need a package which is not installed, and which."""

    @property
    def kept(self) -> bool:
        """Whether every theorem holds."""
        return all(row.kept for row in self.theorems)

    def flat(self) -> dict[str, Any]:
        """Return the audit as the command line prints it."""
        return {**self.model_dump(mode="json"), "kept": self.kept}


class AuditShare(Frozen):
    """What one shard of an audit found."""

    family: str
    version: str
    set: str
    limit: int | None = None
    fresh: int | None = None
    seed: int = 0
    number: int = 1
    count: int = 1
    players: tuple[Played, ...]
    bounds: tuple[Numbers, ...] = ()
    """What the certificate of each instance says of exact bounds, where the card has some."""
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _AuditedSet:
    """What everybody in one audit plays on."""

    family: AnyFamily
    instances: Sequence[AnyInstance]
    levels: Sequence[str]
    """The level of each instance."""
    all_levels: frozenset[str]
    """The levels of the whole set; the instances may be a share of it."""
    rules: Rules

    def measure(self, scores: Sequence[float], places: Sequence[int]) -> Interval:
        """Return the mean of scores at some places, with its interval."""
        share = self.family.metrics[self.family.card.headline["certified"]].share
        clusters = [find_cluster(self.instances[place]) for place in places]
        return summarize([scores[place] for place in places], share=share, clusters=clusters)


class AuditTask(NamedTuple):
    """One share of an audit of a certified set, as plain data."""

    family: str
    set: str = "standard"
    limit: int | None = None
    """Only the first so many instances; this is a share of them."""
    shard: Shard = WHOLE
    fresh: int | None = None
    """So many instances that are in no set, in place of the set's own."""
    seed: int = 0
    """Where the players' own draws, and fresh instances, start."""
    full: bool = False
    """Whether to play more generic attacks, which learn from more instances."""


def audit_share(
    family: AnyFamily, task: AuditTask, watch: Callable[[str], None] | None = None
) -> AuditShare:
    """Play everybody on a share of a certified set.

    Raises:
        UnknownName: There is no such set.
    """
    audited = _open_audited_set(family, task)
    players: list[Played] = []
    skipped: list[str] = []
    for name, player in cast_programs(family, audited.all_levels, full=task.full).items():
        if watch is not None:
            watch(name)
        try:
            players.append(Played.of(name, player, _play(audited, name, player, task.seed)))
        except MissingExtra as missing:
            skipped.append(f"{name}: {missing}")
    return AuditShare(
        family=family.name,
        version=family.card.version,
        set=task.set,
        limit=task.limit,
        fresh=task.fresh,
        seed=task.seed,
        number=task.shard.number,
        count=task.shard.count,
        players=tuple(players),
        bounds=tuple(_read_bounds(audited)),
        skipped=tuple(skipped),
    )


def combine_shares(family: AnyFamily, shares: Sequence[AuditShare]) -> Audit:
    """Put the shares of an audit together.

    Raises:
        UsageError: They are not the shares of one audit, or some are missing.
    """
    first = shares[0]
    common = ("family", "version", "set", "limit", "fresh", "seed", "count")
    for share in shares:
        for name in common:
            if getattr(share, name) != getattr(first, name):
                raise UsageError(
                    f"these are not shares of one audit: {name} is {getattr(first, name)!r} in "
                    f"one and {getattr(share, name)!r} in another"
                )
    by_number = {share.number: share for share in shares}
    missing = sorted(set(range(1, first.count + 1)) - set(by_number))
    if missing:
        lacking = ", ".join(f"{number}/{first.count}" for number in missing)
        raise UsageError(f"the audit of {first.family} lacks the shards {lacking}")
    task = AuditTask(family.name, first.set, first.limit, fresh=first.fresh, seed=first.seed)
    audited = _open_audited_set(family, task)
    whole = join_shares([by_number[number] for number in sorted(by_number)], WHOLE)
    bounds: Sequence[Numbers] = whole.bounds or [{}] * len(audited.instances)
    played = {one.name: one.scores for one in whole.players}
    return Audit(
        family=family.name,
        version=family.card.version,
        edition="certified",
        set=first.set,
        headline=family.card.headline["certified"],
        theorems=tuple(_judge_theorems(audited, played, bounds)),
        programs=sort_programs(
            describe_program(family, audited.instances, one) for one in whole.players
        ),
        skipped=whole.skipped,
    )


def join_shares(parts: Sequence[AuditShare], shard: Shard) -> AuditShare:
    """Return what was dealt out, in the order of dealing, as one process would have played it.

    A player that is missing in one part, for want of a package there, is left out.
    """
    players = []
    for played in parts[0].players:
        mine = [one for part in parts for one in part.players if one.name == played.name]
        if len(mine) == len(parts):
            scores = _interleave([one.scores for one in mine])
            players.append(played.model_copy(update={"scores": scores}))
    return parts[0].model_copy(
        update={
            "bounds": _interleave([part.bounds for part in parts]),
            "number": shard.number,
            "count": shard.count,
            "players": tuple(players),
            "skipped": tuple(dict.fromkeys(reason for part in parts for reason in part.skipped)),
        }
    )


def _interleave(parts: Sequence[Sequence[_Item]]) -> tuple[_Item, ...]:
    """Return what was dealt out like cards in its order again."""
    rounds = zip_longest(*parts)
    whole = [item for dealt in rounds for item in dealt]
    return tuple(whole[: sum(map(len, parts))])


def _open_audited_set(family: AnyFamily, task: AuditTask) -> _AuditedSet:
    parts = find_set(family, "certified", task.set).parts
    if task.fresh is None:
        instances = generate_set(family, "certified", task.set, limit=task.limit)
        levels = [_find_level(family, instance) for instance in instances]
    else:
        named = {part.level for part in parts}
        drawn = draw_fresh(family, named, task.fresh, TESTING_SEED + task.seed)
        levels, instances = [level for level, _ in drawn], [instance for _, instance in drawn]
    return _AuditedSet(
        family=family,
        instances=list(task.shard.deal(instances)),
        levels=list(task.shard.deal(levels)),
        all_levels=frozenset(part.level for part in parts),
        rules=family.rules_for("certified"),
    )


def _find_level(family: AnyFamily, instance: AnyInstance) -> str:
    """Return the name of an instance's level, which its id begins with."""
    named = [name for name in family.levels if instance.id.startswith(f"{family.name}-{name}-")]
    return max(named, key=len)


def draw_fresh(
    family: AnyFamily, levels: Collection[str], count: int, seed: int
) -> list[tuple[str, AnyInstance]]:
    """Draw instances that are in no set, evenly over levels, each with the name of its level.

    Args:
        family: The family.
        levels: The levels to draw from.
        count: How many in all; rounded up, so that no twins and no clan are torn apart.
        seed: Where drawing starts, outside the seeds of named sets.
    """
    chosen = [level for level in family.levels if level in levels]
    each = 2 * math.ceil(count / max(1, 2 * len(chosen)))
    return [
        (level, instance) for level in chosen for instance in _draw_whole(family, level, each, seed)
    ]


def _draw_whole(family: AnyFamily, level: str, count: int, seed: int) -> Iterator[AnyInstance]:
    """Yield so many instances of a level, and those that share the mechanism of the last.

    A level that has one mechanism alone ends at twice as many.
    """
    last = None
    for index in range(2 * count):
        instance = family.generate(family.level(level), seed, index)
        if index >= count and find_cluster(instance) != last:
            return
        last = find_cluster(instance)
        yield instance


def _read_bounds(audited: _AuditedSet) -> Iterator[Numbers]:
    if any(one.kind == "exact" for one in audited.family.card.theorems):
        for instance in audited.instances:
            yield audited.family.proofs.certify(instance).bounds


def _judge_theorems(
    audited: _AuditedSet,
    played: Mapping[str, Sequence[float]],
    bounds: Sequence[Mapping[str, float]],
) -> Iterator[TheoremRow]:
    """Hold the members of each theorem against its bound, on the instances it speaks of."""
    for one in audited.family.card.theorems:
        limits = [find_limit(one, *place) for place in zip(audited.levels, bounds, strict=True)]
        places = [place for place, limit in enumerate(limits) if not math.isnan(limit)]
        members = [name for name in one.members if name in played]
        if not places or not members:
            continue
        earned = {name: audited.measure(played[name], places) for name in members}
        best = max(members, key=lambda name: earned[name].value)
        by_level: dict[str, list[int]] = {}
        for place in places:
            by_level.setdefault(audited.levels[place], []).append(place)
        broken = tuple(
            level
            for level, mine in by_level.items()
            for bound in [fmean(limits[place] for place in mine)]
            if any(_is_above(audited.measure(played[name], mine), bound) for name in members)
        )
        yield TheoremRow(
            name=one.name,
            says=one.says,
            kind=one.kind,
            bound=fmean(limits[place] for place in places),
            best=best,
            value=earned[best].value,
            low=earned[best].low,
            high=earned[best].high,
            n=earned[best].n,
            kept=not broken,
            broken_levels=broken,
        )


def _is_above(earned: Interval, bound: float) -> bool:
    """Whether a member is above a bound by more than luck among some thirty of them."""
    # Of thirty players that stand at their bound, the lower end of one interval lies above it by
    # chance in half of all audits (1.96 standard errors), and in one of 25 by three.
    down = (earned.value - earned.low) * 3 / 1.96
    return earned.value - down > bound + _ROUNDING


def find_limit(theorem: Theorem, level: str, exact: Mapping[str, float]) -> float:
    """Return what a member may earn on one instance; nan where the theorem says nothing of it.

    Args:
        theorem: The theorem.
        level: The level of the instance.
        exact: The bounds in the instance's certificate.
    """
    if theorem.kind == "exact":
        return exact.get(theorem.name, math.nan)
    return theorem.bounds.get(level, math.nan)


def cast_programs(
    family: AnyFamily, levels: Collection[str], *, full: bool = False
) -> dict[str, Player[Any, Any]]:
    """Return everybody of the table of programs: the family's players and the generic attacks.

    Args:
        family: The family.
        levels: What the generic attacks learn from.
        full: Whether to add more of them, which learn from more instances.
    """
    count = _MORE_MEMORIES if full else _MEMORIES
    remembered = [one for _, one in draw_fresh(family, levels, count, TRAINING_SEED)]
    attacks = train_attacks(family, remembered, family.rules_for("certified"), full=full)
    return {**find_players(family), **attacks}


def _play(audited: _AuditedSet, name: str, player: Player[Any, Any], seed: int) -> Iterator[float]:
    headline = audited.family.card.headline["certified"]
    for instance in audited.instances:
        numbers = score_player(audited.family, instance, audited.rules, name, player, seed)
        yield numbers[headline]
