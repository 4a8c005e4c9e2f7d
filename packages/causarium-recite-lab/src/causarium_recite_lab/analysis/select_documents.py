"""Choosing among published documents, and counting them, as the published helpers do."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from statistics import fmean
from typing import Any

from pydantic import ValidationError

from causarium.contract.frozen import Frozen
from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import UnknownName, UsageError
from causarium.families.recite.paper.publication.dataset_row import Sample


class Choice(Frozen):
    """Which documents are wanted.

    A bound that is not given does not bind. All are inclusive but for `before`, which leaves its
    own day out. Dates are compared as strings.
    """

    ids: tuple[int, ...] | None = None
    domains: tuple[str, ...] | None = None
    all_domains: bool = False
    """Whether a document needs every one of `domains`, and not just one."""
    source: str | None = None
    min_explicitness: float | None = None
    max_explicitness: float | None = None
    before: str | None = None
    after: str | None = None
    until: str | None = None
    """The last day of a range that begins with `after`."""
    min_nodes: int | None = None
    max_nodes: int | None = None
    min_edges: int | None = None
    max_edges: int | None = None

    def wants(self, sample: Sample) -> bool:
        """Say whether a document is wanted."""
        return (
            (self.ids is None or sample.id in self.ids)
            and (self.source is None or sample.source == self.source)
            and self._has_domains(sample.domains)
            and self._is_dated(sample.publication_date)
            and _is_between(sample.explicitness, self.min_explicitness, self.max_explicitness)
            and _is_between(len(sample.names), self.min_nodes, self.max_nodes)
            and _is_between(len(sample.edges), self.min_edges, self.max_edges)
        )

    def _has_domains(self, found: Collection[str]) -> bool:
        if self.domains is None:
            return True
        return (all if self.all_domains else any)(domain in found for domain in self.domains)

    def _is_dated(self, date: str) -> bool:
        if self.before is None and self.after is None and self.until is None:
            return True
        day = date[:10]
        return (
            bool(day)
            and (self.before is None or day < self.before)
            and (self.after is None or day >= self.after)
            and (self.until is None or day <= self.until)
        )


def _is_between(value: float, low: float | None, high: float | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def choice_of(wishes: Iterable[str]) -> Choice:
    """Return the choice that wishes such as `min_nodes=10` or `ids=1,2,3` make together.

    Raises:
        UsageError: A wish names nothing to choose by, or its value cannot be one.
    """
    found: dict[str, object] = {}
    for wish in wishes:
        name, sign, value = wish.partition("=")
        if not sign:
            raise UsageError(f"a wish is given as NAME=VALUE, and {wish!r} has no '='")
        if name not in Choice.model_fields:
            raise UnknownName("wish", name, Choice.model_fields, plural="wishes")
        found[name] = value.split(",") if name in ("ids", "domains") else value
    try:
        return Choice.model_validate(found)
    except ValidationError as wrong:
        raise UsageError(f"cannot choose by {describe_validation_error(wrong)}") from wrong


def select(samples: Iterable[Sample], choice: Choice) -> list[Sample]:
    """Return the documents that are wanted, in their order."""
    return [sample for sample in samples if choice.wants(sample)]


def statistics(samples: Sequence[Sample]) -> dict[str, Any]:
    """Count documents under the published keys; what labels lack and what was mended is added."""
    dates = sorted(sample.publication_date for sample in samples if sample.publication_date)
    domains = Counter(domain for sample in samples for domain in sample.domains)
    return {
        "total_samples": len(samples),
        "domains": dict(domains.most_common()),
        "sources": dict(Counter(sample.source for sample in samples).most_common()),
        "publication_years": dict(sorted(Counter(date[:4] for date in dates).items())),
        "date_range": {
            "earliest": dates[0] if dates else None,
            "latest": dates[-1] if dates else None,
            "samples_with_dates": len(dates),
        },
        "nodes": _range([len(sample.names) for sample in samples], 2),
        "edges": _range([len(sample.edges) for sample in samples], 2),
        "explicitness": _range([sample.explicitness for sample in samples], 3),
        "nodes_without_label": sum(
            name not in sample.node_explicitness for sample in samples for name in sample.names
        ),
        "mended": dict(sum((sample.slips for sample in samples), Counter())),
        "made_by_rule": sum(sample.is_made_by_rule for sample in samples),
    }


def _range(values: Sequence[float], digits: int) -> dict[str, float | None]:
    if not values:
        return {"min": None, "max": None, "mean": None}
    return {
        "min": round(min(values), digits),
        "max": round(max(values), digits),
        "mean": round(fmean(values), digits),
    }
