"""How the published shapes are drawn, as SVG paths in a square of 64."""

from math import cos, pi, sin

CIRCLE = "M32 8a24 24 0 1 0 .01 0z"


def _polygon(corners: int, *, turned: float = 0.0, inner: float | None = None) -> str:
    """Return a regular polygon, or a star where an inner radius is given."""
    count = corners if inner is None else 2 * corners
    points = []
    for place in range(count):
        radius = 26.0 if inner is None or place % 2 == 0 else inner
        angle = -pi / 2 + turned + 2 * pi * place / count
        points.append(f"{32 + radius * cos(angle):.1f} {32 + radius * sin(angle):.1f}")
    return f"M{'L'.join(points)}z"


SHAPES = {
    "circle": CIRCLE,
    "square": "M11 11h42v42h-42z",
    "triangle": _polygon(3),
    "rectangle": "M6 18h52v28h-52z",
    "hexagon": _polygon(6),
    "pentagon": _polygon(5),
    "octagon": _polygon(8, turned=pi / 8),
    "ellipse": "M32 16a26 16 0 1 0 .01 0z",
    "star": _polygon(5, inner=11.0),
    "heart": "M32 56C8 40 4 28 8 19c4-9 18-11 24 1 6-12 20-10 24-1 4 9 0 21-24 37z",
    "crescent": "M42 8a25 25 0 1 0 0 48 20 20 0 0 1 0-48z",
    "cross": "M24 7h16v17h17v16h-17v17h-16v-17h-17v-16h17z",
}
