"""The numbers of a whole run that its log states, and that a reader of the log works out anew."""

import math
from collections.abc import Iterable, Sequence
from statistics import fmean, variance
from typing import NamedTuple

from causarium.contract.rungs import read_rung

FORM = "form"
"""The key of a score's metadata that holds the counts of its replies."""


class RunSample(NamedTuple):
    """One scored sample of a run."""

    id: str
    score: object
    """The headline number of its verdict."""
    replies: int = 0
    refused: int = 0
    """Replies that could not be read or were not allowed."""
    malformed: int = 0
    """1 if the episode failed on format."""


def summarize_run(samples: Iterable[RunSample]) -> dict[str, float]:
    """Return four numbers: reach, or score off a ladder; its standard error; two shares.

    `refused` is the share of replies that were refused, `malformed` the share of episodes that
    failed on format.
    """
    listed = list(samples)
    scores = [
        (one.id, float(one.score))
        for one in listed
        if isinstance(one.score, int | float) and not math.isnan(one.score)
    ]
    if not scores:
        return {}
    rungs: dict[int, list[float]] = {}
    for id_, score in scores:
        rungs.setdefault(read_rung(id_) or 0, []).append(score)
    if 0 in rungs:
        name, value = "score", fmean(score for _, score in scores)
        spread = _find_variance([score for _, score in scores])
    else:
        name = "reach"
        value = math.fsum(map(fmean, rungs.values()))
        spread = math.fsum(map(_find_variance, rungs.values()))
    replies = sum(one.replies for one in listed)
    return {
        name: value,
        "stderr": math.sqrt(spread),
        "refused": sum(one.refused for one in listed) / replies if replies else 0.0,
        "malformed": fmean(one.malformed for one in listed),
    }


def _find_variance(scores: Sequence[float]) -> float:
    """Return the variance of a mean; 0 where one score alone has none."""
    return variance(scores) / len(scores) if scores[1:] else 0.0
