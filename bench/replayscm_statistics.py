"""The generator's statistics beside the published ones, and the whole snapshot against the clock.

`python -m bench replayscm_statistics` draws the paper edition's matched models at each rung of
support, prints what their worlds hold beside the published figures, and times the snapshot of 1,300
problems with its audits, in one process and on one core.
"""

import time
from collections.abc import Callable, Iterator
from statistics import fmean

from causarium_data.snapshot import POOLS

from bench.measure import Measurement
from causarium.contract.sets.instance_sets import find_set, generate_instances
from causarium.families import get
from causarium.families.replayscm.paper.generation.problems import (
    admissible_of,
    audit_problem,
    extra,
    generate_covered,
)
from causarium.families.replayscm.paper.generation.published_problems import (
    Problem,
    generate_original,
)
from causarium.families.replayscm.paper.generation.true_models import POOL
from causarium.families.replayscm.paper.mechanics import coverage
from causarium.scm.boolean.shortest_formulas import compute_shortest
from causarium.seeds import stream

MODELS = 100
PUBLISHED = {
    "original": (9.24, 0.8949, 2),
    "extra": (12.33, 0.9815, 42),
    "audited": (14.27, 1.0, 100),
}
"""Training worlds, local coverage and fully covered problems of a hundred, as published."""


def run() -> Iterator[Measurement]:
    """Yield the statistics at each rung, and the time that the snapshot takes."""
    compute_shortest(4)
    yield from _snapshot()
    rungs: dict[str, Callable[[int, int], Problem]] = {
        "original": generate_original,
        "extra": extra,
        "audited": _audited,
    }
    for name, rung in rungs.items():
        problems = [rung(0, index) for index in range(MODELS)]
        worlds, share, full = PUBLISHED[name]
        rows = [coverage(one.train, one.latent.windows) for one in problems]
        yield Measurement(
            f"{name}: training worlds", "worlds", fmean(len(p.train) for p in problems), worlds
        )
        yield Measurement(f"{name}: local coverage", "of patterns", fmean(rows), share)
        yield Measurement(f"{name}: fully covered", "of 100", float(rows.count(1.0)), full)


def _audited(seed: int, index: int) -> Problem:
    problem = generate_covered(seed, index)
    rng = stream(seed, "replayscm", "audit", "hidden_order", POOL, index)
    return audit_problem(problem, admissible_of("hidden_order", problem.latent), rng)


def _snapshot() -> Iterator[Measurement]:
    family = get("replayscm")
    start, size = time.process_time(), 0
    for name in POOLS:
        parts = find_set(family, "paper", name).parts
        size += sum(1 for _ in generate_instances(family, parts))
    passed = time.process_time() - start
    yield Measurement(
        f"the snapshot of {size:,} problems with all audits", "CPU s", passed, target="below 300 s"
    )
