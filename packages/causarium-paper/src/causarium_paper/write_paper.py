r"""A kit for papers: figures, a table, a caption and every number as a macro, from one report.

`figure` shows each agent's reach, `difficulty` how the mean score falls from rung to rung.
`table.tex` needs `booktabs`; `numbers.tex` defines `\ci`, `\CausariumCaption` and a macro for each
number, so that text and table cannot disagree. The same logs give the same bytes.
"""

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from causarium.charts.axes import Frame, draw_diamond, draw_mark, shorten
from causarium.charts.svg import line, make_standalone, make_svg, text
from causarium.contract.frozen import replace_unprintable
from causarium.contract.places import write_atomically
from causarium.errors import UsageError
from causarium.report.data.number_format import (
    format_metric,
    show,
    tell_ends,
)
from causarium.report.data.report_data import Report, Section
from causarium.report.output.write_report import can_convert
from causarium.scoring.intervals import Interval

WIDTH = 497.0
"""6.9 inches in points: the text width of a page with two columns."""
SIZE = 8.0
"""Of the letters, in points."""
LETTER = 0.5
"""How wide a letter is on average, in sizes."""
ROW = 15.0
INKS = ("#000000", "#0b6fb8", "#d1690e", "#6f6f6f")
"""Black and two colours that stay apart when they are printed grey; then grey."""
GREYS = ("#000000", "#555555", "#8f8f8f", "#b0b0b0")
SHAPES = ("circle", "square", "up")
MOST_AGENTS = len(INKS) * len(SHAPES)
MOST_COLUMNS = 5
_SPECIAL = re.compile(r"[\\{}$&#^_~%]")
_ESCAPES = {"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}"}
_DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")


def write_paper(report: Report, out: Path, *, grey: bool = False) -> tuple[Path, ...]:
    """Write the kit of a report into a folder, with figures in grey if they may have no colours.

    Returns:
        The files that were written.

    Raises:
        UsageError: Nobody in the report has a score.
        BadFile: A file cannot be written there.
    """
    sections = [section for section in report.sections if section.agents and section.headline]
    agents = _list_agents(sections)
    if not agents:
        raise UsageError("There is no score to put into a paper: the logs hold no scored row.")
    if len(agents) > MOST_AGENTS:
        raise UsageError(
            f"{len(agents)} agents cannot be told apart in one figure; at most {MOST_AGENTS} can. "
            "Give the logs of fewer."
        )
    figures = {
        "figure": _draw_scores(sections, agents, GREYS if grey else INKS),
        "difficulty": _draw_difficulty(sections, agents, GREYS if grey else INKS),
    }
    caption = _write_caption(sections, agents)
    files: dict[str, str | bytes] = {
        "table.tex": _write_table(sections, agents),
        "numbers.tex": _write_numbers(sections, agents, caption),
        "caption.txt": f"{caption}\n",
        "appendix.tex": _write_appendix(sections),
        "refs.bib": _write_references(sections),
    }
    for name, svg in figures.items():
        if svg:
            alone = make_standalone(svg)
            files[f"{name}.svg"] = alone
            if can_convert():
                import vl_convert

                files[f"{name}.pdf"] = bytes(vl_convert.svg_to_pdf(alone))
    files["MANIFEST.json"] = _write_manifest(sections, files)
    for name, content in files.items():
        write_atomically(out / name, content)
    return tuple(out / name for name in files)


def _list_agents(sections: Sequence[Section]) -> list[str]:
    """Return who has a row: the models and people; the players where nobody else has played."""
    playing = [agent for section in sections for agent in section.agents]
    chosen = [agent for agent in playing if agent.role in {"model", "human"}] or playing
    names = dict.fromkeys(agent.agent for agent in chosen)
    return [name for name in names if any(_find_score(section, name) for section in sections)]


def _find_score(section: Section, agent: str) -> Interval | None:
    """Return an agent's reach, or its headline where the set is no ladder."""
    score = section.find_score(agent)
    return None if score is None or math.isnan(score.value) else score


def _draw_scores(sections: Sequence[Section], agents: Sequence[str], inks: Sequence[str]) -> str:
    """Draw a line of marks and intervals for each agent under each set's name."""
    # One face for all letters: with two, the converter orders them in the PDF by chance.
    parts: list[str] = []
    names = min(max(150.0, 12 + LETTER * SIZE * max(map(len, agents))), WIDTH / 2)
    y = 14.0
    for section in sections:
        mine = [agent for agent in agents if _find_score(section, agent)]
        lows = [score.low for agent in mine if (score := _find_score(section, agent))]
        least = min([0.0, *(low for low in lows if not math.isnan(low))])
        span = (least - 0.05 * section.full, 1.05 * section.full)
        frame = Frame(names, y + 4, WIDTH - names - 44, ROW * max(len(mine), 1), span)
        parts.append(text((0, y), section.name, size=SIZE + 1))
        parts.append(
            text((names, y - 1), format_metric(section.measure), size=SIZE - 1, fill=inks[-1])
        )
        parts += [
            line((frame.x(at), frame.top), (frame.x(at), frame.bottom), stroke="#dddddd", width=0.5)
            for at in (0.0, section.full / 2, section.full)
        ]
        for name, dash in (("program", "2 2"), ("reference", "")):
            if name in section.marks:
                x = frame.x(section.marks[name])
                ends = (x, frame.top), (x, frame.bottom)
                parts.append(line(*ends, stroke="#444444", width=1, dash=dash))
        for row, agent in enumerate(mine):
            score = _find_score(section, agent)
            if score is not None:
                parts.append(_draw_score(frame, row, len(mine), agent, score, agents, inks))
        y = frame.bottom + 18
    key = "from 0, guessing, to full marks; dashed: strongest program; solid: reference solver; "
    parts.append(text((0, y), f"{key}bars: 95 % intervals", size=SIZE - 1))
    about = ", ".join(section.name for section in sections)
    return make_svg(WIDTH, y + 6, "".join(parts), title="Scores by set", about=about)


def _draw_score(
    frame: Frame,
    row: int,
    rows: int,
    agent: str,
    score: Interval,
    agents: Sequence[str],
    inks: Sequence[str],
) -> str:
    place = agents.index(agent)
    ink, shape = inks[place % len(inks)], SHAPES[place // len(inks)]
    y = frame.row(row, rows)
    name = shorten(replace_unprintable(agent), int((frame.left - 12) / (LETTER * SIZE)))
    parts = [text((frame.left - 8, y + 3), name, size=SIZE, anchor="end")]
    if not math.isnan(score.low):
        ends = (frame.x(score.low), y), (frame.x(score.high), y)
        parts.append(line(*ends, stroke=ink, width=1.2))
    parts.append(draw_mark((frame.x(score.value), y), colour=ink, shape=shape, radius=3))
    parts.append(text((WIDTH - 2, y + 3), show(score.value, 2), size=SIZE, anchor="end"))
    return "".join(parts)


def _draw_difficulty(
    sections: Sequence[Section], agents: Sequence[str], inks: Sequence[str]
) -> str:
    """Draw a small chart for each ladder: the mean score from rung to rung."""
    drawn = [section for section in sections if len(section.rungs) > 1]
    parts: list[str] = []
    wide, tall = WIDTH / 3, 118.0
    for number, section in enumerate(drawn):
        left, top = wide * (number % 3), (tall + 14) * (number // 3)
        frame = Frame(left + 22, top + 18, wide - 36, tall - 44)
        parts.append(text((left, top + 10), section.name, size=SIZE + 1))
        for tick in (0.0, 0.5, 1.0):
            ends = (frame.left, frame.y(tick)), (frame.right, frame.y(tick))
            parts.append(line(*ends, stroke="#dddddd", width=0.5))
            at = (frame.left - 4, frame.y(tick) + 3)
            parts.append(text(at, f"{tick:g}", size=SIZE - 1, anchor="end"))
        for column, rung in enumerate(section.rungs):
            at = (frame.column(column, len(section.rungs)), frame.bottom + 11)
            parts.append(text(at, str(rung), size=SIZE - 1, anchor="middle"))
        reference = section.reference_agent
        names = [*agents, *([reference.agent] if reference else [])]
        for agent in names:
            parts += _draw_curve(section, frame, agent, names, inks)
    if not drawn:
        return ""
    height = (tall + 14) * ((len(drawn) - 1) // 3 + 1) + 16
    for place, agent in enumerate(agents):
        at = (place % 2 * WIDTH / 2, height - 4 + 12 * (place // 2))
        ink, shape = inks[place % len(inks)], SHAPES[place // len(inks)]
        parts.append(draw_mark((at[0] + 4, at[1] - 3), colour=ink, shape=shape, radius=3))
        parts.append(
            text((at[0] + 12, at[1]), shorten(replace_unprintable(agent), 66), size=SIZE - 1)
        )
    height += 12 * ((len(agents) - 1) // 2) + 4
    about = "The mean score by rung; diamonds are the reference solver."
    return make_svg(WIDTH, height, "".join(parts), title="Difficulty", about=about)


def _draw_curve(
    section: Section, frame: Frame, agent: str, names: Sequence[str], inks: Sequence[str]
) -> Iterator[str]:
    place = names.index(agent)
    ink, shape = inks[place % len(inks)], SHAPES[place // len(inks) % len(SHAPES)]
    reach = section.find_reach(agent)
    means = {one.rung: one for one in reach.rungs} if reach else {}
    cells = [means.get(rung) for rung in section.rungs]
    points = [
        (frame.column(column, len(cells)), frame.y(max(cell.mean, 0.0)), cell)
        for column, cell in enumerate(cells)
        if cell is not None
    ]
    for (x, y, _), (next_x, next_y, _) in pairwise(points):
        yield line((x, y), (next_x, next_y), stroke=ink, width=0.8)
    for x, y, cell in points:
        ends = (max(cell.low, 0.0), cell.high)
        yield line((x, frame.y(ends[0])), (x, frame.y(ends[1])), stroke=ink, width=1)
        if agent == names[-1] and section.reference_agent:
            yield draw_diamond((x, y), colour="#444444", radius=3)
        else:
            yield draw_mark((x, y), colour=ink, shape=shape, radius=2.6)


def escape_tex(words: str) -> str:
    r"""Return a text as LaTeX prints it.

    Example:
        >>> escape_tex("a_b 50%")
        'a\\_b 50\\%'
    """
    return _SPECIAL.sub(
        lambda found: _ESCAPES.get(found[0], f"\\{found[0]}"), replace_unprintable(words)
    )


def name_macro(*parts: str) -> str:
    r"""Return the name of a macro: letters alone, digits as words.

    Example:
        >>> name_macro("qwen-2.5", "causallink")
        'QwenTwoFiveCausallink'
    """
    words = re.findall(r"[A-Za-z]+|\d", " ".join(parts))
    return "".join(_DIGITS[int(w)] if w.isdecimal() else w[0].upper() + w[1:] for w in words)


def _write_table(sections: Sequence[Section], agents: Sequence[str]) -> str:
    """Write a row an agent and a column a set, intervals under their values.

    Columns have shares of the line, so that five fit a page of one column; more go on below.
    """
    widest = min(len(sections), MOST_COLUMNS)
    lines = [
        r"\begingroup\footnotesize\setlength{\tabcolsep}{2.5pt}",
        rf"\begin{{tabular}}{{@{{}}p{{.15\linewidth}}*{{{widest}}}{{p{{.155\linewidth}}}}@{{}}}}",
        r"\toprule",
    ]
    for first in range(0, len(sections), widest):
        block = sections[first : first + widest]
        if first:
            lines.append(r"\midrule")
        lines.append(_write_cells("", [escape_tex(section.name) for section in block]))
        lines.append(
            _write_cells("", [escape_tex(format_metric(section.measure)) for section in block])
        )
        lines.append(r"\midrule")
        for agent in agents:
            cells = [
                rf"\{name_macro(agent, section.name)}" if _find_score(section, agent) else "--"
                for section in block
            ]
            lines.append(_write_cells(_write_breakable(agent), cells) + r"\addlinespace")
        lines.append(r"\midrule")
        for label, kind in (("strongest program", "program"), ("reference solver", "reference")):
            marks = [section.marks.get(kind) for section in block]
            cells = ["--" if mark is None else show(mark, 2).replace("-", "$-$") for mark in marks]
            lines.append(_write_cells(label, cells))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}\endgroup", ""])


def _write_cells(label: str, cells: Sequence[str]) -> str:
    # In a centred cell `\\` ends a line of the cell, so the row has to end by its long name.
    centred = (rf"\centering {cell}" for cell in cells)
    return " & ".join([rf"\raggedright {label}", *centred]) + r" \tabularnewline"


def _write_breakable(name: str) -> str:
    """Return a name that may go on in the next line after a mark; LaTeX knows hyphens itself."""
    return re.sub(r"(\\_|[/:.@+=])", r"\1\\allowbreak{}", escape_tex(name))


def _write_numbers(sections: Sequence[Section], agents: Sequence[str], caption: str) -> str:
    lines = [
        "% One macro a number, as printed by `causarium paper`.",
        r"\providecommand{\ci}[2]{\mbox{\scriptsize [#1, #2]}}",
        rf"\providecommand{{\CausariumCaption}}{{{escape_tex(caption)}}}",
    ]
    named: dict[str, str] = {}
    for section in sections:
        for agent in agents:
            score = _find_score(section, agent)
            if score is None:
                continue
            name = name_macro(agent, section.name)
            if name in named:
                raise UsageError(f"{agent} and {named[name]} would share the macro \\{name}.")
            named[name] = agent
            ends = tell_ends(score, 2).replace(" to ", "}{")
            interval = rf" \ci{{{ends}}}" if ends else ""
            number = f"{show(score.value, 2)}{interval}".replace("-", "$-$")
            lines.append(rf"\newcommand{{\{name}}}{{{number}}}")
    return "\n".join([*lines, ""])


def _write_caption(sections: Sequence[Section], agents: Sequence[str]) -> str:
    told = []
    for section in sections:
        digest = (
            section.spec.digest.removeprefix("sha256:")[:12] if section.spec else "a set of our own"
        )
        counts = sorted({agent.n for agent in section.agents if agent.role != "ceiling"})
        n = f"{counts[0]}" if len(set(counts)) == 1 else f"{counts[0]} to {counts[-1]}"
        part = "" if section.instances == section.set_size else f" of {section.set_size}"
        told.append(
            f"{section.name}, {section.edition} edition, version {section.version}, set "
            f"{section.set} ({digest}; n = {n}{part} instances)"
        )
    unscored = sum(section.unscored for section in sections)
    raw = [section.name for section in sections if not section.rungs]
    sentences = [
        "Reach: the sum of mean scores over rungs, each corrected for chance.",
        "Brackets and bars are 95 % intervals, over mechanisms where instances share one; a "
        "measure that is no share and is equal throughout has none.",
        f"Sets: {'; '.join(told)}.",
        f"Raw means, as these sets are no ladders: {', '.join(raw)}." if raw else "",
        f"{unscored} rows have no score and are left out." if unscored else "",
        *_tell_form(sections, agents),
    ]
    return " ".join(filter(None, sentences))


def _tell_form(sections: Sequence[Section], agents: Sequence[str]) -> Iterator[str]:
    """Say of each agent where episodes were malformed or met a limit, which is no lack of skill."""
    for agent in agents:
        told = []
        for section in sections:
            counts = section.outcomes.get(agent, ())
            parts = [
                f"{one.count} {one.ending}"
                for one in counts
                if one.ending in {"malformed", "limit"}
            ]
            if parts:
                told.append(f"{section.name} {' and '.join(parts)}")
        if told:
            yield f"Episodes of {agent} that failed on format or met a limit: {'; '.join(told)}."


def _write_appendix(sections: Sequence[Section]) -> str:
    lines = [r"\begin{itemize}\raggedright"]
    for section in sections:
        digest = section.spec.digest if section.spec else "unknown"
        lines.append(
            rf"\item {escape_tex(section.name)}: version {escape_tex(section.version)}, "
            rf"{section.edition} edition, set {_write_code(section.set)}, digest "
            rf"{_write_code(digest)}."
        )
        lines += [rf"  \par {_write_code(command)}" for command in section.commands]
        for card in section.cards:
            made = ", ".join(f"{name} {number}" for name, number in sorted(card.versions.items()))
            if made:
                lines.append(rf"  \par {escape_tex(card.agent)}: {escape_tex(made)}.")
    return "\n".join([*dict.fromkeys(lines), r"\end{itemize}", ""])


def _write_code(words: str) -> str:
    """Return a text as typed: two hyphens stay two, and what is long may go on in the next line."""
    parts = (escape_tex(words[at : at + 16]) for at in range(0, len(words), 16))
    typed = r"\allowbreak{}".join(parts).replace("--", "-{}-")
    return rf"\texttt{{{typed}}}"


def _write_references(sections: Sequence[Section]) -> str:
    entries = {}
    for section in sections:
        paper = section.facts.paper
        if paper is not None:
            url = f"  url = {{{paper.url}}},\n" if paper.url else ""
            entries[section.facts.name] = (
                f"@misc{{{section.facts.name},\n  title = {{{escape_tex(paper.title)}}},\n"
                f"  howpublished = {{{escape_tex(paper.venue)}}},\n  year = {{{paper.year}}},\n"
                f"{url}}}\n"
            )
    return "\n".join(entries.values())


def _write_manifest(sections: Sequence[Section], files: Mapping[str, str | bytes]) -> str:
    digests = {
        name: hashlib.sha256(content.encode() if isinstance(content, str) else content).hexdigest()
        for name, content in sorted(files.items())
    }
    sets = {
        f"{section.facts.name}/{section.edition}/{section.set}": {
            "version": section.version,
            "digest": section.spec.digest if section.spec else None,
            "rows": section.rows,
            "unscored": section.unscored,
        }
        for section in sections
    }
    return json.dumps({"files": digests, "sets": sets}, indent=2) + "\n"
