"""What noise would do to the bench: `python -m bench.causalab_noise [INSTANCES]`.

Crystals of `part-12`, each property that can be held is held in turn, 10 above and 10 below its
reading. After a hold every node that is not held gets noise of its own (normal, spread 3), which is
passed on, and readings are rounded. With pairs, three pairs of nodes share one draw of noise each:
hidden common causes. Asked is the change without noise.

The player takes, node by node, the equation of the stated form with the least squared error, drops
arrows at the least cost until none run in a circle, and knows of no pairs. More experiments begin
with the same noise as fewer.
"""

import sys
from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import combinations, pairwise
from statistics import fmean, stdev

import numpy as np

from causarium.families.causalab.generation.bench import Bench, draw_bench
from causarium.families.causalab.paper.levels import BENCH_LEVELS
from causarium.families.causalab.paper.model.bench import Terms, WholeMechanism

LEVEL, SEED, SPREAD, OFFSET = BENCH_LEVELS["part-12"], 31_337, 3.0, 10
SIZE = LEVEL.properties + 1
Rows = Sequence[tuple[int, np.ndarray]]
"""What was held in each experiment, and how far all nodes went."""


def list_equations(node: int) -> tuple[list[Terms], np.ndarray]:
    """Return every equation of the stated form, and its weights as a row of a table."""
    weights = [weight for weight in range(-LEVEL.largest, LEVEL.largest + 1) if weight]
    terms = [(cause, w) for cause in range(LEVEL.properties) if cause != node for w in weights]
    pairs = [(one, other) for one, other in combinations(terms, 2) if one[0] != other[0]]
    listed: list[Terms] = [(), *((term,) for term in terms), *pairs]
    table = np.zeros((len(listed), SIZE))
    for place, equation in enumerate(listed):
        for cause, weight in equation:
            table[place, cause] = weight
    return listed, table


EQUATIONS = [list_equations(node) for node in range(SIZE)]


def experiment(bench: Bench, count: int, pairs: int, seed: int) -> Rows:
    """Make experiments on a crystal with noise."""
    rng = np.random.default_rng((seed, pairs))
    shared = rng.permutation(SIZE)[: 2 * pairs].reshape(-1, 2).tolist()
    rows = []
    for number in range(count):
        turn, place = divmod(number, len(bench.holdable))
        held, noise = bench.holdable[place], rng.normal(0, SPREAD, SIZE)
        for one, other in shared:
            noise[other] = noise[one]
        changes = np.zeros(SIZE)
        for node in bench.mechanism.dag.order:
            changes[node] = noise[node] + sum(
                w * changes[c] for c, w in bench.mechanism.terms[node]
            )
            if node == held:
                changes[node] = OFFSET if turn % 2 == 0 else -OFFSET
        rows.append((held, np.rint(changes)))
    return rows


def infer(rows: Rows) -> WholeMechanism:
    """Return the likeliest equation of each node, without circles."""
    costs = []
    for node, (_, table) in enumerate(EQUATIONS):
        seen = np.array([changes for held, changes in rows if held != node])
        costs.append(((seen[:, node] - table @ seen.T) ** 2).sum(axis=1))
    chosen = [int(cost.argmin()) for cost in costs]
    while True:
        terms = [listed[at] for (listed, _), at in zip(EQUATIONS, chosen, strict=True)]
        try:
            TopologicalSorter({n: [c for c, _ in one] for n, one in enumerate(terms)}).prepare()
        except CycleError as wrong:
            drop_cheapest(wrong.args[1], costs, chosen)
        else:
            return WholeMechanism(tuple(terms))


def drop_cheapest(circle: Sequence[int], costs: list[np.ndarray], chosen: list[int]) -> None:
    """Forbid the arrow of a circle, cause before effect, that costs least to do without."""
    ways = []
    for cause, node in pairwise(circle):
        without = np.where(EQUATIONS[node][1][:, cause] != 0, np.inf, costs[node])
        ways.append((without.min() - costs[node][chosen[node]], node, without))
    _, node, costs[node] = min(ways, key=lambda way: way[0])
    chosen[node] = int(costs[node].argmin())


def share_right(bench: Bench, mechanism: WholeMechanism) -> float:
    """Return the share of the questions that count which a mechanism answers."""
    counted = [one for one in bench.questions if one.kind == "held"]
    given, right = (
        [who.changes(one.offset_of)[one.asked] for one in counted]
        for who in (mechanism, bench.mechanism)
    )
    return fmean(said == true for said, true in zip(given, right, strict=True))


if __name__ == "__main__":
    benches = [draw_bench(LEVEL, SEED, index) for index in range(int((*sys.argv, "60")[1]))]
    for pairs in (0, 3):
        for count in (8, 16, 32):
            earned = [
                share_right(bench, infer(experiment(bench, count, pairs, index)))
                for index, bench in enumerate(benches)
            ]
            error = 2 * stdev(earned) / len(earned) ** 0.5
            print(f"{pairs} pairs, {count:2d} experiments: {fmean(earned):.3f} +-{error:.3f}")
