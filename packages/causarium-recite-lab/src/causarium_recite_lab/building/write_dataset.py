"""Finished papers as rows of the published schema, and what the whole build measured."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import nan
from statistics import fmean
from typing import Any

from causarium.errors import BadFile
from causarium.families.recite.paper.publication.dataset_row import Sample, SampleEdge
from causarium.scoring.graph_scores import SetAgreement
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
    edges: SetAgreement
    """The second annotators' edges beside the first ones'."""
    kappa: float = nan
    """The mean of the graphs' kappas."""
    node_f1: float = nan
    """The mean F1 of nodes."""

    def numbers(self) -> dict[str, float]:
        """Return all of it, for whoever prints it."""
        edges = self.edges
        return {
            "graphs": self.graphs,
            "edges": edges.matched + edges.missing,
            "missing": edges.missing,
            "spurious": edges.extra,
            "precision": round(edges.precision, 4),
            "recall": round(edges.recall, 4),
            "f1": round(edges.f1, 4),
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
        edges=SetAgreement(
            *(sum(one[n] for one in found) for n in ("both", "missing", "spurious"))
        ),
        kappa=fmean(kappas) if kappas else nan,
        node_f1=fmean(one["node_f1"] for one in found),
    )
