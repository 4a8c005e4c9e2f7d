"""Draw twin games: fresh constants for every pair, kept only if the certificate's bounds hold.

Roles are a random permutation of parts, slots and conditions, so that no name and no place has a
fixed meaning. The threshold is the same number in both twins, because it is told.
"""

from dataclasses import dataclass
from random import Random

from causarium.errors import ContractError
from causarium.families.causalgame.evidence.exact_optimum import (
    TrapGrid,
    grid_survival,
    trap_grid,
)
from causarium.families.causalgame.evidence.twin_proofs import (
    LEAST_CONFLICT,
    LEAST_LOSS,
    MARGIN,
    MOST_MARGIN,
)
from causarium.families.causalgame.mechanics.twin_law import (
    BY_SIGNALS,
    CONDITIONS,
    PARTS,
    SLOTS,
    Target,
    Trap,
    TwinKind,
    TwinLaw,
    rename,
    survival_at_target,
)

TRIES = 200
"""So often is a pair drawn anew before something must be wrong."""
_BISECTIONS = 40
_LEVELS = {"weather": (0.86, 0.92), "zone": (0.86, 0.92), "antenna": (0.80, 0.86)}
"""Where the first twin's optimum lies."""


@dataclass(frozen=True, slots=True)
class Twins:
    """A pair of twin games."""

    law: TwinLaw
    """The first twin's; `rename` gives the other's."""
    target: Target
    threshold: float


def draw_twins(kind: TwinKind, rng: Random) -> Twins | None:
    """Draw one pair; None if it does not keep the bounds."""
    import numpy as np

    law, target = _draw_law(kind, rng)
    grid = trap_grid(law)
    law = _settle_base(law, target, grid, rng.uniform(*_LEVELS[kind]))
    twin = rename(law)
    here, there = grid_survival(grid, law, target), grid_survival(grid, twin, target)
    low, high = sorted((float(here.max()), float(there.max())))
    threshold = round(low - MARGIN, 3)
    sound = (
        high - threshold <= MOST_MARGIN
        and float(np.minimum(here, there).max()) <= threshold - LEAST_CONFLICT
        and all(
            survival_at_target(one, law.standard, target) <= threshold - LEAST_LOSS
            for one in (law, twin)
        )
    )
    return Twins(law, target, threshold) if sound else None


def find_twins(kind: TwinKind, rng: Random, where: str) -> Twins:
    """Draw pairs until one keeps the bounds.

    Raises:
        ContractError: None of many did; says where.
    """
    for _ in range(TRIES):
        twins = draw_twins(kind, rng)
        if twins is not None:
            return twins
    raise ContractError(f"{TRIES} pairs were drawn for {where} and none keeps the bounds")


def _draw_law(kind: TwinKind, rng: Random) -> tuple[TwinLaw, Target]:
    parts = rng.sample(range(PARTS), PARTS)
    core, traps = parts[:4], parts[4:6]
    weights, knees = [0.0] * PARTS, [rng.randint(9, 15) for _ in range(PARTS)]
    for part in core:
        weights[part] = rng.uniform(0.15, 0.4)
    options = [0.0] * SLOTS
    for slot in rng.sample(range(SLOTS), 2):
        options[slot] = rng.choice((-1, 1)) * rng.uniform(0.4, 0.6)
    columns = rng.sample(range(CONDITIONS), CONDITIONS)
    target: list[int | None] = [rng.randint(0, 1) for _ in range(CONDITIONS)]
    at = columns[:3]
    turns = {"weather": (0, 1), "antenna": (BY_SIGNALS, 0)}.get(kind) or rng.choice(
        ((0, 1), (1, 0))
    )
    if kind == "zone":
        target[at[1]] = 1 - int(target[at[0]] or 0)
    shares = _draw_shares(kind, rng)
    m = rng.uniform(0.2, 0.5)
    z = [2 * int(target[column] or 0) - 1 for column in at[:2]]
    shift = {
        "weather": (m, -m * z[0] * z[1]),
        "zone": (rng.choice((-1, 1)) * m,) * 2,
        "antenna": (0.0, rng.choice((-1, 1)) * m),
    }[kind]
    if kind == "antenna":
        target[at[1]] = None
    drawn = tuple(
        Trap(
            part=part,
            knee=knees[part],
            beta=rng.uniform(0.9, 1.2),
            sign=rng.choice((-1, 1)),
            condition=turn,
        )
        for part, turn in zip(traps, turns, strict=True)
    )
    law = TwinLaw(
        kind=kind,
        total=rng.randint(72, 84),
        base=0.0,
        weights=tuple(weights),
        knees=tuple(knees),
        options=tuple(options),
        traps=(drawn[0], drawn[1]),
        active=(at[0], at[1], at[2]),
        shift=(shift[0], shift[1]),
        shares=shares,
        gain=rng.uniform(1.1, 1.5) if kind == "antenna" else 0.0,
        good=rng.randint(0, 1) if kind == "antenna" else 0,
    )
    return law, tuple(target)


def _draw_shares(kind: TwinKind, rng: Random) -> tuple[float, float, float, float]:
    if kind == "zone":
        r = rng.uniform(0.35, 0.55)
        return ((1 + r) / 4, (1 - r) / 4, (1 - r) / 4, (1 + r) / 4)
    first = rng.uniform(0.4, 0.6)
    second = rng.uniform(0.4, 0.6) if kind == "weather" else 0.5
    return (
        (1 - first) * (1 - second),
        (1 - first) * second,
        first * (1 - second),
        first * second,
    )


def _settle_base(law: TwinLaw, target: Target, grid: TrapGrid, wanted: float) -> TwinLaw:
    low, high = -12.0, 12.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        law = law.model_copy(update={"base": middle})
        if float(grid_survival(grid, law, target).max()) < wanted:
            low = middle
        else:
            high = middle
    return law.model_copy(update={"base": round(high, 6)})
