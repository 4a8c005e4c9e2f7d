"""Players that never intervene: what the rules of the draw alone are worth, and old tricks.

`blind` gives the best constant answer. Nothing that is shown says anything of the mechanism, so no
player here can beat it on arrows, nor hit the frequency more often than the certificate allows.
"""

from collections.abc import Sequence
from itertools import combinations
from random import Random

from causarium.contract.player import Moves
from causarium.contract.rules import Rules
from causarium.families.causalab.evidence.infer_mechanism import Equation, Model
from causarium.families.causalab.evidence.notebook import Notebook
from causarium.families.causalab.instance import LabPublic
from causarium.families.causalab.strategies.final_answers import (
    add_arrows,
    commit,
    hypothesis_of_arrows,
    regress_frequency,
    submit,
)
from causarium.families.causalab.strategies.law_posterior import Posterior

WHOLE = range(-8, 9)
"""The coefficients that `whole_numbers` believes in."""
_STARTS, _SWEEPS = 8, 6


def guess_blindly(public: LabPublic, rules: Rules, rng: Random) -> Moves:
    """Draw all arrows into the frequency and a random order of the properties; look at nothing."""
    hypothesis = hypothesis_of_arrows(public, draw_order(public, rng))
    yield from submit(public.manipulator.frequency, hypothesis, public, rules)


def draw_order(public: LabPublic, rng: Random) -> list[tuple[int, int]]:
    """Draw every arrow that a random order of the properties allows, the frequency last."""
    nodes = list(range(len(public.properties)))
    rng.shuffle(nodes)
    return list(combinations([*nodes, len(nodes)], 2))


def guess_by_law(public: LabPublic, rules: Rules, _rng: Random) -> Moves:
    """Say what is likeliest by the law of the draw, given everything that is shown."""
    posterior = Posterior(public)
    hypothesis = hypothesis_of_arrows(public, posterior.likeliest_arrows())
    yield from submit(posterior.likeliest_frequency(), hypothesis, public, rules)


def regress(public: LabPublic, rules: Rules, _rng: Random) -> Moves:
    """Regress the frequency on all properties, over the readings that share its base."""
    model = regress_frequency(public, Notebook(public), range(len(public.properties)))
    yield from commit(model, public, rules)


def sort_by_spread(public: LabPublic, rules: Rules, _rng: Random) -> Moves:
    """Take what spreads wider for an effect of what spreads less, and regress the frequency.

    Where weights of one and more act on bases of one spread, that tells most directions. Here
    readings are drawn, and spread says nothing.
    """
    nodes = _by_spread(public)
    arrows = combinations(nodes, 2)
    model = regress_frequency(public, Notebook(public), range(len(public.properties)))
    yield from commit(add_arrows(model, arrows), public, rules)


def _by_spread(public: LabPublic) -> list[int]:
    readings = [*public.records, public.manipulator]
    tables = [*(reading.values for reading in readings), public.reactor]
    spread = [max(column) - min(column) for column in zip(*tables, strict=True)]
    return sorted(range(len(spread)), key=lambda node: spread[node])


def fit_whole_numbers(public: LabPublic, rules: Rules, rng: Random) -> Moves:
    """Find the whole-number coefficients that come nearest to everything that is shown.

    It takes the base of the frequency for one and the same in all crystals, orders the properties
    by spread, and fits each to those before it in the same way.
    """
    rows = [(*r.values, r.frequency) for r in (*public.records, public.manipulator)]
    nodes = [*_by_spread(public), len(public.properties)]
    equations: dict[int, Equation] = {}
    for place, node in enumerate(nodes):
        weights = find_nearest_whole(rows, node, nodes[:place], rng)
        equations[node] = Equation(
            {cause: float(w) for cause, w in zip(nodes[:place], weights, strict=True) if w}
        )
    outcome = equations.pop(len(public.properties))
    base = rows[-1][-1] - outcome.sum_terms(rows[-1])
    properties = tuple(equations[node] for node in range(len(public.properties)))
    yield from commit(Model(public, properties, outcome, base), public, rules)


def find_nearest_whole(
    rows: Sequence[Sequence[float]], node: int, causes: Sequence[int], rng: Random
) -> list[int]:
    """Return whole-number weights of `causes` that leave little of `node` unexplained.

    From several starts, one weight after the other is put to the whole number that fits best.

    Args:
        rows: Readings, taken to share the base of `node`.
        node: The node to explain.
        causes: What may act on it.
        rng: Where the search starts from.
    """
    import numpy as np

    table = np.array(rows)
    moves = (table[:-1] - table[-1])[:, list(causes)]
    wanted = (table[:-1] - table[-1])[:, node]
    if not causes or not len(wanted):
        return [0] * len(causes)
    starts = [[rng.choice(WHOLE) for _ in causes] for _ in range(_STARTS)]
    weights = np.array([[0] * len(causes), *starts])
    options = np.array(WHOLE)
    for _ in range(_SWEEPS):
        for i in range(len(causes)):
            left = wanted - weights @ moves.T + np.outer(weights[:, i], moves[:, i])
            misfit = ((left[:, None, :] - options[None, :, None] * moves[:, i]) ** 2).sum(axis=2)
            weights[:, i] = options[misfit.argmin(axis=1)]
    misfit = ((wanted - weights @ moves.T) ** 2).sum(axis=1)
    best: list[int] = weights[misfit.argmin()].tolist()
    return best
