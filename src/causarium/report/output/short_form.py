"""A report in a few lines, as a notebook or a terminal shows the object: who scored what, where."""

from html import escape
from pathlib import Path

from causarium.contract.frozen import replace_unprintable
from causarium.report.data.number_format import NONE, bounds, show
from causarium.report.data.report_data import Report
from causarium.report.output.sentences import count_noun

MOST_MODELS, MOST_SETS = 8, 6
"""More would not fit 2,000 characters."""
_WIDTH = 20


def write_text(report: Report, page: Path | None) -> str:
    """Return the short form as plain text, at most 2,000 characters."""
    lines = [_write_head(report, page)]
    for name, *cells in _list_lines(report):
        lines.append(
            "  ".join([f"   {name:28.28}", *(f"{cell:{_WIDTH}}" for cell in cells)]).rstrip()
        )
    return "\n".join(lines)


def write_table(report: Report, page: Path | None) -> str:
    """Return the short form as HTML."""
    head, *lines = [[escape(cell) for cell in line] for line in _list_lines(report)]
    title = f"<p>{escape(_write_head(report, page))}</p>"
    heads = "".join(f"<th>{cell}</th>" for cell in head)
    rows = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in line)}</tr>" for line in lines)
    return f"{title}<table><tr>{heads}</tr>{rows}</table>"


def _write_head(report: Report, page: Path | None) -> str:
    families = len({section.facts.name for section in report.sections})
    parts = [
        f"{families} famil{'y' if families == 1 else 'ies'}",
        count_noun(len(report.models), "model"),
        count_noun(report.rows, "episode"),
    ]
    where = f"; {str(page)[-80:]}" if page else ""
    return f"Report({', '.join(parts)}{where})"


def _list_lines(report: Report) -> list[list[str]]:
    """Return the heads, and a line a model: its reach or score on each set."""
    sections = report.sections[:MOST_SETS]
    lines = [["model", *(section.name[:_WIDTH] for section in sections)]]
    for model in report.lanes[:MOST_MODELS]:
        cells = []
        for section in sections:
            score, places = section.find_score(model), 1 if section.rungs else 2
            told = f"{show(score.value, places)} {bounds(score, places)}".strip() if score else NONE
            cells.append(told)
        lines.append([replace_unprintable(model)[:28], *cells])
    return lines
