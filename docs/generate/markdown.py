"""Pieces of Markdown: tables, folded parts, sections of a page."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def write_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table.

    Example:
        >>> print(write_table(["a", "b"], [["1", "x|y"]]))
        | a | b |
        |---|---|
        | 1 | x&#124;y |
    """
    lines = [header, *rows]
    written = ["| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines]
    return "\n".join([written[0], "|" + "---|" * len(header), *written[1:]])


def _cell(text: str) -> str:
    """Return a cell without bars and breaks; in code, a bar has no escape but another letter."""
    return re.sub(r"[ \t\r\n]+", " ", text).replace("|", "&#124;")


def write_name(name: str) -> str:
    """Return a name as code."""
    return f"`{name}`"


def fold(title: str, content: str) -> str:
    """Return a part that opens on a click."""
    body = "\n".join(f"    {line}" if line else "" for line in content.splitlines())
    return f'??? note "{title}"\n\n{body}\n'


def fence(content: str, language: str = "text") -> str:
    """Return a block of text as it is, whatever is in it."""
    ticks = "`" * max(3, 1 + max(map(len, re.findall(r"`+", content)), default=0))
    return f"{ticks}{language}\n{content.rstrip()}\n{ticks}"


def place_svg(svg: str, caption: str = "") -> str:
    """Return a drawing as a figure in one line, so that Markdown leaves it alone."""
    inside = " ".join(svg.split("\n"))
    words = f"<figcaption>{caption}</figcaption>" if caption else ""
    return f'<figure class="drawing"><div class="scroll">{inside}</div>{words}</figure>'


def split_sections(page: str) -> dict[str, str]:
    """Return the parts of a page below its headings of level two, fences left alone.

    What stands before the first of them is under the empty name.
    """
    sections: dict[str, list[str]] = {"": []}
    name, fenced = "", False
    for line in page.splitlines():
        fenced ^= line.startswith("```")
        if line.startswith("## ") and not fenced:
            name = line.removeprefix("## ").strip()
            sections[name] = []
        else:
            sections[name].append(line)
    return {name: "\n".join(lines).strip() for name, lines in sections.items()}
