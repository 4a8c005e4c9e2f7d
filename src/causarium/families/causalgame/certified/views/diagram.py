"""A leg's story as a small picture."""

from typing import NamedTuple

from causarium.charts.causal_graph import TWO_LINES, NodeLook, draw_graph, find_reach
from causarium.charts.layout import lay_out
from causarium.charts.palette import ACCENT
from causarium.charts.svg import tag
from ..model import Leg, Told

RETURN = "return"
_MARGIN = 10.0
_SIDE_BY_SIDE = 3


class Diagram(NamedTuple):
    """A drawing without its frame, and how much room it takes."""

    body: str
    width: float
    height: float


def draw_story(leg: Leg, told: Told) -> Diagram:
    """Draw a story: arrows from cause to effect, a ring around causes that nobody recorded."""
    names = (*(column.name for column in leg.columns), leg.module, RETURN)
    unrecorded = [one for one in told.hidden if one.moves]
    edges = [(names[cause], names[effect]) for cause, effect in told.arrows]
    edges += [(one.name, names[node]) for one in unrecorded for node in one.moves]
    nodes = (*names, *(one.name for one in unrecorded))
    layout = lay_out(
        nodes,
        sorted(edges),
        lowest=RETURN,
        node_width=96.0,
        node_height=TWO_LINES,
        most=_SIDE_BY_SIDE,
    )
    looks = {one.name: NodeLook(ringed=True) for one in unrecorded}
    looks |= {leg.module: NodeLook(filled=True), RETURN: NodeLook(filled=True)}
    if leg.held is not None:
        looks[names[leg.held[0]]] = NodeLook(frame=ACCENT)
    reach = find_reach(layout, edges)
    left, top = _MARGIN + reach.left, _MARGIN + reach.top
    graph = draw_graph(layout, dict.fromkeys(sorted(edges), "true"), looks=looks)
    return Diagram(
        tag("g", graph, transform=f"translate({left:.0f} {top:.0f})"),
        layout.width + reach.left + reach.right + 2 * _MARGIN,
        layout.height + reach.top + reach.bottom + 2 * _MARGIN,
    )
