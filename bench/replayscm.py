"""ReplaySCM: scoring, solving, evidence, asking and floors.

Scoring is timed from a reply to its verdict, against version 1's way and a row-by-row evaluator.
Problems to solve are drawn by the paper edition's generator, the same models in four settings;
every answer is replayed, and one that is not exact stops the bench. What stands in
`replayscm_evidence` and `replayscm_floors` is measured on seeds that nothing was tuned on.
Times are processor time on one core.
"""

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bench.measure import Measurement
from bench.replayscm_evidence import measure_evidence
from bench.replayscm_floors import measure_asking, measure_floors
from bench.replayscm_scoring import measure_scoring
from causarium.families.replayscm import FAMILY
from causarium.families.replayscm.evidence.boolean_view import admissible, evidence
from causarium.scm.boolean.row_evidence import Admissible, Evidence, layout
from causarium.scm.boolean.shortest_formulas import compute_shortest
from causarium.scm.boolean.simplest_model import find_simplest

PROBLEMS = 400
LEVELS = ("paper-ordered", "paper-block", "paper-hidden", "paper-roots")
SEED = 7


class Problem(NamedTuple):
    """What is shown, and which models are admitted."""

    train: Evidence
    admissible: Admissible


def run() -> Iterator[Measurement]:
    """Score, choose evidence, ask, play the floors, solve."""
    _warm()
    yield from measure_scoring()
    yield from measure_evidence()
    yield from measure_asking()
    yield from measure_floors()
    drawn = [[_problem(level, index) for level in LEVELS] for index in range(PROBLEMS)]
    for level, problems in zip(LEVELS, zip(*drawn, strict=True), strict=True):
        spent = _solve(problems)
        yield Measurement(
            work=f"{PROBLEMS:,} problems solved, all exactly, {level}",
            unit="ms each",
            ours=1000 * spent / PROBLEMS,
            target="under 5 ms",
        )


def _warm() -> None:
    """Make the tables that are made once a process."""
    for arity in range(5):
        compute_shortest(arity)
    for n in range(6, 11):
        _ = layout(n, 4).patterns(Evidence.of(n, [0], [0]).rows)


def _problem(level: str, index: int) -> Problem:
    public = FAMILY.generate(FAMILY.level(level), SEED, index).public
    return Problem(evidence(public.train, public.variables), admissible(public))


def _solve(problems: Sequence[Problem]) -> float:
    start = time.process_time()
    found = [find_simplest(*problem) for problem in problems]
    spent = time.process_time() - start
    for problem, solution in zip(problems, found, strict=True):
        train = problem.train
        if solution is None or (solution.scm.replay(train.rows, train.targets) != train.rows).any():
            raise AssertionError(f"a problem was not solved exactly: {problem}")
    return spent
