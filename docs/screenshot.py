"""Take the pictures that the README and the docs show. Needs playwright and a Chromium on the PATH.

    python docs/screenshot.py reports/demo/report.html docs/images/report.png
    python docs/screenshot.py reports/demo/report.html docs/images/card.png --part '#causallink'
    python docs/screenshot.py logs docs/images/replay.png --step 2

With a report, its first screen is kept, or the part that is named. With a folder of logs, the pages
are served from it and an episode is replayed.
"""

import argparse
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import uvicorn
from playwright.sync_api import FloatRect, Page, ViewportSize, sync_playwright

from causarium.engine.logbook.log_files import list_samples
from causarium.web.serve import create_app, free_port

HEIGHT = 900
ROOM = 20
"""Pixels around a part of a report."""


def read_arguments() -> argparse.Namespace:
    """Read what is to be shown, and how."""
    parser = argparse.ArgumentParser(description="Take a picture of a page.")
    parser.add_argument("source", type=Path, help="A report, or a folder of logs.")
    parser.add_argument("picture", type=Path)
    parser.add_argument("--part", default="#profile", help="The part of a report, as in CSS.")
    parser.add_argument("--run", default="", help="Words in the name of the log to replay.")
    parser.add_argument("--id", default="", help="The instance to replay; the first one without.")
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--dark", action="store_true")
    return parser.parse_args()


@contextmanager
def serve_logs(logs: Path) -> Iterator[str]:
    """Serve the pages of a folder of logs; yields their address."""
    port = free_port("127.0.0.1", 0)
    config = uvicorn.Config(create_app(logs), host="127.0.0.1", port=port, log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)


def find_replay(logs: Path, words: str, id_: str, step: int) -> str:
    """Return the address of an episode within the pages."""
    log = next(path for path in sorted(logs.rglob("*.eval")) if words in str(path))
    chosen = id_ or sorted(sample.id for sample in list_samples(log))[0]
    return "/replay?" + urlencode({"log": log.relative_to(logs), "id": chosen, "step": step})


def find_clip(page: Page, part: str) -> FloatRect:
    """Return where a part of a page is, with some room around it."""
    box = page.locator(part).bounding_box()
    if box is None:
        raise SystemExit(f"the page shows no part {part}")
    return FloatRect(
        x=box["x"] - ROOM,
        y=box["y"] - ROOM,
        width=box["width"] + 2 * ROOM,
        height=box["height"] + ROOM,
    )


def shoot(page: Page, given: argparse.Namespace) -> None:
    """Open the page that is asked for and keep its picture."""
    if given.source.is_file():
        page.goto(given.source.resolve().as_uri())
        page.screenshot(path=given.picture, full_page=True, clip=find_clip(page, given.part))
        return
    # Whoever is served may play, and games are logs too.
    with tempfile.TemporaryDirectory() as copy:
        logs = Path(shutil.copytree(given.source, copy, dirs_exist_ok=True))
        with serve_logs(logs) as address:
            page.goto(address + find_replay(logs, given.run, given.id, given.step))
            box = find_clip(page, "main")
            bottom = min(box["y"] + box["height"], HEIGHT)
            page.screenshot(
                path=given.picture, clip=FloatRect(x=0, y=0, width=given.width, height=bottom)
            )


def main() -> None:
    """Take one picture."""
    given = read_arguments()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        size = ViewportSize(width=given.width, height=HEIGHT)
        page = browser.new_page(viewport=size, color_scheme="dark" if given.dark else "light")
        shoot(page, given)
        browser.close()


if __name__ == "__main__":
    main()
