"""The marks in pages, and what takes their place: `<!-- build: NAME WORDS -->` in a line."""

import re
from collections.abc import Callable, Collection

from causarium.contract.checks.check_family import CHECKS, promise_name
from docs.generate import audits, citations, family_tables, gallery, pictures
from docs.generate.links import move_links
from docs.generate.markdown import ROOT, fold, split_sections

MARK = re.compile(r"<!-- build: (\w+) ?(.*?) -->")


class UnknownBlock(LookupError):
    """A page asks for what nobody writes."""


def take_section(path: str, *words: str) -> str:
    """Return a section of a file of the repository.

    `*` is all below its title, `opening` what stands before the first section.
    """
    text = (ROOT / path).read_text(encoding="utf-8")
    name = " ".join(words)
    if name == "*":
        return text.partition("\n")[2]
    sections = split_sections(text)
    if name == "opening":
        return sections[""].partition("\n")[2]
    if name not in sections:
        raise UnknownBlock(f"{path} has no section {name!r}; it has {', '.join(sections)}")
    return sections[name]


def take_words(path: str, *words: str) -> str:
    """Return a section without its tables, for where a table is written from code."""
    lines = take_section(path, *words).splitlines()
    return "\n".join(line for line in lines if not line.startswith("|"))


def take_rest(path: str, used: Collection[str]) -> str:
    """Return every section of a file but those that the page has already."""
    sections = split_sections((ROOT / path).read_text(encoding="utf-8"))
    left = {name: text for name, text in sections.items() if name and name not in used}
    return "\n\n".join(f"## {name}\n\n{text}" for name, text in left.items())


def find_used_sections(page: str, path: str) -> set[str]:
    """Return the sections of a file that a page takes one by one."""
    taken = [words.split() for name, words in MARK.findall(page) if name in {"section", "words"}]
    return {" ".join(names) for place, *names in taken if place == path}


def show_script(path: str) -> str:
    """Return a script of the repository as a block of code."""
    return f"```python\n{(ROOT / path).read_text(encoding='utf-8').rstrip()}\n```"


def list_promises() -> str:
    """Return every promise that the checker tries on every family."""
    promises = "\n".join(f"- {promise_name(check)}" for check in CHECKS)
    return fold(f"All {len(CHECKS)} promises", promises)


TAKING = {"section", "words", "rest"}
"""Those that take text from elsewhere in the repository; its links start there."""
BLOCKS: dict[str, Callable[..., str]] = {
    "facts": family_tables.write_facts,
    "metrics": family_tables.write_metrics,
    "sets": family_tables.write_sets,
    "levels": family_tables.write_levels,
    "rules": family_tables.write_rules,
    "players": family_tables.write_players,
    "published": family_tables.write_published,
    "reproduce": family_tables.write_reproduce,
    "audit": audits.write_audit,
    "theorems": audits.write_theorems,
    "programs": audits.write_programs,
    "audits": audits.write_summary,
    "audit_strip": audits.draw_summary,
    "walk": pictures.draw_walk,
    "gallery": gallery.write_gallery,
    "script": show_script,
    "section": take_section,
    "words": take_words,
    "certificate": family_tables.write_certificate,
    "number": audits.quote_reach,
    "promises": list_promises,
    "citation": citations.write_citations,
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
        written = _write(mark[1], mark[2].split(), text)
        if mark[1] in TAKING:
            written, wanted = move_links(written, mark[2].split()[0].rpartition("/")[0], page)
            files |= wanted
        pieces += [before, written]
        end = mark.end()
    rest, wanted = move_links(text[end:], home, page)
    return "".join([*pieces, rest]), files | wanted


def _write(name: str, words: list[str], page: str) -> str:
    if name == "rest":
        return take_rest(words[0], find_used_sections(page, words[0]))
    if name not in BLOCKS:
        raise UnknownBlock(f"a page asks for {name!r}; there is {', '.join(BLOCKS)}, rest")
    return BLOCKS[name](*words)
