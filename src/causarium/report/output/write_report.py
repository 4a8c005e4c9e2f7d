"""Write a report to a folder: page, Markdown, data, and the rows they were made of."""

import io
from collections.abc import Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from causarium.contract.places import write_atomically
from causarium.contract.row import Row, Tokens
from causarium.errors import UnknownName
from causarium.report.data.build_report import build_report
from causarium.report.data.family_facts import FamilyFacts, Panel
from causarium.report.data.report_data import Report

FORMATS = ("html", "md", "json")
FIGURES = "figures"
"""The format that also writes the charts of the page, as SVG and PNG, to a folder of this name."""
_SPREAD = {"facet": "facets", "number": "numbers", "label": "labels", "fault": "faults"}
"""Fields of a row that are spread over columns, by how these begin."""


def write_report(
    rows: Iterable[Row],
    out: Path,
    *,
    formats: Sequence[str] = FORMATS,
    facts: Mapping[str, FamilyFacts] | None = None,
    panels: Sequence[Panel] = (),
    commands: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> dict[str, Path]:
    """Write the report of `rows` into the folder `out`; each file is there whole or not at all.

    Takes what `build_report` takes, and does what `write_built` does.

    Raises:
        UnknownName: A format is not one of `FORMATS`.
        BadFile: A file cannot be written there.
    """
    check_formats(formats)
    all_rows = list(rows)
    report = build_report(all_rows, facts=facts, panels=panels, commands=commands, notes=notes)
    return write_built(report, all_rows, out, formats=formats)


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

    Everything is made before anything is written. The rows go along as `rows.jsonl`, and as
    `rows.parquet` where pyarrow is installed.

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
        files["report.md"] = _markdown(report)
    if "json" in formats:
        files["report.json"] = f"{report.model_dump_json(indent=2)}\n"
    files["rows.jsonl"] = "".join(f"{row.model_dump_json()}\n" for row in rows)
    if (table := _parquet(rows)) is not None:
        files["rows.parquet"] = table
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


def _markdown(report: Report) -> str:
    from causarium.report.output.write_markdown import render_markdown

    return render_markdown(report)


def _parquet(rows: Sequence[Row]) -> bytes | None:
    """Return the rows as one flat Parquet table; None where pyarrow is missing."""
    if not rows or find_spec("pyarrow") is None:
        return None
    import pyarrow as pa
    import pyarrow.parquet as pq

    plain = [name for name in Row.model_fields if name not in {*_SPREAD.values(), "usage"}]
    columns: dict[str, list[Any]] = {n: [getattr(row, n) for row in rows] for n in plain}
    for prefix, field in _SPREAD.items():
        for name in dict.fromkeys(name for row in rows for name in getattr(row, field)):
            values = [getattr(row, field).get(name) for row in rows]
            columns[f"{prefix}.{name}"] = _unify_column(values)
    columns |= _collect_usage_columns(rows)
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue()


def _collect_usage_columns(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Return what models took as columns; none if no model was asked."""
    if all(row.usage is None for row in rows):
        return {}
    columns: dict[str, list[Any]] = {
        f"usage.{name}": [row.usage and getattr(row.usage.agent, name) for row in rows]
        for name in Tokens.model_fields
    }
    columns["usage.seconds"] = [row.usage and row.usage.seconds for row in rows]
    columns["usage.helpers"] = [
        row.usage and sum(helper.input + helper.output for helper in row.usage.helpers.values())
        for row in rows
    ]
    columns["usage.replies"] = [row.usage and [list(r) for r in row.usage.replies] for row in rows]
    return columns


def _unify_column(values: Sequence[Any]) -> list[Any]:
    """Return values of one kind, as a column must be: texts where kinds are mixed."""
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) <= 1:
        return list(values)
    return [None if value is None else str(value) for value in values]
