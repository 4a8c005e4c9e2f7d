"""All charts of a report by name, drawn once: the page shows them, the folder keeps them."""

import re
from typing import NamedTuple

from causarium.report.data.report_data import Report, Section
from causarium.report.figures.facet_figures import facet_figures
from causarium.report.figures.headline_figures import effort_figure, headline_figure, label_figure


class Drawings(NamedTuple):
    """The charts of one section; an empty text where there is nothing to draw."""

    headline: str
    effort: str
    facets: list[str]
    labels: list[str]
    """One for each label table with at least two values, in their order."""


def draw_section(section: Section) -> Drawings:
    """Draw the charts of one section."""
    has_scores = bool(section.headline)
    tables = [table for table in section.labels if len(table.values) > 1]
    return Drawings(
        headline=headline_figure(section) if has_scores else "",
        effort=effort_figure(section) if has_scores else "",
        facets=facet_figures(section) if has_scores else [],
        labels=[label_figure(table) for table in tables],
    )


def draw_report(report: Report) -> list[Drawings]:
    """Draw the charts of every section."""
    return [draw_section(section) for section in report.sections]


def figure_files(report: Report, sections: list[Drawings]) -> dict[str, str]:
    """Return every chart and picture under the file name that suits it, without its ending."""
    charts: dict[str, str] = {}
    for section, drawn in zip(report.sections, sections, strict=True):
        stem = _make_file_name(f"{section.facts.name}-{section.edition}-{section.set}")
        charts |= {f"{stem}-headline": drawn.headline, f"{stem}-effort": drawn.effort}
        charts |= {f"{stem}-facet-{at}": svg for at, svg in enumerate(drawn.facets, 1)}
        charts |= {f"{stem}-labels-{at}": svg for at, svg in enumerate(drawn.labels, 1)}
    for at, panel in enumerate(report.panels, 1):
        if panel.markup.lstrip().startswith("<svg"):
            charts[_make_file_name(f"{panel.family or 'report'}-picture-{at}")] = panel.markup
    return {name: svg for name, svg in charts.items() if svg}


def _make_file_name(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", text)[:120]
