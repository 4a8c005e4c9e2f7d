"""Serves the pages on this machine: which page has which address, and where to listen.

The server is for one person on one machine. A page elsewhere must not be able to read it or act
through it (other hosts and origins are refused), nothing it shows may run as a script, and where it
is bound to more than this machine a token is asked for. Browsers say where a request comes from;
what posts without saying so is refused.
"""

import re
import secrets
import socket
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from causarium import charts
from causarium.errors import CausariumError, UsageError
from causarium.web.games import GameStore
from causarium.web.home import BrowsePages, Home, ReportPage
from causarium.web.page_templates import (
    HERE,
    MOST_BODY,
    StillOpen,
    TooLarge,
    page,
    posted,
    slowly,
)
from causarium.web.play import PlayPages
from causarium.web.replay import ReplayPages

MOST_NAME = 255
"""So many bytes the name of a file may have, and a part of an address."""
MOST_QUERY = 4_096
LOCAL = frozenset({"127.0.0.1", "localhost", "::1", "testserver"})
_COOKIE = "causarium_token"
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}

Next = Callable[[Request], Awaitable[Response]]


class Guard(BaseHTTPMiddleware):
    """Refuses what does not come from the person at this machine."""

    def __init__(self, app: ASGIApp, *, hosts: frozenset[str], token: str | None) -> None:
        super().__init__(app)
        self._hosts = hosts | LOCAL
        self._token = token

    async def dispatch(self, request: Request, call_next: Next) -> Response:
        """Let a request through, or say why not."""
        refused = self._refuse_request(request)
        response = refused or await call_next(request)
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    def _refuse_request(self, request: Request) -> Response | None:
        host = request.url.hostname or ""
        if host not in self._hosts:
            return PlainTextResponse(f"This server does not answer for {host!r}.", 421)
        length = request.headers.get("content-length") or "0"
        if not length.isdecimal() or len(length) > 12 or int(length) > MOST_BODY:
            return PlainTextResponse(f"At most {MOST_BODY:,} bytes can be sent at once.", 413)
        if _comes_from_elsewhere(request):
            return PlainTextResponse("This came from another page.", 403)
        if _is_no_name(request):
            return PlainTextResponse("There is nothing here.", 404)
        return self._without_token(request)

    def _without_token(self, request: Request) -> Response | None:
        if self._token is None or self._knows(request.cookies.get(_COOKIE, "")):
            return None
        if self._knows(request.query_params.get("token", "")):
            entered = RedirectResponse(request.url.path, 303)
            entered.set_cookie(_COOKIE, self._token, httponly=True, samesite="strict")
            return entered
        return PlainTextResponse("Open the address that the server printed: it holds a token.", 401)

    def _knows(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), (self._token or "").encode())


def _comes_from_elsewhere(request: Request) -> bool:
    """Tell whether another page sent this, or whether nothing says that ours did."""
    reads = request.method in {"GET", "HEAD"}
    site = request.headers.get("sec-fetch-site", "")
    if site in {"cross-site", "same-site"}:
        return not (reads and request.headers.get("sec-fetch-mode") == "navigate")
    if reads:
        return False
    origin = request.headers.get("origin")
    if origin is None:
        return site != "same-origin"
    try:
        return urlsplit(origin).netloc != request.url.netloc
    except ValueError:
        return True


def _is_no_name(request: Request) -> bool:
    """Tell whether an address holds what can be the name of nothing: too long, or a NUL."""
    path = request.url.path
    if any(len(part.encode("utf-8", "replace")) > MOST_NAME for part in path.split("/")):
        return True
    if len(request.url.query) > MOST_QUERY or "%00" in request.url.query or "%00" in path:
        return True
    logs = request.query_params.getlist("log") + request.query_params.getlist("beside")
    parts = (part for log in logs for part in log.split("/"))
    return any("\x00" in part or len(part.encode("utf-8", "replace")) > MOST_NAME for part in parts)


Page = Callable[[Request], Response]
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
    browsing = BrowsePages(store)
    return Starlette(
        routes=[
            Route("/", home.show),
            Route("/families", home.list_families),
            Route("/report", slowly(ReportPage(logs).show)),
            Route("/run", replaying.run),
            Route("/replay", _watch_peeks(store, replaying.episode)),
            Route("/replay/turn", _watch_peeks(store, replaying.turn)),
            Route("/replay/text", _watch_peeks(store, replaying.text)),
            Route("/families/{family}", browsing.family),
            Route("/families/{family}/{edition}/{set}", browsing.set),
            Route(CASE, browsing.instance),
            Route(f"{CASE}/secret", browsing.secret),
            Route(f"{CASE}/proofs", slowly(browsing.proofs)),
            Route("/boards/{family}/{edition}/{asset}", playing.asset),
            Route("/play", posted(playing.begin), methods=["POST"]),
            Route("/games/{game}", playing.show),
            Route("/games/{game}/beside", slowly(playing.compare_game)),
            Route("/games/{game}/check", posted(playing.check), methods=["POST"]),
            Route("/games/{game}/move", posted(playing.move), methods=["POST"]),
            Route("/games/{game}/give-up", posted(playing.give_up), methods=["POST"]),
            Route("/tokens.css", _serve_tokens),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        middleware=[Middleware(Guard, hosts=hosts, token=token)],
        exception_handlers={CausariumError: _explain, 404: _explain, 405: _explain},
    )


def _watch_peeks(store: GameStore, make: Page) -> Page:
    """Close a replay while a game on its instance is open, and note that somebody saw it.

    A replay shows the truth of its instance beside what was played.
    """

    def watch(request: Request) -> Response:
        instance = request.query_params.get("id", "")
        store.refuse_peek(instance)
        response = make(request)
        store.note_peek(instance)
        return response

    return watch


def _serve_tokens(request: Request) -> Response:  # noqa: ARG001
    """Serve the colours and sizes that pages and reports share."""
    return FileResponse(Path(charts.__file__).parent / "tokens.css", media_type="text/css")


_MISSING = (404, "No such page", "There is nothing here.")
_OTHER_METHOD = (405, "Not that way", "This page cannot be asked for like that.")


def _explain(request: Request, wrong: Exception) -> Response:  # noqa: ARG001
    """Say what is wrong with a request, on a page of ours."""
    if isinstance(wrong, HTTPException):
        status, title, problem = _MISSING if wrong.status_code == 404 else _OTHER_METHOD
    else:
        kinds = ((TooLarge, 413), (StillOpen, 409), (CausariumError, 400))
        status = next(status for kind, status in kinds if isinstance(wrong, kind))
        title, problem = "That cannot be shown", str(wrong)
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
    """Serve until interrupted."""
    import uvicorn

    app = create_app(logs, hosts=frozenset({host}), token=token, study=study)
    uvicorn.run(app, host=host, port=port, log_level="warning", server_header=False)
