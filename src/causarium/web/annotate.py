"""A form for annotating a text with its causal graph: slips marked as one types, and agreement."""

import json
import zlib

from starlette.requests import Request
from starlette.responses import Response

from causarium.contract.views.scene import Graph, ReplayScene, Scene
from causarium.scoring.annotated_graphs import agreement, read_annotation
from causarium.web.page_templates import draw_slowly, form, page
from causarium.web.world_picture import Titles, draw_beliefs

MOST_DRAWN = 80
"""With more arrows than this, of both annotators together, they are listed instead of drawn: arrows
are led around nodes, which takes time for each pair of them, and nobody could follow them."""
MOST_TEXT = 1_000_000
"""So many characters a text has at most; papers are longer than other fields may be."""


class AnnotationPage:
    """Pages on which a text is annotated; everything stays in the browser until it is exported."""

    async def form(self, request: Request) -> Response:  # noqa: ARG002
        """Show the empty form."""
        return await draw_slowly(lambda: _show_form({}))

    async def check(self, request: Request) -> Response:
        """Show what is wrong with an annotation, and draw it."""
        given = await form(request, most_field=MOST_TEXT)
        if given.get("part"):
            return await draw_slowly(lambda: page("annotated.html", **_compare(given)))
        return await draw_slowly(lambda: _show_form(given))

    async def export(self, request: Request) -> Response:
        """Return the annotation as a file in the dataset's schema."""
        given = await form(request, most_field=MOST_TEXT)
        return await draw_slowly(lambda: _write_file(given))


def _write_file(given: dict[str, str]) -> Response:
    annotated = read_annotation(given.get("edges", ""))
    record = {
        "id": zlib.crc32(f"{given.get('title', '')}\n{given.get('text', '')}".encode()),
        "title": given.get("title", ""),
        "input_text": given.get("text", ""),
        "num_nodes": len(annotated.nodes),
        "num_edges": len(annotated.edges),
        "nodes": annotated.nodes,
        "edges": [{"source": cause, "target": effect} for cause, effect in annotated.edges],
    }
    text = json.dumps(record, ensure_ascii=False, indent=2)
    headers = {"Content-Disposition": 'attachment; filename="annotation.json"'}
    return Response(text, media_type="application/json", headers=headers)


def _show_form(given: dict[str, str]) -> Response:
    fields = {name: given.get(name, "") for name in ("title", "text", "edges", "second")}
    return page("annotate.html", fields=fields, **_compare(given))


def _compare(given: dict[str, str]) -> dict[str, object]:
    one = read_annotation(given.get("edges", ""))
    other = read_annotation(given.get("second", ""))
    truth = Graph(nodes=one.nodes, edges=one.edges)
    belief = Graph(nodes=other.nodes, edges=other.edges) if other.edges else None
    staging = ReplayScene(truth=truth, scenes=(Scene(belief=belief),))
    is_drawn = len(one.edges) + len(other.edges) <= MOST_DRAWN
    titles = Titles("Second annotator", "First annotator", "First annotator")
    return {
        "one": one,
        "other": other,
        "agreement": agreement(one, other),
        "graphs": draw_beliefs(staging, 0, titles) if is_drawn else None,
        "listed": not is_drawn,
    }
