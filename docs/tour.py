"""Take a picture of every page, at two widths, light and dark, and say what breaks a limit.

    python -m docs.tour LOGS PICTURES [--at 1280l,390d] [--only replay] [--axe]

LOGS is a folder of runs of several families. The start page, the report of all runs, a replay of
every family and a game of every family, at its start, in its middle and at its end, are opened as
people open them; the docs show `play-causalab-questions-1280l.png`. A line a page: its height, and
what is too wide, too small or said on the console.
"""

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize, sync_playwright

from causarium import families
from causarium.contract.sets.instance_sets import generate_one
from causarium.engine.logbook.log_files import list_samples
from docs.screenshot import HEIGHT, serve_logs

LOOKS = ("1280l", "1280d", "390l", "390d")
SMALL = """() => [...document.querySelectorAll('main *')].filter((place) => {
  if (![...place.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) return false;
  if (!place.checkVisibility() || place.closest('.unseen, title, desc')) return false;
  const scale = place.ownerSVGElement ? place.getScreenCTM().a : 1;
  return parseFloat(getComputedStyle(place).fontSize) * scale < 10.9;
}).map((place) => place.textContent.slice(0, 40))"""


def press(page: Page, name: str) -> None:
    """Press a button that leads to another page."""
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile(name), disabled=False).first.press("Enter")


def play_causallink(page: Page) -> Iterator[str]:
    """Answer at once: the lowest rung has no trials."""
    yield "middle"
    press(page, "^Yes")


def play_causalab(page: Page) -> Iterator[str]:
    """Hold the first property, go to the question, answer it."""
    page.locator('select[name^="set "]').first.select_option("up")
    press(page, "^Make this experiment")
    yield "middle"
    press(page, "^Go to the questions")
    yield "questions"
    page.locator("#answer-0").select_option("up")
    press(page, "^Hand in")


def play_causalgame(page: Page) -> Iterator[str]:
    """Choose for every leg, then hand in."""
    for fitted in page.get_by_label("fitted").all():
        fitted.check()
    yield "middle"
    press(page, "^Hand in")


def play_replayscm(page: Page) -> Iterator[str]:
    """Give half of the answers rightly, then hand in."""
    instance = generate_one(families.get("replayscm"), "certified", "smoke", CASES["replayscm"])
    first, second = instance.public.names[:2]
    for place, (name, answer) in enumerate(instance.secret.answers.items()):
        page.locator("#i-" + name).fill(answer if place % 2 == 0 else f"{first} and {second}")
    yield "middle"
    press(page, "^Hand in")


def play_recite(page: Page) -> Iterator[str]:
    """Answer every question with its first arrow, then hand in."""
    instance = generate_one(families.get("recite"), "certified", "smoke", 0)
    for number in range(1, len(instance.public.questions) + 1):
        page.locator(f'[name="q{number}"][value="a"]').check()
    yield "middle"
    press(page, "^Hand in")


CASES = {"causalab": 2, "replayscm": 4}
"""The case that is played, where it is not the first."""
GAMES = {
    "causallink": play_causallink,
    "causalab": play_causalab,
    "causalgame": play_causalgame,
    "replayscm": play_replayscm,
    "recite": play_recite,
}


def visit_games(page: Page, address: str, games: list[str]) -> Iterator[str]:
    """Play a case of each of these families."""
    for family in games:
        page.goto(f"{address}/families/{family}/certified/smoke/{CASES.get(family, 0)}")
        yield f"case-{family}"
        press(page, "^Play$")
        yield f"play-{family}-start"
        for moment in GAMES[family](page):
            yield f"play-{family}-{moment}"
        page.locator("table.beside").wait_for()
        yield f"play-{family}-the-end"


def visit_replays(page: Page, address: str, logs: Path) -> Iterator[str]:
    """Replay the last episode of the first log of every family: its start, a step, its end."""
    paths = sorted(logs.rglob("*.eval"))
    for family in GAMES:
        log = next((path for path in paths if family in str(path)), None)
        if log is None:
            continue
        last = sorted(sample.id for sample in list_samples(log))[-1]
        for step in (0, 2, 99):
            given = {"log": log.relative_to(logs), "id": last, "step": step}
            page.goto(f"{address}/replay?{urlencode(given)}")
            yield f"replay-{family}-{step}"


def visit_others(page: Page, address: str) -> Iterator[str]:
    """Open the pages that every visitor passes."""
    places = {
        "home": "/",
        "families": "/families",
        "family": "/families/causalab",
        "set": "/families/causallink/certified/smoke",
        "missing": "/nothing",
        "report": "/report",
    }
    for name, path in places.items():
        page.goto(address + path)
        yield name


def check(page: Page, axe: Axe | None) -> str:
    """Return the height of a page, what breaks a limit, and what axe has against it."""
    width, height, layers = page.evaluate(
        """() => {
          const { scrollWidth, scrollHeight } = document.documentElement;
          const detail = document.getElementById('detail');
          return [scrollWidth, scrollHeight, detail ? detail.getBoundingClientRect().top : 0];
        }"""
    )
    size = page.viewport_size
    first = f", its first two layers {layers:.0f}" if layers else ""
    wide = f"; {width} px wide" if size and width > size["width"] else ""
    small = page.evaluate(SMALL)
    violations = axe.run(page).response["violations"] if axe else []
    against = "".join(f"; {one['id']}: {one['nodes'][0]['html'][:120]}" for one in violations)
    return f"{height} px{first}{wide}{f'; small: {small[:3]}' if small else ''}{against}"


def look(page: Page, address: str, logs: Path, only: str) -> Iterator[str]:
    """Open all pages, one after the other."""
    if only in {"", "play", *GAMES}:
        yield from visit_games(page, address, [only] if only in GAMES else list(GAMES))
    if only in {"", "replay"}:
        yield from visit_replays(page, address, logs)
    if only in {"", "others"}:
        yield from visit_others(page, address)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description="Take a picture of every page.")
    parser.add_argument("logs", type=Path)
    parser.add_argument("pictures", type=Path)
    parser.add_argument("--at", default=",".join(LOOKS), help="Widths, each with l or d.")
    parser.add_argument("--only", default="", help="play, replay, others, or one family's game.")
    parser.add_argument("--axe", action="store_true", help="Ask axe about every page.")
    given = parser.parse_args()
    axe = Axe() if given.axe else None
    given.pictures.mkdir(parents=True, exist_ok=True)
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as copy, sync_playwright() as driver:
        logs = Path(shutil.copytree(given.logs, copy, dirs_exist_ok=True))
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with serve_logs(logs) as address:
            for at in given.at.split(","):
                size = ViewportSize(width=int(at[:-1]), height=HEIGHT)
                page = browser.new_page(
                    viewport=size, color_scheme="dark" if at.endswith("d") else "light"
                )
                page.set_default_timeout(120_000)
                page.on("console", lambda message: say(f"console: {message.text}"))
                page.on("pageerror", lambda error: say(f"error: {error}"))
                for name in look(page, address, logs, given.only):
                    say(f"{name} {at}: {check(page, axe)}")
                    page.screenshot(path=given.pictures / f"{name}-{at}.png", full_page=True)
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
