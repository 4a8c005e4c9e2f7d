"""What stands between the pages and the rest of the world.

The server is for one person on one machine. A page elsewhere must not be able to read it or act
through it (other hosts and origins are refused), nothing it shows may run as a script, and where
it is bound to more than this machine a token is asked for. Browsers say where a request comes from;
what posts without saying so is refused.
"""

import secrets
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp

MOST_BODY = 4_000_000
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
