"""The report as one HTML file: styles and pictures inside, no script, no network."""

from collections.abc import Iterable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from causarium.report import words
from causarium.report.aggregate import AgentSummary
from causarium.report.beside import by_facet, by_table
from causarium.report.build import Report, Section
from causarium.report.facets import facet_figures, leading
from causarium.report.figures import effort_figure, headline_figure, label_figure
from causarium.report.numbers import bounds, count, digits, printable, show, signed

GROUPS = (
    ("Models", ("model",)),
    ("Players", ("player",)),
    ("Bounds", ("ceiling", "floor")),
)


def render(report: Report) -> str:
    """Return the report as one self-contained HTML page."""
    env = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters |= {
        "show": show,
        "signed": signed,
        "bounds": bounds,
        "printable": printable,
        "count": count,
    }
    return env.get_template("report.html").render(
        report=report,
        sections=[_view(section, number) for number, section in enumerate(report.sections, 1)],
        words=words,
    )


def _view(section: Section, number: int) -> dict[str, object]:
    """Gather what one section's template needs beside the section itself."""
    name = f"s{number}"
    first = section.headline[0] if section.headline else ""
    tables = [table for table in section.labels if len(table.values) > 1]
    return {
        "it": section,
        "name": name,
        "groups": _groups(section.agents),
        "places": {metric: _places(section, metric) for metric in _metrics(section)},
        "metrics": _metrics(section),
        "published": by_table(section.published, first, falls=section.facts.falls(first)),
        "breakdowns": [
            (breakdown, by_facet(section.published, breakdown.facet, breakdown.metric))
            for breakdown in section.breakdowns
        ],
        "caveats": words.caveats(section),
        "headline_svg": Markup(headline_figure(section, f"{name}h")) if first else "",  # noqa: S704
        "facets": [Markup(svg) for svg in facet_figures(section, f"{name}f")],  # noqa: S704
        "leading": leading(section),
        "effort_svg": Markup(effort_figure(section, f"{name}e")) if first else "",  # noqa: S704
        "labels": [
            (table, Markup(label_figure(table, f"{name}l{at}")))  # noqa: S704
            for at, table in enumerate(tables)
        ],
    }


def _groups(agents: Iterable[AgentSummary]) -> list[tuple[str, list[AgentSummary]]]:
    kept = list(agents)
    groups = [(title, [a for a in kept if a.role in roles]) for title, roles in GROUPS]
    return [(title, members) for title, members in groups if members]


def _metrics(section: Section) -> list[str]:
    """Every metric that some agent has, headline first, then in the family's own order."""
    had = dict.fromkeys(metric for agent in section.agents for metric in agent.metrics)
    order = dict.fromkeys((*section.headline, *section.facts.metrics, *had))
    return [metric for metric in order if metric in had]


def _places(section: Section, metric: str) -> int:
    ours = [a.metrics[metric].value for a in section.agents if metric in a.metrics]
    return digits(ours)
