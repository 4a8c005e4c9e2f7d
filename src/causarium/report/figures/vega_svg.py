"""Charts to SVG that may stand in a page: no script, no network, colours that follow the page.

Altair describes, vl-convert draws. What it draws has fixed colours and ids such as `clip0`; here
the colours become CSS variables (with the colour itself as fallback) and the ids unique.
"""

import re
from typing import Any

import vl_convert

INK, MUTED, RULE, PAPER = "#22262b", "#6d747d", "#dfe3e7", "#fefefd"
MODEL, PLAYER, PUBLISHED, BOUND = "#2a5f92", "#868e97", "#b4601f", "#9aa1a9"
VARIABLES = {
    INK: "ink",
    MUTED: "muted",
    RULE: "rule",
    PAPER: "paper",
    MODEL: "model",
    PLAYER: "player",
    PUBLISHED: "published",
    BOUND: "bound",
    "#c9ced4": "nothing",
}
SERIES = (
    "#4a7fb0",
    "#cf8235",
    "#58986c",
    "#b4586a",
    "#8672b2",
    "#a08657",
    "#4f9ea3",
    "#c07aa6",
)
"""Colours of one lightness that hold on a light and on a dark page."""
NOTHING = "#c9ced4"
"""For bars that stand for nothing in particular."""

_CONFIG: dict[str, Any] = {
    "background": None,
    "font": "Helvetica, Arial, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": MUTED,
        "titleColor": MUTED,
        "titleFontWeight": "normal",
        "titleFontSize": 12,
        "labelFontSize": 12,
        "domainColor": RULE,
        "tickColor": RULE,
        "gridColor": RULE,
        "labelLimit": 250,
    },
    "axisY": {"domain": False, "ticks": False, "labelPadding": 8},
    "legend": {
        "labelColor": INK,
        "titleColor": MUTED,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "labelLimit": 250,
    },
    "title": {"color": MUTED, "fontSize": 12, "fontWeight": "normal", "anchor": "start"},
    "header": {"labelColor": INK, "labelFontSize": 12},
}


def draw(chart: Any, name: str) -> str:  # noqa: ANN401
    """Draw an Altair chart.

    Args:
        chart: The chart.
        name: Unique within the page; it becomes part of every id.
    """
    spec = chart.to_dict()
    spec["config"] = _CONFIG
    svg = str(vl_convert.vegalite_to_svg(vl_spec=spec, allowed_base_urls=[]))
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)
    for colour, variable in VARIABLES.items():
        svg = svg.replace(f'"{colour}"', f'"var(--{variable}, {colour})"')
    return svg


def standing_alone(svg: str) -> str:
    """Return a chart of a page as a file of its own: colours as they are, on white paper."""
    if "xmlns=" not in svg[: svg.index(">")]:
        svg = svg.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    plain = re.sub(r"var\(--[a-z]+, (#[0-9a-f]+)\)", r"\1", svg)
    return re.sub(
        r"(<svg\b[^>]*>)", r'\1<rect width="100%" height="100%" fill="#fff"/>', plain, count=1
    )


def as_png(svg: str) -> bytes:
    """Return a chart that stands alone as a picture of twice its size in pixels."""
    return bytes(vl_convert.svg_to_png(svg, scale=2))
