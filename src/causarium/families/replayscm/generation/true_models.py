"""Drawing true models: which variables are roots, who reads whom, and by which formula.

A model depends on the seed, the pool and the index alone, so that every setting and every rung of
support asks about the same model. Parents come from the last few variables before a variable in
the causal order, as in the released records.
"""

from dataclasses import dataclass
from random import Random

from causarium.families.replayscm.config import FAMILY_NAME, Pool
from causarium.scm.boolean.formula import Formula, Tree, truth_table
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.shortest_formulas import minimal_size
from causarium.scm.boolean.truth_table import essential
from causarium.scm.dag import bits, mask_of
from causarium.seeds import stream

ROOTS = 3
WINDOW = 4
"""From how many variables before it a variable draws its parents at most."""
SIZES = (3, 14)
DEPTHS = (2, 6)
"""How large and how deep a mechanism is as it is drawn."""
_LEAST_MINIMAL = {2: 3, 3: 6, 4: 9}
"""A mechanism of so many parents that could be written with fewer nodes is drawn again, mostly."""
_KEEP_SIMPLE = 0.03
_CORE_SIZES = {6: 3, 7: 7, 8: 35, 9: 25, 10: 30}
"""How often models of the core pool have so many variables, in percent."""
_LARGE_SIZES: dict[Pool, int] = {"large-12": 12, "large-14": 14}
_OPERATORS = ("and", "or", "xor", "iff")


@dataclass(frozen=True, slots=True)
class Latent:
    """One true model, with what was drawn along with it."""

    address: str
    """Seed, pool and index; settings of one model share it."""
    variables: tuple[str, ...]
    order: tuple[int, ...]
    """Listing positions, roots first, causes before effects."""
    windows: dict[int, int]
    """For each variable with a mechanism, the mask of those that its parents were drawn from."""
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

    def before(self, variable: int) -> int:
        """Return the mask of all that stands before a variable in the causal order."""
        return mask_of(self.order[: self.order.index(variable)])


def draw_latent(pool: Pool, seed: int, index: int, attempt: int) -> Latent:
    """Draw the model at an address; another attempt is another model of the same size."""
    rng = stream(seed, FAMILY_NAME, "latent", pool, index, attempt)
    n = _draw_size(pool, stream(seed, FAMILY_NAME, "size", pool, index))
    variables = tuple(f"X{i + 1}" for i in range(n))
    order = tuple(rng.sample(range(n), n))
    windows = {
        order[slot]: mask_of(order[max(0, slot - WINDOW) : slot]) for slot in range(ROOTS, n)
    }
    formulas = {
        variable: _draw_mechanism(windows[variable], variables, rng) for variable in windows
    }
    named = {variables[i]: formula for i, formula in formulas.items()}
    scm = BooleanScm.of(variables, [variables[i] for i in order[:ROOTS]], named)
    return Latent(f"{pool}/{seed}/{index}", variables, order, windows, formulas, scm)


def _draw_size(pool: Pool, rng: Random) -> int:
    if pool in _LARGE_SIZES:
        return _LARGE_SIZES[pool]
    return rng.choices(list(_CORE_SIZES), list(_CORE_SIZES.values()))[0]


def _draw_mechanism(window: int, variables: tuple[str, ...], rng: Random) -> Formula:
    candidates = list(bits(window))
    parents = sorted(rng.sample(candidates, rng.randint(2, len(candidates))))
    names = [variables[i] for i in parents]
    keep_simple = rng.random() < _KEEP_SIMPLE
    while True:
        formula = _draw_formula(names, rng)
        table = truth_table(formula, names)
        if essential(table, len(names)).bit_count() < len(names):
            continue
        fits = SIZES[0] <= formula.size <= SIZES[1] and DEPTHS[0] <= formula.depth <= DEPTHS[1]
        if fits and (keep_simple or minimal_size(table, len(names)) >= _LEAST_MINIMAL[len(names)]):
            return formula


def _draw_formula(names: list[str], rng: Random) -> Formula:
    """Join leaves at random until one tree is left; every name is a leaf at least once."""
    repeated = rng.randint(0, 2) if len(names) > 2 else 0
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
