"""Draw true models, which means roots, parents and formulas.

A model depends on the seed and the index alone, so that every setting and every rung of
support asks about the same model. Parents come from the last few variables before a variable in
the causal order, as in the released records.
"""

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from causarium.scm.boolean.formula import Formula, Tree, truth_table
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.shortest_formulas import minimal_size
from causarium.scm.boolean.truth_table import essential
from causarium.scm.dag import bits, mask_of
from causarium.seeds import stream
from ..model.instance import FAMILY_NAME

POOL = "published"
"""A word in the address of every model."""
_SIZES = {6: 3, 7: 7, 8: 35, 9: 25, 10: 30}
"""How often models have so many variables, in percent."""


class Stratum(NamedTuple):
    """How one problem is drawn."""

    n: int
    """How many variables there are."""
    units: int
    """How many rows a world has."""
    window: int
    """From how many variables before it a variable draws its parents at most."""
    sizes: tuple[int, int]
    """How many operators and names a mechanism has at least and at most, as it is drawn."""
    candidates: tuple[int, int]
    """From how many random worlds training worlds are chosen."""
    reduction: float
    """Which share of the shortcuts that fit the first worlds must be ruled out by the others."""
    targets: dict[int, int]
    """How often a world sets so many variables, in percent."""
    constant: float
    """How often a world that sets something holds it at one value."""


RELEASED = (
    Stratum(6, 10, 2, (4, 8), (180, 180), 0.75, {1: 20, 2: 55, 3: 25}, 0.30),
    Stratum(7, 10, 3, (5, 10), (200, 200), 0.85, {1: 10, 2: 50, 3: 40}, 0.25),
    Stratum(8, 10, 4, (6, 11), (220, 220), 0.88, {1: 8, 2: 50, 3: 42}, 0.25),
    Stratum(8, 10, 5, (6, 12), (240, 240), 0.88, {1: 5, 2: 50, 3: 45}, 0.25),
    Stratum(9, 10, 4, (6, 12), (240, 240), 0.88, {1: 5, 2: 50, 3: 45}, 0.25),
    Stratum(9, 11, 5, (7, 13), (260, 260), 0.90, {1: 4, 2: 46, 3: 50}, 0.20),
    Stratum(10, 10, 4, (7, 13), (250, 250), 0.90, {1: 4, 2: 46, 3: 50}, 0.20),
    Stratum(10, 11, 5, (8, 14), (280, 280), 0.92, {1: 3, 2: 42, 3: 55}, 0.15),
)
"""The strata of the release."""


def draw_stratum(seed: int, index: int) -> Stratum:
    """Return how the problem at an address is drawn."""
    rng = stream(seed, FAMILY_NAME, "size", POOL, index)
    n = rng.choices(list(_SIZES), list(_SIZES.values()))[0]
    return rng.choice([stratum for stratum in RELEASED if stratum.n == n])


ROOTS = 3
MOST_PARENTS = 4
COVERED_WINDOW = 4
"""Over so many variables before a variable coverage is taken, also where there are five candidates:
the published counts of patterns fit no more."""
_RELEASED_TRIES = 1_400
"""So many formulas are drawn for a mechanism of the release before it falls back."""
_RELEASED_DEPTHS = (3, 7)
_RELEASED_REPEATS = {2: (0, 2), 3: (0, 3), 4: (1, 1)}
"""How many names, by the parents of a mechanism of the release, stand in it once more."""
_SPARE_NODES = {2: 2, 3: 1, 4: 1}
"""By how much a mechanism of the release, by its parents, may be longer than the shortest form."""
_OPERATORS = ("and", "or", "xor", "iff")


@dataclass(frozen=True, slots=True)
class Latent:
    """One true model, with what was drawn along with it."""

    address: str
    """Pool, seed and index; settings of one model share it."""
    stratum: Stratum
    """What it was drawn like."""
    variables: tuple[str, ...]
    order: tuple[int, ...]
    """Listing positions, roots first, causes before effects."""
    windows: dict[int, int]
    """For each variable with a mechanism, the mask of those before it over which coverage is taken;
    with up to four candidates, those that its parents were drawn from."""
    formulas: dict[int, Formula]
    """The mechanisms as they were drawn."""
    scm: BooleanScm

    @property
    def n(self) -> int:
        """How many variables there are."""
        return len(self.variables)

    @property
    def endogenous(self) -> tuple[int, ...]:
        """The variables that have mechanisms, causes first."""
        return self.order[ROOTS:]


def draw_latent(seed: int, index: int, attempt: int) -> Latent:
    """Draw the model at an address; another attempt is another model of the same size."""
    rng = stream(seed, FAMILY_NAME, "latent", POOL, index, attempt)
    stratum = draw_stratum(seed, index)
    n = stratum.n
    variables = tuple(f"X{i + 1}" for i in range(n))
    order = tuple(rng.sample(range(n), n))
    windows = list_windows(order, min(COVERED_WINDOW, stratum.window))
    formulas = {}
    for slot in range(ROOTS, n):
        parents = _choose_parents(_window(order, slot, stratum.window), variables, rng)
        formulas[order[slot]] = _draw_released(parents, stratum.sizes, rng)
    named = {variables[i]: formula for i, formula in formulas.items()}
    scm = BooleanScm.of(variables, [variables[i] for i in order[:ROOTS]], named)
    return Latent(f"{POOL}/{seed}/{index}", stratum, variables, order, windows, formulas, scm)


def list_windows(order: tuple[int, ...], size: int) -> dict[int, int]:
    """Return, for each variable after the roots in an order, the mask of up to `size` before it."""
    return {order[slot]: _window(order, slot, size) for slot in range(ROOTS, len(order))}


def _window(order: tuple[int, ...], slot: int, size: int) -> int:
    return mask_of(order[max(0, slot - size) : slot])


def _choose_parents(window: int, variables: tuple[str, ...], rng: Random) -> list[str]:
    candidates = list(bits(window))
    count = rng.randint(2, min(MOST_PARENTS, len(candidates)))
    return [variables[i] for i in sorted(rng.sample(candidates, count))]


def _draw_released(names: list[str], sizes: tuple[int, int], rng: Random) -> Formula:
    """Draw a mechanism as the release does: long enough, and hardly longer than it must be.

    Where none is found, it is the exclusive or of the first two parents.
    """
    arity = len(names)
    for _ in range(_RELEASED_TRIES if arity > 2 or sizes[0] < 7 else 0):
        formula = _draw_formula(names, rng, _RELEASED_REPEATS[arity])
        if not sizes[0] <= formula.size <= sizes[1]:
            continue
        if not _RELEASED_DEPTHS[0] <= formula.depth <= _RELEASED_DEPTHS[1]:
            continue
        table = truth_table(formula, names)
        if essential(table, arity).bit_count() < arity:
            continue
        shortest = minimal_size(table, arity)
        if shortest > arity + 1 and formula.size - shortest <= _SPARE_NODES[arity]:
            return formula
    return Formula(("xor", *names[:2]))


def _draw_formula(names: list[str], rng: Random, repeats: tuple[int, int]) -> Formula:
    """Join leaves at random, each name once and so many again, until one tree is left."""
    repeated = rng.randint(*repeats)
    parts: list[Tree] = [*names, *(rng.choice(names) for _ in range(repeated))]
    rng.shuffle(parts)
    parts = [_perhaps_not(part, 0.15, rng) for part in parts]
    while len(parts) > 1:
        arity = min(len(parts), 3 if rng.random() < 0.2 else 2)
        joined, parts = parts[:arity], parts[arity:]
        whole: Tree = (rng.choice(_OPERATORS), *joined)
        parts.insert(rng.randint(0, len(parts)), _perhaps_not(whole, 0.1, rng))
    return Formula(parts[0])


def _perhaps_not(tree: Tree, chance: float, rng: Random) -> Tree:
    return ("not", tree) if rng.random() < chance else tree
