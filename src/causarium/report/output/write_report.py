"""Write a report to a folder: page, Markdown, data, and the rows they were made of."""

import math
import re
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

from causarium.contract.places import write_atomically
from causarium.contract.row import Row
from causarium.contract.views.outcome import ENDINGS
from causarium.engine.logbook.run_card import RunCard
from causarium.errors import UnknownName
from causarium.report.data.number_format import (
    NONE,
    bounds,
    digits,
    format_signed,
    replace_unprintable,
    show,
)
from causarium.report.data.published_rows import by_facet, by_table
from causarium.report.data.report_data import Report, Section
from causarium.report.data.summaries import AgentSummary, Breakdown, FaultTable, LabelTable
from causarium.report.data.verdicts import judge
from causarium.report.output import sentences
from causarium.scoring.intervals import Interval

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&])")
_TAKEN = {
    "input tokens": ("input", 0),
    "cached": ("cached", 2),
    "output tokens": ("output", 0),
    "per turn": ("per_turn", 0),
    "replies": ("replies", 1),
    "input, first reply": ("first", 0),
    "input, last reply": ("last", 0),
    "helper models": ("helpers", 0),
    "seconds": ("seconds", 1),
    "US dollars": ("cost", 2),
}
"""What a table of spending shows: a column, its field, and how many decimal places."""


def escape(text: str) -> str:
    """Escape what Markdown or HTML would read as markup: names come from logs."""
    return _SPECIAL.sub(r"\\\1", replace_unprintable(text))


def render_markdown(report: Report) -> str:
    """Return the report as Markdown."""
    blocks = [
        f"# {escape(report.summary.title)}",
        escape(report.summary.line),
        f"{sentences.overview(report)}, {report.unscored} unscored",
    ]
    blocks += [f"**{escape(note)}**" for note in report.notes]
    if not report.sections:
        blocks.append("There are no rows to report.")
    first = report.summary
    for title, claims in (
        ("It can", first.can),
        ("It cannot yet", first.cannot),
        ("Not known", first.unknown),
    ):
        if claims:
            blocks.append("\n".join([f"**{title}**", "", *(f"- {escape(str(c))}" for c in claims)]))
    if report.sections and report.lanes:
        blocks += ["## Verdicts", sentences.PROFILE, _verdicts(report)]
    for section in report.sections:
        blocks += _section(section)
    if report.bills:
        blocks += ["## Cost and usage", sentences.BILLS, _bills(report)]
    blocks += ["## How to read this", *sentences.HOW_TO_READ]
    return "\n\n".join(blocks) + "\n"


def _section(section: Section) -> list[str]:
    facts = section.facts
    where = f"{section.edition} edition, set {section.set}, version {section.version}"
    blocks = [f"## {escape(facts.title)}", escape(f"{facts.about} ({where})")]
    if section.spec is not None:
        blocks.append(f"Digest of the whole set: `{section.spec.digest}`")
    lines = (
        *sentences.summary_lines(section),
        sentences.describe_unscored(section),
        sentences.describe_unverified(section),
    )
    blocks.append("\n".join(f"- {escape(text)}" for text in lines))
    if section.headline:
        blocks += ["### Scores", _scores(section), *_caveats(section)]
    if section.tiers:
        blocks += ["### By tier", _tiers(section)]
    if section.comparisons:
        blocks += ["### Paired comparison", _comparisons(section)]
    if any(agent.spending for agent in section.agents):
        blocks += ["### Tokens, time and cost", sentences.SPENDING, _spending(section)]
    if section.faults is not None:
        blocks += ["### Unusable replies", sentences.FAULTS, _faults(section.faults)]
    if section.breakdowns:
        blocks.append("### Results by facet")
        blocks += [
            _breakdown(section, breakdown)
            for breakdown in section.breakdowns
            if _is_breakdown_shown(section, breakdown)
        ]
    if section.labels:
        blocks.append("### Failure types and other labels")
        blocks += [_labels(table) for table in section.labels]
    commands = "\n".join(f"    {replace_unprintable(command)}" for command in section.commands)
    if section.cards:
        blocks += ["### Reproducibility", *(_card(card) for card in section.cards)]
    return [*blocks, "### Reproduce", commands]


def _card(card: RunCard) -> str:
    lines = [f"- {escape(name)}: {escape(value)}" for name, value in card.lines()]
    return "\n".join([f"**{escape(card.name)}**", "", *lines])


def _scores(section: Section) -> str:
    places = {m: _places(section.agents, m) for m in section.headline}
    scale = section.placement.scores
    lines = [
        [
            escape(agent.agent),
            *(_number(agent.metrics.get(m), places[m]) for m in section.headline),
            _number(scale.get(agent.agent), 2),
            str(agent.n),
            str(agent.unscored),
            NONE if agent.programs is None else "could run" if agent.programs else "none",
        ]
        for agent in section.agents
    ]
    notes = sentences.caveats(section)
    first = section.headline[0]
    for group in by_table(section.published, first, falls=section.facts.falls(first)):
        for line in group.lines:
            where = ", ".join(filter(None, (group.table, group.common, line.setting, group.use)))
            marks = ", ".join(str(notes[caveat]) for caveat in line.caveats)
            name = f"published: {line.agent} ({where}){f' [{marks}]' if marks else ''}"
            cells = [show(line.values.get(m, math.nan), places[m]) for m in section.headline]
            lines.append([escape(name), *cells, NONE, str(line.n or NONE), NONE, NONE])
    falls = [f"{m} ↓" if m in section.falling else m for m in section.headline]
    return _table(["agent", *map(escape, falls), "scale", "n", "unscored", "programs"], lines)


def _caveats(section: Section) -> list[str]:
    if not section.published:
        return []
    notes = "\n".join(f"{at}. {escape(text)}" for text, at in sentences.caveats(section).items())
    return [f"Published values: {sentences.comparability(section)}", *([notes] if notes else [])]


def _comparisons(section: Section) -> str:
    lines = [
        [
            escape(comparison.agent),
            escape(comparison.other),
            f"{format_signed(comparison.difference.value)} "
            f"[{format_signed(comparison.difference.low)}, "
            f"{format_signed(comparison.difference.high)}]",
            f"{comparison.wins} / {comparison.ties} / {comparison.losses}",
            escape(comparison.words),
        ]
        for comparison in section.comparisons
    ]
    return _table(["agent", "against", "difference", "wins / ties / losses", "in words"], lines)


def _spending(section: Section) -> str:
    lines = [
        [escape(agent.agent), *(show(getattr(took, name), n) for name, n in _TAKEN.values())]
        for agent in section.agents
        if (took := agent.spending) is not None
    ]
    return _table(["agent", *_TAKEN], lines)


def _bills(report: Report) -> str:
    lines = [
        [
            escape(bill.agent),
            escape(bill.run),
            *(str(n) for n in (bill.episodes, bill.input, bill.cached, bill.output, bill.helpers)),
            show(bill.seconds / 3600, 2),
            show(bill.cost, 2),
            str(bill.faults),
            str(bill.unscored),
        ]
        for bill in report.bills
    ]
    tokens = ("input tokens", "cached", "output tokens", "helper models", "hours", "US dollars")
    return _table(["agent", "run", "episodes", *tokens, "unusable replies", "unscored"], lines)


def _faults(table: FaultTable) -> str:
    lines = [[escape(agent), *map(str, counts), str(turns)] for agent, turns, counts in table.lines]
    return _table(["agent", *map(escape, table.kinds), "turns"], lines)


def _verdicts(report: Report) -> str:
    """Return one line a set and agent: place, verdict, and how its episodes ended."""
    lines = []
    for section in report.sections:
        for agent in report.lanes:
            one = judge(section, agent)
            place = section.placement.scores.get(agent)
            counts = {count.ending: str(count.count) for count in section.outcomes.get(agent, ())}
            lines.append(
                [
                    escape(section.name),
                    escape(agent),
                    _number(place, 2),
                    escape(one.words),
                    *(counts.get(ending, "0") for ending in ENDINGS),
                ]
            )
    return _table(["task", "agent", "place", "verdict", *ENDINGS], lines)


def _tiers(section: Section) -> str:
    lines = [
        [escape(agent.agent), *(_number(line.cells.get(agent.agent), 3) for line in section.tiers)]
        for agent in section.agents
    ]
    heads = [escape(f"{line.tier.name} ({line.tier.kind})") for line in section.tiers]
    return _table(["agent", *heads], lines)


def _is_breakdown_shown(section: Section, breakdown: Breakdown) -> bool:
    """Whether a breakdown is of the first metric, or has published values beside it."""
    first = breakdown.metric == section.headline[0]
    return first or bool(by_facet(section.published, breakdown.facet, breakdown.metric))


def _breakdown(section: Section, breakdown: Breakdown) -> str:
    places = _places(section.agents, breakdown.metric)
    lines = [
        [escape(line.agent), *(_number(cell, places) for cell in line.cells)]
        for line in breakdown.lines
    ]
    theirs = by_facet(section.published, breakdown.facet, breakdown.metric)
    for (agent, where), values in theirs.items():
        cells = [show(values.get(value, math.nan), places) for value in breakdown.values]
        lines.append([escape(f"published: {agent} ({where})"), *cells])
    head = f"{breakdown.metric} by {breakdown.facet}"
    return _table([escape(head), *map(escape, breakdown.values)], lines)


def _labels(table: LabelTable) -> str:
    lines = [[escape(line.agent), *map(str, line.counts), str(line.n)] for line in table.lines]
    return _table([escape(table.label), *map(escape, table.values), "n"], lines)


def _number(interval: Interval | None, places: int) -> str:
    if interval is None:
        return NONE
    return f"{show(interval.value, places)} {bounds(interval, places)}".strip()


def _places(agents: Iterable[AgentSummary], metric: str) -> int:
    return digits(agent.metrics[metric].value for agent in agents if metric in agent.metrics)


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rule = [":---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *lines))


FORMATS = ("html", "md", "json")
FIGURES = "figures"
"""The format that also writes the charts of the page, as SVG and PNG, to a folder of this name."""


def check_formats(names: Sequence[str]) -> None:
    """Make sure that there are formats of these names.

    Raises:
        UnknownName: There is no such format.
    """
    for name in names:
        if name not in (*FORMATS, FIGURES):
            raise UnknownName("report format", name, (*FORMATS, FIGURES), plural="formats")


def write_built(
    report: Report,
    rows: Sequence[Row],
    out: Path,
    *,
    formats: Sequence[str] = FORMATS,
) -> dict[str, Path]:
    """Write a report and the rows that it was made of into the folder `out`.

    Everything is made before anything is written. The rows go along as `rows.jsonl`.

    Args:
        report: The report.
        rows: Its rows.
        out: The folder.
        formats: Some of `FORMATS`, and `FIGURES`.

    Returns:
        The path of every file, by its format.

    Raises:
        UnknownName: A format is not one of `FORMATS`.
        BadFile: A file cannot be written there.
    """
    check_formats(formats)
    files: dict[str, str | bytes] = {}
    if "html" in formats:
        files |= _page(report, figures=FIGURES in formats)
    if "md" in formats:
        files["report.md"] = render_markdown(report)
    if "json" in formats:
        files["report.json"] = f"{report.model_dump_json(indent=2)}\n"
    files["rows.jsonl"] = "".join(f"{row.model_dump_json()}\n" for row in rows)
    for name, content in files.items():
        write_atomically(out / name, content)
    shown = [name for name in files if "/" not in name]
    return {name.rpartition(".")[2]: out / name for name in shown}


def _page(report: Report, *, figures: bool) -> dict[str, str | bytes]:
    """Make the page, and a file of each of its pictures where they are wanted."""
    # The page's libraries take a second to load, and only the page needs them.
    from causarium.charts.svg import make_standalone
    from causarium.report.figures.headline_figures import draw_report, figure_files
    from causarium.report.output.write_html import render

    sections = draw_report(report)
    files: dict[str, str | bytes] = {"report.html": render(report, sections)}
    for name, svg in (figure_files(report, sections) if figures else {}).items():
        alone = make_standalone(svg)
        files[f"figures/{name}.svg"] = alone
        if (picture := _picture(alone)) is not None:
            files[f"figures/{name}.png"] = picture
    return files


def can_convert() -> bool:
    """Say whether figures can be written as PNG and PDF: the extra `png` is installed."""
    return find_spec("vl_convert") is not None


def _picture(svg: str) -> bytes | None:
    """Return a figure as PNG, twice its size in pixels, where the extra `png` is installed."""
    if not can_convert():
        return None
    import vl_convert

    return bytes(vl_convert.svg_to_png(svg, scale=2))
