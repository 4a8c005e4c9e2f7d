"""All models there are, one by one: the slow truth that the fast mathematics is held against."""

from itertools import combinations, product

from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import Admissible, Evidence
from causarium.scm.boolean.truth_table import essential
from causarium.scm.dag import bits, is_acyclic, mask_of


def functions(arity: int) -> list[int]:
    every = (1 << arity) - 1
    return [t for t in range(1 << (1 << arity)) if essential(t, arity) == every]


def mechanisms(admissible: Admissible, variable: int) -> list[tuple[int, int]]:
    allowed = list(bits(admissible.allowed[variable]))
    sizes = range(admissible.max_parents + 1)
    sets = [mask_of(c) for size in sizes for c in combinations(allowed, size)]
    return [(mask, table) for mask in sets for table in functions(mask.bit_count())]


def fits(scm: BooleanScm, evidence: Evidence) -> bool:
    """Say whether the model replays every row; no factorisation, no numpy."""
    pairs = zip(evidence.rows.tolist(), evidence.targets.tolist(), strict=True)
    return all(scm.run(row, targets) == row for row, targets in pairs)


def all_models(
    admissible: Admissible, evidence: Evidence, *, filtered: bool = True
) -> list[BooleanScm]:
    """Return all models that fit, by replaying each of them.

    Args:
        admissible: The models to try.
        evidence: The rows that they must fit.
        filtered: Whether mechanisms that contradict a row are left out before they are combined.
    """
    found = []
    for roots in admissible.root_sets:
        variables = [v for v in range(admissible.n) if not roots >> v & 1]
        options = [mechanisms(admissible, v) for v in variables]
        if filtered:
            options = [
                [option for option in one if _agrees(option, v, evidence)]
                for v, one in zip(variables, options, strict=True)
            ]
        for chosen in product(*options):
            parents, tables = [0] * admissible.n, [0] * admissible.n
            for v, (mask, table) in zip(variables, chosen, strict=True):
                parents[v], tables[v] = mask, table
            if is_acyclic(tuple(parents)):
                scm = BooleanScm(admissible.n, roots, tuple(parents), tuple(tables))
                if fits(scm, evidence):
                    found.append(scm)
    return found


def _agrees(option: tuple[int, int], variable: int, evidence: Evidence) -> bool:
    mask, table = option
    inputs = list(bits(mask))
    for row, targets in zip(evidence.rows.tolist(), evidence.targets.tolist(), strict=True):
        p = sum((row >> v & 1) << j for j, v in enumerate(inputs))
        if not targets >> variable & 1 and table >> p & 1 != row >> variable & 1:
            return False
    return True
