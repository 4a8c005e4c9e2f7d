"""The audit of a set: what is earned there without causal reasoning, and what with it.

It plays everybody that the card's separation names, the adversaries that fit every family, and
trains the family's probes on instances that nobody is tested on.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from causarium.contract.episode import Episode, start_player
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.family_card import Bounds, Separation
from causarium.contract.frozen import Frozen
from causarium.contract.player import Player
from causarium.contract.rules import Edition, Rules
from causarium.contract.sets.instance_sets import find_set, generate_set
from causarium.errors import MissingExtra
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


@dataclass(frozen=True, slots=True)
class _Stage:
    """What everybody in one audit plays on, and under which bounds."""

    family: AnyFamily
    edition: Edition
    set: str
    instances: Sequence[AnyInstance]
    rules: Rules
    separation: Separation

    def bound(self, player: str, metric: str) -> tuple[float, float] | None:
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
    separation = family.card.separation or _default_separation(family)
    stage = _Stage(
        family=family,
        edition="certified",
        set=set_name,
        instances=generate_set(family, "certified", set_name, limit=limit),
        rules=family.rules_for("certified"),
        separation=separation,
    )
    rows: list[AuditRow] = []
    skipped: list[str] = []
    for name, role, player in _cast(stage):
        if watch is not None:
            watch(name)
        try:
            rows += _play(stage, name, role, player, seed)
        except MissingExtra as missing:
            skipped.append(f"{name}: {missing}")
    rows += _train_probes(stage, watch)
    return Audit(
        family=family.name,
        edition="certified",
        set=set_name,
        rows=tuple(rows),
        skipped=tuple(skipped),
    )


def _default_separation(family: AnyFamily) -> Separation:
    return Separation(
        metric=family.card.headline[0], blind="random", passive="silent", shortcuts=(), causal=""
    )


def _cast(stage: _Stage) -> Iterator[tuple[str, Role, Player[Any, Any]]]:
    separation, players = stage.separation, stage.family.players
    named: dict[str, Role] = {"silent": "floor", "random": "floor", separation.blind: "floor"}
    named[separation.passive] = "passive"
    named |= dict.fromkeys(separation.shortcuts, "shortcut")
    named |= {separation.causal: "causal"} if separation.causal else {}
    named["oracle"] = "oracle"
    for name, role in named.items():
        yield name, role, players[name]
    memories = remember_oracle(
        stage.family, _fresh_instances(stage, _MEMORIES, TRAINING_SEED), stage.rules
    )
    for name, player in build_adversaries(stage.family, memories).items():
        yield name, "shortcut", player


def _fresh_instances(
    stage: _Stage, count: int, seed: int, asked: frozenset[str] = frozenset()
) -> list[AnyInstance]:
    """Return instances of the set's levels, or of those asked about, that are in no set."""
    levels = list(dict.fromkeys(p.level for p in _parts(stage)))
    levels = [level for level in levels if level in asked or not asked]
    each = math.ceil(count / max(1, len(levels)))
    return [
        stage.family.generate(stage.family.level(level), seed, index)
        for level in levels
        for index in range(each)
    ]


def _parts(stage: _Stage) -> Sequence[Any]:
    return find_set(stage.family, stage.edition, stage.set).parts


def _play(
    stage: _Stage, name: str, role: Role, player: Player[Any, Any], seed: int
) -> Iterator[AuditRow]:
    verdicts = [_score_one(stage, name, player, instance, seed) for instance in stage.instances]
    clusters = [str(one.facets.get("mechanism", one.id)) for one in stage.instances]
    for metric in stage.metrics(name):
        values = [numbers.get(metric, math.nan) for numbers in verdicts]
        share = stage.family.metrics[metric].share
        interval = summarize(values, share=share, clusters=clusters)
        yield _row(name, role, metric, interval, stage.bound(name, metric))


def _score_one(
    stage: _Stage, name: str, player: Player[Any, Any], instance: AnyInstance, seed: int
) -> dict[str, float]:
    episode = Episode(stage.family, instance, stage.rules)
    if name in stage.family.players:
        moves = start_player(episode, name, seed=seed)
    else:
        rng = stream(seed, "player", stage.family.name, name, instance.id)
        moves = player.start(instance, stage.rules, rng)
    episode.follow(moves)
    return episode.score().numbers


def _train_probes(stage: _Stage, watch: Callable[[str], None] | None) -> Iterator[AuditRow]:
    drawn: dict[frozenset[str], tuple[list[AnyInstance], list[AnyInstance]]] = {}
    for name, probe in stage.family.probes.items():
        if probe.levels not in drawn:
            drawn[probe.levels] = (
                _fresh_instances(stage, _PROBE_TRAINING, TRAINING_SEED, probe.levels),
                _fresh_instances(stage, _PROBE_TESTING, TESTING_SEED, probe.levels),
            )
        training, testing = drawn[probe.levels]
        if not training:
            continue
        if watch is not None:
            watch(name)
        interval = measure_probe(probe, training, testing)
        bound = (0.0, probe.chance + probe.allowance + (interval.high - interval.value))
        yield _row(name, "shortcut", probe.metric, interval, bound)


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
