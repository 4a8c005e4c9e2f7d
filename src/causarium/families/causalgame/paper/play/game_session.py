"""Paper edition: one session, with the drones, deployments and questions that are used up.

Rules of conduct (turns, reasoning, phases) are the world's business; here only what is possible
and what happens. The luck of the n-th deployment follows from the session's seed and n alone, and
the fleet's from the seed alone, so two agents who do the same see the same.

The archive compares a question, word by word, with the name and the description of each variable
that it keeps; words that many share count little, and few variables are found at a time. A model in
the role `interpreter` may restate the question first; it sees nothing of the game.
"""

import math
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import fmean

from causarium.contract.texts.replies import excerpt
from causarium.seeds import stream
from ..generation import (
    OPENING,
    SESSION,
    Kept,
    Sensed,
    is_recorded,
    keep_flights,
    list_measured,
    sense,
)
from ..model.actions import (
    MOST_QUESTION_CHARS,
    Deploy,
    Impossible,
    Query,
    Submit,
)
from ..model.game import Design, Game, Slot, Variable
from ..model.instance import (
    RETURNED,
    Flight,
    FlightReading,
    GameInstance,
)
from ..model.paper_games import LISTED
from ..model.rules import GameRules

MOST_FOUND = 2
_ENOUGH = 1.0
"""The score at which a variable counts as asked for: one word of its name, or several others."""
_NAME_WEIGHT = 1.0
_ABOUT_WEIGHT = 0.5
_LETTERS = frozenset(string.ascii_lowercase + string.digits)
_ENDINGS = ("ations", "ation", "ings", "ing", "ness", "ies", "es", "ed", "al", "ic", "s", "y")
_LEAST_STEM = 3
_ARCHIVE = LISTED["archive"]
_EMPTY = frozenset[str](_ARCHIVE["empty"])
"""Words that say nothing about what is asked for."""


def interpret(question: str, variables: Sequence[Variable]) -> tuple[str, ...]:
    """Return the names of the variables that a question asks for, the closest first.

    Example:
        >>> emi = Variable(key="emi", name="emi_level", role="environment", about="Interference.")
        >>> interpret("Was there any electromagnetic interference?", [emi])
        ('emi_level',)
        >>> interpret("List all hidden variables.", [emi])
        ()
    """
    asked = _stems(question)
    names = {v.name: _stems(v.name) for v in variables}
    abouts = {v.name: _stems(v.about) - names[v.name] for v in variables}
    scores = {v.name: 0.0 for v in variables}
    for described, weight in ((names, _NAME_WEIGHT), (abouts, _ABOUT_WEIGHT)):
        shared = Counter(stem for stems in described.values() for stem in stems)
        for name, stems in described.items():
            # What no more share than may be found at a time asks for all of them.
            many = {stem: max(1, shared[stem] - MOST_FOUND + 1) for stem in asked & stems}
            scores[name] += sum(weight / math.sqrt(count) for count in many.values())
    best = sorted(scores, key=lambda name: (-scores[name], name))
    return tuple(name for name in best if scores[name] >= _ENOUGH)[:MOST_FOUND]


def _stems(text: str) -> set[str]:
    spaced = "".join(letter if letter in _LETTERS else " " for letter in text.lower())
    words = [word for word in spaced.split() if word not in _EMPTY]
    stems: set[str] = set()
    for stem in map(_stem, words):
        stems |= {min(group) for group in _GROUPS if stem in group} or {stem}
    return stems


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            return word.removesuffix(ending)
    return word


_GROUPS = tuple(frozenset(_stem(word) for word in group) for group in _ARCHIVE["same"])
"""Groups of words that ask for the same."""


SUFFIX = "_def"
"""What the published keys of a design end in."""
MOST_ARMOUR = 10**6
"""Where nothing else bounds armour, this does, so that every sum stays a number."""
_ON = {"true": "on", "false": "off"}


def blueprint(game: Game, design: Mapping[str, int], equipment: Mapping[str, str | bool]) -> Design:
    """Return the design that flies.

    Raises:
        Impossible: It names what does not exist, or is not allowed; nothing is charged for it.
    """
    slots = {slot.name: slot for slot in game.slots}
    chosen = {
        name: option_named(slots[name], choice)
        for name, choice in equipment.items()
        if name in slots
    }
    # Published: ranges, totals and the names of equipment are advice.
    fitted = {name: option for name, option in chosen.items() if option is not None}
    return Design(armour=_armour(game, design), equipment=fitted)


def _armour(game: Game, design: Mapping[str, int]) -> dict[str, int]:
    known = game.default
    armour: dict[str, int] = {}
    for key, points in design.items():
        name = key if key in known else key.removesuffix(SUFFIX)
        if name not in known:
            keys = ", ".join(f"{part}{SUFFIX}" for part in known)
            raise Impossible(f"there is no component {excerpt(key)!r}; the keys are {keys}")
        if name in armour:
            raise Impossible(f"the design names {name} twice")
        if points < 0:
            raise Impossible(f"{name}{SUFFIX} is {points}; armour cannot be negative")
        if points > MOST_ARMOUR:
            raise Impossible(f"{name}{SUFFIX} is beyond {MOST_ARMOUR:,} points")
        armour[name] = points
    return armour


def option_named(slot: Slot, choice: str | bool) -> str | None:  # noqa: FBT001
    """Return the option of a slot that was chosen, by its name or as true or false."""
    said = str(choice)
    names = {option.name for option in slot.options}
    if said in names:
        return said
    switched = _ON.get(said.lower())
    return switched if switched in names else None


_KEPT = 512
"""So many deployments are kept: scorer, verifier and views replay the same log."""


@lru_cache(maxsize=_KEPT)  # 2.6 ms each: a seventh of playing and scoring otherwise
def fly_deployment(
    game: Game, session_seed: int, number: int, design: Design, count: int
) -> tuple[Sensed, ...]:
    """Return the flights of a session's deployment, which is its `number`-th, from 0."""
    from ..mechanics import fly

    rng = stream(session_seed, "causalgame", "deployment", number)
    return tuple(sense(game, fly(game, design, count, rng, 1), rng))


def fleet_survivors(game: Game, session_seed: int, design: Design) -> int:
    """Return how many drones of a session's fleet survive."""
    from ..mechanics import fly

    rng = stream(session_seed, "causalgame", "fleet")
    return int(fly(game, design, game.budget.fleet, rng, 2)["survived"].sum())


NARROW = ("wind_speed", "humidity", "temperature", "uv_index")
"""What the published rows of a deployment show, whatever else is measured."""

FORBIDDEN = (
    *("optimal", "answer", "damage formula", "how to survive", "ignore previous", "act as"),
    *("system prompt", "key variables", "list all"),
)
"""Published: a question with one of these is charged and not looked up."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What an agent reads of one deployment."""

    number: int
    design: Design
    deployed: int
    survived: int
    """As it is counted; instruments may err."""
    mean_hits: float
    rows: tuple[Flight, ...]
    """The flights that are shown."""
    last: Mapping[str, FlightReading]
    """What was measured on the last flight, whether it is shown or not; empty unless the published
    rule `last_environment` is on."""


@dataclass(frozen=True, slots=True)
class Result:
    """How the fleet fared."""

    design: Design
    fleet: int
    survived: int
    won: bool

    @property
    def rate(self) -> float:
        """The share of the fleet that survived."""
        return self.survived / self.fleet


class Session:
    """One session of a game."""

    def __init__(self, instance: GameInstance, rules: GameRules) -> None:
        self.game = instance.secret.game
        self.budget = self.game.budget
        self.rules = rules
        self._seed = instance.secret.session_seed
        self.archive = tuple(v for v in list_measured(self.game) if v.sight == "discoverable")
        """What questions can find."""
        self.opening = _opening(instance, rules)
        self.flown: list[Kept] = []
        """The flights of this session that are on record."""
        self.batches: list[Batch] = []
        self.drones_used = 0
        self.flights = self.game.past.rows
        """How many flights there were, on record or not."""
        self.queries_used = 0
        self.discovered: list[Variable] = []
        self.result: Result | None = None

    @property
    def drones_left(self) -> int:
        """How many drones can still be sent on test flights."""
        return self.budget.drones - self.drones_used

    @property
    def deployments_left(self) -> int:
        """How many deployments can still be made."""
        return self.budget.deployments - len(self.batches)

    @property
    def queries_left(self) -> int:
        """How many questions can still be asked."""
        return self.budget.queries - self.queries_used

    @property
    def counted(self) -> int:
        """How many flights the status counts."""
        if self.rules.numbered_before_filtering:
            return self.flights
        return len(self.opening) + len(self.flown)

    def deploy(self, move: Deploy) -> Batch:
        """Send drones on test flights.

        Raises:
            Impossible: The design or the number of drones is not allowed; nothing is charged.
        """
        if not 1 <= move.count <= self.budget.per_deployment:
            raise Impossible(
                f"{move.count} drones; send 1 to {self.budget.per_deployment} at a time"
            )
        if self.deployments_left <= 0:
            raise Impossible(f"all {self.budget.deployments} deployments have been made")
        if move.count > self.drones_left:
            raise Impossible(f"{move.count} drones, but only {self.drones_left} are left")
        design = blueprint(self.game, move.design, move.equipment)
        sensed = fly_deployment(self.game, self._seed, len(self.batches), design, move.count)
        self.drones_used += move.count
        self.batches.append(self._batch(design, sensed))
        self.flights += move.count
        return self.batches[-1]

    def _batch(self, design: Design, sensed: Sequence[Sensed]) -> Batch:
        # Published: only the rows of a deployment are noisy.
        counts = [one.exact for one in sensed]
        return Batch(
            number=len(self.batches) + 1,
            design=design,
            deployed=len(sensed),
            survived=sum(sight.status == RETURNED for sight in counts),
            mean_hits=round(fmean(sight.hit_count for sight in counts), 2),
            rows=tuple(self._record_flights(design, sensed)),
            last=self._read_last_environment(sensed[-1]),
        )

    def _record_flights(self, design: Design, sensed: Sequence[Sensed]) -> list[Flight]:
        """Put flights on record, and return what a deployment shows of them."""
        kept: list[tuple[Sensed, str]] = []
        for offset, one in enumerate(sensed, 1):
            if is_recorded(self.game, one.exact):
                number = len(self.flown) + len(kept) + 1
                if self.rules.numbered_before_filtering:
                    number = self.drones_used + offset
                kept.append((one, f"{SESSION}-{number:03d}"))
        self.flown += keep_flights(self.game, design, [(one.exact, id_) for one, id_ in kept])
        rows = keep_flights(self.game, design, [(one.read, id_) for one, id_ in kept])
        return [self._narrow_row(self._with_found(row.flight, row.hidden)) for row in rows]

    def _read_last_environment(self, one: Sensed) -> dict[str, FlightReading]:
        if not self.rules.last_environment:
            return {}
        visible = (v.name for v in list_measured(self.game) if v.sight == "visible")
        return {name: one.exact.readings[name] for name in visible}

    def _with_found(self, flight: Flight, hidden: Mapping[str, FlightReading]) -> Flight:
        """Add to a record what has been found in the archive so far."""
        if self.rules.names_only or not self.discovered:
            return flight
        found = {variable.name: hidden[variable.name] for variable in self.discovered}
        return flight.model_copy(update={"environment": {**flight.environment, **found}})

    def _narrow_row(self, flight: Flight) -> Flight:
        if not self.rules.narrow_rows:
            return flight
        kept = {name: value for name, value in flight.environment.items() if name in NARROW}
        return flight.model_copy(update={"environment": kept})

    def records(self, of: str = "all") -> list[Flight]:
        """Return the flights on record, with what has been found in the archive so far."""
        opening = self.opening if of in {"all", "opening"} else []
        flown = self.flown if of in {"all", "session"} else []
        return [self._with_found(kept.flight, kept.hidden) for kept in (*opening, *flown)]

    def ask(self, move: Query) -> tuple[Variable, ...]:
        """Look up in the archive what a question asks for; finding it makes it known.

        Raises:
            Impossible: The question cannot be taken; nothing is charged.
        """
        if not self.archive:
            raise Impossible("there is no archive in this mission")
        if self.queries_left <= 0:
            raise Impossible(f"all {self.budget.queries} questions have been asked")
        if (reason := self._find_misfit(move.question)) and not self.rules.costly_refusals:
            raise Impossible(reason)
        self.queries_used += 1
        if reason:
            return ()
        asked = " ".join((move.question, *(move.reading or ())))
        names = interpret(asked[: 2 * MOST_QUESTION_CHARS], self.archive)
        found = tuple(self.game.variable(name) for name in names)
        self.discovered += [v for v in found if v not in self.discovered]
        return found

    def _find_misfit(self, question: str) -> str | None:
        """Say why a question is not looked up, or return None."""
        if not question.strip() or len(question) > MOST_QUESTION_CHARS:
            return (
                f"a question has 1 to {MOST_QUESTION_CHARS} characters, not {len(question):,}: "
                f"{excerpt(question)!r}"
            )
        if self.rules.costly_refusals and any(word in question.lower() for word in FORBIDDEN):
            return "the archive does not answer that"
        return None

    def submit(self, move: Submit) -> Result:
        """Send the whole fleet, once.

        Raises:
            Impossible: The design is not allowed; the submission is not used up.
        """
        design = blueprint(self.game, move.design, move.equipment)
        fleet = self.budget.fleet
        survived = fleet_survivors(self.game, self._seed, design)
        won = survived >= self.game.threshold * fleet
        self.result = Result(design, fleet, survived, won)
        return self.result


def _opening(instance: GameInstance, rules: GameRules) -> list[Kept]:
    public, secret = instance.public, instance.secret
    kept = []
    for flight, found, row in zip(public.history, secret.found, secret.rows, strict=True):
        renamed = {"id": f"{OPENING}-{row:03d}"} if rules.numbered_before_filtering else {}
        kept.append(Kept(flight.model_copy(update=renamed), found))
    return kept
