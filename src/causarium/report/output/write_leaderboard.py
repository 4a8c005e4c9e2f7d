"""The leaderboard as one HTML file that sorts and filters itself; without its script it reads."""

import math
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

from jinja2 import FileSystemLoader
from markupsafe import Markup

from causarium.charts.elastic import (
    draw_elastic,
    draw_key_symbol,
    draw_label,
    draw_symbol,
    draw_upright,
    name_colour,
)
from causarium.charts.svg import tag
from causarium.contract.frozen import replace_unprintable
from causarium.report.data.leaderboard import Column, Entry, Leaderboard, Program
from causarium.report.data.number_format import NONE, format_amount
from causarium.report.output.card_views import draw_cells
from causarium.report.output.write_html import TEMPLATES, inline_files, make_environment
from causarium.scoring.intervals import Interval
from causarium.scoring.reach import Reach

_LAST = -1e9
"""What is not there sorts after everything."""
_AT_LEAST = "≥\u2009"
_CELLS = 14.0
"""How tall a row of rungs is."""
_TALL, _TOP, _FLOOR = 140.0, 8.0, 118.0
"""The figure of effort: its height, and where its highest and its lowest value are."""
_ENTRY, _PROGRAM = 0, 7
"""The numbers of the colours that rungs are filled with."""


class CellView(NamedTuple):
    """A reach or a mean in the table."""

    value: float
    """What it is sorted by."""
    number: str
    under: str = ""
    """Its interval, or why there is none."""
    rungs: Markup = Markup("")
    program: str = ""
    """Who has it, where that is not the entry."""
    weak: bool = False
    """Whether it cannot be told from guessing."""


class LineView(NamedTuple):
    """One line of the table."""

    name: str
    about: str
    mean: CellView
    cells: list[CellView]
    kind: str = "ref"
    """The class of the line: `entry`, `ref` or `ref guess`."""
    entry: Entry | None = None
    rank: str = NONE
    symbol: Markup = Markup("")
    tokens: float | None = None


def render_leaderboard(board: Leaderboard, data: str = "", home: str = "") -> str:
    """Return a leaderboard as one self-contained HTML page.

    Args:
        board: The leaderboard.
        data: The address of all numbers as JSON, where they are beside the page.
        home: The address of the documentation that the page is part of.
    """
    environment = make_environment(FileSystemLoader(TEMPLATES))
    drawn = _is_effort_drawn(board.entries)
    lines = [_view_entry(board, entry, n, drawn=drawn) for n, entry in enumerate(board.entries)]
    ranked = [one for one in lines if one.entry and one.entry.mean]
    above = [one for one in ranked if one.entry and one.entry.is_above_guessing]
    return environment.get_template("leaderboard.html").render(
        board=board,
        lead=_tell_lead(board, above),
        references=_view_programs(board.columns),
        above=above,
        guessing=_view_guessing(board.columns),
        level=[one for one in ranked if one not in above],
        rest=[one for one in lines if one not in ranked],
        effort=Markup(_draw_effort(board.entries)) if drawn else "",  # noqa: S704
        decodings=sorted({entry.facts.decoding for entry in board.entries} - {""}),
        data=data,
        home=home,
        **inline_files("leaderboard.js", "leaderboard.css"),
    )


def _tell_lead(board: Leaderboard, above: Sequence[LineView]) -> tuple[str, str]:
    """Return what the page says first, and what it adds."""
    ranked = [entry for entry in board.entries if entry.rank]
    if not board.entries:
        return "No model has been measured on these ladders yet.", ""
    if not ranked:
        return "No entry has climbed all five ladders yet.", ""
    if not above:
        return "No entry is above guessing yet.", ""
    best = min(entry.rank[0] for entry in ranked if entry.rank)
    leaders = [entry for entry in ranked if entry.rank and entry.rank[0] == best]
    if len(leaders) == 1:
        said = f"{leaders[0].facts.name} leads with a mean reach of {_write_mean(leaders[0])}."
    else:
        said = f"{len(leaders)} entries share the lead; none is significantly ahead of the others."
    return said, f"{len(above)} of {len(ranked)} entries are above guessing."


def _write_mean(entry: Entry) -> str:
    if entry.mean is None:
        return NONE
    is_open = any(reach.open for reach in entry.reaches.values())
    return f"{_AT_LEAST if is_open else ''}{max(0.0, entry.mean.value):.1f}"


def _write_ends(value: float, low: float, high: float) -> str:
    """Write an interval in few letters; of one around nothing the upper end says all."""
    start, end = f"{low:.1f}".replace("-0.0", "0.0"), f"{high:.1f}"
    if start == "0.0" and value < 0.05:
        return f"≤ {end}"
    return f"{start} to {end}".replace("-", "−") if start[0] == "-" else f"{start}–{end}"


def _view_reach(reach: Reach, column: Column, number: int) -> CellView:
    means = ", ".join(f"{one.rung}: {one.mean:.2f}".replace("-", "−") for one in reach.rungs)
    drawing = draw_cells(reach, column.rungs, number, top=0, height=_CELLS)
    label = f"{column.title}, mean score by rung, {means}"
    return CellView(
        value=reach.value,
        number=reach.in_words.replace(">= ", _AT_LEAST),
        under=_write_ends(reach.value, reach.low, reach.high),
        rungs=Markup(draw_elastic(_CELLS, drawing, label)),  # noqa: S704
        weak=reach.low <= 0,
    )


def _view_entry(board: Leaderboard, entry: Entry, number: int, *, drawn: bool) -> LineView:
    facts, mean = entry.facts, entry.mean
    size = "" if facts.size is None else f"{facts.size:g} B"
    trained = "trained on these families" if facts.trained else ""
    about = (facts.maker, size, facts.licence, facts.decoding, trained)
    cells = [
        _view_reach(entry.reaches[column.family], column, _ENTRY)
        if column.family in entry.reaches and column.rungs
        else CellView(_LAST, NONE, "not played")
        for column in board.columns
    ]
    shown = CellView(_LAST, NONE)
    if mean is not None:
        ends = _write_ends(mean.value, mean.low, mean.high)
        shown = CellView(mean.value, _write_mean(entry), ends)
    return LineView(
        name=facts.name,
        about=", ".join(filter(None, about)),
        mean=shown,
        cells=cells,
        kind="entry",
        entry=entry,
        rank=_write_rank(entry.rank),
        symbol=Markup(draw_key_symbol(number) if drawn and mean else ""),  # noqa: S704
        tokens=_find_tokens(entry),
    )


def _write_rank(rank: tuple[int, int] | None) -> str:
    if rank is None:
        return NONE
    return str(rank[0]) if rank[0] == rank[1] else f"{rank[0]}–{rank[1]}"


def _find_tokens(entry: Entry) -> float | None:
    """Return the tokens that an instance took, the families weighted alike."""
    return fmean(entry.tokens.values()) if entry.tokens else None


def _view_programs(columns: Sequence[Column]) -> list[LineView]:
    """Return the lines of the reference solver and the strongest programs, where they played."""
    alike = len({column.rungs for column in columns}) == 1
    lines = []
    for name, about, named, found in (
        ("Reference solver", "sees what a model sees", False, [one.reference for one in columns]),
        ("Strongest program", "of each family", True, [one.program for one in columns]),
    ):
        if any(found):
            cells = [
                _view_reach(program.reach, column, _PROGRAM)._replace(
                    under="", program=program.name if named else "", weak=False
                )
                if program and column.rungs
                else CellView(_LAST, NONE)
                for program, column in zip(found, columns, strict=True)
            ]
            mean = _average(found) if alike else CellView(_LAST, NONE)
            lines.append(LineView(name, about, mean, cells))
    return lines


def _average(programs: Sequence[Program | None]) -> CellView:
    reaches = [one.reach for one in programs if one]
    if len(reaches) < len(programs):
        return CellView(_LAST, NONE)
    mark = _AT_LEAST if any(reach.open for reach in reaches) else ""
    value = fmean(reach.value for reach in reaches)
    return CellView(value, f"{mark}{max(0.0, value):.1f}")


def _view_guessing(columns: Sequence[Column]) -> LineView:
    nothing = CellView(0.0, "0.0")
    return LineView(
        "Guessing", "without looking", nothing, [nothing] * len(columns), "ref guess flat"
    )


def _list_efforts(entries: Sequence[Entry]) -> list[tuple[int, Entry, Interval, float]]:
    """Return who has a mean and counted tokens, each with its number."""
    found = [(n, one, one.mean, _find_tokens(one)) for n, one in enumerate(entries)]
    return [(n, one, mean, spent) for n, one, mean, spent in found if mean and spent]


def _is_effort_drawn(entries: Sequence[Entry]) -> bool:
    """Say whether there is something to see: entries of different rank, and of unlike length."""
    listed = _list_efforts(entries)
    spent = [tokens for *_, tokens in listed]
    return len({one.rank for _, one, *_ in listed}) > 1 and max(spent) >= 2 * min(spent)


def _draw_effort(entries: Sequence[Entry]) -> str:
    """Return mean reach against tokens: the fewer tokens, the further left."""
    listed = _list_efforts(entries)
    logs = [math.log10(tokens) for *_, tokens in listed]
    start, width = min(logs), max(logs) - min(logs)
    most = max(1, math.ceil(max(mean.high for _, _, mean, _ in listed)))

    def place(tokens: float) -> float:
        return 0.08 + 0.86 * (math.log10(tokens) - start) / width

    def rise(reach: float) -> float:
        return _FLOOR - (_FLOOR - _TOP) * max(reach, 0.0) / most

    body = []
    for reach in range(0, most + 1, math.ceil(most / 4)):
        y = rise(reach)
        body.append(tag("line", x1="0%", x2="100%", y1=y, y2=y, class_="grid"))
        body.append(draw_label(0, y - 3, f"{reach}"))
    ticks = (lead * 10**power for power in range(8) for lead in (1, 2, 5))
    shown = [tick for tick in ticks if start <= math.log10(tick) <= start + width]
    body += [draw_label(place(tick), _TALL - 6, f"{tick:,}") for tick in shown]
    told = []
    for number, entry, mean, tokens in reversed(listed):
        at = place(tokens)
        body.append(draw_upright(at, rise(mean.high), rise(mean.low), name_colour(number)))
        body.append(draw_symbol(at, rise(mean.value), number))
        told.append(f"{entry.facts.name} {_write_mean(entry)} at {format_amount(tokens)}")
    words = f"Mean reach and tokens an instance: {'; '.join(reversed(told))}"
    return draw_elastic(_TALL, "".join(body), replace_unprintable(words))
