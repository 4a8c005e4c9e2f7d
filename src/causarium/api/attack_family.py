"""An attack of one's own on a family: what a function earns on fresh instances, and what it breaks.

The function is handed a session that shows what an agent sees and takes what an agent may send. It
may import anything, our source and generators included; what it is not handed is the secret.
"""

import math
import runpy
import secrets
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, TypeAlias

from causarium import families
from causarium.api.moves import MoveLike, opening_text, read_move
from causarium.contract.episode import Episode, play
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.family_card import PlayerClass
from causarium.contract.frozen import Frozen
from causarium.contract.row import find_cluster
from causarium.contract.sets.instance_sets import find_set
from causarium.contract.world import Action, Observation
from causarium.errors import BadFile, UnknownName, UsageError
from causarium.players.audit_family import draw_fresh
from causarium.scoring.intervals import Interval, summarize
from causarium.seeds import stream

FRESH_SEEDS = (2**50, 2**60 + 2**50)
"""Where fresh seeds start: in the space of named sets, and in that of training, so that a family
that keeps documents apart for training is attacked on both. No set and no player draws there."""


class AttackSession:
    """One instance as an agent meets it."""

    def __init__(self, episode: Episode, rng: Random) -> None:
        family, rules = episode.family, episode.rules
        self.rules = rules
        self.rng = rng
        """Where an attack takes its random numbers from, so that it can be played again."""
        self.public: Any = episode.instance.public
        """What an agent may see before it acts, as data."""
        self.opening = opening_text(family.prompt(self.public, rules))
        self.latest = Observation(self.opening)
        """What the world answered last: its text, and the same as data."""
        # Closed over rather than kept, so that nobody reads the secret by mistake. It is in the
        # same process all the same: whoever walks closures or memory finds it, and cheats.
        self._act: Callable[[MoveLike], Observation] = lambda move: episode.step(
            episode.parse_reply(move) if isinstance(move, str) else read_move(family, move, {})
        )
        self._allowed: Callable[[], tuple[type[Action], ...]] = lambda: (
            episode.world.allowed_actions
        )

    @property
    def actions(self) -> tuple[type[Action], ...]:
        """The kinds of action that are allowed now; empty after the end."""
        return self._allowed()

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return not self._allowed()

    def step(self, move: MoveLike) -> Observation:
        """Send a reply as text, an action, or an action's fields with its `kind`."""
        self.latest = self._act(move)
        return self.latest


AttackFunction: TypeAlias = Callable[[AttackSession], None]


class AttackResult(Frozen):
    """What an attack earned, beside whom, and whether it breaks a bound."""

    family: str
    version: str
    set: str
    level: str | None
    """The one level that was drawn; None: those of the set."""
    headline: str
    seed: int
    n: int
    value: float
    low: float
    high: float
    by_level: dict[str, float]
    beside: dict[str, Interval]
    """The reference and the strongest member of each class, on the same instances."""
    class_name: str
    """The class that the attack says it belongs to; empty: it claims none."""
    bound: float | None
    """What its members may earn in expectation, on the instances that the class has a bound on."""
    under_bound: Interval | None
    """What the attack earned on just those."""
    broken: bool
    """Whether a bound breaks on some level."""
    broken_levels: tuple[str, ...]
    """The levels on which the whole interval of the attack lies above the bound of its class."""


def load_attack(path: Path) -> tuple[AttackFunction, str]:
    """Return the function `attack` of a file, and the class it says it belongs to (`CLASS`).

    Raises:
        BadFile: There is no such file, it cannot be run, or it defines no such function.
    """
    try:
        names = runpy.run_path(str(path))
    except FileNotFoundError as wrong:
        raise BadFile(f"there is no file {path}") from wrong
    except Exception as wrong:  # the user's code may fail in any way
        raise BadFile(f"{path} cannot be run: {type(wrong).__name__}: {wrong}") from wrong
    if not callable(names.get("attack")):
        raise BadFile(f"{path} defines no function attack(session)")
    return names["attack"], str(names.get("CLASS", ""))


def attack_family(
    family: str,
    function: AttackFunction,
    *,
    set_name: str = "standard",
    level: str | None = None,
    count: int = 200,
    seed: int | None = None,
    class_name: str = "",
) -> AttackResult:
    """Let a function play fresh instances, and compare what it earns with the card's bounds.

    Args:
        family: The family's name.
        function: Takes a session and plays it to its end, or stops when it has enough.
        set_name: The certified set that says which levels are drawn.
        level: A certified level that is drawn alone, in place of those of the set.
        count: How many instances.
        seed: Where fresh instances start. None: it is drawn now, so that no function can know it
            and draw the instances for itself; the result says it, to play the same again.
        class_name: The class that the function says it belongs to.

    Raises:
        UnknownName: There is no such family, set, level or class.
        UsageError: The level is of the paper edition.
    """
    attacked = families.get(family, "certified")
    card, rules = attacked.card, attacked.rules_for("certified")
    known = {one.name: one for one in card.classes}
    if class_name and class_name not in known:
        raise UnknownName(f"{family} class", class_name, known, plural="classes")
    levels = {part.level for part in find_set(attacked, "certified", set_name).parts}
    if level is not None:
        if attacked.level(level).edition != "certified":
            raise UsageError(f"{level} is of the paper edition, which claims no bounds")
        levels = {level}
    seed = secrets.randbits(32) if seed is None else seed
    drawn = [
        one
        for start in FRESH_SEEDS
        for one in draw_fresh(attacked, levels, math.ceil(count / len(FRESH_SEEDS)), start + seed)
    ]
    headline = card.headline["certified"]

    def play_attack(instance: AnyInstance) -> float:
        episode = Episode(attacked, instance, rules)
        function(AttackSession(episode, stream(seed, "attack", instance.id)))
        return episode.score().numbers[headline]

    def play_player(name: str, instance: AnyInstance) -> float:
        return play(attacked, instance, rules, name).score().numbers[headline]

    # In an order of chance: a function that counts its cases learns nothing from their places.
    order = stream(seed, "attack", "order").sample(range(len(drawn)), len(drawn))
    earned_at = {place: play_attack(drawn[place][1]) for place in order}
    scores = [earned_at[place] for place in range(len(drawn))]
    named = dict.fromkeys([card.reference, *(m for one in card.classes for m in one.members[:1])])
    beside = {
        name: [play_player(name, instance) for _, instance in drawn]
        for name in named
        if name in attacked.players
    }
    earned = _summarize(attacked, drawn, scores)
    limits = _find_limits(attacked, known.get(class_name), drawn)
    bounded = [place for place, limit in enumerate(limits) if not math.isnan(limit)]
    bound = fmean(limits[place] for place in bounded) if bounded else None
    broken = tuple(_find_broken(attacked, drawn, scores, limits))
    there = _summarize(attacked, [drawn[at] for at in bounded], [scores[at] for at in bounded])
    return AttackResult(
        family=family,
        version=card.version,
        set=set_name,
        level=level,
        headline=headline,
        seed=seed,
        n=len(drawn),
        value=earned.value,
        low=earned.low,
        high=earned.high,
        by_level={
            level: fmean(s for s, (mine, _) in zip(scores, drawn, strict=True) if mine == level)
            for level in dict.fromkeys(level for level, _ in drawn)
        },
        beside={name: _summarize(attacked, drawn, mine) for name, mine in beside.items()},
        class_name=class_name,
        bound=bound,
        under_bound=None if bound is None else there,
        broken=bool(broken),
        broken_levels=broken,
    )


def _find_broken(
    family: AnyFamily,
    drawn: Sequence[tuple[str, AnyInstance]],
    scores: Sequence[float],
    limits: Sequence[float],
) -> Iterator[str]:
    """Yield the levels on which the whole interval lies above the mean of the limits there."""
    for level in dict.fromkeys(level for level, _ in drawn):
        places = [
            place
            for place, (mine, _) in enumerate(drawn)
            if mine == level and not math.isnan(limits[place])
        ]
        if places:
            earned = _summarize(family, [drawn[at] for at in places], [scores[at] for at in places])
            if earned.low > fmean(limits[at] for at in places):
                yield level


def _summarize(
    family: AnyFamily, drawn: Sequence[tuple[str, AnyInstance]], scores: Sequence[float]
) -> Interval:
    share = family.metrics[family.card.headline["certified"]].share
    return summarize(scores, share=share, clusters=[find_cluster(one) for _, one in drawn])


def _find_limits(
    family: AnyFamily, one: PlayerClass | None, drawn: Sequence[tuple[str, AnyInstance]]
) -> list[float]:
    """Return what a class may earn on each instance; nan where it says nothing of it."""
    if one is None:
        return [math.nan] * len(drawn)
    if one.kind == "exact":
        return [family.proofs.certify(i).bounds.get(one.name, math.nan) for _, i in drawn]
    return [one.bounds.get(level, math.nan) for level, _ in drawn]
