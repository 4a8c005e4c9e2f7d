"""ReplaySCM: problems solved a second, and models drawn, given worlds and certified a second.

Problems to solve are models of the family's core pool with one observational world and eight
random ones, without the filters that make them easier; every answer is replayed, and one that is
not exact stops the bench. A certified model is drawn, gets worlds chosen from scratch, and is
proved to be the only one that fits, by closure and by count, with neither roots nor order told.
There is no baseline: the published search may take up to 600 s a problem, and it proves nothing.
Times are processor time on one core.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from bench.measure import Measurement
from causarium.families.replayscm.config import FAMILY_NAME
from causarium.families.replayscm.latent import ROOTS, Latent, draw_latent
from causarium.scm.boolean.certify import is_unique
from causarium.scm.boolean.minimal import shortest
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.propose import Design, World, observe, propose
from causarium.scm.boolean.seen import Admissible, Evidence, layout
from causarium.scm.boolean.select import Goal, select_worlds
from causarium.scm.boolean.solve import simplest
from causarium.seeds import stream

PROBLEMS = 1_000
CERTIFIED = 200
UNITS = 12
WORLDS = 8
SEED = 7


@dataclass(frozen=True, slots=True)
class Problem:
    """A true model, and what is shown of it."""

    scm: BooleanScm
    train: Evidence

    def admissible(self, setting: str) -> Admissible:
        """Return the models that a setting admits."""
        n, roots, order = self.scm.n, self.scm.roots, self.scm.order
        if setting == "ordered":
            return Admissible.ordered(n, roots, order)
        if setting == "block order":
            blocks = [order[begin : begin + 3] for begin in range(0, len(order), 3)]
            return Admissible.blocks(n, roots, blocks)
        if setting == "hidden order":
            return Admissible.hidden(n, roots)
        return Admissible.hidden_roots(n, ROOTS)


def run() -> Iterator[Measurement]:
    """Solve, then certify."""
    _warm()
    problems = [_problem(_latent(index), index) for index in range(PROBLEMS)]
    for setting in ("ordered", "block order", "hidden order", "hidden roots"):
        spent = _solve(problems, setting)
        yield Measurement(
            work=f"{PROBLEMS:,} problems solved, all exactly, {setting}",
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


def _problem(latent: Latent, index: int) -> Problem:
    rng = stream(SEED, FAMILY_NAME, "bench", "solve", index)
    design = Design.draw(ROOTS, UNITS, rng)
    worlds = propose(latent.scm, design, rng, WORLDS)
    shown = [observe(latent.scm, design), *(worlds[place] for place in range(WORLDS))]
    return Problem(latent.scm, _evidence(latent.n, shown))


def _evidence(n: int, worlds: list[World]) -> Evidence:
    rows = [(row, world.targets) for world in worlds for row in world.rows]
    return Evidence.of(n, (row for row, _ in rows), (targets for _, targets in rows))


def _solve(problems: list[Problem], setting: str) -> float:
    start = time.process_time()
    found = [simplest(problem.train, problem.admissible(setting)) for problem in problems]
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
    rng = stream(SEED, FAMILY_NAME, "bench", "certify", index)
    design = Design.draw(ROOTS, UNITS, rng)
    admissible = Admissible.hidden_roots(scm.n, ROOTS)
    first = observe(scm, design)
    found = select_worlds(Goal.unique(scm, admissible), [first], design, rng)
    if found is None:
        raise AssertionError(f"no worlds make model {index} unique")
    worlds = [first, *found]
    if not is_unique(scm, _evidence(scm.n, worlds), admissible):
        raise AssertionError(f"the worlds chosen for model {index} do not make it unique")
    return worlds
