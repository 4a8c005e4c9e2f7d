"""The site quotes the stored numbers; built, it holds together without a server."""

import importlib.util
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from causarium.families import card
from docs.generate.audits import (
    find_changes,
    find_row,
    list_stored,
    read_audit,
    write_interval,
    write_number,
)
from docs.generate.blocks import BLOCKS, MARK, take_section
from tests.web.browsing import MARKS, fits

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
TOOLS = ("mkdocs", "material", "mkdocstrings", "latex2mathml")
needs_tools = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in TOOLS),
    reason="the extra `docs` is not installed: `./run docs` installs it",
)

COUNT_EMPTY_DRAWINGS = """[...document.querySelectorAll('svg[role=img], main img')]
    .filter(one => one.checkVisibility() && !one.getBoundingClientRect().width).length"""


def test_every_page_is_in_the_menu() -> None:
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    assert not [page for page in PAGES if f" {page.relative_to(ROOT / 'docs')}\n" not in menu]


@pytest.mark.parametrize("family", list_stored())
def test_the_readme_quotes_the_stored_audit(family: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(rf"^\| {card(family).title}, [^|]+, \d+ \|(.*)\|$", readme, re.MULTILINE)
    audit = read_audit(family)
    proved = max(
        (row for row in audit["classes"] if row["kind"] != "measured"), key=lambda row: row["value"]
    )
    reference = find_row(family, card(family).reference, audit["headline"])
    quoted = [" ".join(cell.split()) for cell in line.split("|")]
    bound = f"{write_number(proved['bound'])}, {proved['n']}"
    written = [
        *(write_number(audit["zero"]), write_interval(proved), bound),
        write_interval(reference),
    ]
    assert quoted == [" ".join(cell.split()) for cell in written]


@pytest.mark.parametrize("family", list_stored())
def test_a_stored_audit_keeps_its_bounds_and_says_how_it_was_made(family: str) -> None:
    audit = read_audit(family)
    assert audit["kept"]
    assert audit["command"] == f"causarium audit {family} --json"
    assert (audit["edition"], audit["set"]) == ("certified", "standard")


@pytest.mark.long
@pytest.mark.parametrize("family", list_stored())
def test_a_stored_audit_is_what_is_played_today(family: str) -> None:
    assert find_changes(family) == []


def test_every_mark_asks_for_something_that_is_written() -> None:
    for page in PAGES:
        for name, words in MARK.findall(page.read_text(encoding="utf-8")):
            if name in {"section", "words"}:
                assert take_section(*words.split())
            else:
                assert name == "rest" or name in BLOCKS, page


class Page(HTMLParser):
    """What a built page links to, loads, and can be linked to at."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids |= {value for key in ("id", "name") if (value := given.get(key))}
        if tag == "a" and (href := given.get("href")):
            self.links.append(href)
        elif tag != "a":
            self.loaded += [value for key in ("src", "href") if (value := given.get(key))]


def place_on_site(page: Path) -> Path:
    """Return where the built page of a source is."""
    path = page.relative_to(ROOT / "docs").with_suffix(".html")
    return path.with_name("index.html") if path.name == "README.html" else path


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in sorted(site.rglob("*.html"))}


@needs_tools
@pytest.mark.long
@pytest.mark.xdist_group("site")
class TestBuilt:
    def test_every_page_is_there_and_names_of_families_are_too(self, site: Path) -> None:
        for page in PAGES:
            assert (site / place_on_site(page)).is_file()

    def test_links_lead_somewhere(self, site: Path, pages: dict[Path, Page]) -> None:
        broken = []
        for path, page in pages.items():
            for link in page.links:
                parts = urlsplit(link)
                if parts.scheme:  # Tests need no network, and our own addresses are not public yet.
                    assert parts.scheme in {"https", "mailto"}, link
                    continue
                if path.name == "404.html":
                    continue
                goal = (path.parent / unquote(parts.path)).resolve() if parts.path else path
                goal = goal / "index.html" if goal.is_dir() else goal
                anchor = unquote(parts.fragment)
                if not goal.is_file() or (
                    anchor and goal.suffix == ".html" and anchor not in pages[goal].ids
                ):
                    broken.append(f"{path.relative_to(site)}: {link}")
        assert broken == []

    def test_nothing_is_loaded_from_elsewhere(self, pages: dict[Path, Page]) -> None:
        for path, page in pages.items():
            if path.name != "404.html":
                outside = [
                    name for name in page.loaded if urlsplit(name).scheme not in {"", "data"}
                ]
                assert outside == [], path


@needs_tools
@pytest.mark.long
class TestInABrowser:
    pytestmark = MARKS

    @pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
    def test_pages_are_accessible_and_fit(
        self, width: int, scheme: str, browser: Any, site: Path
    ) -> None:
        axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
        # From disk, axe may not fetch the style sheets that the page has loaded already.
        options = {"preload": False, "resultTypes": ["violations"]}
        size = {"width": width, "height": 800}
        page = browser.new_page(viewport=size, color_scheme=scheme)
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        for source in PAGES:
            page.goto((site / place_on_site(source)).as_uri())
            fits(page)
            assert page.evaluate(COUNT_EMPTY_DRAWINGS) == 0, source
            found = axe.run(page, options=options).response["violations"]
            assert not [(one["id"], one["nodes"][0]["html"][:200]) for one in found], source
        assert said == []

    def test_search_works_without_a_server(self, browser: Any, site: Path) -> None:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto((site / "index.html").as_uri())
        page.locator("input.md-search__input").fill("certificate")
        found = page.locator(".md-search-result__item a")
        found.first.wait_for(timeout=20_000)
        assert found.count() > 0
