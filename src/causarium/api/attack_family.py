"""An attack of one's own on a family: how far a function comes, beside whom, and what it breaks.

The function is handed a session that shows what an agent sees and takes what an agent may send. It
may import anything, our source and generators included; what it is not handed is the secret.
"""

import math
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from causarium import families
from causarium.api.attack_session import AttackFunction, open_session
from causarium.contract.checks.generic_attacks import score_player
from causarium.contract.episode import Episode
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.family_card import Theorem
from causarium.contract.frozen import Frozen
from causarium.contract.player import Player
from causarium.contract.row import find_cluster
from causarium.contract.sets.instance_sets import find_set
from causarium.errors import MissingExtra, UnknownName, UsageError
from causarium.players.audit_family import cast_programs, draw_fresh, find_limit
from causarium.players.programs import Played, Program, describe_program, sort_programs
from causarium.scoring.intervals import Interval, summarize
from causarium.seeds import stream

FRESH_SEEDS = (2**50, 2**60 + 2**50)
"""Where fresh seeds start: in the space of named sets, and in that of training, so that a family
that keeps documents apart for training is attacked on both. No set and no player draws there."""
YOURS = "your attack"


class AttackResult(Frozen):
    """How far an attack came, which row of the table of programs it is, and what it breaks."""

    family: str
    version: str
    set: str
    level: str | None
    """The one level that was drawn; None: those of the set."""
    headline: str
    seed: int
    n: int
    by_level: dict[str, Interval]
    programs: tuple[Program, ...]
    """The programs that are quick and the attack, on the same instances, the strongest first."""
    row: int
    """The attack's place among them, from 1."""
    theorem: str
    """The theorem that the attack says it falls under; empty: it names none."""
    bound: float | None
    """What members may earn in expectation, on the instances that the theorem speaks of."""
    under_bound: Interval | None
    """What the attack earned on just those."""
    broken_levels: tuple[str, ...]
    """The levels on which the whole interval of the attack lies above the bound."""

    @property
    def broken(self) -> bool:
        """Whether the theorem breaks on some level."""
        return bool(self.broken_levels)

    @property
    def yours(self) -> Program:
        """The attack's own row."""
        return self.programs[self.row - 1]


@dataclass(frozen=True)
class _Attacked:
    """Fresh instances that everybody plays."""

    family: AnyFamily
    drawn: Sequence[tuple[str, AnyInstance]]
    """Each with the name of its level."""
    seed: int

    @property
    def instances(self) -> list[AnyInstance]:
        return [instance for _, instance in self.drawn]

    def play_attack(self, function: AttackFunction) -> list[float]:
        """Return what the attack earns on each instance."""
        # In an order of chance: a function that counts its cases learns nothing from their places.
        order = stream(self.seed, "attack", "order").sample(range(len(self.drawn)), len(self.drawn))
        earned = {place: self._play_once(function, self.drawn[place][1]) for place in order}
        return [earned[place] for place in range(len(self.drawn))]

    def _play_once(self, function: AttackFunction, instance: AnyInstance) -> float:
        family = self.family
        episode = Episode(family, instance, family.rules_for("certified"))
        function(open_session(episode, stream(self.seed, "attack", instance.id).getrandbits(64)))
        return episode.score().numbers[family.card.headline["certified"]]

    def play_program(self, name: str, player: Player) -> Played | None:
        """Return what a program earns; None if it needs a package that is not installed."""
        family = self.family
        rules, headline = family.rules_for("certified"), family.card.headline["certified"]
        try:
            scores = [
                score_player(family, one, rules, name, player)[headline] for one in self.instances
            ]
        except MissingExtra:
            return None
        return Played.of(name, player, scores)

    def measure(self, scores: Sequence[float], places: Sequence[int]) -> Interval:
        """Return the mean of the scores at some places, with its interval."""
        share = self.family.metrics[self.family.card.headline["certified"]].share
        clusters = [find_cluster(self.drawn[place][1]) for place in places]
        return summarize([scores[place] for place in places], share=share, clusters=clusters)

    def list_places(self) -> dict[str, list[int]]:
        """Return where the instances of each level are."""
        places: dict[str, list[int]] = {}
        for place, (level, _) in enumerate(self.drawn):
            places.setdefault(level, []).append(place)
        return places


def attack_family(  # noqa: PLR0913
    family: str,
    function: AttackFunction,
    *,
    set_name: str = "standard",
    level: str | None = None,
    count: int = 200,
    seed: int | None = None,
    theorem: str = "",
    lines: int = 0,
) -> AttackResult:
    """Let a function play fresh instances, beside the programs of the audit.

    Args:
        family: The family's name.
        function: Takes a session and plays it to its end, or stops when it has enough.
        set_name: The certified set that says which levels are drawn.
        level: A certified level that is drawn alone, in place of those of the set.
        count: How many instances.
        seed: Where fresh instances start. None: it is drawn now, so that no function can know it
            and draw the instances for itself; the result says it, to play the same again.
        theorem: The theorem that the function says it falls under.
        lines: The size of its code.

    Raises:
        UnknownName: There is no such family, set, level or theorem.
        UsageError: The level is of the paper edition.
    """
    attacked = families.get(family, "certified")
    card = attacked.card
    known = {one.name: one for one in card.theorems}
    if theorem and theorem not in known:
        raise UnknownName(f"{family} theorem", theorem, known, plural="theorems")
    levels = _list_levels(attacked, set_name, level)
    seed = secrets.randbits(32) if seed is None else seed
    each = math.ceil(count / len(FRESH_SEEDS))
    drawn = [one for at in FRESH_SEEDS for one in draw_fresh(attacked, levels, each, at + seed)]
    fresh = _Attacked(attacked, drawn, seed)
    scores = fresh.play_attack(function)
    yours = Played(
        name=YOURS,
        about="The file that was given.",
        sees="prompt and observations",
        lines=lines,
        scores=tuple(scores),
    )
    quick = {name: one for name, one in cast_programs(attacked, levels).items() if not one.slow}
    played = [yours, *filter(None, (fresh.play_program(*each) for each in quick.items()))]
    programs = sort_programs(describe_program(attacked, fresh.instances, one) for one in played)
    held = _judge(fresh, scores, known[theorem]) if theorem else _Judged(None, None, ())
    return AttackResult(
        family=family,
        version=card.version,
        set=set_name,
        level=level,
        headline=card.headline["certified"],
        seed=seed,
        n=len(drawn),
        by_level={name: fresh.measure(scores, at) for name, at in fresh.list_places().items()},
        programs=programs,
        row=1 + [one.name for one in programs].index(YOURS),
        theorem=theorem,
        bound=held.bound,
        under_bound=held.earned,
        broken_levels=held.broken_levels,
    )


def _list_levels(family: AnyFamily, set_name: str, level: str | None) -> set[str]:
    """Return the levels that are drawn.

    Raises:
        UsageError: The level that is asked for is of the paper edition.
    """
    if level is None:
        return {part.level for part in find_set(family, "certified", set_name).parts}
    if family.level(level).edition != "certified":
        raise UsageError(f"{level} is of the paper edition, which claims no bounds")
    return {level}


@dataclass(frozen=True)
class _Judged:
    """A theorem held against what an attack earned."""

    bound: float | None
    earned: Interval | None
    broken_levels: tuple[str, ...]


def _judge(fresh: _Attacked, scores: Sequence[float], theorem: Theorem) -> _Judged:
    certify = fresh.family.proofs.certify
    limits = [
        find_limit(theorem, level, certify(one).bounds if theorem.kind == "exact" else {})
        for level, one in fresh.drawn
    ]
    bounded = [place for place, limit in enumerate(limits) if not math.isnan(limit)]
    if not bounded:
        return _Judged(None, None, ())
    return _Judged(
        bound=fmean(limits[place] for place in bounded),
        earned=fresh.measure(scores, bounded),
        broken_levels=tuple(_find_broken(fresh, scores, limits)),
    )


def _find_broken(
    fresh: _Attacked, scores: Sequence[float], limits: Sequence[float]
) -> Iterator[str]:
    """Yield the levels on which the whole interval lies above the mean of the limits there."""
    for level, all_places in fresh.list_places().items():
        places = [place for place in all_places if not math.isnan(limits[place])]
        if places and fresh.measure(scores, places).low > fmean(limits[at] for at in places):
            yield level
