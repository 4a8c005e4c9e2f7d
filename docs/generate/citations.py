"""How to cite, from CITATION.cff: in words and as BibTeX."""

import re
from typing import Any

import yaml  # type: ignore[import-untyped]

from docs.generate.markdown import ROOT, fence


def write_citations() -> str:
    """Return the software and every paper, in words and as BibTeX."""
    software = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    works = [software, *software.get("references", [])]
    lines = [f"- {_say(work)}" for work in works]
    entries = [_write_bibtex(work) for work in works]
    return "\n".join([*lines, "", fence("\n\n".join(entries), "bibtex")])


def _say(work: dict[str, Any]) -> str:
    people = _list_people(work)
    named = ", ".join(people) if len(people) <= 3 else f"{people[0]} and {len(people) - 1} others"
    title = f"[*{work['title']}*]({work['url']})" if "url" in work else f"*{work['title']}*"
    facts = [work.get("collection-title"), work.get("year"), _version(work)]
    return ". ".join([named, title, ", ".join(str(fact) for fact in facts if fact)]) + "."


def _version(work: dict[str, Any]) -> str:
    return f"version {work['version']}" if "version" in work else ""


def _list_people(work: dict[str, Any]) -> list[str]:
    return [
        one.get("name") or f"{one['given-names']} {one['family-names']}" for one in work["authors"]
    ]


def _write_bibtex(work: dict[str, Any]) -> str:
    kind = {"software": "software", "conference-paper": "inproceedings"}.get(work["type"], "misc")
    key = re.split(r"\W+", work["title"])[0].lower() + str(work.get("year", ""))
    if "ReCITE" in str(work.get("notes", "")):
        key = f"recite{work['year']}"
    people = [
        f"{{{one['name']}}}" if "name" in one else f"{one['family-names']}, {one['given-names']}"
        for one in work["authors"]
    ]
    fields = {
        "title": f"{{{work['title']}}}",
        "author": " and ".join(people),
        "booktitle": work.get("collection-title"),
        "year": work.get("year"),
        "version": work.get("version"),
        "url": work.get("url"),
    }
    written = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{key},", *written, "}"])
