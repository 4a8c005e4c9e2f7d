"""How far judges can be relied on: do they order answers alike, and do they favour their kin?

`pairwise_agreement` compares the F1 that two judges give to the same answers. `kin_bias` asks
whether a judge is more generous, beside the other judges, to answers of models of its own maker
than to those of others: were it only more generous throughout, both differences would be the same.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from statistics import StatisticsError, correlation, fmean, pstdev

from causarium.contract.row import Row, mean_per_instance
from causarium.scoring.intervals import Interval, summarize
from causarium.scoring.rater_agreement import spearman
from causarium.seeds import stream

JUDGES = tuple(f"judge_{place}" for place in range(1, 5))
_RESAMPLES = 2_000


@dataclass(frozen=True, slots=True)
class Opinion:
    """The F1 that one judge gives to one answer."""

    judge: str
    agent: str
    id: str
    f1: float

    @property
    def answer(self) -> tuple[str, str]:
        """Which answer it is of."""
        return self.agent, self.id


def opinions(rows: Sequence[Row]) -> list[Opinion]:
    """Return what each judge gave to each answer; epochs are answers of their own."""
    found = []
    for row in rows:
        for place in JUDGES:
            value = row.numbers.get(f"{place}_f1", math.nan)
            if place in row.labels and not math.isnan(value):
                id_ = f"{row.id}/{row.epoch}"
                found.append(Opinion(row.labels[place], row.agent, id_, value))
    return found


@dataclass(frozen=True, slots=True)
class JudgePair:
    """How two judges agree on the answers that both judged."""

    first: str
    second: str
    n: int
    pearson: float
    """nan where one of them does not vary."""
    spearman: float
    difference: float
    """The mean of the first less the second."""
    deviation: float
    """The standard deviation of those differences (ddof 0)."""


def pairwise_agreement(given: Sequence[Opinion]) -> list[JudgePair]:
    """Compare every two judges on the answers that both judged."""
    by_judge: dict[str, dict[tuple[str, str], float]] = {}
    for one in given:
        by_judge.setdefault(one.judge, {})[one.answer] = one.f1
    pairs = []
    for first, second in combinations(sorted(by_judge), 2):
        shared = sorted(by_judge[first].keys() & by_judge[second].keys())
        if shared:
            ours = [by_judge[first][answer] for answer in shared]
            theirs = [by_judge[second][answer] for answer in shared]
            pairs.append(_pair(first, second, ours, theirs))
    return pairs


def _pair(first: str, second: str, ours: Sequence[float], theirs: Sequence[float]) -> JudgePair:
    gaps = [a - b for a, b in zip(ours, theirs, strict=True)]
    return JudgePair(
        first=first,
        second=second,
        n=len(gaps),
        pearson=pearson(ours, theirs),
        spearman=spearman(ours, theirs),
        difference=fmean(gaps),
        deviation=pstdev(gaps),
    )


def pearson(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the correlation of two ratings; nan where one of them does not vary."""
    try:
        return correlation(one, other)
    except StatisticsError:
        return math.nan


@dataclass(frozen=True, slots=True)
class KinBias:
    """How much more generous a judge is to its kin than it is to others."""

    judge: str
    kin: Interval
    """Its F1 less the other judges', on answers of models of its own maker."""
    others: Interval
    """The same on answers of all other models."""
    bias: float
    """The first less the second; nan where one is missing."""
    low: float
    high: float
    """The 95 % interval of the bias, from resampling answers."""


_MAKERS = {
    "chatgpt": "openai",
    "claude": "anthropic",
    "codestral": "mistral",
    "command": "cohere",
    "deepseek": "deepseek",
    "gemini": "google",
    "gemma": "google",
    "glm": "zhipu",
    "gpt": "openai",
    "grok": "xai",
    "kimi": "moonshot",
    "llama": "meta",
    "magistral": "mistral",
    "ministral": "mistral",
    "mistral": "mistral",
    "mixtral": "mistral",
    "o": "openai",
    "phi": "microsoft",
    "qwen": "alibaba",
    "qwq": "alibaba",
}
"""Who makes the models of a name. Kinship goes by maker: QwQ is of the makers of Qwen."""


def maker(model: str) -> str:
    """Return who made a model: as known, or the first word of its name.

    Example:
        >>> maker("openrouter/deepseek/deepseek-r1"), maker("openai/o3"), maker("GPT 5.2")
        ('deepseek', 'openai', 'openai')
    """
    words = re.findall(r"[^\W\d_]+", model.rsplit("/", 1)[-1].casefold())
    known = (_MAKERS[word] for word in words if word in _MAKERS)
    return next(known, words[0] if words else model)


def kin_bias(given: Sequence[Opinion]) -> list[KinBias]:
    """Say of each judge whether it favours models of its own maker, by what it gave to answers."""
    by_answer: dict[tuple[str, str], dict[str, float]] = {}
    for one in given:
        by_answer.setdefault(one.answer, {})[one.judge] = one.f1
    found = []
    for judge in sorted({one.judge for one in given}):
        gaps: dict[bool, list[float]] = {True: [], False: []}
        for (agent, _), values in by_answer.items():
            rest = [value for name, value in values.items() if name != judge]
            if judge in values and rest:
                gaps[maker(agent) == maker(judge)].append(values[judge] - fmean(rest))
        if gaps[True] and gaps[False]:
            found.append(_bias(judge, gaps[True], gaps[False]))
    return found


def _bias(judge: str, kin: Sequence[float], others: Sequence[float]) -> KinBias:
    low, high = difference_interval(stream(0, "recite", "kin-bias", judge), kin, others)
    return KinBias(
        judge=judge,
        kin=summarize(kin, share=False),
        others=summarize(others, share=False),
        bias=fmean(kin) - fmean(others),
        low=low,
        high=high,
    )


def difference_interval(
    rng: Random, some: Sequence[float], others: Sequence[float]
) -> tuple[float, float]:
    """Return the 95 % interval of a difference of means, from resampling each side.

    It is nan where a side has fewer than two values: they have no spread.
    """
    if len(some) < 2 or len(others) < 2:
        return math.nan, math.nan
    draws = sorted(
        fmean(rng.choices(some, k=len(some))) - fmean(rng.choices(others, k=len(others)))
        for _ in range(_RESAMPLES)
    )
    return draws[int(0.025 * _RESAMPLES)], draws[int(0.975 * _RESAMPLES) - 1]


@dataclass(frozen=True, slots=True)
class RankAgreement:
    """How far two metrics put agents in the same order."""

    agents: int
    spearman: float
    kendall: float
    """Tau-b, which makes allowance for ties."""


def rank_agreement(rows: Sequence[Row], first: str, second: str) -> RankAgreement:
    """Compare the order of agents by one metric with that by another, by their means."""
    agents = sorted({row.agent for row in rows})
    ours, theirs = (
        [mean_of([row for row in rows if row.agent == agent], metric) for agent in agents]
        for metric in (first, second)
    )
    both = [(a, b) for a, b in zip(ours, theirs, strict=True) if not math.isnan(a + b)]
    one, other = [a for a, _ in both], [b for _, b in both]
    return RankAgreement(len(both), spearman(one, other), kendall(one, other))


def mean_of(rows: Sequence[Row], metric: str) -> float:
    """Return the mean of a metric over instances; nan where none has it."""
    kept = [v for v in mean_per_instance(rows, metric).values() if not math.isnan(v)]
    return fmean(kept) if kept else math.nan


def kendall(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Kendall's tau-b of two ratings; nan where one of them does not vary.

    Example:
        >>> round(kendall([1, 2, 3, 4], [1, 2, 4, 3]), 3)
        0.667
    """
    pairs = list(combinations(zip(one, other, strict=True), 2))
    signs = [(_sign(a - c), _sign(b - d)) for (a, b), (c, d) in pairs]
    spread = sum(x != 0 for x, _ in signs) * sum(y != 0 for _, y in signs)
    return sum(x * y for x, y in signs) / math.sqrt(spread) if spread else math.nan


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
