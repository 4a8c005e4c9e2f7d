"""The colours of everything drawn, named as in `tokens.css`, so that dark mode holds everywhere.

Each is a CSS variable with a fallback: a page that defines the variable decides, and a drawing
that stands alone has the fallback, which is the light one.
"""

import re
from pathlib import Path

TOKENS = Path(__file__).parent / "tokens.css"
"""The variables, light and dark: the one list of colours for the report and the web pages."""

INK = "var(--ink, #1c2126)"
SOFT = "var(--soft, #56606b)"
FAINT = "var(--rule, #dde1e5)"
LINE = "var(--line, #8a939d)"
PAPER = "var(--card, #ffffff)"
WASH = "var(--wash, #f1f3f4)"
ACCENT = "var(--accent, #0a5aa0)"
WARN = "var(--warn, #9a2b1f)"
GOOD = "var(--good, #1c7a55)"
BAD = "var(--bad, #c9622b)"
SERIES = (
    "var(--a1, #004eb9)",
    "var(--a2, #e64100)",
    "var(--a3, #13a670)",
    "var(--a4, #460b54)",
    "var(--a5, #a84d8b)",
    "var(--a6, #6a552d)",
    "var(--a7, #7a8fd2)",
    "var(--a8, #3c4648)",
)
"""Of eight agents or series: no two are close for normal, protan, deutan or tritan sight."""

_VARIABLE = re.compile(r"var\(--[a-z0-9-]+, (#[0-9a-f]+)\)")


def series_colour(number: int) -> str:
    """Return the colour of the series with this number, counted from 0."""
    return SERIES[number % len(SERIES)]


def fix_colours(svg: str) -> str:
    """Return a drawing with its fallback colours in place of the page's."""
    return _VARIABLE.sub(r"\1", svg)
