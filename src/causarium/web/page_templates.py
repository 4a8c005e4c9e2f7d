"""Templates, and what every page and form has in common."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode

from anyio import CapacityLimiter, to_thread
from jinja2 import ChoiceLoader, FileSystemLoader, FunctionLoader
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from causarium import families
from causarium.contract.frozen import replace_unprintable
from causarium.contract.rules import check_edition
from causarium.errors import UsageError
from causarium.report.data.number_format import tidy_sentence
from causarium.report.output.write_html import make_environment


class TooLarge(UsageError):
    """More was sent than is taken."""


class StillOpen(UsageError):
    """A page that shows a truth is closed until the game on it is over."""


HERE = Path(__file__).parent
MOST_SHOWN = 20_000
"""So many characters of a text are shown at once; the rest is a click away."""
PAGE = 50
"""So many rows stand on one page."""
MOST_BODY = 4_000_000
"""So many bytes can be sent at once."""
MOST_FIELDS = 1_000
MOST_FIELD = 65_536
"""So many characters one field of a form may have."""
_SLOW = CapacityLimiter(1)
"""One drawing at a time, so that many at once cannot take the machine."""


Answer = Callable[[Request], Awaitable[Response]]


def slowly(make: Callable[[Request], Response]) -> Answer:
    """Make a page that may take a while: no other such page is made meanwhile."""

    async def answer(request: Request) -> Response:
        return await to_thread.run_sync(make, request, limiter=_SLOW)

    return answer


def posted(make: Callable[[Request, dict[str, str]], Response]) -> Answer:
    """Make a page from a posted form, beside the loop that answers everybody else."""

    async def answer(request: Request) -> Response:
        return await to_thread.run_sync(make, request, await form(request))

    return answer


def _load_family_part(name: str) -> str | None:
    """Return a template that a family brings: `FAMILY/EDITION/board.html`, or its picture."""
    family, _, rest = name.partition("/")
    edition, _, file = rest.partition("/")
    try:
        board_page = families.get(family, check_edition(edition)).views.play_page
    except UsageError:
        return None
    if board_page is None or file not in {"board.html", "ask.html", "tile.svg"}:
        return None
    path = board_page.folder / file
    return path.read_text(encoding="utf-8") if path.is_file() else None


def make_readable(text: str) -> str:
    """Return a text with its line breaks, and without what a page cannot show."""
    return "\n".join(replace_unprintable(line.expandtabs(4)) for line in text.splitlines())


def page(template: str, /, **fields: Any) -> HTMLResponse:  # noqa: ANN401
    """Return a page made of a template."""
    return HTMLResponse(_ENVIRONMENT.get_template(template).render(**fields))


async def form(request: Request) -> dict[str, str]:
    """Return the fields of a posted form, the last value where one is given twice.

    Raises:
        TooLarge: The form or a field of it is too large, or it has too many.
    """
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_BODY:
            raise TooLarge(f"at most {MOST_BODY:,} bytes can be sent at once")
    if body.count(b"&") >= MOST_FIELDS:
        raise TooLarge(f"at most {MOST_FIELDS:,} fields can be sent at once")
    text = body.decode("utf-8", errors="replace")
    fields = parse_qs(text, keep_blank_values=True)
    for name, values in fields.items():
        if max(len(name), *map(len, values)) > MOST_FIELD:
            raise TooLarge(f"the field {name[:40]!r} has more than {MOST_FIELD:,} characters")
    plain = {k: v[-1].encode("utf-8", "replace").decode("utf-8") for k, v in fields.items()}
    return {name: value.replace("\x00", "\ufffd") for name, value in plain.items()}


def number(text: str | None, default: int, *, least: int = 0, most: int = 10**9) -> int:
    """Return the whole number in a query, kept within bounds; the default where it is none."""
    try:
        return min(max(int((text or str(default))[:20]), least), most)
    except ValueError:
        return default


_ENVIRONMENT = make_environment(
    ChoiceLoader([FileSystemLoader(HERE / "templates"), FunctionLoader(_load_family_part)]),
    printable=make_readable,
    query=urlencode,
    tidy=tidy_sentence,
)
_ENVIRONMENT.globals["MOST_SHOWN"] = MOST_SHOWN
