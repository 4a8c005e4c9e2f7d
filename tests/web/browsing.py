"""A real browser for tests, and what every page must be: quiet, narrow enough, accessible."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
MARKS = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("web"),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on the PATH"),
]


@contextmanager
def open_browser() -> Iterator[Any]:
    """Start Chromium."""
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def open_page(browser: Any, width: int, scheme: str, **settings: Any) -> Iterator[Any]:
    """Open a page that must stay quiet: nothing in the console, nothing asked of elsewhere."""
    page = browser.new_page(
        viewport={"width": width, "height": 800}, color_scheme=scheme, **settings
    )
    page.set_default_timeout(30_000)
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    yield page
    assert said == [], said
    outside = [url for url in asked if not url.startswith(("http://127.0.0.1:", "data:"))]
    assert outside == [], outside
    page.close()


def fits(page: Any) -> None:
    """Assert that a page does not scroll sideways."""
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= page.viewport_size["width"], wide


def is_readable(page: Any) -> None:
    """Assert that no letter is smaller than 11 pixels as it is drawn."""
    small = page.evaluate(
        """() => [...document.querySelectorAll('main *')].filter((one) => {
          if (![...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) return false;
          const box = one.getBoundingClientRect();
          const away = '.unseen, [hidden], details:not([open])';
          if (!box.width || !box.height || one.closest(away)) return false;
          const scale = one.ownerSVGElement ? one.getScreenCTM().a : 1;
          return parseFloat(getComputedStyle(one).fontSize) * scale < 10.9;
        }).map((one) => one.outerHTML.slice(0, 120))"""
    )
    assert small == [], small


def is_accessible(page: Any) -> None:
    """Assert that axe finds nothing at all."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    violations = [(one["id"], one["nodes"][0]["html"][:200]) for one in found]
    assert violations == [], violations


def looks_right(page: Any) -> None:
    """Assert all that every page must be."""
    fits(page)
    is_readable(page)
    is_accessible(page)
