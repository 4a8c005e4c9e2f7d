"""Take the picture of a report that the README shows: `python docs/screenshot.py REPORT PICTURE`.

Needs playwright and a Chromium on the PATH. The picture has few colours, so that it stays small.
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

WIDTH, HEIGHT = 1000, 760


def main(report: Path, picture: Path) -> None:
    """Open a report and keep the head of its page as a picture."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(report.resolve().as_uri())
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
