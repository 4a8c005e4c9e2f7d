"""Links of pages that live in several folders of the repository, as links of one site."""

import posixpath
import re

from causarium.families import FAMILIES
from docs.generate.markdown import ROOT

_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^ *(`{3,}).*?^ *\1$", re.MULTILINE | re.DOTALL)
TAKEN_PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    **{f"src/causarium/families/{name}/README.md": f"families/{name}.md" for name in FAMILIES},
}
"""Files outside `docs/` that are pages of the site, and under which name."""
TAKEN_FILES = "files"
"""The folder of the site in which pictures and scripts from elsewhere stand."""


def move_links(text: str, home: str, page: str) -> tuple[str, set[str]]:
    """Return a text with its links as they must be on a page of the site.

    Args:
        text: Markdown. Fenced parts are left alone.
        home: The folder in the repository that its links start from.
        page: The page of the site that it will stand on.

    Returns:
        The text, and the files of the repository that the site has to hold for it.
    """
    files: set[str] = set()
    pieces: list[str] = []
    end = 0
    for found in _FENCE.finditer(text):
        pieces += [_move(text[end : found.start()], home, page, files), found.group()]
        end = found.end()
    return "".join([*pieces, _move(text[end:], home, page, files)]), files


def _move(text: str, home: str, page: str, files: set[str]) -> str:
    def replace(found: re.Match[str]) -> str:
        bang, words, target = found.groups()
        if re.match(r"[a-z]+:|#", target):
            return found.group()
        path, _, anchor = target.partition("#")
        place = posixpath.normpath(posixpath.join(home, path))
        goal = _place_on_site(place, files)
        if goal is None:
            return f"{words}"
        moved = posixpath.relpath(goal, posixpath.dirname(page) or ".")
        return f"{bang}[{words}]({moved}{'#' + anchor if anchor else ''})"

    return _LINK.sub(replace, text)


def _place_on_site(place: str, files: set[str]) -> str | None:
    """Return where a file of the repository stands on the site; None: nowhere."""
    if place in TAKEN_PAGES:
        return TAKEN_PAGES[place]
    path = ROOT / place
    if place.startswith("docs/"):
        return None if path.is_dir() else place.removeprefix("docs/")
    if not path.exists():
        raise FileNotFoundError(f"a page links to {place}, which is not there")
    if path.is_file() and path.suffix in {".svg", ".png", ".py"}:
        files.add(place)
        return f"{TAKEN_FILES}/{place}"
    return None
