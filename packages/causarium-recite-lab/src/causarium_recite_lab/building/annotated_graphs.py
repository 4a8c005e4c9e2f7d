"""Graphs as annotators write them down, an arrow a line: reading them, slips, agreement."""

import math
import re
from dataclasses import dataclass

from causarium.scoring.graph_scores import Edge

MOST_LINES = 2_000
MOST_NAME = 200
MOST_LINE = 2 * MOST_NAME + 40
"""Longer lines are not looked at, so that reading takes time by their number alone."""
_LINE = re.compile(r'^\s*"([^"]*)"\s*->\s*"([^"]*)"\s*$|^\s*([^"]+?)\s*->\s*([^"]+?)\s*$')


@dataclass(frozen=True, slots=True)
class Slip:
    """Something that is probably not meant."""

    line: int
    """Counted from 1."""
    about: str


@dataclass(frozen=True, slots=True)
class Annotation:
    """What an annotator wrote."""

    edges: tuple[Edge, ...]
    """In order, without repetitions."""
    slips: tuple[Slip, ...]

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names in order of appearance."""
        return tuple(dict.fromkeys(name for edge in self.edges for name in edge))


def read_annotation(text: str) -> Annotation:
    """Read lines of `"source" -> "sink"`; a line that is none is a slip, and so is a near twin.

    Example:
        >>> read_annotation('"rain" -> "floods"').edges
        (('rain', 'floods'),)
    """
    edges: dict[Edge, int] = {}
    slips: list[Slip] = []
    lines = text.splitlines()
    if any(map(str.strip, lines[MOST_LINES:])):
        slips.append(Slip(MOST_LINES + 1, f"only {MOST_LINES:,} lines are read"))
    for at, line in enumerate(lines[:MOST_LINES], 1):
        if not line.strip():
            continue
        if len(line) > MOST_LINE:
            slips.append(Slip(at, f"a name has at most {MOST_NAME} characters"))
            continue
        match = _LINE.match(line)
        names = [name.strip() for name in match.groups() if name is not None] if match else []
        if len(names) != 2 or not all(names):
            slips.append(Slip(at, 'write a line as "cause" -> "effect"'))
        elif max(map(len, names)) > MOST_NAME:
            slips.append(Slip(at, f"a name has at most {MOST_NAME} characters"))
        elif (edge := (names[0], names[1])) in edges:
            slips.append(Slip(at, f"the same as line {edges[edge]}"))
        else:
            edges[edge] = at
            if names[0] == names[1]:
                slips.append(Slip(at, "an arrow from a thing to itself"))
    slips += _near_twins(edges)
    return Annotation(tuple(edges), tuple(sorted(slips, key=lambda slip: slip.line)))


def _near_twins(edges: dict[Edge, int]) -> list[Slip]:
    """Find names that differ in case, spaces or marks alone: usually one thing written twice."""
    first: dict[str, str] = {}
    slips = []
    for edge, at in edges.items():
        for name in edge:
            bare = re.sub(r"[\W_]+", "", name).casefold()
            earlier = first.setdefault(bare, name)
            if earlier != name:
                slips.append(Slip(at, f"“{name}” and “{earlier}” look like one thing"))
    return slips


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far a second annotator drew the same arrows, the first taken as the reference."""

    both: int
    missing: int
    spurious: int
    precision: float
    recall: float
    f1: float
    kappa: float


def agreement(one: Annotation, other: Annotation) -> Agreement | None:
    """Compare two annotations over all ordered pairs of their nodes; None without any arrow."""
    first, second = set(one.edges), set(other.edges)
    if not first or not second:
        return None
    both = len(first & second)
    pairs = len({*one.nodes, *other.nodes}) ** 2
    precision, recall = both / len(second), both / len(first)
    return Agreement(
        both=both,
        missing=len(first - second),
        spurious=len(second - first),
        precision=precision,
        recall=recall,
        f1=2 * both / (len(first) + len(second)),
        kappa=_count_kappa(pairs, len(first), len(second), both),
    )


def _count_kappa(pairs: int, first: int, second: int, both: int) -> float:
    """Return Cohen's kappa of two yes-or-no judgements from how often each said yes."""
    observed = pairs - first - second + 2 * both
    expected = (first * second + (pairs - first) * (pairs - second)) / pairs
    return (observed - expected) / (pairs - expected) if pairs > expected else math.nan
