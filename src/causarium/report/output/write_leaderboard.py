"""The leaderboard as one HTML file that needs no server: sorting and filters are a few lines."""

import json
from collections.abc import Sequence

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from causarium.charts.elastic import (
    draw_elastic,
    draw_key_symbol,
    draw_symbol,
    draw_upright,
    draw_whisker,
)
from causarium.charts.palette import TOKENS
from causarium.report.data.leaderboard import Column, Leaderboard
from causarium.report.data.number_format import format_metric, replace_unprintable, show
from causarium.report.output.write_html import TEMPLATES, digest_text
from causarium.scoring.intervals import Interval

LEAST, MOST = -0.2, 1.0
"""The ends of every strip, on the scale."""


def render_leaderboard(board: Leaderboard) -> str:
    """Return the page: one self-contained file."""
    env = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters |= {"show": show, "metric": format_metric, "printable": replace_unprintable}
    script = (TEMPLATES / "leaderboard.js").read_text(encoding="utf-8")
    style = "\n".join(
        path.read_text(encoding="utf-8") for path in (TOKENS, TEMPLATES / "leaderboard.css")
    )
    return env.get_template("leaderboard.html").render(
        board=board,
        strip=lambda column, score, number: Markup(draw_place(column, score, number)),  # noqa: S704
        axis=lambda column: Markup(draw_axis(column)),  # noqa: S704
        key_symbol=lambda number: Markup(draw_key_symbol(number)),  # noqa: S704
        duels=_list_duels(board),
        script=Markup(script),  # noqa: S704
        script_digest=digest_text(script),
        style=Markup(style),  # noqa: S704
        style_digest=digest_text(style),
    )


def _share(place: float) -> float:
    return (min(max(place, LEAST), MOST) - LEAST) / (MOST - LEAST)


def _list_marks(column: Column) -> list[tuple[float, str]]:
    marks = [(0.0, "ref floor"), (1.0, "ref oracle")]
    if column.scale.shortcut is not None:
        marks.append((column.scale.shortcut.place, "ref short"))
    if column.scale.reference is not None:
        marks.append((column.scale.reference.place, "ref"))
    return marks


def draw_axis(column: Column) -> str:
    """Return the marks of a family above its column."""
    body = "".join(draw_upright(_share(at), 2, 14, name) for at, name in _list_marks(column))
    return draw_elastic(16, body, f"marks of {column.title}")


def draw_place(column: Column, score: Interval, number: int) -> str:
    """Return where an entry stands, with its interval, between the family's marks.

    Args:
        column: The family.
        score: The place on its scale.
        number: Which colour and shape, counted from 0.
    """
    body = [draw_upright(_share(at), 0, 18, name) for at, name in _list_marks(column)]
    body.append(draw_whisker(_share(score.low), _share(score.high), 9, number % 8))
    body.append(draw_symbol(_share(score.value), 9, number))
    words = f"{show(score.value, 2)}, from {show(score.low, 2)} to {show(score.high, 2)}"
    return draw_elastic(18, "".join(body), words)


def _list_duels(board: Leaderboard) -> str:
    """Return every pair's differences for the script, both ways round by its sign."""
    titles = {column.family: column.title for column in board.columns}
    found: dict[str, list[Sequence[object]]] = {}
    for duel in board.duels:
        gap = duel.difference
        line = (titles[duel.family], *(round(x, 3) for x in (gap.value, gap.low, gap.high)), gap.n)
        found.setdefault(f"{duel.ours}\n{duel.theirs}", []).append(line)
    return json.dumps(found)
