"""The page of the leaderboard in a real browser."""

from pathlib import Path
from typing import Any

from causarium.report.data.leaderboard import Leaderboard
from causarium.report.output.write_html import render_leaderboard
from tests.web.browsing import MARKS, fits, open_page

pytestmark = MARKS
STORED = Path(__file__).resolve().parents[2] / "results" / "leaderboard.json"


def test_two_entries_the_other_way_round_change_places(browser: Any) -> None:
    board = Leaderboard.model_validate_json(STORED.read_bytes())
    duel = next(one for one in board.duels if one.counts[0] != one.counts[3])
    ours, both, neither, theirs = duel.counts
    task = next(one.title for one in board.columns if one.family == duel.family)
    with open_page(browser, 390, "dark") as page:
        page.set_content(render_leaderboard(board))
        fits(page)
        first, second = page.get_by_label("First"), page.get_by_label("Second")
        line = page.locator("#duels tr", has_text=task)
        first.select_option(duel.ours)
        second.select_option(duel.theirs)
        assert f"{ours} / {both} / {neither} / {theirs}" in line.inner_text()
        first.select_option(duel.theirs)
        second.select_option(duel.ours)
        assert f"{theirs} / {both} / {neither} / {ours}" in line.inner_text()
        first.select_option(duel.ours)
        assert page.get_by_text("Choose two entries").is_visible()
