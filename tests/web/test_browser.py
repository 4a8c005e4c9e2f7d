"""The pages as people use them, in a real browser."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.browsing import MARKS, fits, is_accessible, looks_right, open_page

pytestmark = MARKS


@pytest.fixture(params=[(390, "dark"), (1280, "light")], ids=["phone", "desk"])
def page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    with open_page(browser, *request.param) as page:
        yield page


def says(page: Any, place: str, words: str) -> None:
    page.locator(place).get_by_text(words).first.wait_for()


def back_to_start(page: Any) -> None:
    """Go to the step before any: a replay opens where it went wrong, or at its end."""
    page.goto(re.sub(r"&turn=\d+", "&step=0", page.url))
    page.wait_for_selector("form.steps")


def test_a_replay_is_opened_and_its_graph_changes_with_the_scrubber(page: Any, served: str) -> None:
    page.goto(served)
    fits(page)
    is_accessible(page)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    page.get_by_role("link", name="player/exact").click()
    fits(page)
    is_accessible(page)
    page.locator(".samples .top a").first.click()
    page.wait_for_selector("form.steps")
    back_to_start(page)
    assert "✓" not in page.inner_text("#turn")
    last = int(page.locator("input[type=range]").get_attribute("max"))
    page.locator("body").press("ArrowRight")
    says(page, "#turn", "Step 1:")
    before = page.locator("#turn figure").first.inner_html()
    for _ in range(last - 1):
        page.get_by_role("button", name="Next step").click()
    says(page, "#turn", f"Step {last}, its last:")
    assert page.locator("#turn figure").first.inner_html() != before
    assert "✓" in page.inner_text("#turn")
    assert f"step={last}" in page.url
    fits(page)
    is_accessible(page)


def test_hostile_replies_change_nothing_but_text(page: Any, served: str) -> None:
    page.goto(served)
    page.get_by_role("link", name="mockllm").click()
    page.locator(".samples .top a").first.click()
    says(page, "#turn", "Step 1")
    page.locator("#turn details.said summary").first.click()
    says(page, "#turn", "onerror")
    assert "owned" not in page.title()
    assert page.locator("#turn img").count() == 0
    fits(page)


@pytest.mark.parametrize(
    "address",
    [
        *("/", "/families", "/families/causalgame", "/families/recite/certified/standard"),
        *("/families/causalab/certified/smoke/0",),
    ],
)
def test_every_page_fits_and_is_accessible(page: Any, served: str, address: str) -> None:
    answered = page.goto(f"{served}{address}")
    assert answered.ok
    looks_right(page)


@pytest.mark.long
def test_the_report_of_all_runs_opens(browser: Any, served: str) -> None:
    with open_page(browser, 1280, "light") as page:
        page.goto(served)
        page.get_by_role("link", name="Open the report").click()
        page.locator("h1").first.wait_for()
        assert page.url.endswith("/report")
        page.locator(".thumb a").first.click()
        page.locator("form.steps").wait_for()
