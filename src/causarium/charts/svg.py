"""Marks for hand-made drawings: escaped text, strokes and arrows, with no ids, scripts or styles.

Everything is a presentation attribute, so that several drawings can stand in one page without
touching one another.
"""

import math
import re
from html import escape

from causarium.charts.palette import FAINT, INK, PAPER, fix_colours

Point = tuple[float, float]

_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""What no XML file may hold; names come from logs."""

FONT = "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"


def tag(name: str, content: str = "", **attributes: float | str | None) -> str:
    """Return an element; underscores in attribute names become hyphens, None leaves one out.

    Example:
        >>> tag("circle", r=2.0, stroke_width=1)
        '<circle r="2" stroke-width="1"/>'
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def _value(value: float | str) -> str:
    if isinstance(value, str):
        return escape(value, quote=True)
    return f"{round(value, 2):g}"


def text(
    at: Point,
    content: str,
    *,
    size: float = 12,
    fill: str = INK,
    anchor: str = "start",
    weight: str | None = None,
) -> str:
    """Return a line of text with its baseline at a point: its start, middle or end."""
    return tag(
        "text",
        escape(content),
        x=at[0],
        y=at[1],
        font_size=size,
        fill=fill,
        text_anchor=anchor,
        font_weight=weight,
    )


def text_on_patch(at: Point, content: str, *, size: float = 11, fill: str = INK) -> str:
    """Return text centred at a point on a patch of paper, readable on top of lines."""
    wide, tall = 0.6 * size * len(content) + 3, size + 2
    patch = tag(
        "rect",
        x=at[0] - wide / 2,
        y=at[1] - tall / 2,
        width=wide,
        height=tall,
        rx=tall / 2,
        fill=PAPER,
    )
    return patch + text(
        (at[0], at[1] + 0.36 * size), content, size=size, fill=fill, anchor="middle"
    )


def line(a: Point, b: Point, *, stroke: str = FAINT, width: float = 1, dash: str = "") -> str:
    """Return a straight line."""
    return tag(
        "line",
        x1=a[0],
        y1=a[1],
        x2=b[0],
        y2=b[1],
        stroke=stroke,
        stroke_width=width,
        stroke_dasharray=dash or None,
    )


def polyline(points: list[Point], *, stroke: str, width: float = 2, dash: str = "") -> str:
    """Return a broken line."""
    return tag(
        "polyline",
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points),
        fill="none",
        stroke=stroke,
        stroke_width=width,
        stroke_dasharray=dash or None,
        stroke_linejoin="round",
    )


def arrow_head(tip: Point, angle: float, *, fill: str, rim: str, size: float = 8) -> str:
    """Return a triangle that points at `tip`, coming in at `angle`."""
    sides = (angle + math.pi - 0.42, angle + math.pi + 0.42)
    corners = [tip, *((tip[0] + size * math.cos(a), tip[1] + size * math.sin(a)) for a in sides)]
    return tag(
        "polygon",
        points=" ".join(f"{x:.1f},{y:.1f}" for x, y in corners),
        fill=fill,
        stroke=rim,
        stroke_width=1.1,
        stroke_linejoin="round",
    )


def make_svg(width: float, height: float, body: str, *, title: str, about: str) -> str:
    """Return a whole `<svg>` element on paper, with a title and a description in words."""
    told = tag("title", escape(title)) + tag("desc", escape(about))
    paper = tag("rect", width=width, height=height, rx=10, fill=PAPER)
    return tag(
        "svg",
        told + paper + body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_value(width)} {_value(height)}",
        width=width,
        height=height,
        role="img",
        font_family=FONT,
    )


def make_standalone(svg: str) -> str:
    """Return a drawing of a page as a file of its own: colours as they are, on white paper."""
    svg = _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", svg)
    if "xmlns=" not in svg[: svg.index(">")]:
        svg = svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    start = svg.index(">") + 1
    paper = tag("rect", width="100%", height="100%", fill=PAPER)
    return fix_colours(svg[:start] + paper + svg[start:])
