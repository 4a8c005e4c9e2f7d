"""A hundred hostile strings through replies, names and texts change nothing but text."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

from causarium.families.causallink.certified import FAMILY
from tests.support.inspect_runs import run_task, task_of
from tests.support.logs import find_logs
from tests.support.scripted import scripted_model
from tests.web.conftest import open_client

_MARKUP = (
    "<script>alert(1)</script>",
    "</pre><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "</svg></figure><iframe src=//evil.example>",
    "<a href=javascript:alert(1)>x</a>",
    "<style>*{display:none}</style>",
    "<base href=//evil.example>",
    "<form action=//evil.example><input>",
    "<meta http-equiv=refresh content=0>",
    "<!--",
    "]]>",
    "<![CDATA[x",
    "&lt;script&gt;",
    "&#60;script&#62;",
    "{{ 7*7 }}",
    "{% include '/etc/passwd' %}",
    "${7*7}",
    "`x`",
    '" onmouseover="alert(1)',
    "' autofocus onfocus='alert(1)",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "<details open ontoggle=alert(1)>",
    "<math><mtext></mtext><mglyph><style></math><img src onerror=alert(1)>",
)
_UNICODE = (
    "\u202eevil\u202c",
    "\u2066\u2067\u2068\u2069",
    "\u200b\u200c\u200d\ufeff",
    "\u2028\u2029",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "Z̸̢̛a̵l̷g̶o̸",
    "ＦＵＬＬ",
    "\x00\x07\x1b[31mred\x1b[0m",
    "\ud800",
    "ﷺ" * 50,
)
_LONG = ("x" * 1_000_000, "\n" * 50_000, "<" * 100_000, "a b " * 200_000, "ä" * 300_000)
STRINGS = [
    *_MARKUP,
    *_UNICODE,
    *_LONG,
    *(f"{one}{other}" for one, other in zip(_MARKUP, reversed(_MARKUP), strict=True)),
    *(f"{mark}{_UNICODE[at % len(_UNICODE)]}" for at, mark in enumerate(_MARKUP)),
    *(f"{_UNICODE[at % len(_UNICODE)]}{mark}" for at, mark in enumerate(_MARKUP[:10])),
]


_OURS = {"b", "span", "table", "thead", "tbody", "tr", "th", "td", "bdi", "h2", "section", "pre"}
"""Tags that our pages add from one episode to the next."""
_ONCE = ("script", "style", "base", "meta", "form", "input", "iframe", "img", "details", "svg")


class Tags(HTMLParser):
    """Counts what a browser would take for markup."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, int] = {}
        self.events: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found[tag] = self.found.get(tag, 0) + 1
        self.events += [name for name, _ in attrs if name.startswith("on")]
        self.events += [str(v) for n, v in attrs if n == "href" and "javascript:" in str(v)]


def test_there_are_a_hundred_of_them() -> None:
    assert len(STRINGS) >= 100


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    """The tags of a replay in which nothing hostile was said."""
    return replayed(tmp_path_factory.mktemp("plain"), ["hello"])[0].found


def replayed(folder: Path, says: list[str]) -> list[Tags]:
    """Have a model say some strings, one a sample, and return the replays of its first turns."""
    task = task_of(FAMILY, set="standard")
    samples = list(task.dataset)[: len(says)]
    task.dataset = type(task.dataset)(samples)
    by_prompt = {sample.input[-1].text: text for sample, text in zip(samples, says, strict=True)}
    model = scripted_model(lambda messages: by_prompt[messages[1].text])
    run_task(task, folder, model)
    (path,) = find_logs([folder])
    client = open_client(folder)
    pages = []
    for sample in samples:
        query = {"log": path.name, "id": str(sample.id), "turn": 1}
        reply = client.get("/replay", params=query)
        assert reply.status_code == 200
        assert len(reply.content) < 400_000
        pages.append(Tags(reply.text))
    return pages


@pytest.mark.long
def test_what_a_model_says_is_never_markup(tmp_path: Path, plain: dict[str, int]) -> None:
    says = [text for text in STRINGS if text.isprintable() or len(text) < 5_000]
    for text, page in zip(says, replayed(tmp_path, says), strict=True):
        assert set(page.found) <= {*plain, *_OURS}, text
        # Levels draw fewer pictures than the first; what was said must add none.
        assert all(page.found.get(tag, 0) <= plain.get(tag, 0) for tag in _ONCE), text
        assert page.events == [], text


@pytest.mark.slow
def test_long_replies_are_cut_and_offered_whole(tmp_path: Path) -> None:
    assert len(replayed(tmp_path, list(_LONG))) == len(_LONG)
