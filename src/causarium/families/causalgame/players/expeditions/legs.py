"""How players take an expedition: leg by leg, then the design, then the questions.

A plan for one leg is a generator: it yields orders, is sent what became of each, and returns the
design that it chooses with how sure it is.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, cast

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.contract.world import Observation
from causarium.families.causalgame.mechanics.expeditions import find_best_design, find_lean
from causarium.families.causalgame.model.expeditions import (
    AnswerQuestions,
    Commit,
    Expedition,
    ExpeditionPublic,
    Fitted,
    Fly,
    Leg,
    LegKind,
    Order,
)


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

    def make_moves(public: ExpeditionPublic, rules: Rules, rng: Random) -> Moves:
        del rules
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
    """Return what is told of one order."""
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


def name_design(leg: Leg, lean: int) -> list[str]:
    """Return the parts of the plainest design that leans so."""
    return [part for part, on in zip(leg.parts, find_design(leg, lean), strict=True) if on]


def order_lean(leg: Leg, lean: int, count: int, **more: Any) -> Order:  # noqa: ANN401
    """Return an order of drones that lean so."""
    return Order(leg=leg.name, fitted=name_design(leg, lean), count=count, **more)


def choose_lean(leg: Leg, lean: int, sure: float = 1.0, reason: str = "") -> Choice:
    """Choose the design for the fleet that leans so; leaving the only part off is leaning away."""
    if lean < 0 and len(leg.parts) == 1:
        return Choice((False,), sure, reason)
    return Choice(find_design(leg, lean), sure, reason)


def commit_choices(public: ExpeditionPublic, choices: Mapping[str, Choice]) -> Moves:
    """Commit to what was chosen on every leg, and answer what is asked."""
    fitted = {
        leg.name: [part for part, on in zip(leg.parts, choices[leg.name].fitted, strict=True) if on]
        for leg in public.legs
    }
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


def take_as_insider(instance: Expedition, rules: Rules, rng: Random, *, right: bool) -> Moves:
    """Commit to the best design of every leg, or to what is best under the other face.

    Args:
        instance: The expedition.
        rules: The rules it is played by.
        rng: Not used.
        right: Whether the coins are read as they lie.
    """
    del rules, rng
    choices = {
        leg.name: Choice(
            find_best_design(leg, hidden.model_copy(update={"face": hidden.face == right}))
        )
        for leg, hidden in zip(instance.public.legs, instance.secret.legs, strict=True)
    }
    yield from commit_choices(instance.public, choices)
