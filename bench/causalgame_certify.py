"""CausalGame: the bounds stored with the published games of zones, proved anew.

They are proved by branch and bound on common draws. A box of armour is bounded by a drone that no
design of it can be: every part at the most that the box and the total allow, at the agility of the
lightest design. Drone by drone, survival does not fall with armour or with agility, so nothing in
the box beats it. Boxes are split until each is bounded by the best design known plus a tolerance.
This holds where more armour never harms: not in the antenna games, where armour keeps a part alive
that gives drones away, nor in `weather_noise`.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, product
from math import log, sqrt

import numpy as np

from bench.measure import Measurement
from causarium.families.causalgame.paper.mechanics import Draws, fly_on
from causarium.families.causalgame.paper.model.game import Design, Game
from causarium.families.causalgame.paper.model.paper_games import paper_game
from causarium.families.causalgame.paper.proofs import read_bounds


def run() -> Iterator[Measurement]:
    """Prove every stored bound."""
    for name, stored in read_bounds().items():
        proved = bound_survival(paper_game(name))
        closed = "closed" if proved.closed else "NOT closed"
        yield Measurement(
            work=f"bound on {name}, {closed} after {proved.boxes} boxes; stored",
            unit="survival",
            ours=round(proved.bound, 4),
            baseline=stored["bound"],
            target="1.0x",
        )


TOLERANCE = 0.01
DOUBT = 0.001
"""The chance that the bound does not hold because the draws were lucky."""

Box = tuple[tuple[int, int], ...]
"""The least and the most armour of every part."""


@dataclass(frozen=True, slots=True)
class Bound:
    """What was proved."""

    incumbent: float
    """What the best design known survives on the draws."""
    bound: float
    """What no design survives more than, with all but `DOUBT`."""
    boxes: int
    closed: bool


def bound_survival(game: Game, *, drones: int = 20_000, most: int = 3_000) -> Bound:
    """Bound what any legal design of a game survives at evaluation.

    Args:
        game: A game in which armour never harms.
        drones: How many draws designs are compared on.
        most: So many boxes are looked at before it is given up.
    """
    draws = Draws(20_260, drones)
    incumbent = float(fly_on(game, game.best, draws, 2)["survived"].mean())
    start: Box = tuple((game.space.low, game.space.high) for _ in game.components)
    queue: list[tuple[float, int, Box, Design]] = []
    ticket = count()
    looked = 0
    for equipment in _outfits(game):
        fitted = Design(equipment=equipment)
        looked += 1
        value = _bound_box(game, start, fitted, draws)
        heapq.heappush(queue, (-value, next(ticket), start, fitted))
    while queue and -queue[0][0] > incumbent + TOLERANCE and looked < most:
        _, _, box, fitted = heapq.heappop(queue)
        for half in _split(box):
            if sum(low for low, _ in half) > game.space.total:
                continue
            looked += 1
            value = _bound_box(game, half, fitted, draws)
            heapq.heappush(queue, (-value, next(ticket), half, fitted))
    top = -queue[0][0] if queue else incumbent
    return Bound(incumbent, top + _luck(top, drones, looked), looked, top <= incumbent + TOLERANCE)


def _outfits(game: Game) -> list[dict[str, str]]:
    slots = [slot for slot in game.slots if slot.declared]
    choices = product(*([option.name for option in slot.options] for slot in slots))
    named = [dict(zip((slot.name for slot in slots), chosen, strict=True)) for chosen in choices]
    return [{}, *named]


def _bound_box(game: Game, box: Box, fitted: Design, draws: Draws) -> float:
    names = [part.name for part in game.components]
    spare = game.space.total - sum(low for low, _ in box)
    lightest = Design(
        armour=dict(zip(names, (low for low, _ in box), strict=True)), equipment=fitted.equipment
    )
    most = Design(
        armour={name: min(high, low + spare) for name, (low, high) in zip(names, box, strict=True)},
        equipment=fitted.equipment,
    )
    agility = fly_on(game, lightest, draws, 2)["agility"]
    held = {"agility": np.asarray(agility, dtype=float)}
    return float(fly_on(game, most, draws, 2, held)["survived"].mean())


def _split(box: Box) -> list[Box]:
    widest = max(range(len(box)), key=lambda place: box[place][1] - box[place][0])
    low, high = box[widest]
    middle = (low + high) // 2
    return [
        (*box[:widest], side, *box[widest + 1 :]) for side in ((low, middle), (middle + 1, high))
    ]


def _luck(rate: float, drones: int, boxes: int) -> float:
    """Return how far the truth may lie above the draws, over all boxes (Bernstein)."""
    doubt = log(2 * max(1, boxes) / DOUBT)
    return sqrt(2 * rate * (1 - rate) * doubt / drones) + doubt / (3 * drones)
