"""Verdicts as Inspect scores."""

import math
from collections.abc import Callable
from statistics import fmean, stdev

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from causarium.contract.family import AnyFamily
from causarium.contract.verdict import Verdict
from causarium.engine.record.episode_record import read_record, score_record
from causarium.engine.record.episode_store import EpisodeStore


@metric
def numbers() -> Metric:
    """Return the metric of a run: for each number of its verdicts, the mean and standard error.

    One metric for all of them, because Inspect copies every score, with all its numbers and its
    record, for each metric that is asked for by name. A number that is nan is left out.
    """

    def compute(scores: list[SampleScore]) -> Value:
        columns: dict[str, list[float]] = {}
        for sample in scores:
            for name, value in (
                sample.score.value.items() if isinstance(sample.score.value, dict) else ()
            ):
                if isinstance(value, int | float) and not math.isnan(value):
                    columns.setdefault(name, []).append(float(value))
        summary: dict[str, str | int | float | bool | None] = {}
        for name, column in columns.items():
            summary[name] = fmean(column)
            summary[f"{name}_stderr"] = stdev(column) / len(column) ** 0.5 if column[1:] else 0.0
        return summary

    return compute


METRICS = [numbers()]
"""What a run says of all its verdicts."""


def family_scorer(family: AnyFamily) -> Callable[[], Scorer]:
    """Register a family's scorer, `<family>_verdict`, so that a log can find it again.

    Inspect writes a scorer's name without its package and later looks it up as written. So the
    scorer is registered twice: under its own name, and under one that keeps the package when
    the first part is cut off. The package is the one of the family's rules, so that the name is the
    same when Inspect runs a task's file by its path.
    """

    def make() -> Scorer:
        return verdict_scorer(family)

    make.__name__ = make.__qualname__ = f"{family.name}_verdict"
    make.__module__ = family.rules.__module__
    scorer(metrics=METRICS)(make)
    package = make.__module__.partition(".")[0]
    return scorer(metrics=METRICS, name=f"{package}/{make.__name__}")(make)


def verdict_scorer(family: AnyFamily) -> Scorer:
    """Return the scorer of a family: it reads the sample's record and turns, and nothing else."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        record = read_record(state.metadata)
        store = EpisodeStore(state.store)
        verdict = score_record(family, record, store.turns, store.judgements)
        return as_score(verdict, headline=family.card.headline.get(record.edition, ""))

    return score


def as_score(verdict: Verdict, *, headline: str = "") -> Score:
    """Return a verdict in Inspect's words, the headline number first.

    Args:
        verdict: The verdict.
        headline: The one metric of its edition.
    """
    extra = {"labels": verdict.labels}
    if verdict.unscored is not None:
        return Score.unscored(
            reason="grader_failed",
            answer=verdict.answer,
            explanation=verdict.unscored,
            metadata=extra,
        )
    numbers = verdict.numbers
    return Score(
        value={
            name: numbers[name] for name in dict.fromkeys((headline, *numbers)) if name in numbers
        },
        answer=verdict.answer,
        explanation=verdict.explanation or None,
        metadata=extra,
    )
