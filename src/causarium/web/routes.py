"""The pages by address."""

from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from causarium import charts
from causarium.errors import CausariumError
from causarium.web.annotate import Annotation
from causarium.web.browse import Browsing
from causarium.web.page_templates import HERE, page
from causarium.web.play import Playing
from causarium.web.replay import Replaying
from causarium.web.request_guard import Guard


def create_app(
    logs: Path, *, hosts: frozenset[str] = frozenset(), token: str | None = None
) -> Starlette:
    """Return the server's application.

    Args:
        logs: The folder with logs; games that people play are written to `human` in it.
        hosts: Names under which this server may be asked, beside this machine's own.
        token: What a visitor must bring; None lets everyone in who reaches the server.
    """
    replaying, playing = Replaying(logs), Playing(logs / "human")
    browsing, annotation = Browsing(logs), Annotation()
    return Starlette(
        routes=[
            Route("/", browsing.home),
            Route("/run", replaying.run),
            Route("/replay", replaying.episode),
            Route("/replay/turn", replaying.turn),
            Route("/replay/text", replaying.text),
            Route("/families/{family}", browsing.family),
            Route("/families/{family}/{edition}/{set}", browsing.set),
            Route("/families/{family}/{edition}/{set}/{number:int}", browsing.instance),
            Route("/families/{family}/{edition}/{set}/{number:int}/secret", browsing.secret),
            Route("/families/{family}/{edition}/{set}/{number:int}/proofs", browsing.proofs),
            Route("/play", playing.begin, methods=["POST"]),
            Route("/games/{game}", playing.show),
            Route("/games/{game}/move", playing.move, methods=["POST"]),
            Route("/annotate", annotation.form),
            Route("/annotate/check", annotation.check, methods=["POST"]),
            Route("/annotate/export", annotation.export, methods=["POST"]),
            Route("/tokens.css", _serve_tokens),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        middleware=[Middleware(Guard, hosts=hosts, token=token)],
        exception_handlers={CausariumError: _explained, 404: _missing},
    )


async def _serve_tokens(request: Request) -> Response:  # noqa: ARG001
    """Serve the colours and sizes that pages and reports share."""
    return FileResponse(Path(charts.__file__).parent / "tokens.css", media_type="text/css")


async def _explained(request: Request, wrong: Exception) -> Response:  # noqa: ARG001
    return _problem(400, "That cannot be shown", str(wrong))


async def _missing(request: Request, wrong: Exception) -> Response:  # noqa: ARG001
    return _problem(404, "No such page", "There is nothing here.")


def _problem(status: int, title: str, problem: str) -> Response:
    shown = page("problem.html", title=title, problem=problem)
    shown.status_code = status
    return shown
