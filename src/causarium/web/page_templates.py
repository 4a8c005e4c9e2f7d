"""Templates, and what every page and form has in common."""

from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from causarium.errors import UsageError
from causarium.report.data.number_format import bounds, count, printable, show
from causarium.web.request_guard import MOST_BODY

HERE = Path(__file__).parent
MOST_SHOWN = 20_000
"""So many characters of a text are shown at once; the rest is a click away."""
PAGE = 50
"""So many rows stand on one page."""


@cache
def _environment() -> Environment:
    env = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters |= {
        "printable": readable,
        "show": show,
        "bounds": bounds,
        "count": count,
        "query": urlencode,
    }
    env.globals["MOST_SHOWN"] = MOST_SHOWN
    return env


def readable(text: str) -> str:
    """Return a text with its line breaks, and without what a page cannot show."""
    return "\n".join(printable(line.expandtabs(4)) for line in text.splitlines())


def page(template: str, /, **fields: Any) -> HTMLResponse:  # noqa: ANN401
    """Return a page made of a template."""
    return HTMLResponse(_environment().get_template(template).render(**fields))


async def form(request: Request) -> dict[str, str]:
    """Return the fields of a posted form, the last value where one is given twice.

    Raises:
        UsageError: It is too large.
    """
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_BODY:
            raise UsageError(f"at most {MOST_BODY:,} bytes can be sent at once")
    text = body.decode("utf-8", errors="replace")
    found = parse_qs(text, keep_blank_values=True, max_num_fields=2_000)
    return {name: values[-1] for name, values in found.items()}


def number(text: str | None, default: int, *, least: int = 0, most: int = 10**9) -> int:
    """Return the whole number in a query, kept within bounds; the default where it is none."""
    try:
        return min(max(int(text or default), least), most)
    except ValueError:
        return default
