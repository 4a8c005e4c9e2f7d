"""The colours of everything drawn. Those of the page follow it, so that dark mode holds everywhere.

Each is a CSS variable with a fallback: a page that defines the variable decides, and a drawing
that stands alone has the fallback.
"""

import re

INK = "var(--ink, #1f2933)"
SOFT = "var(--muted, #66707c)"
FAINT = "var(--rule, #d5dae1)"
PAPER = "var(--paper, #ffffff)"
MODEL = "var(--model, #2a5f92)"
PLAYER = "var(--player, #868e97)"
PUBLISHED = "var(--published, #b4601f)"
BOUND = "var(--bound, #9aa1a9)"
NOTHING = "var(--nothing, #c9ced4)"
"""For bars that stand for nothing in particular."""
SERIES = (
    *("#4a7fb0", "#cf8235", "#58986c", "#b4586a"),
    *("#8672b2", "#a08657", "#4f9ea3", "#c07aa6"),
)
"""Colours of one lightness that hold on a light and on a dark page."""

_VARIABLE = re.compile(r"var\(--[a-z]+, (#[0-9a-f]+)\)")


def series_colour(number: int) -> str:
    """Return the colour of the series with this number, counted from 0."""
    return SERIES[number % len(SERIES)]


def fix_colours(svg: str) -> str:
    """Return a drawing with its fallback colours in place of the page's."""
    return _VARIABLE.sub(r"\1", svg)
