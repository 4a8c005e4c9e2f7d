"""The report as one HTML file: styles, pictures and one script of our own inside, no network."""

import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from jinja2 import BaseLoader, Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from causarium.charts.elastic import draw_key_symbol
from causarium.charts.palette import TOKENS
from causarium.contract.frozen import replace_unprintable
from causarium.published import Grid
from causarium.report.data.number_format import (
    bounds,
    count,
    digits,
    format_metric,
    format_signed,
    lower_first,
    show,
    tell_ends,
)
from causarium.report.data.outcomes import SHADES
from causarium.report.data.report_data import Report, Section
from causarium.report.data.summaries import AgentSummary
from causarium.report.figures import draw_facets, leading_agents
from causarium.report.output import sentences
from causarium.report.output.card_views import (
    make_anchor,
    view_card,
    view_grids,
    view_lanes,
)

TEMPLATES = Path(__file__).parent / "templates"

GROUPS = (
    ("Models", ("model",)),
    ("People", ("human",)),
    ("Reference players", ("player",)),
    ("Bounds", ("ceiling", "floor")),
)


def render(report: Report, replays: Mapping[str, str] | None = None) -> str:
    """Return the report as one self-contained HTML page.

    Args:
        report: The report.
        replays: By log, the address of its replays, where the page is served beside them.
    """
    env = _make_environment()
    views = [
        {**_view(section), **view_card(report, section, make_anchor(report, section, number))}
        for number, section in enumerate(report.sections, 1)
    ]
    return env.get_template("report.html").render(
        title=report.summary.title,
        report=report,
        sections=views,
        grids=view_grids(views),
        lanes=view_lanes(report),
        key_symbol=lambda number: Markup(draw_key_symbol(number)),  # noqa: S704
        shades=SHADES,
        replays=replays or {},
        words=sentences,
        **inline_files("report.js", "style.css"),
    )


def make_environment(loader: BaseLoader, **filters: Callable[..., object]) -> Environment:
    """Return where templates are found, with the filters that all pages share and some more."""
    env = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    shared = {"show": show, "bounds": bounds, "count": count, "metric": format_metric}
    env.filters |= {**shared, "printable": replace_unprintable, **filters}
    return env


def _make_environment() -> Environment:
    return make_environment(
        FileSystemLoader(TEMPLATES),
        signed=format_signed,
        ends=tell_ends,
        breakable=_breakable,
        lower_first=_first_clause,
    )


def inline_files(script: str, style: str) -> dict[str, str]:
    """Return the script and the style of a page, each with the digest that allows it."""
    files = {"script": [TEMPLATES / script], "style": [TOKENS, TEMPLATES / style]}
    texts = {
        name: "\n".join(path.read_text(encoding="utf-8") for path in paths)
        for name, paths in files.items()
    }
    digests = {f"{name}_digest": digest_text(text) for name, text in texts.items()}
    return {name: Markup(text) for name, text in texts.items()} | digests  # noqa: S704


def _breakable(name: str) -> Markup:
    """Return a name that may go on in the next line after a slash, a hyphen or an underscore."""
    return Markup(re.sub(r"([/_-])(?=\w)", r"\1<wbr>", str(escape(name))))  # noqa: S704


def _first_clause(text: str) -> str:
    """Return the first clause of a sentence as it stands within another one."""
    return lower_first(text.partition(". ")[0].partition(";")[0].removesuffix("."))


def digest_text(text: str) -> str:
    """Return the digest by which a page allows its own style or script."""
    return b64encode(sha256(text.encode()).digest()).decode()


def _view(section: Section) -> dict[str, object]:
    """Gather what one section's template needs beside the section itself."""
    first = section.headline[0] if section.headline else ""
    return {
        "it": section,
        "groups": _groups(section.agents),
        "places": {metric: _places(section, metric) for metric in _metrics(section)},
        "metrics": _metrics(section),
        "papers": [(grid, _list_shares(grid)) for grid in section.papers],
        "breakdowns": [one for one in section.breakdowns if one.metric in {first, section.metric}],
        "facets": [Markup(svg) for svg in draw_facets(section)],  # noqa: S704
        "leading": leading_agents(section),
        "labels": [table for table in section.labels if len(table.values) > 1],
    }


def _list_shares(grid: Grid) -> list[str]:
    """Return the columns that hold shares, which are shaded."""
    return [
        column
        for column in grid.columns
        if all(0 <= cells[column].value <= 1 for _, cells in grid.lines if column in cells)
    ]


def _groups(agents: Sequence[AgentSummary]) -> list[tuple[str, list[tuple[int, AgentSummary]]]]:
    """Return who is in which group, each with the number of its line."""
    groups = [
        (title, [(n, agent) for n, agent in enumerate(agents) if agent.role in roles])
        for title, roles in GROUPS
    ]
    return [(title, members) for title, members in groups if members]


def _metrics(section: Section) -> list[str]:
    """Every metric that some agent has, headline first, then in the family's own order."""
    had = dict.fromkeys(metric for agent in section.agents for metric in agent.metrics)
    order = dict.fromkeys((*section.headline, *section.facts.metrics, *had))
    return [metric for metric in order if metric in had]


def _places(section: Section, metric: str) -> int:
    ours = [a.metrics[metric].value for a in section.agents if metric in a.metrics]
    return digits(ours)
