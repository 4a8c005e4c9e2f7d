"""The report as one HTML file: styles, pictures and one script of our own inside, no network."""

import json
import math
import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from jinja2 import BaseLoader, Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from causarium.charts.axes import Frame
from causarium.charts.elastic import (
    draw_elastic,
    draw_key_symbol,
    draw_label,
    draw_symbol,
    draw_upright,
    draw_whisker,
    name_colour,
    percent,
)
from causarium.charts.palette import TOKENS
from causarium.charts.svg import Point, tag
from causarium.contract.frozen import replace_unprintable
from causarium.published import Grid
from causarium.report.data.leaderboard import Column, Entry, Leaderboard
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
    draw_ground,
    make_anchor,
    place_share,
    tell_place,
    view_card,
    view_grids,
    view_lanes,
)
from causarium.scoring.intervals import Interval


def render_leaderboard(board: Leaderboard, data: str = "", home: str = "") -> str:
    """Return the page, one self-contained file; `data`: the address of the same as JSON.

    `home` is the address of the site that it is part of.
    """
    return (
        _make_environment()
        .get_template("leaderboard.html")
        .render(
            board=board,
            strip=lambda column, score, number: Markup(draw_place(column, score, number)),  # noqa: S704
            axis=lambda column: Markup(draw_axis(column)),  # noqa: S704
            key_symbol=lambda number: Markup(draw_key_symbol(number)),  # noqa: S704
            efforts=_list_figures(board, draw_effort),
            curves=_list_figures(board, draw_tiers),
            mark_symbol=_draw_key_mark,
            duels=_list_duels(board),
            data=data,
            home=home,
            **_inline("leaderboard.js", "leaderboard.css"),
        )
    )


def _list_figures(
    board: Leaderboard, draw: Callable[[Column, Sequence[Entry]], str]
) -> list[tuple[str, Markup]]:
    """Return the drawing of each family for which there is one."""
    drawn = ((column.title, draw(column, board.entries)) for column in board.columns)
    return [(title, Markup(svg)) for title, svg in drawn if svg]  # noqa: S704


def _draw_key_mark(name: str) -> Markup:
    """Return the line of a mark, to stand beside its name."""
    line = draw_upright(0.5, 1, 15, f"ref {name}".rstrip())
    return Markup(tag("svg", line, width="12", height="16", aria_hidden="true"))  # noqa: S704


def draw_axis(column: Column) -> str:
    """Return the ends of a family's scale above its column."""
    body = "".join(draw_label(place_share(end), 11, f"{end:g}") for end in (0.0, 1.0))
    return draw_elastic(14, body, f"0 and 1 of {column.title}")


def draw_place(column: Column, score: Interval, number: int) -> str:
    """Return where an entry stands, with its interval, between the family's marks."""
    body = [draw_ground(column.scale, 4, 16)]
    if score.low < score.high:
        low, high = place_share(score.low), place_share(score.high)
        body.append(draw_whisker(low, high, 12, number))
    body.append(draw_symbol(place_share(score.value), 12, number))
    return draw_elastic(24, "".join(body), tell_place(score))


def draw_effort(column: Column, entries: Sequence[Entry]) -> str:
    """Return what each entry earned against what it wrote, and the line that none is left of."""
    family = column.family
    points = sorted(
        (math.log10(max(1.0, entry.tokens[family])), number, entry.scores[family])
        for number, entry in enumerate(entries)
        if family in entry.tokens and family in entry.scores
    )
    if len(points) < 2:
        return ""
    low = math.floor(points[0][0])
    high = max(low + 1, math.ceil(points[-1][0]))
    least = min(-0.1, *(score.low for _, _, score in points))
    frame = Frame(0.07, 22, 0.91, 270, x_range=(low, high), y_range=(least, 1.0))
    bottom = frame.bottom + 18
    parts = [draw_label(frame.x(at), bottom, f"{10**at:,}") for at in range(low, high + 1)]
    for name, words in (("shortcut", "best shortcut"), ("reference", "reasoning player")):
        if mark := column.scale.marks.get(name):
            y = frame.y(mark.place)
            parts.append(_draw_path([(frame.left, y), (frame.right, y)], f"ref {name}"))
            parts.append(draw_label(frame.left, y - 6, words))
    best, path = 0.0, [(frame.left, frame.y(0.0))]
    for tokens, _, score in points:
        if score.value > best:
            path += [(frame.x(tokens), frame.y(end)) for end in (best, score.value)]
            best = score.value
    parts.append(_draw_path([*path, (frame.right, frame.y(best))], "step"))
    for tokens, number, score in points:
        at = frame.x(tokens)
        ends = [(at, frame.y(end)) for end in (score.low, score.high) if score.low < score.high]
        parts.append(_draw_entry(number, [(at, frame.y(score.value))], ends))
    told = "; ".join(
        f"{entries[number].facts.name}: {tell_place(score)} with {10**tokens:,.0f} tokens"
        for tokens, number, score in points
    )
    return _draw_figure(frame, parts, f"Effort and score in {column.title}: {told}")


def draw_tiers(column: Column, entries: Sequence[Entry]) -> str:
    """Return the headline of each entry from tier to tier; nothing where there is one tier."""
    tiers = column.tiers
    if len(tiers) < 2:
        return ""
    frame = Frame(0.1, 10, 0.9, 120)
    named = tiers if len(tiers) < 4 else (tiers[0], tiers[-1])
    xs = {tier: frame.column(place, len(tiers)) for place, tier in enumerate(tiers)}
    parts = [draw_label(xs[tier], frame.bottom + 18, tier) for tier in named]
    for values, style in ((column.shortcuts, "ref shortcut"), (column.reference, "ref")):
        # A mark may stand on one tier alone, so each is a line of its own.
        ends = ((tier, side) for tier in tiers if tier in values for side in (-0.08, 0.08))
        path = [(xs[tier] + side, frame.y(values[tier])) for tier, side in ends]
        parts.append(_draw_path(path, style))
    for number, entry in enumerate(entries):
        cells = entry.tiers.get(column.family, {})
        known = [tier for tier in tiers if tier in cells and cells[tier].n]
        points = [(xs[tier], frame.y(cells[tier].value)) for tier in known]
        parts.append(_draw_entry(number, points, points))
    told = f"{column.title}: {format_metric(column.metric)} on {', '.join(tiers)}; see the tables"
    return _draw_figure(frame, parts, told)


def _draw_figure(frame: Frame, parts: Sequence[str], told: str) -> str:
    """Return a drawing with lines across at 0, a half and 1, as wide as its place."""
    grid = [
        _draw_path([(frame.left, frame.y(tick)), (frame.right, frame.y(tick))], "grid")
        + draw_label(0.0, frame.y(tick) + 4, f"{tick:g}")
        for tick in (0.0, 0.5, 1.0)
    ]
    return draw_elastic(frame.bottom + 26, "".join((*grid, *parts)), told)


def _draw_entry(number: int, points: Sequence[Point], path: Sequence[Point]) -> str:
    """Return an entry's symbols and a line in its colour, to be shown or hidden together."""
    line = _draw_path(path, name_colour(number))
    symbols = "".join(draw_symbol(x, y, number) for x, y in points)
    return tag("g", line + symbols, class_=f"e{number}")


def _draw_path(points: Sequence[Point], name: str) -> str:
    """Return lines from point to point: shares of the width, pixels from the top."""
    return "".join(
        tag("line", x1=percent(a[0]), y1=a[1], x2=percent(b[0]), y2=b[1], class_=name)
        for a, b in pairwise(points)
    )


def _list_duels(board: Leaderboard) -> str:
    """Return every pair's differences for the script, both ways round by its sign."""
    titles = {column.family: column.title for column in board.columns}
    found: dict[str, list[Sequence[object]]] = {}
    for duel in board.duels:
        gap = duel.difference
        numbers = (round(number, 3) for number in (gap.value, gap.low, gap.high))
        line = (titles[duel.family], *numbers, duel.counts)
        found.setdefault(f"{duel.ours}\n{duel.theirs}", []).append(line)
    return json.dumps(found)


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
        **_inline("report.js", "style.css"),
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


def _inline(script: str, style: str) -> dict[str, str]:
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
