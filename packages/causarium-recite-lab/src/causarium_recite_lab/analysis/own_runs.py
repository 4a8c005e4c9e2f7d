"""The publication's tables on what documents are like, worked out on one's own runs.

Table 5 is the mean score on the largest quarter of the documents less that on the smallest, table
13 the correlation of scores with the shape of graphs, table 19 that with the length of reasoning.
The publication does not say what its ± is; here it is the standard error by resampling documents.
Texts drawn from one document are not independent: they are one document, with their means.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, median, pstdev

import numpy as np
import numpy.typing as npt
from inspect_ai.log import EvalSample, read_eval_log, read_eval_log_samples

from causarium.contract.instance import Facet
from causarium.contract.row import Row, agents_of, mean_per_instance, mechanism_per_instance
from causarium.engine.logbook.log_book import LogBook
from causarium.errors import CausariumError
from causarium.families.recite.paper import FAMILY
from causarium.families.recite.paper.model.instance import ReciteInstance
from causarium.seeds import stream
from causarium_recite_lab.analysis.judge_reliability import pearson
from causarium_recite_lab.analysis.row_tables import Table, write_number
from causarium_recite_lab.analysis.topology import Topology, topology

LEAST_DOCUMENTS = 8
"""Below so many documents a quarter says nothing."""
RESAMPLES, PERMUTATIONS = 1_000, 10_000
_Vector = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shape:
    """What a document is like, in numbers."""

    characters: int
    graph: Topology


_SIZES: Mapping[str, Callable[[Shape], int]] = {
    "length": lambda shape: shape.characters,
    "edges": lambda shape: shape.graph.edges,
    "nodes": lambda shape: shape.graph.nodes,
}
"""What documents are put into quarters by."""


def shape_of(instance: ReciteInstance) -> Shape:
    """Return what a document is like."""
    return Shape(len(instance.public.text), topology(instance.secret.linked, instance.secret.pairs))


@dataclass(frozen=True, slots=True)
class Reasoning:
    """How long one answer was thought over."""

    characters: int
    """Of reasoning that can be read."""
    hidden_tokens: int
    """Of reasoning that is only counted, where none can be read."""


def read_reasoning(path: Path) -> Iterator[tuple[str, Reasoning]]:
    """Yield how long the agent of each finished sample of a log reasoned, its judges left out."""
    model = read_eval_log(str(path), header_only=True).eval.model
    for sample in read_eval_log_samples(str(path), all_samples_required=False):
        usage, characters = sample.model_usage.get(model), reasoning_characters(sample)
        # Providers that do not count leave the number out.
        tokens = (usage.reasoning_tokens or 0) if usage is not None and not characters else 0
        yield str(sample.id), Reasoning(characters, tokens)


def reasoning_characters(sample: EvalSample) -> int:
    """Return how many characters of reasoning an agent's messages hold, in parts or in tags."""
    count = 0
    for message in sample.messages:
        if message.role != "assistant":
            continue
        parts = message.content if isinstance(message.content, list) else []
        count += sum(len(part.reasoning) for part in parts if part.type == "reasoning")
        thought, closed, _ = message.text.rpartition("</think>")
        count += len(thought.removeprefix("<think>")) if closed else 0
    return count


def read_own_runs(
    logs: Sequence[Path],
) -> tuple[dict[str, Shape], dict[tuple[str, str], Reasoning]]:
    """Return what each document is like, and how long each answer was thought over.

    A log that cannot be read is left out; reading its rows has named it already.
    """
    shapes: dict[str, Shape] = {}
    reasoning: dict[tuple[str, str], Reasoning] = {}
    try:
        book = LogBook.read(logs)
    except CausariumError:
        return shapes, reasoning
    agents: dict[Path, dict[str, str]] = {}
    for sample in book.samples:
        if (sample.row.family, sample.row.edition) == (FAMILY.name, FAMILY.edition):
            instance, _ = sample.record.open(FAMILY)
            shapes.setdefault(instance.id, shape_of(instance))
            agents.setdefault(sample.header.path, {})[instance.id] = sample.row.agent
    for path, by_instance in agents.items():
        for id_, length in read_reasoning(path):
            if id_ in by_instance:
                reasoning[by_instance[id_], id_] = length
    return shapes, reasoning


def make_own_tables(
    rows: Sequence[Row],
    shapes: Mapping[str, Shape],
    reasoning: Mapping[tuple[str, str], Reasoning],
    metric: str = "f1",
) -> list[Table]:
    """Return the three tables, as far as there is something to put into them.

    Args:
        rows: Rows with a score.
        shapes: What each document is like, by its id.
        reasoning: How long each answer was thought over, by agent and id.
        metric: The number to look at.
    """
    tables = (
        quartile_table(rows, shapes, metric),
        topology_table(rows, shapes, metric),
        reasoning_table(rows, reasoning, metric),
    )
    return [table for table in tables if table.lines]


@dataclass(frozen=True, slots=True)
class QuartileDifference:
    """The mean of the largest quarter less that of the smallest."""

    difference: float
    error: float
    top_sd: float
    bottom_sd: float


def quartile_difference(sizes: Sequence[float], scores: Sequence[float]) -> QuartileDifference:
    """Compare the scores of the largest and the smallest quarter of documents.

    Cuts are the linear 25th and 75th percentiles, both ends inclusive, so ties go by value. All is
    nan below eight documents.

    Example:
        >>> found = quartile_difference(range(8), [0, 0, 0, 0, 1, 1, 1, 1])
        >>> found.difference, found.top_sd
        (1.0, 0.0)
    """
    if len(sizes) < LEAST_DOCUMENTS:
        return QuartileDifference(*[math.nan] * 4)
    x, y = np.asarray(sizes, dtype=float), np.asarray(scores, dtype=float)
    low, high = np.percentile(x, [25, 75])
    top, bottom = y[x >= high], y[x <= low]
    rng = np.random.default_rng(stream(0, "recite", "quartiles").getrandbits(32))
    places = rng.integers(0, len(x), (RESAMPLES, len(x)))
    draws = [_cut_difference(x[at], y[at]) for at in places]
    return QuartileDifference(
        difference=float(top.mean() - bottom.mean()),
        error=float(np.nanstd(draws)),
        top_sd=pstdev(top.tolist()),
        bottom_sd=pstdev(bottom.tolist()),
    )


def _cut_difference(x: _Vector, y: _Vector) -> float:
    low, high = np.percentile(x, [25, 75])
    return float(y[x >= high].mean() - y[x <= low].mean())


def quartile_table(rows: Sequence[Row], shapes: Mapping[str, Shape], metric: str) -> Table:
    """Return the difference of quarters by length, edges and nodes, for each agent."""
    lines = []
    for agent in agents_of(rows):
        mine = [row for row in rows if row.agent == agent]
        scores = _scores(mine, shapes, metric)
        documents = _list_documents(mine, scores)
        means = [fmean(scores[id_] for id_ in texts) for texts in documents]
        cells: list[str] = []
        for size in _SIZES.values():
            sizes = [fmean(size(shapes[id_]) for id_ in texts) for texts in documents]
            found = quartile_difference(sizes, means)
            cells.append(f"{write_number(found.difference)} ± {write_number(found.error)}")
            cells += [write_number(found.top_sd), write_number(found.bottom_sd)]
        if len(documents) >= LEAST_DOCUMENTS:
            lines.append((agent, str(len(documents)), *cells))
    columns = (column for name in _SIZES for column in (name, "sd top", "sd bottom"))
    return Table(
        f"{metric}: largest quarter of documents less the smallest (as table 5)",
        ("agent", "documents", *columns),
        tuple(lines),
        "Positive: better on larger documents. ± is the standard error from resampling documents; "
        "sd is that of the scores within the largest and the smallest quarter.",
    )


def topology_table(rows: Sequence[Row], shapes: Mapping[str, Shape], metric: str) -> Table:
    """Return the correlation of scores, averaged over agents, with each number of a graph."""
    by_agent = [_scores([r for r in rows if r.agent == a], shapes, metric) for a in agents_of(rows)]
    every = sorted({id_ for scores in by_agent for id_ in scores})
    scores = {id_: fmean(mine[id_] for mine in by_agent if id_ in mine) for id_ in every}
    documents = _list_documents(rows, scores)
    lines: list[tuple[str, ...]] = []
    if len(documents) >= LEAST_DOCUMENTS:
        means = np.array([fmean(scores[id_] for id_ in texts) for texts in documents])
        graphs = {id_: asdict(shapes[id_].graph) for id_ in scores}
        names = list(graphs[every[0]])
        columns = [
            np.array([fmean(graphs[id_][name] for id_ in texts) for texts in documents])
            for name in names
        ]
        straight = _correlations(columns, means)
        ranked = _correlations([_ranks(column) for column in columns], _ranks(means))
        adjusted = holm([p for _, p in (*straight, *ranked)])
        for place, name in enumerate(names):
            first, second = straight[place], ranked[place]
            cells = (*first, adjusted[place], *second, adjusted[len(columns) + place])
            lines.append((name, *map(write_number, cells)))
    return Table(
        f"{metric} and the shape of graphs (as table 13)",
        ("statistic", "Pearson", "p", "p (Holm)", "Spearman", "p", "p (Holm)"),
        tuple(lines),
        f"Over {len(documents)} documents, scores averaged over agents. p by {PERMUTATIONS:,} "
        f"permutations; of {2 * len(lines)} tests, adjusted by Holm as well. Empty: no variation.",
    )


def _correlations(columns: Sequence[_Vector], y: _Vector) -> list[tuple[float, float]]:
    """Return the correlation of each column with y and its two-sided p by permutation.

    Both are nan where one of the two is constant.
    """
    if np.ptp(y) == 0:
        return [(math.nan, math.nan)] * len(columns)
    unit = [_standardise(column) for column in columns]
    mine = _standardise(y)
    rng = np.random.default_rng(stream(0, "recite", "permutations").getrandbits(32))
    drawn = np.abs(rng.permuted(np.tile(mine, (PERMUTATIONS, 1)), axis=1) @ np.array(unit).T)
    found = []
    for place, column in enumerate(unit):
        r = float(column @ mine)
        as_far = int(np.sum(drawn[:, place] >= abs(r) - 1e-12))
        constant = np.ptp(columns[place]) == 0
        p = (as_far + 1) / (PERMUTATIONS + 1)
        found.append((math.nan, math.nan) if constant else (r, p))
    return found


def _standardise(values: _Vector) -> _Vector:
    centred = values - values.mean()
    length = float(np.linalg.norm(centred))
    return np.asarray(centred / length if length else centred, dtype=float)


def _ranks(values: _Vector) -> _Vector:
    """Return ranks, ties sharing their mean."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[inverse], dtype=float)


def holm(values: Sequence[float]) -> list[float]:
    """Return probabilities adjusted for how many there are, nan left out.

    Example:
        >>> holm([0.01, 0.04, 0.03])
        [0.03, 0.06, 0.06]
    """
    ordered = sorted((p, at) for at, p in enumerate(values) if not math.isnan(p))
    adjusted = [math.nan] * len(values)
    highest = 0.0
    for rank, (p, at) in enumerate(ordered):
        highest = max(highest, min(1.0, p * (len(ordered) - rank)))
        adjusted[at] = highest
    return adjusted


def reasoning_table(
    rows: Sequence[Row], reasoning: Mapping[tuple[str, str], Reasoning], metric: str
) -> Table:
    """Return how long agents reason, and how that goes with their scores."""
    lines = []
    for agent in agents_of(rows):
        scores = mean_per_instance([row for row in rows if row.agent == agent], metric)
        read = {
            id_: reasoning[agent, id_].characters
            for id_, value in scores.items()
            if not math.isnan(value) and (agent, id_) in reasoning
        }
        hidden = [reasoning[agent, id_].hidden_tokens for id_ in read]
        shown = {id_: size for id_, size in read.items() if size}
        if not shown and not any(hidden):
            continue
        pairs = sorted((size, scores[id_]) for id_, size in shown.items())
        quarters = [_mean(part) for part in np.array_split(np.array([s for _, s in pairs]), 4)]
        lines.append(
            (
                agent,
                str(len(shown)),
                f"{median(shown.values()):,.0f}" if shown else "",
                write_number(pearson([size for size, _ in pairs], [s for _, s in pairs])),
                *map(write_number, quarters if len(pairs) >= LEAST_DOCUMENTS else [math.nan] * 4),
                f"{median(hidden):,.0f}" if any(hidden) else "",
            )
        )
    return Table(
        f"{metric} and the length of reasoning (as table 19)",
        (
            "agent",
            "answers",
            "characters",
            "r",
            "shortest",
            "second",
            "third",
            "longest",
            "hidden tokens",
        ),
        tuple(lines),
        "Median characters of reasoning that can be read, its correlation with the score, and mean "
        "scores by quarters of it. Reasoning that a provider hides and only counts stands apart.",
    )


def _scores(rows: Sequence[Row], shapes: Mapping[str, Shape], metric: str) -> dict[str, float]:
    values = mean_per_instance(rows, metric)
    return {id_: v for id_, v in values.items() if id_ in shapes and not math.isnan(v)}


def _list_documents(rows: Sequence[Row], scores: Mapping[str, float]) -> list[list[str]]:
    """Return the ids of the scored texts of each document."""
    mechanisms, found = mechanism_per_instance(rows), dict[Facet, list[str]]()
    for id_ in scores:
        found.setdefault(mechanisms[id_], []).append(id_)
    return list(found.values())


def _mean(values: _Vector) -> float:
    return float(values.mean()) if len(values) else math.nan
