"""ReplaySCM: scoring, drawing and solving.

Scoring is timed from a reply to its verdict, against a row-by-row evaluator. Each problem is scored
by both ways in turn, again and again, and of each the least processor time counts: a busy machine
slows both, but not in all rounds. Ours meets a problem anew each time. Problems to solve are drawn
by the paper edition's generator, the same models in four settings; every answer is replayed, and
one that is not exact stops the bench. Times are processor time on one core.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import inf
from random import Random
from typing import NamedTuple

from bench.measure import Measurement
from bench.replayscm_rows import answers, evaluate_rows
from causarium.contract.episode import Episode
from causarium.families import get
from causarium.families.replayscm.paper import FAMILY
from causarium.families.replayscm.paper.mechanics import admissible, evidence
from causarium.families.replayscm.paper.model.actions import Submit
from causarium.families.replayscm.paper.model.instance import ReplayInstance
from causarium.families.replayscm.paper.scoring.score import score_many
from causarium.scm.boolean.certify_model import find_simplest_known
from causarium.scm.boolean.row_evidence import Admissible, Evidence, ModelFacts, layout
from causarium.scm.boolean.shortest_formulas import compute_shortest

PROBLEMS = 400
LEVELS = ("paper-ordered", "paper-block", "paper-hidden", "paper-roots")
SEED = 7
SCORED, ANSWERS, ROUNDS = 5, 15, 3
Work = Sequence[tuple[ReplayInstance, Sequence[str]]]
Way = Callable[[ReplayInstance, Sequence[str]], None]


class Problem(NamedTuple):
    """What is shown, and which models are admitted."""

    train: Evidence
    admissible: Admissible


def run() -> Iterator[Measurement]:
    """Score, draw, solve."""
    _warm()
    yield from _measure_scoring()
    yield from _measure_drawing()
    yield from _measure_first_session()
    drawn = [[_problem(level, index) for level in LEVELS] for index in range(PROBLEMS)]
    for level, problems in zip(LEVELS, zip(*drawn, strict=True), strict=True):
        spent = _solve(problems)
        yield Measurement(
            work=f"{PROBLEMS:,} problems solved, all exactly, {level}",
            unit="ms each",
            ours=1000 * spent / PROBLEMS,
            target="under 5 ms",
        )


def _measure_scoring() -> Iterator[Measurement]:
    """Yield answers a second of processor time: problems with a hidden order, 15 answers each."""
    rules, rng = FAMILY.rules_for("certified"), Random(5)
    problems = [FAMILY.generate(FAMILY.level("paper-hidden"), 0, i) for i in range(SCORED)]
    work = [
        (
            problem,
            [json.dumps({"mechanisms": one.mechanisms}) for one in answers(problem, rng, ANSWERS)],
        )
        for problem in problems
    ]
    ones = [(problem, replies[:1]) for problem, replies in work]

    def together(problem: ReplayInstance, replies: Sequence[str]) -> None:
        score_many(problem, replies, rules)

    def episode(problem: ReplayInstance, replies: Sequence[str]) -> None:
        for reply in replies:
            played = Episode(FAMILY, problem, rules)
            played.step(played.parse_reply(reply))
            played.score()

    for what, ours, done, bar in (
        ("one reply a problem", together, ones, ">= 4x"),
        ("a plain episode", episode, ones, ">= 3x"),
        ("fifteen replies a problem", together, work, ">= 20x"),
    ):
        name = f"reply to verdict, {what}, against row by row"
        yield Measurement(name, "answers/CPU s", *_rates(done, ours, _score_rows), bar)


def _score_rows(problem: ReplayInstance, replies: Sequence[str]) -> None:
    for reply in replies:
        evaluate_rows(problem, Submit(mechanisms=json.loads(reply)["mechanisms"]))


def _rates(work: Work, ours: Way, baseline: Way) -> tuple[float, float]:
    """Return how many replies a second of one core both ways score, by processor time."""
    least = {way: [inf] * len(work) for way in (ours, baseline)}
    for _, (place, item), way in product(range(ROUNDS), enumerate(work), least):
        begun = time.process_time()
        way(*item)
        least[way][place] = min(least[way][place], time.process_time() - begun)
    done = sum(len(replies) for _, replies in work)
    return done / sum(least[ours]), done / sum(least[baseline])


def _measure_drawing() -> Iterator[Measurement]:
    """Yield how long a system of some rungs takes to draw and to certify."""
    family = get("replayscm", "certified")
    for rung, count, least in ((1, 200, 100), (3, 200, 100), (8, 24, 5)):
        begun = time.process_time()
        for index in range(count):
            family.proofs.certify(family.generate(family.level(f"rung-{rung}"), SEED, index))
        yield Measurement(
            work=f"{count} systems drawn and certified, rung {rung}",
            unit="a CPU s",
            ours=count / (time.process_time() - begun),
            target=f"at least {least}",
        )


_FIRST_SESSION = """
import sys, time
import causarium.contract.episode as contract
begun = time.process_time()
from causarium.families import get
family = get("replayscm", "certified")
rules = family.rules_for("certified")
instance = family.generate(family.level(sys.argv[1]), int(sys.argv[2]), 0)
episode = contract.Episode(family, instance, rules)
family.prompt(instance.public, rules)
episode.step(episode.parse_reply("{}"))
episode.score()
print(time.process_time() - begun)
"""


def _measure_first_session() -> Iterator[Measurement]:
    """Yield how long a fresh process takes for its first session, the family's import counted."""
    levels = ("rung-1", "rung-3", "rung-5")
    spent = [
        float(
            subprocess.run(
                [sys.executable, "-c", _FIRST_SESSION, level, str(SEED)],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
        )
        for level in levels
    ]
    yield Measurement(
        work=f"first session, slowest of {', '.join(levels)}",
        unit="s",
        ours=max(spent),
        target="under 0.5",
    )


def _warm() -> None:
    """Make the tables that are made once a process."""
    for arity in range(5):
        compute_shortest(arity)
    for n in range(6, 11):
        _ = layout(n, 4).patterns


def _problem(level: str, index: int) -> Problem:
    public = FAMILY.generate(FAMILY.level(level), SEED, index).public
    return Problem(evidence(public.train, public.variables), admissible(public))


def _solve(problems: Sequence[Problem]) -> float:
    start = time.process_time()
    found = [find_simplest_known(ModelFacts.of(*problem)) for problem in problems]
    spent = time.process_time() - start
    for problem, solution in zip(problems, found, strict=True):
        train = problem.train
        if solution is None or (solution.replay(train.rows, train.targets) != train.rows).any():
            raise AssertionError(f"a problem was not solved exactly: {problem}")
    return spent
