"""The marks in pages, and what takes their place: `<!-- build: NAME WORDS -->` in a line."""

import re
from collections.abc import Callable

from docs.generate import audits, family_tables, gallery, pictures
from docs.generate.links import move_links
from docs.generate.markdown import ROOT, split_sections

MARK = re.compile(r"^<!-- build: (\w+) ?(.*?) -->$", re.MULTILINE)


class UnknownBlock(LookupError):
    """A page asks for what nobody writes."""


def take_section(path: str, *words: str) -> str:
    """Return a section of a file of the repository; `*`: all of it below its title."""
    text = (ROOT / path).read_text(encoding="utf-8")
    name = " ".join(words)
    if name == "*":
        return text.partition("\n")[2]
    sections = split_sections(text)
    if name not in sections:
        raise UnknownBlock(f"{path} has no section {name!r}; it has {', '.join(sections)}")
    return sections[name]


def show_script(path: str) -> str:
    """Return a script of the repository as a block of code."""
    return f"```python\n{(ROOT / path).read_text(encoding='utf-8').rstrip()}\n```"


BLOCKS: dict[str, Callable[..., str]] = {
    "facts": family_tables.write_facts,
    "metrics": family_tables.write_metrics,
    "sets": family_tables.write_sets,
    "levels": family_tables.write_levels,
    "rules": family_tables.write_rules,
    "players": family_tables.write_players,
    "published": family_tables.write_published,
    "audit": audits.write_audit_table,
    "audits": audits.write_summary_table,
    "walk": pictures.draw_walk,
    "gallery": gallery.write_gallery,
    "script": show_script,
}


def fill_page(text: str, page: str) -> tuple[str, set[str]]:
    """Return a page with every mark replaced, and the files that the site has to hold for it.

    Args:
        text: The page as it is written.
        page: Its place below `docs/`.

    Raises:
        UnknownBlock: A mark names what nobody writes.
    """
    files: set[str] = set()
    home = f"docs/{page}".rpartition("/")[0]
    pieces, end = [], 0
    for mark in MARK.finditer(text):
        before, wanted = move_links(text[end : mark.start()], home, page)
        files |= wanted
        pieces += [before, _write(mark[1], mark[2].split(), page, files)]
        end = mark.end()
    rest, wanted = move_links(text[end:], home, page)
    return "".join([*pieces, rest]), files | wanted


def _write(name: str, words: list[str], page: str, files: set[str]) -> str:
    if name == "section":
        section, wanted = move_links(take_section(*words), words[0].rpartition("/")[0], page)
        files |= wanted
        return section
    if name not in BLOCKS:
        raise UnknownBlock(f"{page} asks for {name!r}; there is {', '.join(BLOCKS)}, section")
    return BLOCKS[name](*words)
