"""Certified edition: how players plan an expedition, and the reference player `exact`.

A plan for one leg is a generator: it yields orders, is sent what became of each, and returns the
design that it chooses with how sure it is. The reference player plans by the told constants.

It knows no secret. On dials and rosters it weighs every hidden state by the law; on a line it first
bisects by who follows whom until it has the fleet's gauge, then sets that one.
"""

from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from math import exp, log
from random import Random
from typing import Any, cast

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.contract.world import Observation
from ...mechanics.expeditions import (
    FIT,
    find_best_design,
    find_lean,
    list_outcomes,
)
from ...model.expeditions import (
    LOG_PRICE,
    AnswerQuestions,
    Commit,
    Expedition,
    ExpeditionPublic,
    Fitted,
    Fly,
    HiddenLeg,
    Leg,
    LegKind,
    Order,
)
from ...play.expeditions.world import name_parts


@dataclass(frozen=True, slots=True)
class Sight:
    """Flights of one order that flew and showed alike."""

    lean: int
    shown: tuple[bool, ...]
    setting: int | None
    returned: int
    lost: int

    @property
    def count(self) -> int:
        """How many flights were seen."""
        return self.returned + self.lost


@dataclass(frozen=True, slots=True)
class Notes:
    """What became of one order."""

    sights: tuple[Sight, ...]
    ordered: dict[int, int]
    """Drones by lean."""
    standing: dict[int, int] | None
    """Drones in the hangar by lean; None: nobody looked."""
    logged: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """The design that a player chooses on a leg."""

    fitted: Fitted
    sure: float = 1.0
    """How sure the player is that no design is better."""
    reason: str = ""


LegPlan = Generator[Order, Notes, Choice]
Planner = Callable[[Leg, Random], LegPlan]


def take_legs(planners: Mapping[LegKind, Planner]) -> Callable[[Any, Rules, Random], Moves]:
    """Return how a player moves that has a plan for every kind of leg."""

    def make_moves(public: ExpeditionPublic, _rules: Rules, rng: Random) -> Moves:
        choices: dict[str, Choice] = {}
        for leg in public.legs:
            choices[leg.name] = yield from _take_leg(leg, planners[leg.kind](leg, rng))
        yield from commit_choices(public, choices)

    return make_moves


def _take_leg(leg: Leg, plan: LegPlan) -> Generator[Any, Observation, Choice]:
    try:
        order = next(plan)
        while True:
            seen = yield Fly(orders=[order], thought=_say_why(leg, order))
            order = plan.send(read_notes(leg, seen))
    except StopIteration as end:
        return cast("Choice", end.value)


def _say_why(leg: Leg, order: Order) -> str:
    if order.set:
        return f"See on leg {leg.name} whether setting {order.set} moves the air or only its sign."
    if order.log:
        return f"Count on leg {leg.name} who took off and who was lost, not only who returned."
    return f"See on leg {leg.name} how returns go with what the readings show."


def read_notes(leg: Leg, seen: Observation) -> Notes:
    """Return what a reply to one order says; nothing if it was refused."""
    orders = seen.data.get("orders")
    if not isinstance(orders, list) or not orders:
        return Notes((), {}, None, logged=False)
    return read_order(leg, orders[0])


def read_order(leg: Leg, told: Any) -> Notes:  # noqa: ANN401 - plain data of a reply
    """Return what the agent reads of one order."""
    setting = leg.find_reading(told["set"]) if told["set"] else None
    sights = tuple(
        Sight(
            _read_lean(leg, cell["fitted"]),
            tuple(cell["shown"][one.name] == one.target for one in leg.readings),
            setting,
            cell["returned"],
            cell.get("lost", 0),
        )
        for cell in told["cells"]
    )
    ordered: dict[int, int] = {}
    standing: dict[int, int] = {}
    for one in told["ordered"]:
        lean = _read_lean(leg, one["fitted"])
        ordered[lean] = ordered.get(lean, 0) + one["ordered"]
        standing[lean] = standing.get(lean, 0) + one.get("standing", 0)
    looked = any("standing" in one for one in told["ordered"])
    return Notes(sights, ordered, standing if looked else None, logged=told["log"])


def _read_lean(leg: Leg, names: list[str]) -> int:
    return find_lean(leg, tuple(part in names for part in leg.parts))


def find_design(leg: Leg, lean: int) -> Fitted:
    """Return the plainest design that leans so; 0 is the bare one."""
    return next(
        (fitted for fitted in leg.designs if find_lean(leg, fitted) == lean), leg.designs[0]
    )


def order_lean(leg: Leg, lean: int, count: int, **more: Any) -> Order:  # noqa: ANN401
    """Return an order of drones that lean so."""
    return Order(leg=leg.name, fitted=name_parts(leg, find_design(leg, lean)), count=count, **more)


def choose_lean(leg: Leg, lean: int, sure: float = 1.0, reason: str = "") -> Choice:
    """Choose the design for the fleet that leans so; leaving the only part off is leaning away."""
    return Choice(find_design(leg, lean), sure, reason)


def commit_choices(public: ExpeditionPublic, choices: Mapping[str, Choice]) -> Moves:
    """Commit to what was chosen on every leg, and answer what is asked."""
    fitted = {leg.name: name_parts(leg, choices[leg.name].fitted) for leg in public.legs}
    reasons = [f"{name}: {one.reason}" for name, one in choices.items() if one.reason]
    seen = yield Commit(fitted=fitted, thought="; ".join(reasons))
    if "questions" in seen.data:
        thought = "A part in the design raises returns, and one left out lowers them."
        yield AnswerQuestions(answers=_answer(public, choices), thought=thought)


def _answer(public: ExpeditionPublic, choices: Mapping[str, Choice]) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    for leg in public.legs:
        choice = choices[leg.name]
        for on in choice.fitted:
            up = choice.sure if on else 1 - choice.sure
            answers[f"q{len(answers) + 1}"] = {"up": up, "down": 1 - up, "none": 0.0}
    return answers


def take_as_insider(instance: Expedition, _rules: Rules, _rng: Random, *, right: bool) -> Moves:
    """Commit to the best design of every leg, or else to what is best under the other face."""
    choices = {
        leg.name: Choice(
            find_best_design(leg, hidden.model_copy(update={"face": hidden.face == right}))
        )
        for leg, hidden in zip(instance.public.legs, instance.secret.legs, strict=True)
    }
    yield from commit_choices(instance.public, choices)


SURE = 0.997
"""Whoever is so sure of a leg flies no more."""
_TINY = 1e-12
_AN_ORDER = 4
_A_ROSTER_ORDER = 5


class Beliefs:
    """The chances of every hidden state of a dial or a roster, given what was seen."""

    def __init__(self, leg: Leg) -> None:
        self.leg = leg
        self._weights = {hidden: log(prior) for hidden, prior in list_states(leg)}
        self._laws: dict[tuple[HiddenLeg, int, int | None], dict[object, float]] = {}

    def learn(self, notes: Notes) -> None:
        """Weigh every state by what became of one order."""
        for hidden in self._weights:
            self._weights[hidden] += self._weigh(hidden, notes)

    def _weigh(self, hidden: HiddenLeg, notes: Notes) -> float:
        total = 0.0
        hidden_ones = dict(notes.ordered)
        for sight in notes.sights:
            law = self._law(hidden, sight.lean, sight.setting)
            total += sight.returned * log(law[sight.shown, "returned"])
            total += sight.lost * log(law[sight.shown, "lost"])
            hidden_ones[sight.lean] -= sight.count
        if self.leg.kind != "roster":
            return total
        for lean, count in hidden_ones.items():
            law = self._law(hidden, lean, None)
            unseen = [("stayed",)] if notes.logged else [("stayed",), ("lost",)]
            chance = sum(law[key] for key in unseen)
            total += count * log(max(chance, _TINY))
            if notes.standing is not None and count and notes.logged:
                stands = not (hidden.face and hidden.early)
                total += 0.0 if (notes.standing[lean] == count) == stands else log(_TINY)
        return total

    def _law(self, hidden: HiddenLeg, lean: int, setting: int | None) -> dict[object, float]:
        key = (hidden, lean, setting)
        if key not in self._laws:
            fitted = find_design(self.leg, lean)
            law: dict[object, float] = {("lost",): 0.0, ("stayed",): 0.0}
            for outcome, chance in list_outcomes(self.leg, hidden, fitted, setting).items():
                law[outcome.shown, outcome.fate] = float(chance)
                law[(outcome.fate,)] = law.get((outcome.fate,), 0.0) + float(chance)
            self._laws[key] = law
        return self._laws[key]

    def list_chances(self) -> dict[HiddenLeg, float]:
        """Return the chance of every state."""
        top = max(self._weights.values())
        raw = {hidden: exp(weight - top) for hidden, weight in self._weights.items()}
        total = sum(raw.values())
        return {hidden: chance / total for hidden, chance in raw.items()}

    def choose(self, reason: str) -> Choice:
        """Choose the design that is most likely best."""
        votes: dict[tuple[bool, ...], float] = {}
        for hidden, chance in self.list_chances().items():
            best = find_best_design(self.leg, hidden)
            votes[best] = votes.get(best, 0.0) + chance
        fitted = max(votes, key=lambda one: votes[one])
        return Choice(fitted, votes[fitted], reason)

    def guess_reading(self) -> tuple[int, float]:
        """Return the reading that most likely matters, with its sign's and its own chance."""
        chances: dict[tuple[int, int], float] = {}
        for hidden, chance in self.list_chances().items():
            key = (hidden.active, hidden.sign)
            chances[key] = chances.get(key, 0.0) + chance
        best = max(chances, key=lambda key: chances[key])
        return best[0], chances[best]


def list_states(leg: Leg) -> Iterable[tuple[HiddenLeg, float]]:
    """Yield every hidden state of a dial or a roster with its chance before any flight."""
    for active in range(len(leg.readings)):
        for sign in (-1, 1):
            yield HiddenLeg(face=False, sign=sign, active=active), 1 / 2
            if not leg.may_stay:
                yield HiddenLeg(face=True, sign=sign, active=active), 1 / 2
                continue
            for early in (False, True):
                yield HiddenLeg(face=True, sign=sign, active=active, early=early), 1 / 4


def plan_dial(leg: Leg, _rng: Random) -> LegPlan:
    """Find the reading that matters by looking, then set it and see whether the air follows."""
    beliefs, left = Beliefs(leg), leg.drones
    while left > 0 and beliefs.choose("").sure < SURE:
        reading, sure = beliefs.guess_reading()
        name = leg.readings[reading].name if sure > 0.9 else None
        count = min(left, _AN_ORDER)
        beliefs.learn((yield order_lean(leg, 1, count, set=name)))
        left -= count
    return beliefs.choose("a set reading that moves returns is a cause, else a sign")


def plan_roster(leg: Leg, _rng: Random) -> LegPlan:
    """Ask for the log and look into the hangar, with each part in turn."""
    beliefs, left, lean = Beliefs(leg), leg.drones, 1
    while left >= LOG_PRICE and beliefs.choose("").sure < SURE:
        count = min(left // LOG_PRICE, _A_ROSTER_ORDER)
        beliefs.learn((yield order_lean(leg, lean, count, log=True, hangar=True)))
        left -= LOG_PRICE * count
        lean = -lean
    return beliefs.choose("returns of take-offs count, or of orders where none stayed behind")


def plan_line(leg: Leg, rng: Random) -> LegPlan:
    """Find the fleet's gauge by bisection, set it, and see what the air does.

    A set gauge moves all that stand after it, so their number tells its own place.
    """
    named, every = leg.find_reading(leg.fleet_reading) or 0, range(len(leg.readings))
    setting, fleet, left = named, None, leg.drones
    candidates = set(every) - {named}
    sights: list[Sight] = []
    sure, lean = 0.5, 1
    while left > 0 and sure < SURE:
        notes = yield order_lean(leg, 1, 1, set=leg.readings[setting].name)
        left -= 1
        sights += notes.sights
        moved = find_moved(notes.sights)
        if moved and len(candidates) > 1:
            place = len(every) - len(moved)
            if fleet is None:
                fleet = place + leg.ahead
            if place < fleet:
                candidates &= moved - {setting}
            elif place > fleet:
                candidates -= moved
            else:
                candidates = {setting}
        if fleet is not None:
            setting = rng.choice(sorted(candidates))
        if len(candidates) == 1:
            sure, lean = weigh_line(sights, setting)
    reason = f"{leg.readings[setting].name} is the fleet's, counted from {leg.fleet_reading}"
    return choose_lean(leg, lean, sure, reason)


def find_moved(sights: Iterable[Sight]) -> set[int]:
    """Return the gauges that a set one moved; none if nothing can be seen in these flights."""
    for sight in sights:
        if any(sight.shown):
            return {place for place, on in enumerate(sight.shown) if not on}
    return set()


def weigh_line(sights: Iterable[Sight], fleet: int) -> tuple[float, int]:
    """Return how likely the better lean is, and which, if `fleet` is the fleet's gauge.

    Flights without any gauge at the fleet's value say which way the part goes, under either face.
    Those in which the fleet's gauge was set while others show the value say which face.
    """
    fit = float(FIT)
    weights = {(face, sign): 0.0 for face in (False, True) for sign in (-1, 1)}
    for sight in sights:
        for face, sign in weights:
            if not any(sight.shown):
                state = -1
            elif sight.setting == fleet:
                state = -1 if face else 1
            else:
                continue
            back = 0.5 + fit * sign * sight.lean * state
            weights[face, sign] += sight.returned * log(back) + sight.lost * log(1 - back)
    top = max(weights.values())
    chances = {key: exp(weight - top) for key, weight in weights.items()}
    up = sum(chance for (face, sign), chance in chances.items() if (sign > 0) == face)
    share = up / sum(chances.values())
    return (share, 1) if share >= 0.5 else (1 - share, -1)


def plan_depot(leg: Leg, _rng: Random) -> LegPlan:
    """Compare the values of the column by lot that moved the issue, not drones."""
    yield from ()
    by_lot = [place for place, column in enumerate(leg.readings) if column.by_lot]
    column = max(by_lot, key=lambda place: abs(compare_column(leg.book[place])[0]))
    issue, back = compare_column(leg.book[column])
    lean = 1 if issue * back > 0 else -1
    return choose_lean(leg, lean, 0.99, f"{leg.readings[column].name} moved the issue by lot")


def compare_column(counts: tuple[int, ...]) -> tuple[float, float]:
    """Return by how much issue and return differ between the two values of a column."""
    issued, returned = [], []
    for at_target in (0, 1):
        cells = counts[4 * at_target : 4 * at_target + 4]
        issued.append((cells[2] + cells[3]) / max(sum(cells), 1))
        returned.append((cells[1] + cells[3]) / max(sum(cells), 1))
    return issued[1] - issued[0], returned[1] - returned[0]


EXACT: dict[LegKind, Planner] = {
    "dial": plan_dial,
    "line": plan_line,
    "roster": plan_roster,
    "depot": plan_depot,
}
