"""Orders of test drones: what is allowed, what they cost, and what came of them as counts.

The luck of the n-th order follows from the session's seed and n alone, so two agents who do the
same see the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from causarium.contract.frozen import Json
from causarium.contract.texts.replies import excerpt
from causarium.families.causalgame.mechanics.expeditions import (
    Outcome,
    draw_outcomes,
    list_outcomes,
)
from causarium.families.causalgame.model.expeditions import (
    LOG_PRICE,
    MOST_DRONES_AN_ORDER,
    MOST_ORDERS_A_CALL,
    Expedition,
    ExpeditionPublic,
    Fitted,
    Leg,
    Order,
)
from causarium.seeds import stream


class Impossible(ValueError):
    """An order or a design that is not allowed; says why, in words for the agent."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Flights of one order that fly and show alike."""

    fitted: Fitted
    shown: tuple[bool, ...]
    returned: int
    lost: int
    """Drones that were seen to be lost."""


@dataclass(frozen=True, slots=True)
class Flown:
    """An order that was flown."""

    leg: Leg
    order: Order
    setting: int | None
    ordered: dict[Fitted, int]
    """Drones by design."""
    standing: dict[Fitted, int] | None
    """Drones in the hangar afterwards by design; None: nobody looked."""
    cells: tuple[Cell, ...]

    @property
    def cost(self) -> int:
        """How many drones of the leg's purse it took."""
        return price_order(self.order)


def price_order(order: Order) -> int:
    """Return how many drones of a leg's purse an order takes."""
    return order.count * (LOG_PRICE if order.log else 1)


def find_leg(public: ExpeditionPublic, name: str) -> Leg:
    """Return the leg of this name.

    Raises:
        Impossible: There is none.
    """
    for leg in public.legs:
        if leg.name == name:
            return leg
    known = ", ".join(leg.name for leg in public.legs)
    raise Impossible(f"there is no leg {excerpt(name)!r}; the legs are {known}")


def read_parts(leg: Leg, names: Sequence[str]) -> Fitted:
    """Return which parts of a leg are named.

    Raises:
        Impossible: A name is not one of its parts.
    """
    for name in names:
        if name not in leg.parts:
            raise Impossible(
                f"leg {leg.name} has no part {excerpt(name)!r}; it has {', '.join(leg.parts)}"
            )
    return tuple(part in names for part in leg.parts)


class FlightRange:
    """The test range of one expedition: purses that shrink, and orders that were flown."""

    def __init__(self, instance: Expedition) -> None:
        self.public = instance.public
        self._secret = instance.secret
        self.flown: list[Flown] = []
        self.left = {leg.name: leg.drones for leg in instance.public.legs}
        """The drones that each leg has left."""

    @property
    def orders_left(self) -> int:
        """How many orders may still be flown."""
        return self.public.orders - len(self.flown)

    def fly(self, orders: Sequence[Order]) -> list[Flown]:
        """Fly some orders, or none of them if one is not allowed.

        Raises:
            Impossible: One is not allowed; nothing is spent.
        """
        if not 1 <= len(orders) <= MOST_ORDERS_A_CALL:
            raise Impossible(f"{len(orders)} orders; send 1 to {MOST_ORDERS_A_CALL} in one call")
        if len(orders) > self.orders_left:
            raise Impossible(f"{len(orders)} orders, but only {self.orders_left} are left")
        settings = [self._check(order) for order in orders]
        for leg in self.public.legs:
            price = sum(price_order(order) for order in orders if order.leg == leg.name)
            if price > self.left[leg.name]:
                raise Impossible(
                    f"the orders for leg {leg.name} cost {price} drones, but it has only "
                    f"{self.left[leg.name]} left; nothing was flown"
                )
        return [self._fly(*pair) for pair in zip(orders, settings, strict=True)]

    def _check(self, order: Order) -> int | None:
        """Return the reading that an order sets, once everything in it is allowed."""
        leg = find_leg(self.public, order.leg)
        if leg.kind == "depot":
            raise Impossible(f"leg {leg.name} cannot be flown in tests; its book is all there is")
        fitted, varied = read_parts(leg, order.fitted), read_parts(leg, order.vary)
        if any(one and other for one, other in zip(fitted, varied, strict=True)):
            raise Impossible(f"a part of leg {leg.name} is both fitted and varied")
        if not 1 <= order.count <= MOST_DRONES_AN_ORDER:
            raise Impossible(
                f"{order.count} drones in an order; send 1 to {MOST_DRONES_AN_ORDER} at a time"
            )
        if (order.log or order.hangar) and leg.kind != "roster":
            raise Impossible(
                f"leg {leg.name} has no tower: neither log nor hangar can be asked for"
            )
        return self._check_setting(leg, order.set)

    def _check_setting(self, leg: Leg, name: str | None) -> int | None:
        if not name:
            return None
        if leg.kind == "roster":
            raise Impossible(f"nothing can be set on leg {leg.name}")
        place = leg.find_reading(name)
        if place is None:
            known = ", ".join(reading.name for reading in leg.readings)
            raise Impossible(f"leg {leg.name} has no reading {excerpt(name)!r}; it has {known}")
        if name == leg.fleet_reading:
            raise Impossible(f"the range cannot set {name}; it can set every other reading")
        return place

    def _fly(self, order: Order, setting: int | None) -> Flown:
        leg = find_leg(self.public, order.leg)
        place = self.public.legs.index(leg)
        hidden = self._secret.legs[place]
        rng = stream(self._secret.session_seed, "expedition", "order", len(self.flown))
        fitted, varied = read_parts(leg, order.fitted), read_parts(leg, order.vary)
        choices = [
            (False, True) if open_ else (on,) for on, open_ in zip(fitted, varied, strict=True)
        ]
        designs: list[Fitted] = list(product(*choices))
        ordered = dict.fromkeys(designs, 0)
        for _ in range(order.count):
            ordered[designs[rng.randrange(len(designs))] if len(designs) > 1 else designs[0]] += 1
        cells: dict[tuple[Fitted, tuple[bool, ...]], list[int]] = {}
        standing = dict.fromkeys(designs, 0)
        for design, count in ordered.items():
            law = list_outcomes(leg, hidden, design, setting)
            for outcome, number in draw_outcomes(law, count, rng).items():
                if not isinstance(outcome, Outcome) or outcome.fate == "stayed":
                    standing[design] += 0 if hidden.face and hidden.early else number
                    continue
                if outcome.fate == "lost" and leg.kind == "roster" and not order.log:
                    continue
                cell = cells.setdefault((design, outcome.shown), [0, 0])
                cell[outcome.fate == "lost"] += number
        flown = Flown(
            leg=leg,
            order=order,
            setting=setting,
            ordered=ordered,
            standing=standing if order.hangar else None,
            cells=tuple(Cell(*key, *counts) for key, counts in sorted(cells.items())),
        )
        self.flown.append(flown)
        self.left[leg.name] -= flown.cost
        return flown


def tell_orders(flown: Sequence[Flown]) -> list[Json]:
    """Return orders and their counts as data."""
    return [_tell_order(one) for one in flown]


def _tell_order(one: Flown) -> Json:
    leg = one.leg
    hides = leg.kind == "roster" and not one.order.log
    cells: list[Json] = [
        {
            "fitted": name_parts(leg, cell.fitted),
            "shown": _name_values(leg, cell.shown),
            "returned": cell.returned,
            **({} if hides else {"lost": cell.lost}),
        }
        for cell in one.cells
    ]
    ordered: list[Json] = [
        {
            "fitted": name_parts(leg, design),
            "ordered": number,
            **({} if one.standing is None else {"standing": one.standing[design]}),
        }
        for design, number in one.ordered.items()
    ]
    return {
        "leg": leg.name,
        "set": one.order.set if one.setting is not None else None,
        "log": one.order.log,
        "ordered": ordered,
        "cells": cells,
    }


def name_parts(leg: Leg, fitted: Fitted) -> list[Json]:
    """Return the names of the fitted parts."""
    return [part for part, on in zip(leg.parts, fitted, strict=True) if on]


def _name_values(leg: Leg, shown: tuple[bool, ...]) -> dict[str, Json]:
    return {
        reading.name: reading.target if at_target else reading.other
        for reading, at_target in zip(leg.readings, shown, strict=True)
    }


def write_orders(flown: Sequence[Flown]) -> str:
    """Return orders and their counts as the agent reads them."""
    return "\n".join(_write_order(one) for one in flown)


def _write_order(one: Flown) -> str:
    leg, order = one.leg, one.order
    asked = [*(["log"] if order.log else []), *(["hangar"] if order.hangar else [])]
    head = f"Leg {leg.name}, {order.count} ordered{''.join(f', {word}' for word in asked)}:"
    lines = [f"  {_write_cell(one, cell)}" for cell in one.cells]
    if leg.kind == "roster":
        lines = [*(_write_roster_design(one, design) for design in one.ordered), *lines]
    return "\n".join([head, *(lines or ["  nothing came back"])])


def _write_roster_design(one: Flown, design: Fitted) -> str:
    text = f"  {write_design(one.leg, design)}: {one.ordered[design]} ordered"
    return text if one.standing is None else f"{text}, {one.standing[design]} in the hangar"


def _write_cell(one: Flown, cell: Cell) -> str:
    text = f"{write_design(one.leg, cell.fitted)}, {_write_shown(one, cell.shown)}: "
    if one.leg.kind == "roster" and not one.order.log:
        return f"{text}{cell.returned} returned"
    return f"{text}{cell.returned + cell.lost} flown, {cell.returned} returned"


def write_design(leg: Leg, fitted: Fitted) -> str:
    """Return a design in words."""
    names = [part for part, on in zip(leg.parts, fitted, strict=True) if on]
    return f"{' + '.join(names)} on" if names else "bare"


def _write_shown(one: Flown, shown: tuple[bool, ...]) -> str:
    leg = one.leg
    if leg.kind != "line":
        return ", ".join(
            f"{reading.name} {reading.target if at_target else reading.other}"
            f"{' (set)' if place == one.setting else ''}"
            for place, (reading, at_target) in enumerate(zip(leg.readings, shown, strict=True))
        )
    side = leg.readings[0]
    mark = f" ({one.order.set} set)" if one.setting is not None else ""
    away = [reading.name for reading, on in zip(leg.readings, shown, strict=True) if not on]
    if not away:
        return f"all {side.target}{mark}"
    if len(away) == len(shown):
        return f"all {side.other}{mark}"
    return f"{side.other}: {' '.join(away)}{mark}, the rest {side.target}"
