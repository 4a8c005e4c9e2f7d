"""The picture of the leaderboard in README.md; it needs the dev extra and a browser.

    python -m docs.generate.leaderboard

writes it anew from `results/leaderboard.json`.
"""

from pathlib import Path
from shutil import which
from typing import Any

from causarium.report.data.leaderboard import Leaderboard
from causarium.report.output.write_html import render_leaderboard

ROOT = Path(__file__).resolve().parents[2]
BOARD = ROOT / "results" / "leaderboard.json"
PICTURE = ROOT / "docs" / "images" / "leaderboard.png"
WIDTH = 1280
EDGE = 12


def show_board(page: Any) -> Any:  # noqa: ANN401
    """Open the board in a browser's page; return the clip from its title to its table's end."""
    board = Leaderboard.model_validate_json(BOARD.read_bytes())
    page.set_content(render_leaderboard(board))
    title = page.locator("h1").bounding_box()
    table = page.locator("table").first.bounding_box()
    top = title["y"] - EDGE
    return {"x": 0, "y": top, "width": WIDTH, "height": table["y"] + table["height"] + EDGE - top}


def main() -> None:
    """Write the picture."""
    from playwright.sync_api import sync_playwright  # What shows a board needs no driver.

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 900})
        page.screenshot(path=PICTURE, full_page=True, clip=show_board(page))
        browser.close()


if __name__ == "__main__":
    main()
