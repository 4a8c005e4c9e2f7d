"""A form for annotating a text with its causal graph: slips marked as one types, and agreement."""

import json
import zlib

from starlette.requests import Request
from starlette.responses import Response

from causarium.contract.views.scene import Graph, ReplayScene, Scene
from causarium.scoring.annotated_graphs import agreement, read_annotation
from causarium.web.belief_graph import draw_staging
from causarium.web.page_templates import form, page


class Annotation:
    """Pages on which a text is annotated; everything stays in the browser until it is exported."""

    async def form(self, request: Request) -> Response:  # noqa: ARG002
        """Show the empty form."""
        return self._shown({})

    async def check(self, request: Request) -> Response:
        """Show what is wrong with an annotation, and draw it."""
        given = await form(request)
        if given.get("part"):
            return page("annotated.html", **self._found(given))
        return self._shown(given)

    async def export(self, request: Request) -> Response:
        """Return the annotation as a file in the dataset's schema."""
        given = await form(request)
        found = read_annotation(given.get("edges", ""))
        record = {
            "id": zlib.crc32(f"{given.get('title', '')}\n{given.get('text', '')}".encode()),
            "title": given.get("title", ""),
            "input_text": given.get("text", ""),
            "num_nodes": len(found.nodes),
            "num_edges": len(found.edges),
            "nodes": found.nodes,
            "edges": [{"source": cause, "target": effect} for cause, effect in found.edges],
        }
        text = json.dumps(record, ensure_ascii=False, indent=2)
        headers = {"Content-Disposition": 'attachment; filename="annotation.json"'}
        return Response(text, media_type="application/json", headers=headers)

    def _shown(self, given: dict[str, str]) -> Response:
        fields = {name: given.get(name, "") for name in ("title", "text", "edges", "second")}
        return page("annotate.html", fields=fields, **self._found(given))

    def _found(self, given: dict[str, str]) -> dict[str, object]:
        one = read_annotation(given.get("edges", ""))
        other = read_annotation(given.get("second", ""))
        truth = Graph(nodes=one.nodes, edges=one.edges)
        belief = Graph(nodes=other.nodes, edges=other.edges) if other.edges else None
        staging = ReplayScene(truth=truth, scenes=(Scene(belief=belief),))
        return {
            "one": one,
            "other": other,
            "agreement": agreement(one, other),
            "graphs": draw_staging(staging, 0, titles=("First annotator", "Second annotator")),
        }
