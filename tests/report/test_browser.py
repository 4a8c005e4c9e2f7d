"""The page in a real browser: quiet, offline, and no wider than a phone."""

import re

import pytest

from tests.report.rows import FACTS, facts_of_five, five_families, rows, write_report
from tests.web.browsing import MARKS

pytestmark = MARKS


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    names = {
        f"a-provider__model-with-a-long-name-{at:02d}": "10" * 5 + "1" * at for at in range(20)
    }
    given_rows = rows(**names, player__oracle="1" * 12, player__silent="0" * 12)
    return write_report(given_rows, tmp_path_factory.mktemp("page"), facts={"toy": FACTS})["html"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_is_quiet_and_fits(browser, page_file, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page_file.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert said == []
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("svg").count() >= 4
    page.close()


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_axe_finds_nothing_serious(browser, page_file, width, scheme):
    """Every part is open: axe looks at each element, so the page here is of one family."""
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto(page_file.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    serious = [
        (one["id"], one["nodes"][0]["html"][:200])
        for one in axe.run(page).response["violations"]
        if one["impact"] in {"serious", "critical"}
    ]
    assert serious == []
    page.close()


def test_a_table_sorts_and_a_mark_says_what_it_is(browser, page_file):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(page_file.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    table = page.locator(".run table").first
    first = ".run table tbody tr.role-model th"
    before = page.locator(first).all_inner_texts()
    table.get_by_role("button", name="Agent").click()
    falling = page.locator(first).all_inner_texts()
    table.get_by_role("button", name="Agent").click()
    rising = page.locator(first).all_inner_texts()
    mine = [name for name in rising if name in before[:20]][:20]
    assert mine == sorted(mine)
    assert falling[:20] == mine[::-1]
    about = page.locator("figure svg circle title").first.text_content()
    assert re.search(r": [\d.]+, [\d.]+ to [\d.]+$", about or "")
    page.close()


MODELS = {"one": 1, "three": 3, "eight": 8}


@pytest.mark.parametrize("count", MODELS.values(), ids=MODELS)
def test_the_first_two_layers_are_short_and_no_letter_is_small(browser, tmp_path, count):
    made = write_report(five_families(count), tmp_path, facts=facts_of_five())
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(made["html"].as_uri())
    detail = page.evaluate("document.getElementById('detail').getBoundingClientRect().top")
    assert detail <= 4_500
    assert page.evaluate("document.documentElement.scrollHeight") <= 20_000
    assert page.locator(".pf-row, .rows").count() == max(count, 1)
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate(SMALLEST_LETTER) >= 11
    page.close()


SMALLEST_LETTER = """() => {
  let least = 99;
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const place = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !place.checkVisibility()) continue;
    if (["SCRIPT", "STYLE", "TITLE", "DESC"].includes(place.tagName.toUpperCase())) continue;
    const scale = place.getScreenCTM ? place.getScreenCTM().a : 1;
    least = Math.min(least, parseFloat(getComputedStyle(place).fontSize) * scale);
  }
  return least;
}"""


def test_all_five_tasks_of_one_model_are_on_the_first_screen(browser, tmp_path):
    notes = ["Left out: 576 rows of a family of another version. " * 3] * 2
    made = write_report(five_families(1), tmp_path, facts=facts_of_five(), notes=notes)
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(made["html"].as_uri())
    assert page.locator(".r-row").count() == 5
    last = page.locator(".r-row").last.bounding_box()
    assert last["y"] + last["height"] <= 900
    page.get_by_role("link", name="2 notes below").press("Enter")
    assert page.locator("#notes p").count() == 2
    page.close()


def test_the_contents_follow_the_reader(browser, tmp_path):
    made = write_report(five_families(1), tmp_path, facts=facts_of_five())
    page = browser.new_page(viewport={"width": 1280, "height": 700})
    page.goto(made["html"].as_uri())
    page.get_by_role("navigation").get_by_role("link", name="Replayscm").press("Enter")
    current = page.locator("nav [aria-current]", has_text="Replayscm")
    current.wait_for()
    assert current.count() == 1
    page.close()
