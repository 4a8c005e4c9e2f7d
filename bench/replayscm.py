"""ReplaySCM: problems solved a second, and models drawn, given worlds and certified a second.

Problems to solve are drawn by the paper edition's generator, the same models in four settings;
every answer is replayed, and one that is not exact stops the bench. A certified model is drawn,
gets worlds chosen from scratch, and is proved to be the only one that fits, by closure and by
count, with neither roots nor order told.
There is no baseline: the published search may take up to 600 s a problem, and it proves nothing.
Times are processor time on one core.
"""

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bench.measure import Measurement
from causarium.families.replayscm import FAMILY
from causarium.families.replayscm.evidence.boolean_view import admissible, evidence
from causarium.families.replayscm.generation.true_models import ROOTS, Latent, draw_latent
from causarium.scm.boolean.certify_model import is_unique
from causarium.scm.boolean.propose_worlds import Design, World, observe
from causarium.scm.boolean.row_evidence import Admissible, Evidence, layout
from causarium.scm.boolean.select_worlds import Goal, select_worlds
from causarium.scm.boolean.shortest_formulas import shortest
from causarium.scm.boolean.simplest_model import simplest
from causarium.seeds import stream

PROBLEMS = 1_000
LEVELS = ("paper-ordered", "paper-block", "paper-hidden", "paper-roots")
CERTIFIED = 200
UNITS = 12
SEED = 7


class Problem(NamedTuple):
    """What is shown, and which models are admitted."""

    train: Evidence
    admissible: Admissible


def run() -> Iterator[Measurement]:
    """Solve, then certify."""
    _warm()
    drawn = [[_problem(level, index) for level in LEVELS] for index in range(PROBLEMS)]
    for level, problems in zip(LEVELS, zip(*drawn, strict=True), strict=True):
        spent = _solve(problems)
        yield Measurement(
            work=f"{PROBLEMS:,} problems solved, all exactly, {level}",
            unit="ms each",
            ours=1000 * spent / PROBLEMS,
            target="under 5 ms",
        )
    yield from _certify()


def _warm() -> None:
    """Make the tables that are made once a process."""
    for arity in range(5):
        shortest(arity)
    for n in range(6, 11):
        _ = layout(n, 4).patterns(Evidence.of(n, [0], [0]).rows)


def _latent(index: int) -> Latent:
    return draw_latent("core", SEED, index, 0)


def _problem(level: str, index: int) -> Problem:
    public = FAMILY.generate(FAMILY.level(level), SEED, index).public
    return Problem(evidence(public.train, public.variables), admissible(public))


def _evidence(n: int, worlds: list[World]) -> Evidence:
    rows = [(row, world.targets) for world in worlds for row in world.rows]
    return Evidence.of(n, (row for row, _ in rows), (targets for _, targets in rows))


def _solve(problems: Sequence[Problem]) -> float:
    start = time.process_time()
    found = [simplest(*problem) for problem in problems]
    spent = time.process_time() - start
    for problem, solution in zip(problems, found, strict=True):
        train = problem.train
        if solution is None or (solution.scm.replay(train.rows, train.targets) != train.rows).any():
            raise AssertionError(f"a problem was not solved exactly: {problem}")
    return spent


def _certify() -> Iterator[Measurement]:
    start = time.process_time()
    chosen = [_certified(index) for index in range(CERTIFIED)]
    spent = time.process_time() - start
    yield Measurement(
        work="models drawn, given worlds and proved unique twice",
        unit="models/s",
        ours=CERTIFIED / spent,
        target=">= 30 models/s and core",
    )
    yield Measurement(
        work=f"worlds to uniqueness from scratch, mean of {CERTIFIED}",
        unit="worlds",
        ours=sum(map(len, chosen)) / CERTIFIED,
        target="at most 13",
    )
    yield Measurement(
        work="targets of a world, at most",
        unit="targets",
        ours=max(world.targets.bit_count() for worlds in chosen for world in worlds),
        target="at most 3",
    )


def _certified(index: int) -> list[World]:
    scm = _latent(index).scm
    rng = stream(SEED, FAMILY.name, "bench", "certify", index)
    design = Design.draw(ROOTS, UNITS, rng)
    hidden = Admissible.hidden_roots(scm.n, ROOTS)
    first = observe(scm, design)
    found = select_worlds(Goal.unique(scm, hidden), [first], design, rng)
    if found is None:
        raise AssertionError(f"no worlds make model {index} unique")
    worlds = [first, *found]
    if not is_unique(scm, _evidence(scm.n, worlds), hidden):
        raise AssertionError(f"the worlds chosen for model {index} do not make it unique")
    return worlds
