"""Drawings that stretch with the page: x in per cent, y in pixels, words never scaled.

There is no viewBox, so a strip is as wide as its place and its letters keep their size. Colours
come from classes of the page (`a1` … `a8`, `z0` … `z3`, `f-good` …), never from style attributes.
"""

from collections.abc import Sequence
from html import escape

from causarium.charts.svg import tag

SYMBOLS = (
    "M-5.5,0a5.5,5.5 0 1,0 11,0a5.5,5.5 0 1,0 -11,0",
    "M-5,-5h10v10h-10z",
    "M0,-6L6,5H-6z",
    "M0,-7L6.5,0L0,7L-6.5,0z",
    "M0,6L6,-5H-6z",
    "M-2,-6h4v4h4v4h-4v4h-4v-4h-4v-4h4z",
    "M0,-6.2L5.9,-1.9L3.6,5H-3.6L-5.9,-1.9z",
    "M-5.6,-3.4L-3.4,-5.6L0,-2.2L3.4,-5.6L5.6,-3.4L2.2,0L5.6,3.4L3.4,5.6L0,2.2L-3.4,5.6L-5.6,3.4L-2.2,0z",
)
"""Disc, square, triangle, diamond, triangle down, plus, pentagon, x: agents differ in shape too.

There are as many colours; a ninth agent has the first one's colour and the second one's shape."""


def percent(share: float) -> str:
    """Write a share of the width."""
    return f"{100 * min(max(share, 0.0), 1.0):.2f}%"


def draw_elastic(height: float, body: str, label: str) -> str:
    """Return a whole strip with its description in words."""
    return tag("svg", body, class_="el", height=f"{height:g}", role="img", aria_label=label)


def draw_zone(start: float, end: float, top: float, height: float, name: str) -> str:
    """Return a band from one share of the width to another, of the class `name`."""
    if end <= start:
        return ""
    width = percent(end - start)
    return tag("rect", x=percent(start), width=width, y=top, height=height, class_=name)


def draw_upright(x: float, top: float, bottom: float, name: str) -> str:
    """Return a line from top to bottom, of the class `name`."""
    place = percent(x)
    return tag("line", x1=place, x2=place, y1=top, y2=bottom, class_=name)


def name_colour(number: int) -> str:
    """Return the class that has the colour of the agent with this number, counted from 0."""
    return f"a{number % len(SYMBOLS) + 1}"


def _draw_shape(number: int) -> str:
    return tag("path", d=SYMBOLS[(number + number // len(SYMBOLS)) % len(SYMBOLS)])


def draw_whisker(low: float, high: float, y: float, number: int, width: float = 2.5) -> str:
    """Return an interval in the colour of the agent with this number, counted from 0."""
    ends = {"x1": percent(low), "x2": percent(high)}
    return tag("line", **ends, y1=y, y2=y, class_=name_colour(number), stroke_width=width)


def draw_symbol(x: float, y: float, number: int, *, hollow: bool = False) -> str:
    """Return the symbol of the agent with this number, counted from 0."""
    name = f"{name_colour(number)} sym{' hollow' if hollow else ''}"
    return tag("svg", _draw_shape(number), x=percent(x), y=y, class_=name)


def draw_key_symbol(number: int) -> str:
    """Return an agent's symbol alone, to stand beside its name."""
    inner = tag("svg", _draw_shape(number), x="8", y="8", class_=f"{name_colour(number)} sym")
    return tag("svg", inner, width="16", height="16", aria_hidden="true")


def draw_label(x: float, y: float, content: str) -> str:
    """Return words at a share of the width, kept within it: the ends begin or end there."""
    anchor = "start" if x < 0.12 else "end" if x > 0.88 else "middle"
    return tag("text", escape(content), x=percent(x), y=y, text_anchor=anchor)


def draw_shares(parts: Sequence[tuple[str, float]], label: str, height: float = 20) -> str:
    """Return one bar of parts side by side, each of the class that comes with its share."""
    body, start = [], 0.0
    for name, share in parts:
        width = percent(max(share - 0.003, 0.001))
        body.append(
            tag("rect", x=percent(start), width=width, y=0, height=height, rx=2, class_=name)
        )
        start += share
    return draw_elastic(height, "".join(body), label)
