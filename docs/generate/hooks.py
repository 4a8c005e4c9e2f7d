"""What MkDocs calls: fills the marks of pages, adds pages and files that stand elsewhere.

The page of the leaderboard is the one that `causarium leaderboard` writes, not one of the theme.
"""

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
for place in (ROOT, ROOT / "src"):
    if str(place) not in sys.path:
        sys.path.insert(0, str(place))

from causarium.charts.palette import TOKENS  # noqa: E402
from causarium.report.data.leaderboard import Leaderboard  # noqa: E402
from causarium.report.output.write_leaderboard import render_leaderboard  # noqa: E402
from docs.generate.blocks import fill_page  # noqa: E402
from docs.generate.formulas import write_formulas  # noqa: E402
from docs.generate.links import TAKEN_FILES  # noqa: E402

BOARD = ROOT / "results" / "leaderboard.json"
"""What `causarium leaderboard results --out FOLDER` found; to verify all logs takes minutes."""
BOARD_PAGE = "leaderboard.md"
_DARK = re.compile(r"@media[^{]*\{\s*:root \{(.*?)\}\s*\}", re.DOTALL)


def on_files(files: Files, config: Any) -> Files:  # noqa: ANN401
    """Fill every page and add what pages need."""
    wanted: set[str] = set()
    for page in list(files.documentation_pages()):
        text, needed = fill_page(write_formulas(page.content_string), page.src_uri)
        wanted |= needed
        page.content_string = text
    for place in sorted(wanted):
        content = (ROOT / place).read_bytes()
        files.append(File.generated(config, f"{TAKEN_FILES}/{place}", content=content))
    files.append(File.generated(config, "assets/tokens.css", content=write_tokens()))
    files.append(File.generated(config, BOARD.name, content=BOARD.read_bytes()))
    return files


def write_tokens() -> str:
    """Return the colours of all drawings for a site where the reader chooses light or dark."""
    text = TOKENS.read_text(encoding="utf-8")
    return _DARK.sub(r'[data-md-color-scheme="slate"] {\1}', text)


def on_post_page(output: str, page: Any, config: Any) -> str:  # noqa: ANN401, ARG001
    """Return the leaderboard itself, or a page without what readers of screens stumble over.

    That is a nameless dialog, and headings with no words.
    """
    if page.file.src_uri == BOARD_PAGE:
        board = Leaderboard.model_validate_json(BOARD.read_bytes())
        return render_leaderboard(board, BOARD.name, "index.html")
    named = output.replace(
        'data-md-component="search" role="dialog"',
        'data-md-component="search" role="dialog" aria-label="Search"',
    )
    return re.sub(r"<th([^>]*)></th>", r"<td\1></td>", named)
