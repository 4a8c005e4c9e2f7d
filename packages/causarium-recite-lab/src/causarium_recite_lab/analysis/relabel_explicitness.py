"""The explicitness of whole files, labelled anew by a model and held against the labels they have.

A document with a node that is never labelled keeps the labels it has, and is named.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from causarium.contract.texts.role_questions import Ask, answer_questions
from causarium.families.recite.paper.generation.facets import EXPLICITNESS_BINS, explicitness_bin
from causarium.families.recite.paper.model.instance import (
    Explicitness,
    lenient_explicitness,
    strict_explicitness,
)
from causarium.families.recite.paper.publication.dataset_row import Sample
from causarium.scoring.intervals import Interval, summarize
from causarium.scoring.rater_agreement import kappa
from causarium_recite_lab.building.label_nodes import label_nodes


@dataclass(frozen=True, slots=True)
class Relabelled:
    """One document, labelled anew."""

    before: Sample
    after: Sample
    """As it was, where some node has no label."""
    problem: str
    """What is missing; empty where nothing is."""


def relabel(sample: Sample, reply: Callable[[Ask], str]) -> Relabelled:
    """Have every node of a document labelled."""
    found = answer_questions(label_nodes(sample.input_text, sample.names), reply)
    if found.missing:
        lacking = f"{len(found.missing)} of {len(sample.names)} nodes have no label"
        reason = f" ({found.problem})" if found.problem else ""
        return Relabelled(sample, sample, f"{lacking} after {found.asked} questions{reason}")
    return Relabelled(sample, sample.model_copy(update={"node_explicitness": found.labels}), "")


@dataclass(frozen=True, slots=True)
class Labels:
    """What the labels of several documents come to."""

    nodes: int
    by_label: dict[int, int]
    lenient: Interval
    """Over documents, the share of nodes that the text mentions at all."""
    strict: Interval
    """Over documents, the share of nodes that the text names."""
    lenient_bins: dict[str, int]
    strict_bins: dict[str, int]


def sum_labels(samples: Sequence[Sample]) -> Labels:
    """Return what the labels of documents come to."""
    each = [list(sample.labels.values()) for sample in samples]
    lenient, strict = (
        [share(labels) for labels in each] for share in (lenient_explicitness, strict_explicitness)
    )
    counts = Counter(label for labels in each for label in labels)
    return Labels(
        nodes=counts.total(),
        by_label={label: counts[label] for label in (1, 2, 3)},
        lenient=summarize(lenient, share=False),
        strict=summarize(strict, share=False),
        lenient_bins=_count_bins(lenient),
        strict_bins=_count_bins(strict),
    )


def agreement(found: Iterable[Relabelled]) -> tuple[int, float]:
    """Return how many nodes had a label and got one, and Cohen's kappa of the two.

    It is nan where both labels never vary.
    """
    pairs: list[tuple[Explicitness, Explicitness]] = []
    for one in found:
        if not one.problem:
            known = one.before.node_explicitness
            pairs += [
                (known[name], label) for name, label in one.after.labels.items() if name in known
            ]
    return len(pairs), kappa([old for old, _ in pairs], [new for _, new in pairs])


def _count_bins(shares: Sequence[float]) -> dict[str, int]:
    counts = Counter(map(explicitness_bin, shares))
    return {name: counts[name] for name in EXPLICITNESS_BINS}
