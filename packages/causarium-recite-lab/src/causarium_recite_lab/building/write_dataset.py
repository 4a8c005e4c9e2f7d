"""Finished papers as rows of the published schema, and what the whole build measured."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from statistics import fmean
from typing import Any

from causarium.errors import BadFile
from causarium.families.recite.publication.dataset_row import Sample, SampleEdge
from causarium_recite_lab.building.build_steps import STEPS, is_current
from causarium_recite_lab.building.paper_folder import Folder


def is_finished(folder: Folder) -> bool:
    """Tell whether every step that a row needs is done and none has failed since."""
    return all(
        is_current(folder, step) or (step.optional and folder.record(step.name) is None)
        for step in STEPS
    )


def samples(papers: Sequence[Folder]) -> list[Sample]:
    """Return the finished ones of all papers as rows.

    Numbers count unfinished papers too, so that a row keeps its number when more are finished.

    Raises:
        BadFile: Two of them have one number.
    """
    rows = [_sample(paper, place) for place, paper in enumerate(papers, 1) if is_finished(paper)]
    for number, times in Counter(row.id for row in rows).items():
        if times > 1:
            raise BadFile(
                f"{times} papers have the number {number}; give each an id of its own in its "
                "paper.toml"
            )
    return rows


def _sample(folder: Folder, place: int) -> Sample:
    about, graph = folder.read_about(), folder.value("graph.json")
    return Sample(
        id=place if about.id is None else about.id,
        title=about.title,
        url=about.url,
        abstract=about.abstract,
        source=about.source,
        domains=tuple(folder.value("domains.json")),
        nodes=tuple(graph["nodes"]),
        edges=tuple(SampleEdge.model_validate(edge) for edge in graph["edges"]),
        node_explicitness=folder.value("explicitness.json"),
        input_text=folder.read("normalized.md"),
        publication_date=about.date,
        made_by=_makers(folder),
    )


def _makers(folder: Folder) -> dict[str, str]:
    """Return who made each step that asks a model or goes by rule."""
    records = {step.name: folder.record(step.name) for step in STEPS}
    return {name: record.model for name, record in records.items() if record and record.model}


@dataclass(frozen=True, slots=True)
class Agreed:
    """How far second annotators agree, over all graphs that have one."""

    graphs: int
    edges: int
    """How many edges the first annotators drew."""
    missing: int
    spurious: int
    kappa: float = nan
    """The mean of the graphs' kappas."""
    node_f1: float = nan
    """The mean F1 of nodes."""

    @property
    def precision(self) -> float:
        """The share of the second annotators' edges that the first ones drew."""
        both = self.edges - self.missing
        return both / (both + self.spurious)

    @property
    def recall(self) -> float:
        """The share of the first annotators' edges that the second ones drew."""
        return (self.edges - self.missing) / self.edges

    @property
    def f1(self) -> float:
        """The F1 of the two.

        Example:
            >>> found = Agreed(graphs=37, edges=879, missing=22, spurious=5)
            >>> round(found.precision, 3), round(found.recall, 3), round(found.f1, 3)
            (0.994, 0.975, 0.984)
        """
        both = self.edges - self.missing
        return 2 * both / (2 * both + self.missing + self.spurious)

    def numbers(self) -> dict[str, float]:
        """Return all of it, for whoever prints it."""
        return {
            "graphs": self.graphs,
            "edges": self.edges,
            "missing": self.missing,
            "spurious": self.spurious,
            "precision": round(self.precision, 4),
            "recall": round(self.recall, 4),
            "f1": round(self.f1, 4),
            "kappa": round(self.kappa, 4),
            "node_f1": round(self.node_f1, 4),
        }


def measure_agreement(papers: Sequence[Folder]) -> Agreed | None:
    """Return the agreement over all papers with a second annotator; None where there is none."""
    found: list[dict[str, Any]] = [
        record.notes
        for folder in papers
        if (record := folder.record("agreement")) is not None and not record.failed
    ]
    if not found:
        return None
    # Where both drew every possible arrow there is no kappa.
    kappas = [one["kappa"] for one in found if one["kappa"] is not None]
    return Agreed(
        graphs=len(found),
        edges=sum(one["both"] + one["missing"] for one in found),
        missing=sum(one["missing"] for one in found),
        spurious=sum(one["spurious"] for one in found),
        kappa=fmean(kappas) if kappas else nan,
        node_f1=fmean(one["node_f1"] for one in found),
    )
