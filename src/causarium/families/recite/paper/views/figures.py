"""One answer as a picture: its graph laid over the true one, and the sentences behind edges.

Nodes of the answer stand under the true names of what they were taken for; where it has a node that
was taken for none, it is listed below and its edges are left out of the drawing. Large graphs are
drawn as a table of causes and effects, in which arrows cannot hide each other.
"""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from causarium.charts.causal_graph import (
    STROKES,
    Kind,
    draw_graph,
    draw_kinds_legend,
    edge_kinds,
    find_reach,
)
from causarium.charts.layout import lay_out
from causarium.charts.palette import FAINT, INK, PAPER, SOFT
from causarium.charts.svg import line, make_svg, tag, text
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.scoring.graph_scores import Edge
from ..levels import ReciteRules
from ..model.graphs import CausalGraph, find_last_submission, true_graph
from ..model.instance import ReciteInstance
from ..scoring.match_nodes import Matching
from ..scoring.rule_judge import match_by_rules


@dataclass(frozen=True, slots=True)
class Beside:
    """Both graphs, and which nodes are taken for which."""

    true: CausalGraph
    proposed: CausalGraph | None
    """None where nothing was handed in."""
    matching: Matching

    @property
    def known_edges(self) -> frozenset[Edge]:
        """The answer's edges between nodes that were taken for true ones, in the true names."""
        if self.proposed is None:
            return frozenset()
        known = self.matching
        return frozenset(
            (known[a].true, known[b].true)
            for a, b in self.proposed.edges
            if a in known and b in known
        )

    @property
    def strangers(self) -> tuple[str, ...]:
        """The answer's nodes that were taken for no true one."""
        nodes = self.proposed.nodes if self.proposed else ()
        return tuple(name for name in nodes if name not in self.matching)


def align_graphs(instance: ReciteInstance, rules: ReciteRules, turns: Sequence[Turn]) -> Beside:
    """Put what was handed in beside the document's graph."""
    handed, true = find_last_submission(instance, turns), true_graph(instance.secret)
    if handed is None:
        return Beside(true, None, {})
    matching = match_by_rules(instance, rules, handed.graph)
    nodes = set(true.nodes)
    known = {name: match for name, match in matching.items() if match.true in nodes}
    return Beside(true, handed.graph, known)


def evidence_of(instance: ReciteInstance) -> dict[Edge, str]:
    """Return what states each true edge for which the document says it, by cause and effect."""
    secret = instance.secret
    return {
        pair: " … ".join(edge.evidence)
        for pair, edge in zip(secret.pairs, secret.edges, strict=True)
        if edge.evidence
    }


MARGIN, HEAD = 28.0, 104.0
MOST_DRAWN = 30
"""Graphs with more nodes are drawn as a table."""
MOST_IN_TABLE = 150
MOST_QUOTED = 6
_NODE_WIDTH, _CELL, _NAMES = 148.0, 11.0, 210.0
_KINDS: tuple[Kind, ...] = ("matched", "reversed", "extra", "missing")


def draw_episode(instance: ReciteInstance, rules: ReciteRules, turns: Sequence[Turn]) -> Figure:
    """Draw one answer over the document's graph, with the evidence of some edges."""
    found = align_graphs(instance, rules, turns)
    kinds = edge_kinds(found.known_edges, frozenset(found.true.edges))
    nodes = list(dict.fromkeys([*found.true.nodes, *(n for edge in kinds for n in edge)]))
    if len(nodes) <= MOST_DRAWN:
        layout = lay_out(nodes, found.true.edges, node_width=_NODE_WIDTH)
        reach = find_reach(layout, kinds)
        place = f"translate({reach.left:.0f} {reach.top:.0f})"
        drawn = tag("g", draw_graph(layout, kinds), transform=place)
        wide = layout.width + reach.left + reach.right
        tall = layout.height + reach.top + reach.bottom
    else:
        drawn, wide, tall = _table(nodes[:MOST_IN_TABLE], kinds)
    width = max(wide + 2 * MARGIN, 820.0)
    quotes = evidence_lines(instance, kinds, int((width - 2 * MARGIN) / 6.4))
    below = HEAD + tall + 40
    told = [_heading(found, kinds), *_strangers(found)]
    body = [
        text((MARGIN, 34), instance.public.title[:110], size=17, weight="600"),
        text((MARGIN, 55), told[0], size=12.5, fill=SOFT),
        draw_kinds_legend((MARGIN, 78), {kind: kind for kind in _KINDS}),
        tag("g", drawn, transform=f"translate({MARGIN:.1f} {HEAD:.1f})"),
        *(
            text((MARGIN, below + 18 * at), content, size=12, fill=colour)
            for at, (content, colour) in enumerate([*((t, SOFT) for t in told[1:]), *quotes])
        ),
    ]
    height = below + 18 * (len(told) - 1 + len(quotes)) + 16
    title = f"{instance.id}: the answer's graph over the document's"
    return Figure(
        title=title,
        svg=make_svg(width, height, "".join(body), title=title, about=" ".join(told)),
        caption="Blue: an edge of the answer that the document's graph has. Dashed: it runs the "
        "other way there. Dotted: the graph has none. Hollow grey: missing. Below, sentences "
        "behind edges, matched ones first.",
    )


def _heading(found: Beside, kinds: Mapping[Edge, Kind]) -> str:
    if found.proposed is None:
        return f"No graph was handed in; the document's has {len(found.true.edges)} edges."
    counts = {kind: sum(one == kind for one in kinds.values()) for kind in _KINDS}
    counts["extra"] += len(found.proposed.edges) - len(found.known_edges)
    said = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    return f"{len(found.proposed.edges)} edges in the answer, {len(found.true.edges)} true: {said}."


def _strangers(found: Beside) -> list[str]:
    if not found.strangers:
        return []
    shown = ", ".join(map(_cut_printable, found.strangers[:12]))
    more = len(found.strangers) - 12
    every = f"Nodes that the document's graph lacks: {shown}" + (
        f" and {more} more." if more > 0 else "."
    )
    return textwrap.wrap(every, 125)[:4]


def _cut_printable(content: str, most: int = 80) -> str:
    """Return the head of a text without the characters that no drawing can hold."""
    return "".join(c if c.isprintable() else " " for c in content[:most])


def evidence_lines(
    instance: ReciteInstance, kinds: Mapping[Edge, Kind], width: int
) -> list[tuple[str, str]]:
    """Return the sentences behind some edges, as lines of text with their colours."""
    evidence = evidence_of(instance)
    order: dict[Kind, int] = {"matched": 0, "reversed": 1, "missing": 2}
    stated: list[tuple[int, Edge, Kind]] = []
    for edge, kind in kinds.items():
        true = (edge[1], edge[0]) if kind == "reversed" else edge
        if kind in order and true in evidence:
            stated.append((order[kind], true, kind))
    lines: list[tuple[str, str]] = []
    for _, (cause, effect), kind in _pick_some(sorted(stated)):
        said = evidence[cause, effect]
        head = f"{_cut_printable(cause)} → {_cut_printable(effect)} ({kind})"
        quoted = textwrap.wrap(_cut_printable(f"“{said}”", 600), max(width, 40))
        colour = SOFT if kind == "missing" else STROKES[kind].colour
        lines += [(head, colour), *((f"    {part}", INK) for part in quoted[:4])]
    return lines


def _pick_some(stated: Sequence[tuple[int, Edge, Kind]]) -> Iterable[tuple[int, Edge, Kind]]:
    """Return a few, half of them matched and half not where there are both."""
    met = [one for one in stated if one[0] == 0]
    others = [one for one in stated if one[0] > 0]
    half = max(MOST_QUOTED // 2, MOST_QUOTED - len(others))
    return [*met[:half], *others[: MOST_QUOTED - min(half, len(met))]]


def _table(nodes: Sequence[str], kinds: Mapping[Edge, Kind]) -> tuple[str, float, float]:
    """Draw a row for each cause and a column for each effect, numbered as the rows are."""
    place = {name: at for at, name in enumerate(nodes)}
    side, parts = _CELL * len(nodes), []
    for at, name in enumerate(nodes):
        y = (at + 0.5) * _CELL
        shown = name if len(name) <= 32 else f"{name[:31]}…"
        parts.append(text((_NAMES - 8, y + 3), f"{at + 1} {shown}", size=8.5, anchor="end"))
        if at % 5 == 0:
            parts.append(line((_NAMES, at * _CELL), (_NAMES + side, at * _CELL)))
            x = _NAMES + at * _CELL
            parts.append(line((x, 0), (x, side), stroke=FAINT))
            parts.append(text((x + 2, side + 11), str(at + 1), size=8.5, fill=SOFT))
    for (cause, effect), kind in kinds.items():
        if cause in place and effect in place:
            parts.append(_cell(place[cause], place[effect], kind))
    return "".join(parts), _NAMES + side, side + 14


def _cell(row: int, column: int, kind: Kind) -> str:
    stroke = STROKES[kind]
    return tag(
        "rect",
        x=_NAMES + column * _CELL + 1.5,
        y=row * _CELL + 1.5,
        width=_CELL - 3,
        height=_CELL - 3,
        rx=_CELL / 2 if kind == "extra" else 1,
        fill=PAPER if stroke.hollow else stroke.colour,
        stroke=stroke.colour,
    )
