"""Draw instances of the certified edition: a twin pair, two coins, names and past flights."""

import hashlib
from functools import lru_cache
from random import Random
from typing import get_args

from causarium.contract.frozen import canonical_json
from causarium.errors import ContractError
from causarium.families.causalgame.config import GameConfig
from causarium.families.causalgame.generation.draw_archives import archive_threshold, draw_archive
from causarium.families.causalgame.generation.draw_twins import TRIES, Twins, find_twins
from causarium.families.causalgame.generation.opening_records import (
    Crew,
    draw_cells_of,
    misleads,
    plan_crews,
)
from causarium.families.causalgame.generation.twin_names import (
    Named,
    draw_columns,
    draw_conditions,
    draw_parts,
    draw_signals,
    draw_slots,
)
from causarium.families.causalgame.instance import (
    AnyGame,
    NamedPair,
    Order,
    TwinBudget,
    TwinPublic,
    TwinSecret,
)
from causarium.families.causalgame.mechanics.archive_law import ArchiveLaw, rename_archive
from causarium.families.causalgame.mechanics.twin_law import (
    HIGHEST,
    TwinDesign,
    TwinKind,
    TwinLaw,
    rename,
)
from causarium.seeds import entropy, stream

ARCHIVED, TABLES = 3_000, 20
DEPLOYMENTS, DRONES, ORDERED, PER_DEPLOYMENT = 12, 360, 600, 60
"""Where nobody says how many drones an order sends, more may be ordered."""


_KEPT = 1024
"""So many deployments are kept: scoring, replaying and checking fly the same ones again."""
COINS = ((False, False), (False, True), (True, False), (True, True))
"""How the two coins of a pair can fall."""


def toss_coins(config: GameConfig, seed: int, index: int) -> tuple[bool, bool]:
    """Return how the coins of a pair fall: all four ways, in any order, in four pairs running.

    So each pair's coins are fair and independent, and a set of a multiple of four pairs is even.
    """
    rng = stream(seed, "causalgame", "coins", config.level, index // len(COINS))
    return rng.sample(COINS, len(COINS))[index % len(COINS)]


def draw_pair(config: GameConfig, twins: tuple[bool, bool], session_seed: int, id_: str) -> AnyGame:
    """Draw one twin pair.

    Args:
        config: Which level.
        twins: For each mission, whether the second twin is flown.
        session_seed: What all else follows from.
        id_: The instance's id.

    Raises:
        ContractError: No pair of this level keeps the bounds; names the instance.
    """
    rng = stream(session_seed, "causalgame", "pair")
    law: TwinLaw | ArchiveLaw
    if config.story == "front_door" or config.story == "instrument":  # noqa: PLR1714 — for mypy
        archive = law = draw_archive(config.story, rng)
        secret = TwinSecret(law=law, twins=twins, past="none", session_seed=session_seed)
        public = _archive_public(archive, rng)
    else:
        pair = _find_pair(config, rng, id_)
        law = pair.law
        secret = TwinSecret(law=law, twins=twins, past=config.past, session_seed=session_seed)
        public = _flights_public(config, pair, rng, fly_opening(secret, 0, config.hides_losses))
    mechanism = hashlib.sha256(canonical_json(law.model_dump(mode="json")).encode()).hexdigest()
    return AnyGame(
        id=id_,
        public=public,
        secret=secret,
        facets={
            "game": str(config.story),
            "records": config.past if public.mode == "flights" else "archive",
            "selection_bias": config.hides_losses,
            "mechanism": mechanism[:12],
        },
    )


def _find_pair(config: GameConfig, rng: Random, where: str) -> Twins:
    kind = next(known for known in get_args(TwinKind) if known == config.story)
    for _ in range(TRIES):
        pair = find_twins(kind, rng, where)
        if misleads(pair.law, config.past) and misleads(rename(pair.law), config.past):
            return pair
    raise ContractError(f"no records of {where} mislead as they should, in {TRIES} pairs")


def law_of(secret: TwinSecret, mission: int) -> TwinLaw | ArchiveLaw:
    """Return the law of a mission, 0 or 1."""
    law = secret.law
    if not secret.twins[mission]:
        return law
    return rename_archive(law) if isinstance(law, ArchiveLaw) else rename(law)


@lru_cache(maxsize=64)
def fly_opening(secret: TwinSecret, mission: int, hides_losses: bool) -> tuple[Order, ...]:  # noqa: FBT001
    """Fly what is on record from before a mission, in an order that tells nothing."""
    law = law_of(secret, mission)
    if isinstance(law, ArchiveLaw):
        return ()
    orders = []
    for number, crew in enumerate(plan_crews(law, secret.past)):
        rng = stream(secret.session_seed, "causalgame", "opening", mission, number)
        flights = _fly_crew(law, crew, rng)
        shown = [row for row in flights if row[-1] or not hides_losses]
        orders.append(Order(design=crew.design, flights=tuple(shown)))
    stream(secret.session_seed, "causalgame", "opening", mission).shuffle(orders)
    return tuple(orders)


def _fly_crew(law: TwinLaw, crew: Crew, rng: Random) -> list[tuple[int, ...]]:
    import numpy as np

    from causarium.families.causalgame.mechanics.twin_flights import fly_twin

    cells = np.array(draw_cells_of(crew, rng))
    rows = fly_twin(law, crew.design, cells, rng.getrandbits(128))
    return [tuple(row) for row in rows.tolist()]


@lru_cache(maxsize=_KEPT)
def fly_order(
    secret: TwinSecret, mission: int, number: int, order: tuple[TwinDesign, int, bool]
) -> tuple[tuple[int, ...], ...]:
    """Fly the `number`-th deployment of a mission; the same one always meets the same flights.

    Args:
        secret: The pair.
        mission: 0 or 1.
        number: Which deployment of the mission it is, from 0.
        order: The design, how many drones are ordered, and whether the number sent is by chance.
    """
    from causarium.families.causalgame.mechanics.twin_flights import draw_cells, fly_twin

    law = law_of(secret, mission)
    if isinstance(law, ArchiveLaw):
        raise ContractError("an archive game has no flights to order")
    design, count, by_chance = order
    address = ("causalgame", "deployment", mission, number)
    rng = stream(secret.session_seed, *address)
    sent = rng.randint(round(0.7 * count), round(1.3 * count)) if by_chance else count
    cells = draw_cells(law, sent, entropy(secret.session_seed, *address, "cells"))
    rows = fly_twin(law, design, cells, entropy(secret.session_seed, *address, "flights"))
    return tuple(tuple(row) for row in rows.tolist())


@lru_cache(maxsize=4)
def open_archive(secret: TwinSecret, mission: int) -> tuple[tuple[int, ...], ...]:
    """Return the logged flights of a mission."""
    from causarium.families.causalgame.mechanics.archive_flights import log_flights

    law = law_of(secret, mission)
    if not isinstance(law, ArchiveLaw):
        raise ContractError("only an archive game has an archive")
    seed = entropy(secret.session_seed, "causalgame", "archive", mission)
    return tuple(tuple(row) for row in log_flights(law, ARCHIVED, seed).tolist())


def _flights_public(
    config: GameConfig, pair: Twins, rng: Random, opening: tuple[Order, ...]
) -> TwinPublic:
    signals = draw_signals(rng)
    return TwinPublic(
        mode="flights",
        parts=draw_parts(rng),
        highest=HIGHEST,
        total=pair.law.total,
        slots=_pairs(draw_slots(rng)),
        conditions=_pairs(draw_conditions(rng)),
        signals=signals if pair.law.has_signals else (),
        target=pair.target,
        threshold=pair.threshold,
        budget=TwinBudget(
            deployments=DEPLOYMENTS,
            drones=ORDERED if config.hides_losses else DRONES,
            per_deployment=PER_DEPLOYMENT,
            tables=0,
        ),
        hides_losses=config.hides_losses,
        archived=0,
        opening=opening,
    )


def _archive_public(law: ArchiveLaw, rng: Random) -> TwinPublic:
    return TwinPublic(
        mode=law.kind,
        parts=(),
        highest=0,
        total=0,
        slots=_pairs(draw_slots(rng, 2)),
        conditions=_pairs(draw_columns(rng, law.kind)),
        signals=(),
        target=(),
        threshold=archive_threshold(law),
        budget=TwinBudget(deployments=0, drones=0, per_deployment=0, tables=TABLES),
        hides_losses=False,
        archived=ARCHIVED,
        opening=(),
    )


def _pairs(named: tuple[Named, ...]) -> tuple[NamedPair, ...]:
    return tuple(NamedPair(name=name, values=values) for name, values in named)
