"""The site quotes the stored numbers; built, it holds together without a server."""

import importlib.util
import json
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from causarium.families import card
from causarium.players.audit_family import AuditTask, audit_share, combine_shares
from docs.generate.audits import (
    CLOSING,
    OPENING,
    draw_summary,
    fill_readme,
    find_changes,
    list_stored,
    quote_reach,
    read_audit,
    write_audit,
    write_summary,
)
from docs.generate.blocks import BLOCKS, MARK, take_section
from tests.support.ladder import FAMILY as LADDER
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


def test_the_readme_has_the_summary_of_the_stored_audits() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert write_summary("docs/") in readme.partition(OPENING)[2]


@pytest.fixture
def stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Store an audit of the ladder of lamps in place of CausalLink's."""
    audit = combine_shares(LADDER, [audit_share(LADDER, AuditTask("ladder"))])
    version, reference = card("causallink").version, card("causallink").reference
    told = json.loads(json.dumps(audit.flat()).replace('"optimal"', json.dumps(reference)))
    text = json.dumps({"command": "causarium audit causallink --json", **told, "version": version})
    (tmp_path / "causallink.json").write_text(text)
    monkeypatch.setattr("docs.generate.audits.FOLDER", tmp_path)
    return reference


def test_a_stored_audit_becomes_tables_a_picture_and_the_readme(
    stored: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert list_stored() == ["causallink"]
    theorems, programs = write_audit("causallink").split("\n\n")
    assert "| `looks_away` | Whoever does not look at the lamp. | theorem | .000 |" in theorems
    head, _, first, second, *_ = programs.splitlines()
    assert head == "| program | what it does | sees | lines | reach | top rung |"
    assert first.startswith(f"| `{stored}` (reference) | Flips one switch after another")
    assert second.startswith("| `two` |")
    (line,) = write_summary("docs/").splitlines()[2:]
    assert "| 0 | >= 3." in line.replace("\N{NO-BREAK SPACE}", " ")
    assert "`two`, 5 lines" in line
    assert quote_reach("causallink", "silent").startswith("0.00")
    assert "rungs, n 24" in draw_summary()
    with pytest.raises(LookupError):
        quote_reach("causallink", "nobody")

    readme = tmp_path / "README.md"
    readme.write_text(f"before\n\n{OPENING}\n\nafter\n")
    monkeypatch.setattr("docs.generate.audits.README", readme)
    assert [fill_readme(), fill_readme()] == [True, False]
    text = readme.read_text()
    assert text.startswith(f"before\n\n{OPENING}\n| family")
    assert text.endswith(f"{CLOSING}\n\nafter\n")


def test_without_a_stored_audit_a_page_says_what_plays_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docs.generate.audits.FOLDER", tmp_path)
    assert "`causarium audit recite` plays it" in write_audit("recite")
    assert write_summary() == ""


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
