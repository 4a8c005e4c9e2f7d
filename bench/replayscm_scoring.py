"""From a reply to a verdict: ours, version 1's way, and a row-by-row evaluator, in one run.

Each problem is scored by both ways in turn, again and again, and of each the least processor time
counts: a busy machine slows both, but not in all rounds. Ours meets a problem anew each time, and
so does version 1. How fast that one is on problems and formulas that it remembers, all of them, is
measured too.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import inf
from random import Random

from bench.measure import Measurement
from bench.replayscm_rows import answers, evaluate_rows
from bench.replayscm_version1 import forget, score_reply
from causarium.contract.episode import Episode
from causarium.families.replayscm import FAMILY
from causarium.families.replayscm.model.actions import Submit
from causarium.families.replayscm.model.instance import ReplayInstance, true_roots
from causarium.families.replayscm.scoring.score import score_many

LEVELS = ("paper-ordered", "paper-block", "paper-hidden", "paper-roots")
PROBLEMS, ANSWERS, ROUNDS = 5, 15, 12
Work = Sequence[tuple[ReplayInstance, Sequence[str]]]
Way = Callable[[ReplayInstance, Sequence[str]], None]


def measure_scoring() -> Iterator[Measurement]:
    """Yield answers a second of processor time: 20 problems of `matched`, 15 answers each."""
    rules = FAMILY.rules_for("certified")
    problems = [FAMILY.generate(FAMILY.level(v), 0, i) for v in LEVELS for i in range(PROBLEMS)]
    rng = Random(5)
    work = [(problem, list(_replies(problem, rng))) for problem in problems]
    ones = [(problem, replies[:1]) for problem, replies in work]

    def remembered(problem: ReplayInstance, replies: Sequence[str]) -> None:
        for reply in replies:
            score_reply(problem, reply, rules)

    def first_version(problem: ReplayInstance, replies: Sequence[str]) -> None:
        forget()
        remembered(problem, replies)

    def together(problem: ReplayInstance, replies: Sequence[str]) -> None:
        score_many(problem, replies, rules)

    def episode(problem: ReplayInstance, replies: Sequence[str]) -> None:
        for reply in replies:
            played = Episode(FAMILY, problem, rules)
            played.step(played.parse_reply(reply))
            played.score()

    for what, ours, done, bar in (
        ("one reply a problem", together, ones, ">= 2x"),
        ("a plain episode", episode, ones, ">= 2x"),
        ("fifteen replies a problem", together, work, ">= 8x"),
    ):
        name = f"reply to verdict, {what}, against version 1"
        yield Measurement(name, "answers/CPU s", *_rates(done, ours, first_version), bar)
        name += " that remembers all"
        yield Measurement(name, "answers/CPU s", *_rates(done, ours, remembered))
    hidden = work[2 * PROBLEMS : 3 * PROBLEMS]
    name = "reply to verdict, fifteen replies a problem, against row by row"
    rates = _rates(hidden, together, _score_rows, rounds=3)
    yield Measurement(name, "answers/CPU s", *rates, ">= 20x")


def _replies(problem: ReplayInstance, rng: Random) -> Iterator[str]:
    for answer in answers(problem, rng, ANSWERS):
        fields = {"mechanisms": answer.mechanisms}
        if problem.public.roots is None:
            yield json.dumps({**fields, "roots": list(true_roots(problem))})
        else:
            yield json.dumps(fields)


def _score_rows(problem: ReplayInstance, replies: Sequence[str]) -> None:
    for reply in replies:
        evaluate_rows(problem, Submit(mechanisms=json.loads(reply)["mechanisms"]))


def _rates(work: Work, ours: Way, baseline: Way, *, rounds: int = ROUNDS) -> tuple[float, float]:
    """Return how many replies a second of one core both ways score, by processor time."""
    least = {way: [inf] * len(work) for way in (ours, baseline)}
    for _, (place, item), way in product(range(rounds), enumerate(work), least):
        begun = time.process_time()
        way(*item)
        least[way][place] = min(least[way][place], time.process_time() - begun)
    done = sum(len(replies) for _, replies in work)
    return done / sum(least[ours]), done / sum(least[baseline])
