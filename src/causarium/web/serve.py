"""Serves the pages on this machine: which page has which address, and where to listen."""

import re
import secrets
import socket
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

from anyio import to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from causarium import charts
from causarium.errors import CausariumError, UsageError
from causarium.web.games import GameStore
from causarium.web.home import AnnotationPage, BrowsePages, Home, ReportPage
from causarium.web.page_templates import HERE, StillOpen, TooLarge, page
from causarium.web.play import PlayPages, show_frame_guide
from causarium.web.replay import ReplayPages
from causarium.web.request_guard import LOCAL, Guard

Handler = Callable[[Request], Awaitable[Response]]
CASE = "/families/{family}/{edition}/{set}/{number:int}"


def create_app(
    logs: Path,
    *,
    hosts: frozenset[str] = frozenset(),
    token: str | None = None,
    study: str | None = None,
) -> Starlette:
    """Return the server's application.

    Args:
        logs: The folder with logs; games that people play are written to `human` in it.
        hosts: Names under which this server may be asked, beside this machine's own.
        token: What a visitor must bring; None lets everyone in who reaches the server.
        study: The study that games are recorded for; people are asked for their consent, and games
            are written to the folder of that name.
    """
    store = GameStore(logs / (study or "human"))
    replaying, playing, home = ReplayPages(logs), PlayPages(logs, store, study), Home(logs, store)
    browsing, annotation = BrowsePages(store), AnnotationPage()
    return Starlette(
        routes=[
            Route("/", home.show),
            Route("/families", home.list_families),
            Route("/report", ReportPage(logs).show),
            Route("/run", replaying.run),
            Route("/replay", _watch_peeks(store, replaying.episode)),
            Route("/replay/turn", _watch_peeks(store, replaying.turn)),
            Route("/replay/text", _watch_peeks(store, replaying.text)),
            Route("/families/{family}", browsing.family),
            Route("/families/{family}/frame", show_frame_guide),
            Route("/families/{family}/{edition}/{set}", browsing.set),
            Route(CASE, browsing.instance),
            Route(f"{CASE}/secret", browsing.secret),
            Route(f"{CASE}/proofs", browsing.proofs),
            Route("/boards/{family}/{asset}", playing.asset),
            Route("/play", playing.begin, methods=["POST"]),
            Route("/games/{game}", playing.show),
            Route("/games/{game}/beside", playing.compare_game),
            Route("/games/{game}/check", playing.check, methods=["POST"]),
            Route("/games/{game}/move", playing.move, methods=["POST"]),
            Route("/games/{game}/give-up", playing.give_up, methods=["POST"]),
            Route("/annotate", annotation.form),
            Route("/annotate/check", annotation.check, methods=["POST"]),
            Route("/annotate/export", annotation.export, methods=["POST"]),
            Route("/tokens.css", _serve_tokens),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        middleware=[Middleware(Guard, hosts=hosts, token=token)],
        exception_handlers={
            CausariumError: _explain,
            404: _explain_missing,
            405: _explain_method,
        },
    )


def _watch_peeks(store: GameStore, handler: Handler) -> Handler:
    """Close a replay while a game on its instance is open, and note that somebody saw it.

    A replay shows the truth of its instance beside what was played.
    """

    async def watch(request: Request) -> Response:
        instance = request.query_params.get("id", "")
        await to_thread.run_sync(store.refuse_peek, instance)
        response = await handler(request)
        await to_thread.run_sync(store.note_peek, instance)
        return response

    return watch


async def _serve_tokens(request: Request) -> Response:  # noqa: ARG001
    """Serve the colours and sizes that pages and reports share."""
    return FileResponse(Path(charts.__file__).parent / "tokens.css", media_type="text/css")


async def _explain(request: Request, wrong: Exception) -> Response:  # noqa: ARG001
    status = 413 if isinstance(wrong, TooLarge) else 409 if isinstance(wrong, StillOpen) else 400
    return _problem(status, "That cannot be shown", str(wrong))


async def _explain_missing(request: Request, wrong: Exception) -> Response:  # noqa: ARG001
    return _problem(404, "No such page", "There is nothing here.")


async def _explain_method(request: Request, wrong: Exception) -> Response:  # noqa: ARG001
    return _problem(405, "Not that way", "This page cannot be asked for like that.")


def _problem(status: int, title: str, problem: str) -> Response:
    shown = page("problem.html", title=title, problem=problem)
    shown.status_code = status
    return shown


_STUDY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


def find_folder(given: Path | None) -> Path:
    """Return the folder with logs; `logs` is made where it was not named and is not there yet.

    Raises:
        UsageError: A folder was named that does not exist, or that cannot be made.
    """
    folder = given or Path("logs")
    if given is None:
        try:
            folder.mkdir(exist_ok=True)
        except OSError as wrong:
            raise UsageError(f"the folder {folder} cannot be made ({wrong.strerror})") from wrong
    if not folder.is_dir():
        raise UsageError(
            f"there is no folder {folder}; name one that holds logs, or none to begin with an "
            "empty one"
        )
    return folder


def check_study(name: str) -> str:
    """Return the name of a study, which is the name of its folder.

    Raises:
        UsageError: It cannot be the name of a folder.
    """
    if not _STUDY.fullmatch(name):
        raise UsageError(
            f"{name[:40]!r} cannot name a study: take letters, digits, '.', '_' and '-', at most 60"
        )
    return name


def free_port(host: str, wanted: int) -> int:
    """Return `wanted`, or a free port if it is 0.

    Raises:
        UsageError: The port is taken, or the address is not this machine's.
    """
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, wanted))
        except OSError as wrong:
            raise UsageError(
                f"cannot serve on {host} port {wanted} ({wrong.strerror}); "
                "another --port, or --port 0 for any free one, would work"
            ) from wrong
        return int(probe.getsockname()[1])


def address(host: str, port: int, token: str | None) -> str:
    """Return what to open in a browser."""
    query = f"/?token={token}" if token else "/"
    return f"http://{host}:{port}{query}"


def token_for(host: str) -> str | None:
    """Return a fresh token where the address can be reached from elsewhere."""
    return None if host in LOCAL else secrets.token_urlsafe(16)


def serve(logs: Path, *, host: str, port: int, token: str | None, study: str | None = None) -> None:
    """Serve until interrupted.

    Args:
        logs: The folder with logs.
        host: The address to listen on.
        port: The port there.
        token: What a visitor must bring, if anything.
        study: The study that games are recorded for, if any.
    """
    import uvicorn

    app = create_app(logs, hosts=frozenset({host}), token=token, study=study)
    uvicorn.run(app, host=host, port=port, log_level="warning", server_header=False)
