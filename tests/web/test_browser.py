"""The pages as people use them, in a real browser."""

import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from causarium.contract.sets.instance_sets import generate_one
from causarium.families.causalab import FAMILY as CAUSALAB
from causarium.families.causallink import FAMILY as CAUSALLINK

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("web"),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on the PATH"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(params=[(360, "dark"), (1280, "light")], ids=["phone", "desk"])
def page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A page that must stay quiet: nothing said in the console, nothing asked of elsewhere."""
    width, scheme = request.param
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.set_default_timeout(60_000)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    assert said == []
    page.close()


def fits(page: Any) -> None:
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= page.viewport_size["width"]


def says(page: Any, place: str, words: str) -> None:
    page.locator(place).get_by_text(words).first.wait_for()


def accessible(page: Any) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page).response["violations"]
    serious = [
        (one["id"], one["nodes"][0]["html"][:200])
        for one in found
        if one["impact"] in {"serious", "critical"}
    ]
    assert serious == []


def test_a_replay_is_opened_and_its_graph_changes_with_the_scrubber(page: Any, served: str) -> None:
    page.goto(served)
    fits(page)
    accessible(page)
    page.get_by_role("link", name="scientist").click()
    page.locator("tbody a").first.click()
    page.wait_for_selector("form.steps")
    assert "What it believed" not in page.inner_text("#turn")
    last = int(page.locator("input[type=range]").get_attribute("max"))
    page.locator("body").press("ArrowRight")
    says(page, "#turn", "Step 1:")
    before = page.locator("#turn figure").first.inner_html()
    for _ in range(last - 1):
        page.get_by_role("button", name="Next step").click()
    says(page, "#turn", f"Step {last}, its last:")
    assert page.locator("#turn figure").first.inner_html() != before
    assert "What it believed" in page.inner_text("#turn")
    assert f"step={last}" in page.url
    fits(page)
    accessible(page)


def test_hostile_replies_change_nothing_but_text(page: Any, served: str) -> None:
    page.goto(served)
    page.get_by_role("link", name="mockllm").click()
    page.locator("tbody a").first.click()
    page.get_by_role("button", name="Next step").click()
    says(page, "#turn", "Step 1")
    page.locator("#turn details.said summary").first.click()
    says(page, "#turn", "onerror")
    assert "owned" not in page.title()
    assert page.locator("#turn img").count() == 0
    fits(page)


def start(page: Any, served: str, family: str) -> None:
    page.goto(f"{served}/families/{family}/certified/smoke/0")
    fits(page)
    accessible(page)
    page.get_by_label("Act by").select_option("tools")
    page.get_by_role("button", name="Play it").click()
    page.wait_for_url("**/games/**")


def move(page: Any, kind: str, **fields: str) -> None:
    form = page.locator(f"form.action:has(input[name=kind][value={kind}])")
    for name, value in fields.items():
        field = form.locator(f"[name={name}]")
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    turn = int(form.locator("input[name=turn]").input_value())
    form.get_by_role("button").click()
    page.locator(f"ol.turns > li:nth-child({turn + 1})").wait_for()


def test_a_person_plays_causallink_to_the_end(page: Any, served: str) -> None:
    public = generate_one(CAUSALLINK, "certified", "smoke", 0).public
    start(page, served, "causallink")
    move(page, "intervene", shape=public.cause, action="move")
    move(page, "answer", answer="yes")
    assert re.search(r"accuracy\s+[01]\.000", page.inner_text("dl.verdict"))
    says(page, "#now", "ertified")
    assert page.locator("#now figure svg").count() == 1
    fits(page)
    accessible(page)


def test_a_person_plays_causalab_to_the_end(page: Any, served: str) -> None:
    public = generate_one(CAUSALAB, "certified", "smoke", 0).public
    start(page, served, "causalab")
    move(page, "intervene", property=public.names[0], value="50")
    for _ in range(4):
        if page.locator("dl.verdict").count():
            break
        move(page, "submit", value="123")
    assert "prediction" in page.inner_text("dl.verdict")
    fits(page)


def test_a_text_is_annotated_and_slips_are_marked(page: Any, served: str) -> None:
    page.goto(f"{served}/annotate")
    page.get_by_label("Cause").fill("rain")
    page.get_by_label("Effect").fill("floods")
    page.get_by_role("button", name="Add", exact=True).click()
    page.wait_for_selector("#found svg")
    page.locator("textarea[name=edges]").fill('"rain" -> "floods"\n"Rain" -> "mud"')
    page.wait_for_selector("ul.slips")
    assert "look like one thing" in page.inner_text("ul.slips")
    page.get_by_role("button", name='Remove "Rain" -> "mud"').click()
    page.wait_for_selector("ul.slips", state="detached")
    assert page.locator("textarea[name=edges]").input_value() == '"rain" -> "floods"'
    fits(page)
    accessible(page)
