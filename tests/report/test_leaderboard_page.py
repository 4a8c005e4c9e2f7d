"""The page of the leaderboard in a real browser."""

from pathlib import Path
from typing import Any

from causarium.report.data.leaderboard import Leaderboard
from causarium.report.output.write_html import render_leaderboard
from docs.generate.leaderboard import PICTURE, WIDTH, show_board
from tests.web.browsing import MARKS, looks_right, open_page

pytestmark = MARKS
STORED = Path(__file__).resolve().parents[2] / "results" / "leaderboard.json"


def test_two_entries_the_other_way_round_change_places(browser: Any) -> None:
    board = Leaderboard.model_validate_json(STORED.read_bytes())
    duel = next(one for one in board.duels if one.counts[0] != one.counts[3])
    ours, both, neither, theirs = duel.counts
    task = next(one.title for one in board.columns if one.family == duel.family)
    with open_page(browser, 390, "dark") as page:
        page.set_content(render_leaderboard(board))
        looks_right(page)
        first, second = page.get_by_label("First"), page.get_by_label("Second")
        line = page.locator("#duels tr", has_text=task)
        first.select_option(duel.ours)
        second.select_option(duel.theirs)
        told = f"{duel.ours} only, {both} both, {neither} neither"
        bar = line.get_by_role("img")
        assert bar.get_attribute("aria-label") == f"{ours} {told}, {theirs} {duel.theirs} only"
        first.select_option(duel.theirs)
        second.select_option(duel.ours)
        assert (bar.get_attribute("aria-label") or "").startswith(f"{theirs} {duel.theirs} only")
        first.select_option(duel.ours)
        assert page.get_by_text("Choose two entries").is_visible()


def test_one_task_is_drawn_at_a_time_and_entries_are_chosen(browser: Any) -> None:
    board = Leaderboard.model_validate_json(STORED.read_bytes())
    with open_page(browser, 1280, "light") as page:
        page.set_content(render_leaderboard(board))
        looks_right(page)
        figures = page.locator("#efforts figure")
        page.get_by_label("Task").select_option(board.columns[1].title)
        shown = [figures.nth(number).is_visible() for number in range(figures.count())]
        assert shown == [False, True, *[False] * (len(shown) - 2)]
        mine = page.locator("#curves .e0").first
        before = mine.is_visible()
        page.get_by_label(board.entries[0].facts.name, exact=True).press("Space")
        assert (before, mine.is_visible()) == (True, False)


def test_the_picture_of_the_readme_has_as_many_lines(browser: Any) -> None:
    width, height = (int.from_bytes(PICTURE.read_bytes()[at : at + 4]) for at in (16, 20))
    with open_page(browser, WIDTH, "light") as page:
        shown = show_board(page)["height"]
    # Letters of another machine may be a little taller; an entry more takes 70 pixels.
    assert (width, abs(height - shown) < 50) == (WIDTH, True)
