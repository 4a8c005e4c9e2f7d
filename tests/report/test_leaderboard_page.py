"""The page of the leaderboard in a real browser: eleven entries made by hand."""

from typing import Any

import pytest

from causarium.report.data.leaderboard import Leaderboard, build_leaderboard
from causarium.report.output.write_leaderboard import render_leaderboard
from tests.report.boards import COLUMNS, make_board
from tests.web.browsing import MARKS, looks_right, open_page

pytestmark = MARKS
VIEWS = [(width, scheme) for width in (1280, 390) for scheme in ("light", "dark")]
MOST_WORDS, MOST_PIXELS = 620, 1_400


@pytest.fixture(scope="module")
def board() -> Leaderboard:
    return make_board()


def list_names(page: Any) -> list[str]:
    """Return the names of the lines that can be seen, in order."""
    names = page.locator("#board tbody tr:visible .name")
    return [names.nth(place).inner_text() for place in range(names.count())]


@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_eleven_entries_fit(board: Leaderboard, browser: Any, width: int, scheme: str) -> None:
    with open_page(browser, width, scheme) as page:
        page.set_content(render_leaderboard(board, "leaderboard.json", "index.html"))
        looks_right(page)
        words = len(page.inner_text("body").split())
        assert words <= MOST_WORDS
        if width == 1280:
            assert page.evaluate("document.documentElement.scrollHeight") <= MOST_PIXELS
        cells = page.locator("tr.entry").first.locator("td.num svg")
        assert [cells.nth(place).is_visible() for place in range(cells.count())] == [True] * 5
        # Eight rungs, and what of them is filled.
        assert 8 <= cells.first.locator("rect").count() <= 16


def test_lines_are_sorted_and_filtered_without_a_server(board: Leaderboard, browser: Any) -> None:
    with open_page(browser, 1280, "light") as page:
        page.set_content(render_leaderboard(board))
        names = [entry.facts.name for entry in board.entries]
        assert [name for name in list_names(page) if name in names] == names
        page.get_by_role("button", name="ReCITE").click()
        assert page.locator("th[aria-sort]").inner_text().startswith("ReCITE")
        found = [name for name in list_names(page) if name in names]
        reaches = [
            next(one for one in board.entries if one.facts.name == name).reaches.get("recite")
            for name in found
        ]
        values = [reach.value for reach in reaches if reach]
        assert values == sorted(values, reverse=True)
        # Who did not play stands last, either way.
        assert reaches[-2:] == [None, None]
        page.get_by_role("button", name="ReCITE").click()
        assert list_names(page)[-1] in {*found[-2:], "People"}
        page.get_by_label("Find a model").fill("smollm2")
        assert [name for name in list_names(page) if name in names] == [
            "SmolLM2-135M-Instruct",
            "SmolLM2-360M-Instruct",
        ]
        assert page.get_by_role("status").inner_text() == "2 of 11 entries"
        page.get_by_label("Find a model").fill("")
        page.get_by_label("Training").select_option("true")
        assert [name for name in list_names(page) if name in names] == [
            "Qwen2.5-Coder-1.5B-Instruct, trained"
        ]


def test_without_a_script_everything_is_there(board: Leaderboard, browser: Any) -> None:
    with open_page(browser, 390, "dark", java_script_enabled=False) as page:
        page.set_content(render_leaderboard(board))
        seen = list_names(page)
        assert {entry.facts.name for entry in board.entries} < set(seen)
        assert {"Reference solver", "Strongest program", "People", "Guessing"} < set(seen)
        assert not page.locator("form").is_visible()


@pytest.mark.parametrize("width", [1280, 390])
def test_long_and_hostile_names_stay_whole(browser: Any, width: int) -> None:
    hostile = "</style></svg><script>alert(1)</script>\"'&|`<img src=x onerror=alert(1)>"
    names = {"Qwen3-32B": hostile, "SmolLM2-360M-Instruct": "x" * 300, "Gemma-3-270M": "a b " * 75}
    board = make_board(names)
    with open_page(browser, width, "light") as page:
        page.set_content(render_leaderboard(board))
        looks_right(page)
        seen = list_names(page)
        assert {hostile, "x" * 300, ("a b " * 75).strip()} < set(seen)
        assert page.locator("script").count() == 1
        assert page.locator("img").count() == 0
        page.get_by_label("Find a model").fill("onerror")
        assert hostile in list_names(page)


@pytest.mark.parametrize("width", [1280, 390])
def test_without_entries_the_page_says_how_to_add_one(browser: Any, width: int) -> None:
    board = build_leaderboard([], columns=COLUMNS, left_out=["mine: <b>no log</b>"])
    with open_page(browser, width, "light") as page:
        page.set_content(render_leaderboard(board))
        looks_right(page)
        said = page.inner_text("main")
        assert "No model has been measured on these ladders yet." in said
        assert "causarium submit logs/mine" in said
        assert list_names(page) == ["People", "Guessing"]
        page.get_by_text("1 left out").click()
        assert page.get_by_text("mine: <b>no log</b>").is_visible()
