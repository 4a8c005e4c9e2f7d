"""From a reply to a verdict: ours, version 1's way, and a row-by-row evaluator, in one run."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from random import Random

from bench.measure import Measurement
from bench.replayscm_rows import answers, evaluate_rows
from bench.replayscm_version1 import score_reply
from causarium.families.replayscm import FAMILY
from causarium.families.replayscm.model.actions import Submit
from causarium.families.replayscm.model.instance import ReplayInstance, true_roots
from causarium.families.replayscm.scoring.score import score_many

LEVELS = ("paper-ordered", "paper-block", "paper-hidden", "paper-roots")
PROBLEMS, ANSWERS, ROUNDS = 10, 15, 4
Work = Sequence[tuple[ReplayInstance, Sequence[str]]]


def measure_scoring() -> Iterator[Measurement]:
    """Yield answers a second of processor time: 40 problems of `matched`, 15 answers each."""
    rules = FAMILY.rules_for("certified")
    problems = [FAMILY.generate(FAMILY.level(v), 0, i) for v in LEVELS for i in range(PROBLEMS)]
    rng = Random(5)
    work = [(problem, list(_replies(problem, rng))) for problem in problems]
    few = [(problem, replies[:2]) for problem, replies in work[20:30]]

    def ours() -> int:
        return sum(len(score_many(problem, replies, rules)) for problem, replies in work)

    def ours_once() -> int:
        return sum(len(score_many(problem, replies[:1], rules)) for problem, replies in work)

    def first_version() -> int:
        return sum(
            score_reply(problem, reply, rules) is not None
            for problem, replies in work[::4]
            for reply in replies
        )

    best = {"plain": 0.0, "first": 0.0, "one": 0.0, "many": 0.0}
    for _ in range(ROUNDS):
        best["plain"] = max(best["plain"], _rate(lambda: _row_by_row(few)))
        best["first"] = max(best["first"], _rate(first_version))
        best["one"] = max(best["one"], _rate(ours_once))
        best["many"] = max(best["many"], _rate(ours))
    for name, what, bar in (
        ("one", "one reply a problem", ">= 2x"),
        ("many", "fifteen replies a problem", ">= 8x"),
    ):
        work_done = f"reply to verdict, {what}"
        yield Measurement(
            f"{work_done}, against version 1", "answers/CPU s", best[name], best["first"], bar
        )
    what = f"{work_done}, against row by row"
    yield Measurement(what, "answers/CPU s", best["many"], best["plain"], ">= 20x")


def _replies(problem: ReplayInstance, rng: Random) -> Iterator[str]:
    for answer in answers(problem, rng, ANSWERS):
        fields = {"mechanisms": answer.mechanisms}
        if problem.public.roots is None:
            yield json.dumps({**fields, "roots": list(true_roots(problem))})
        else:
            yield json.dumps(fields)


def _row_by_row(work: Work) -> int:
    for problem, replies in work:
        for reply in replies:
            evaluate_rows(problem, Submit(mechanisms=json.loads(reply)["mechanisms"]))
    return sum(len(replies) for _, replies in work)


def _rate(work: Callable[[], int]) -> float:
    """Return how many items a second of one core are done, by processor time."""
    begun = time.process_time()
    done = work()
    return done / (time.process_time() - begun)
