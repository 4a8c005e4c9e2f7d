"""Write a report to a folder: page, Markdown, data, and the rows they were made of."""

import re
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

from causarium.contract.frozen import replace_unprintable
from causarium.contract.places import write_atomically
from causarium.contract.row import Row
from causarium.contract.views.outcome import ENDINGS
from causarium.errors import UnknownName
from causarium.report import FORMATS
from causarium.report.data.number_format import NONE, bounds, show
from causarium.report.data.report_data import Report, Section
from causarium.report.data.verdicts import judge
from causarium.report.output import sentences

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&])")


def escape(text: str) -> str:
    """Escape what Markdown or HTML would read as markup: names come from logs."""
    return _SPECIAL.sub(r"\\\1", replace_unprintable(text))


def render_markdown(report: Report) -> str:
    """Return the verdict, the scores and the commands as Markdown; the page has the rest."""
    blocks = [
        f"# {escape(report.summary.title)}",
        escape(report.summary.line),
        f"{sentences.overview(report)}, {report.unscored} ended by an error",
    ]
    blocks += [f"**{escape(note)}**" for note in report.notes]
    if not report.sections:
        blocks.append("There are no rows to report.")
    if report.summary.next:
        command = replace_unprintable(report.summary.next)
        blocks.append(f"Next, {report.summary.why}:\n\n    {command}")
    if report.sections and report.lanes:
        blocks += ["## Scores", _list_scores(report)]
    for section in report.sections:
        blocks += _section(section)
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
        *(comparison.words for comparison in section.comparisons),
        sentences.describe_unscored(section),
        sentences.describe_unverified(section),
    )
    blocks.append("\n".join(f"- {escape(text)}" for text in lines))
    if columns := section.columns:
        rows = zip(*(column.cells for column in columns), strict=True)
        names = [escape(agent.agent) for agent in section.agents]
        cells = ([" ".join(cell).strip() for cell in row] for row in rows)
        heads = ["agent", *(escape(column.name) for column in columns)]
        blocks.append(_table(heads, [[n, *row] for n, row in zip(names, cells, strict=True)]))
    commands = "\n".join(f"    {replace_unprintable(command)}" for command in section.commands)
    return [*blocks, "### Reproduce", commands]


def _list_scores(report: Report) -> str:
    """Return one line a set and agent: its score, and how its episodes ended."""
    lines = []
    for section in report.sections:
        for agent in report.lanes:
            one, score = judge(section, agent), section.find_score(agent)
            places = 1 if section.rungs else 2
            counts = {count.ending: str(count.count) for count in section.outcomes.get(agent, ())}
            told = NONE if score is None else f"{show(score.value, places)} {bounds(score, places)}"
            lines.append(
                [
                    escape(section.name),
                    escape(agent),
                    f"{section.measure} {told}".strip(),
                    escape(one.words),
                    *(counts.get(ending, "0") for ending in ENDINGS),
                ]
            )
    return _table(["task", "agent", "score", "remark", *ENDINGS], lines)


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rule = [":---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *lines))


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
    from causarium.report.figures import figure_files
    from causarium.report.output.write_html import render

    files: dict[str, str | bytes] = {"report.html": render(report)}
    for name, svg in (figure_files(report) if figures else {}).items():
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
