"""The audit of a set: what is earned there without causal reasoning, and what with it.

It plays everybody that the card's separation names, the adversaries that fit every family, and
trains the family's probes on instances that nobody is tested on. Several processes may each play a
share of the instances; what they found, put together, is what one process finds.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from causarium.contract.episode import Episode, start_player
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.family_card import Bounds, Separation
from causarium.contract.frozen import Frozen, Numbers
from causarium.contract.player import Player
from causarium.contract.rules import Edition, Rules
from causarium.contract.sets.instance_sets import find_set, generate_set
from causarium.contract.shard import WHOLE, Shard
from causarium.errors import MissingExtra, UsageError
from causarium.players.adversaries import build_adversaries, remember_oracle
from causarium.players.train_probe import measure_probe
from causarium.scoring.intervals import Interval, summarize
from causarium.seeds import stream

Role = Literal["passive", "shortcut", "causal", "oracle", "floor"]

TRAINING_SEED = 2**60 + 7919
"""In the seed space of training draws, so that nobody learns from what is tested."""
TESTING_SEED = TRAINING_SEED + 1
"""Levels may share what they draw from one seed and index, so probes are tested on another seed."""
_MEMORIES = 60
_PROBE_TRAINING = 600
_PROBE_TESTING = 900


class AuditRow(Frozen):
    """What one player or probe earned."""

    player: str
    role: Role
    metric: str
    value: float
    low: float
    high: float
    n: int
    bound: tuple[float, float] | None = None
    """Within what the card says it lies; None: the card says nothing of it."""

    @property
    def kept(self) -> bool:
        """Whether the value lies within the bound."""
        return self.bound is None or self.bound[0] <= self.value <= self.bound[1]


class Audit(Frozen):
    """Who earned what on one set."""

    family: str
    edition: Edition
    set: str
    rows: tuple[AuditRow, ...]
    skipped: tuple[str, ...] = ()
    """Players that need a package which is not installed, and which."""

    @property
    def kept(self) -> bool:
        """Whether every bound holds."""
        return all(row.kept for row in self.rows)

    def flat(self) -> dict[str, Any]:
        """Return the audit as the command line prints it."""
        rows = [row.model_dump(mode="json") for row in self.rows]
        return {
            "family": self.family,
            "edition": self.edition,
            "set": self.set,
            "rows": rows,
            "skipped": list(self.skipped),
            "kept": self.kept,
        }


class PlayedShare(Frozen):
    """What one player earned on a share of the instances."""

    player: str
    role: Role
    numbers: tuple[Numbers, ...]
    """Of each instance, the metrics that are printed."""


class AuditShare(Frozen):
    """What one shard of an audit found."""

    family: str
    version: str
    set: str
    limit: int | None = None
    seed: int = 0
    number: int = 1
    count: int = 1
    players: tuple[PlayedShare, ...]
    probes: dict[str, AuditRow]
    """Each probe is trained by one shard."""
    skipped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _AuditedSet:
    """What everybody in one audit plays on, and under which bounds."""

    family: AnyFamily
    edition: Edition
    set: str
    instances: Sequence[AnyInstance]
    rules: Rules
    separation: Separation

    def find_bound(self, player: str, metric: str) -> tuple[float, float] | None:
        for bounds in self.separation.bounds:
            here = (bounds.edition, bounds.set) == (self.edition, self.set)
            if here and (bounds.player, bounds.metric) == (player, metric):
                return bounds.low, bounds.high
        return None

    def metrics(self, player: str) -> list[str]:
        """Return the metrics to print for a player: the scale's, and those with a bound."""
        bounded = [b.metric for b in self._bounds_of(player)]
        return list(dict.fromkeys([self.separation.metric, *bounded]))

    def _bounds_of(self, player: str) -> Iterator[Bounds]:
        for bounds in self.separation.bounds:
            if (bounds.edition, bounds.set, bounds.player) == (self.edition, self.set, player):
                yield bounds


def audit_family(
    family: AnyFamily,
    *,
    set_name: str = "standard",
    limit: int | None = None,
    seed: int = 0,
    watch: Callable[[str], None] | None = None,
) -> Audit:
    """Play everybody on a certified set and hold what they earn against the card.

    Args:
        family: The family. One whose card has no separation gets the generic adversaries, the
            oracle and the floor, on its first headline metric.
        set_name: A named set of the certified edition.
        limit: Play only the first so many instances.
        seed: Where the players' own draws start.
        watch: Is told the name of each player before it plays.

    Raises:
        UnknownName: There is no such set.
    """
    share = audit_share(family, set_name=set_name, limit=limit, seed=seed, watch=watch)
    return combine_shares(family, [share])


def audit_share(
    family: AnyFamily,
    *,
    set_name: str = "standard",
    limit: int | None = None,
    seed: int = 0,
    shard: Shard = WHOLE,
    watch: Callable[[str], None] | None = None,
) -> AuditShare:
    """Play everybody on a share of a certified set.

    Args:
        family: The family.
        set_name: A named set of the certified edition.
        limit: Play only the first so many instances, of which this is a share.
        seed: Where the players' own draws start.
        shard: Which instances are played, and which probes are trained.
        watch: Is told the name of each player before it plays.

    Raises:
        UnknownName: There is no such set.
    """
    instances = generate_set(family, "certified", set_name, limit=limit)
    audited = _open_audited_set(family, set_name, list(shard.deal(instances)))
    players: list[PlayedShare] = []
    skipped: list[str] = []
    for name, role, player in _cast(audited):
        if watch is not None:
            watch(name)
        try:
            numbers = tuple(_play(audited, name, player, seed))
            players.append(PlayedShare(player=name, role=role, numbers=numbers))
        except MissingExtra as missing:
            skipped.append(f"{name}: {missing}")
    return AuditShare(
        family=family.name,
        version=family.card.version,
        set=set_name,
        limit=limit,
        seed=seed,
        number=shard.number,
        count=shard.count,
        players=tuple(players),
        probes=dict(_train_probes(audited, shard, watch)),
        skipped=tuple(skipped),
    )


def combine_shares(family: AnyFamily, shares: Sequence[AuditShare]) -> Audit:
    """Put the shares of an audit together.

    Raises:
        UsageError: They are not the shares of one audit, or some are missing.
    """
    first = shares[0]
    common = ("family", "version", "set", "limit", "seed", "count")
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
    instances = generate_set(family, "certified", first.set, limit=first.limit)
    audited = _open_audited_set(family, first.set, instances)
    rows: list[AuditRow] = []
    skipped = tuple(dict.fromkeys(reason for share in shares for reason in share.skipped))
    for played in first.players:
        numbers: list[Mapping[str, float]] = [{}] * len(instances)
        for number, share in by_number.items():
            mine = next((one for one in share.players if one.player == played.player), None)
            if mine is None:
                break
            numbers[number - 1 :: first.count] = mine.numbers
        else:
            rows += _summarize(audited, played.player, played.role, numbers)
    probes = {name: row for share in shares for name, row in share.probes.items()}
    rows += [probes[name] for name in family.proofs.probes if name in probes]
    return Audit(
        family=family.name,
        edition="certified",
        set=first.set,
        rows=tuple(rows),
        skipped=skipped,
    )


def _open_audited_set(
    family: AnyFamily, set_name: str, instances: Sequence[AnyInstance]
) -> _AuditedSet:
    return _AuditedSet(
        family=family,
        edition="certified",
        set=set_name,
        instances=instances,
        rules=family.rules_for("certified"),
        separation=family.card.separation or _default_separation(family),
    )


def _default_separation(family: AnyFamily) -> Separation:
    return Separation(
        metric=family.card.headline["certified"],
        blind="random",
        passive="silent",
        shortcuts=(),
        causal="",
    )


def _cast(audited: _AuditedSet) -> Iterator[tuple[str, Role, Player[Any, Any]]]:
    separation, players = audited.separation, audited.family.players
    named: dict[str, Role] = {"silent": "floor", "random": "floor", separation.blind: "floor"}
    named[separation.passive] = "passive"
    named |= dict.fromkeys(separation.shortcuts, "shortcut")
    named |= dict.fromkeys(separation.also_causal, "causal")
    named |= {separation.causal: "causal"} if separation.causal else {}
    named["oracle"] = "oracle"
    for name, role in named.items():
        yield name, role, players[name]
    memories = remember_oracle(
        audited.family, _fresh_instances(audited, _MEMORIES, TRAINING_SEED), audited.rules
    )
    for name, player in build_adversaries(audited.family, memories).items():
        yield name, "shortcut", player


def _fresh_instances(
    audited: _AuditedSet, count: int, seed: int, asked: frozenset[str] = frozenset()
) -> list[AnyInstance]:
    """Return instances of the set's levels, or of those asked about, that are in no set."""
    levels = list(dict.fromkeys(p.level for p in _parts(audited)))
    levels = [level for level in levels if level in asked or not asked]
    each = math.ceil(count / max(1, len(levels)))
    return [
        audited.family.generate(audited.family.level(level), seed, index)
        for level in levels
        for index in range(each)
    ]


def _parts(audited: _AuditedSet) -> Sequence[Any]:
    return find_set(audited.family, audited.edition, audited.set).parts


def _play(
    audited: _AuditedSet, name: str, player: Player[Any, Any], seed: int
) -> Iterator[dict[str, float]]:
    metrics = audited.metrics(name)
    for instance in audited.instances:
        numbers = _score_one(audited, name, player, instance, seed)
        yield {metric: numbers.get(metric, math.nan) for metric in metrics}


def _summarize(
    audited: _AuditedSet, name: str, role: Role, numbers: Sequence[Mapping[str, float]]
) -> Iterator[AuditRow]:
    clusters = [str(one.facets.get("mechanism", one.id)) for one in audited.instances]
    for metric in audited.metrics(name):
        values = [mine[metric] for mine in numbers]
        share = audited.family.metrics[metric].share
        interval = summarize(values, share=share, clusters=clusters)
        yield _row(name, role, metric, interval, audited.find_bound(name, metric))


def _score_one(
    audited: _AuditedSet, name: str, player: Player[Any, Any], instance: AnyInstance, seed: int
) -> dict[str, float]:
    episode = Episode(audited.family, instance, audited.rules)
    if name in audited.family.players:
        moves = start_player(episode, name, seed=seed)
    else:
        rng = stream(seed, "player", audited.family.name, name, instance.id)
        moves = player.start(instance, audited.rules, rng)
    episode.follow(moves)
    return episode.score().numbers


def _train_probes(
    audited: _AuditedSet, shard: Shard, watch: Callable[[str], None] | None
) -> Iterator[tuple[str, AuditRow]]:
    drawn: dict[frozenset[str], tuple[list[AnyInstance], list[AnyInstance]]] = {}
    for name, probe in shard.deal(audited.family.proofs.probes.items()):
        if probe.levels not in drawn:
            drawn[probe.levels] = (
                _fresh_instances(audited, _PROBE_TRAINING, TRAINING_SEED, probe.levels),
                _fresh_instances(audited, _PROBE_TESTING, TESTING_SEED, probe.levels),
            )
        training, testing = drawn[probe.levels]
        if not training:
            continue
        if watch is not None:
            watch(name)
        interval = measure_probe(probe, training, testing)
        bound = (0.0, probe.chance + probe.allowance + (interval.high - interval.value))
        yield name, _row(name, "shortcut", probe.metric, interval, bound)


def _row(
    name: str, role: Role, metric: str, interval: Interval, bound: tuple[float, float] | None
) -> AuditRow:
    return AuditRow(
        player=name,
        role=role,
        metric=metric,
        value=interval.value,
        low=interval.low,
        high=interval.high,
        n=interval.n,
        bound=bound,
    )
