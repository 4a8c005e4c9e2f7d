"""Take the picture of a report that the README shows: `python docs/screenshot.py REPORT PICTURE`.

It shows what was wrong with the replies, and what became of it, in one family. Needs playwright
and a Chromium on the PATH.
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

FAMILY = "CausaLab"
FIRST, NEXT = "Unusable replies", "Effort"
"""The heading to begin with, and the one that is no longer in the picture."""
WIDTH = 1000
MARGIN = 24


def main(report: Path, picture: Path) -> None:
    """Open a report and keep a part of its page as a picture."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 900})
        page.goto(report.resolve().as_uri())
        begin, end = _top(page, FIRST) - MARGIN, _top(page, NEXT) - MARGIN
        part = {"x": 0, "y": begin, "width": WIDTH, "height": end - begin}
        page.screenshot(path=picture, clip=part, full_page=True)
        browser.close()


def _top(page: Page, heading: str) -> float:
    """Return how far down the page a heading of the family's part is."""
    run = page.locator("section.run").filter(has=page.locator("h2", has_text=FAMILY))
    box = run.locator("h3", has_text=heading).first.bounding_box()
    if box is None:
        sys.exit(f"the report shows no {heading!r} of {FAMILY}")
    return float(box["y"])


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
