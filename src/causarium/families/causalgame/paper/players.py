"""Who plays published games without a model."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from causarium.contract.player import SILENT, Moves, Player
from causarium.contract.rules import Rules
from causarium.contract.world import Observation
from .model.actions import (
    MOST_CLAIMS,
    Claim,
    Deploy,
    Report,
    Submit,
)
from .model.game import Design
from .model.instance import (
    RETURNED,
    Flight,
    GameInstance,
    GamePublic,
    GameSecret,
)
from .play.game_session import SUFFIX
from .scoring.claims import claims_of

GRID_ARMOUR = 30
"""Crosswise: what a part that is bare by default is given."""


def share_total(public: GamePublic, shares: Sequence[float]) -> tuple[int, ...]:
    """Return the whole total in these proportions; what a part cannot carry is left out."""
    total = public.total - public.lowest * len(public.components)
    exact = [total * share / (sum(shares) or 1.0) for share in shares]
    whole = [int(points) for points in exact]
    by_rest = sorted(range(len(whole)), key=lambda part: whole[part] - exact[part])
    for part in by_rest[: round(sum(exact)) - sum(whole)]:
        whole[part] += 1
    return tuple(min(public.highest, public.lowest + points) for points in whole)


def guess_design(public: GamePublic, rng: Random) -> Design:
    """Draw a design: every way of splitting the total between the parts is as likely."""
    options = [rng.choice(range(len(slot.options))) for slot in public.slots]
    shares = [rng.expovariate(1.0) for _ in public.components]
    return name_design(public, share_total(public, shares), options)


def name_design(public: GamePublic, armour: Sequence[int], options: Sequence[int]) -> Design:
    """Return a design by armour a part and the number of an option a slot, 0 the default one."""
    if tuple(armour) == tuple(public.defaults.values()) and not any(options):
        return Design()
    equipment = {}
    for slot, option in zip(public.slots, options, strict=True):
        names = sorted((one.name for one in slot.options), key=slot.default.__ne__)
        equipment[slot.name] = names[option]
    return Design(armour=dict(zip(public.names, armour, strict=True)), equipment=equipment)


def draw_designs(public: GamePublic, rng: Random) -> list[Design]:
    """Draw as many designs as can be tried."""
    return [guess_design(public, rng) for _ in range(public.budget.deployments)]


def cross_designs(public: GamePublic, _rng: Random) -> list[Design]:
    """Cross the options of the largest slot with armour on the parts that are bare by default."""
    sizes = [len(slot.options) for slot in public.slots]
    options = [[0] * len(sizes)]
    if sizes:
        largest = sizes.index(max(sizes))
        options = [
            [number if slot == largest else 0 for slot in range(len(sizes))]
            for number in range(sizes[largest])
        ]
    armours = [tuple(public.defaults.values())]
    bare = [part for part, points in enumerate(armours[0]) if points == 0]
    if bare:
        armours.append(afford(public, bare, GRID_ARMOUR))
    designs = [name_design(public, armour, chosen) for chosen in options for armour in armours]
    return designs[: public.budget.deployments]


def afford(public: GamePublic, parts: Sequence[int], points: int) -> tuple[int, ...]:
    """Return armour with so many points on some parts, paid for by those that have most.

    When the others have nothing left, what is wanted is cut.
    """
    armour = list(public.defaults.values())
    for part in parts:
        armour[part] = min(public.highest, points)
    while sum(armour) > public.total:
        others = [
            part
            for part in range(len(armour))
            if part not in parts and armour[part] > public.lowest
        ]
        armour[max(others or parts, key=lambda part: armour[part])] -= 1
    return tuple(armour)


def try_designs(public: GamePublic, designs: Sequence[Design], rng: Random) -> Moves:
    """Test some designs with as many drones each, and submit the one that did best."""
    budget = public.budget
    each = max(1, min(budget.per_deployment, budget.drones // len(designs)))
    best, chosen = -1.0, Design()
    # The first of equals is kept, so that the order has to be one of chance.
    for design in rng.sample(designs, len(designs)):
        share = share_returned((yield deploy_design(design, each)))
        if share > best:
            best, chosen = share, design
    yield from submit_design(chosen)


RIDGE = 1.0
"""How many rows' worth of doubt each standardised coefficient is met with."""


def outcome(records: Sequence[Flight]) -> NDArray[np.float64]:
    """Return what the regression explains: survival where it varies, and otherwise few hits."""
    alive = np.array([float(record.status == RETURNED) for record in records])
    return alive if np.ptp(alive) > 0 else -np.array([record.hit_count for record in records])


def slopes(records: Sequence[Flight]) -> dict[str, float]:
    """Return what one more unit of each lever that varies seems to be worth.

    Levers are components, and equipment as `slot=option`.
    """
    levers = _levers(records)
    if not levers:
        return {}
    table = np.array(list(levers.values())).T
    spread = table.std(axis=0)
    scaled = (table - table.mean(axis=0)) / spread
    wanted = outcome(records)
    gram = scaled.T @ scaled + RIDGE * np.eye(len(levers))
    found = np.linalg.solve(gram, scaled.T @ (wanted - wanted.mean())) / spread
    return dict(zip(levers, (float(slope) for slope in found), strict=True))


def recommend(records: Sequence[Flight], total: int) -> Design:
    """Return the design that the regression thinks best, within what was flown and a total."""
    if not records:
        return Design()
    worth = slopes(records)
    flown = {name: [record.design[name] for record in records] for name in records[0].design}
    armour = {
        name: max(points) if worth.get(name, 0.0) > 0 else min(points)
        for name, points in flown.items()
    }
    # Over the total: what seems worth least goes first.
    for name in sorted(armour, key=lambda name: worth.get(name, 0.0)):
        excess = sum(armour.values()) - total
        armour[name] -= max(0, min(excess, armour[name] - min(flown[name])))
    return Design(armour=armour, equipment=_equipment(records, worth))


def _levers(records: Sequence[Flight]) -> dict[str, list[float]]:
    """Return the column of every lever that differs between records."""
    columns: dict[str, list[float]] = {}
    for name in records[0].design if records else ():
        columns[name] = [float(record.design[name]) for record in records]
    for slot, option in sorted({item for record in records for item in record.equipment.items()}):
        columns[f"{slot}={option}"] = [
            float(record.equipment.get(slot) == option) for record in records
        ]
    return {name: column for name, column in columns.items() if len(set(column)) > 1}


def _equipment(records: Sequence[Flight], worth: Mapping[str, float]) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for slot, option in sorted({item for record in records for item in record.equipment.items()}):
        value = worth.get(f"{slot}={option}", 0.0)
        if slot not in chosen or value > worth.get(f"{slot}={chosen[slot]}", 0.0):
            chosen[slot] = option
    return chosen


def deploy_design(design: Design, count: int) -> Deploy:
    """Return the test of a design."""
    return Deploy(
        thought="A trial, to see how many come back.",
        design=key_points(design),
        equipment={**design.equipment},
        count=count,
    )


def key_points(design: Design) -> dict[str, int]:
    """Return a design's armour under the names that actions use."""
    return {f"{name}{SUFFIX}": points for name, points in design.armour.items()}


def share_returned(seen: Observation) -> float:
    """Return the share that came back, as the deployment says."""
    deployed, survived = seen.data.get("deployed"), seen.data.get("survived")
    if isinstance(deployed, int) and isinstance(survived, int) and deployed:
        return survived / deployed
    return 0.0


def submit_design(design: Design, claims: tuple[Claim, ...] = ()) -> Moves:
    """Submit a design, and report on it."""
    yield Submit(
        thought="Nothing better was found.",
        design=key_points(design),
        equipment={**design.equipment},
        claims=claims,
    )
    text = f"The fleet flew with {key_points(design)} and {design.equipment}."
    yield Report(text=text, claims=claims)


def commit_at_once(design: Design, claims: tuple[Claim, ...] = ()) -> Moves:
    """Test one drone, as one has to, and submit."""
    yield deploy_design(design, 1)
    yield from submit_design(design, claims)


SeeingMoves = Callable[[Any, Rules, Random], Moves]


def _try_all(find: Callable[[GamePublic, Random], list[Design]]) -> SeeingMoves:
    return lambda public, _, rng: try_designs(public, find(public, rng), rng)


def _commit_to(find: Callable[[GamePublic, Random], Design]) -> SeeingMoves:
    return lambda public, _, rng: commit_at_once(find(public, rng))


def play_insider(instance: GameInstance, rules: Rules, _rng: Random, *, right: bool) -> Moves:
    """Submit the best design of a game, or else its trap, with the claims that go with it."""
    game = instance.secret.game
    asked = getattr(rules, "claims", False)
    held = claims_of(game, golden=right)[:MOST_CLAIMS] if asked else ()
    return commit_at_once(game.best if right else game.trap, held)


def _insider(about: str, *, right: bool) -> Player[GamePublic, GameSecret]:
    return Player(about=about, moves_from_truth=partial(play_insider, right=right))


PLAYERS: dict[str, Player[GamePublic, GameSecret]] = {
    "oracle": _insider("Submits the best design.", right=True),
    "grid": Player(about="Crosses equipment with armour.", moves=_try_all(cross_designs)),
    "random": Player(
        about="Tries random designs, and keeps the best batch.", moves=_try_all(draw_designs)
    ),
    "regression": Player(
        about="Regresses survival on the design alone, on the opening history.",
        moves=_commit_to(lambda public, _: recommend(public.history, public.total)),
    ),
    "guess": Player(
        about="Submits one random design.", moves=_commit_to(guess_design), ignores_input=True
    ),
    "default": Player(
        about="Submits the standard design.",
        moves=_commit_to(lambda *_: Design()),
        ignores_input=True,
    ),
    "trap": _insider("Submits the design that the game tempts one to.", right=False),
    "silent": SILENT,
}
