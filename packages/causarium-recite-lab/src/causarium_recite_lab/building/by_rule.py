"""Every step without a model: what rules alone make of a paper and its annotation.

Rules lay out, cut and label less well than a model or a person, and what they made says so in its
record and its row. Sentences that speak of the diagram are dropped whole, and listed for a person
in `normalized.removed.txt`.
"""

import json
import re

from causarium.contract.texts.role_questions import answer_questions
from causarium.families.recite.model.instance import (
    Explicitness,
    lenient_explicitness,
    strict_explicitness,
)
from causarium.families.recite.model.name_places import strip_name
from causarium.families.recite.publication.dataset_row import is_named
from causarium_recite_lab.building.annotation import make_graph
from causarium_recite_lab.building.paper_folder import Folder
from causarium_recite_lab.building.to_markdown import Made

REMOVED = "normalized.removed.txt"
NEAR = 0.5
"""A sentence with this share of a name's words is near it."""
_MOST_HEADING = 80
_NUMBERED = re.compile(r"^\d{1,2}(?:\.\d{1,2}){0,3}\.?\s+[A-Z]")
_REFERENCES = re.compile(
    r"^\W*(?:\d{1,2}\.?\s+)?(?:references|bibliography|literature cited)\W*$", re.I
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_DIAGRAM = re.compile(
    r"\bcausal[- ]loop diagrams?\b|\bCLDs?\b|\bloop diagrams?\b"
    r"|\bfig(?:ure|\.)\s*\d+[^.]{0,200}\b(?:diagrams?|loops?|models?|graphs?)\b"
    r"|\b(?:diagrams?|loops?|models?|graphs?)\b[^.]{0,200}\bfig(?:ure|\.)\s*\d+",
    re.IGNORECASE,
)


def markdown_by_rule(folder: Folder) -> Made:
    """Lay out plain text: numbered or capitalised short lines are headings, references are cut."""
    blocks: list[str] = []
    paragraph: list[str] = []
    headings = cut = 0
    lines = folder.read("text.txt").replace("\f", "\n\n").splitlines()
    for number, line in enumerate(lines):
        text = line.strip()
        if _REFERENCES.match(text) and number > len(lines) // 3:
            cut = len(lines) - number
            break
        if text and not _is_heading(text):
            paragraph.append(text)
            continue
        if paragraph:
            blocks.append(" ".join(paragraph))
            paragraph = []
        if text:
            blocks.append(f"## {text}")
            headings += 1
    if paragraph:
        blocks.append(" ".join(paragraph))
    notes = {"headings": headings, "lines_cut": cut}
    said = f"{headings} headings, {cut} lines from the references on cut"
    return Made("\n\n".join(blocks) + "\n", notes, said)


def _is_heading(line: str) -> bool:
    if len(line) > _MOST_HEADING or line.endswith((".", ",", ";", ":")):
        return False
    letters = [letter for letter in line if letter.isalpha()]
    return bool(_NUMBERED.match(line)) or (len(letters) > 3 and line.isupper())


def graph_by_rule(folder: Folder) -> Made:
    """Read the annotation; names that differ in case, spaces or marks alone are one."""
    nothing = '{"combined_variables": []}'
    return answer_questions(make_graph(folder.read("annotation.txt")), lambda _: nothing)


def normalize_by_rule(folder: Folder) -> Made:
    """Drop the sentences that speak of the diagram, and list them."""
    removed: list[str] = []
    blocks = []
    for block in folder.read("markdown.md").split("\n\n"):
        sentences = _SENTENCE.split(block)
        kept = [sentence for sentence in sentences if not _DIAGRAM.search(sentence)]
        removed += [sentence for sentence in sentences if _DIAGRAM.search(sentence)]
        if kept:
            blocks.append(" ".join(kept))
    folder.write(REMOVED, "\n".join(removed) + "\n")
    notes = {"sentences_removed": len(removed)}
    said = f"{len(removed)} sentences dropped; read {REMOVED} before you use the text"
    return Made("\n\n".join(blocks).rstrip("\n") + "\n", notes, said)


def explicitness_by_rule(folder: Folder) -> Made:
    """Label each node: 1 where the text has its name, 2 where a sentence is near it, else 3."""
    text = folder.read("normalized.md")
    sentences = [_strip_sentence(one) for one in _SENTENCE.split(text)]
    plain = text.casefold()
    labels: dict[str, Explicitness] = {}
    for name in folder.value("graph.json")["nodes"]:
        words = strip_name(name)
        near = any(len(words & sentence) >= NEAR * len(words) for sentence in sentences)
        labels[name] = 1 if is_named(name, plain) else 2 if near and words else 3
    lenient, strict = lenient_explicitness(labels.values()), strict_explicitness(labels.values())
    notes = {"lenient": lenient, "strict": strict}
    said = f"lenient {lenient:.3f}, strict {strict:.3f}, by words alone"
    return Made(json.dumps(labels, ensure_ascii=False, indent=1) + "\n", notes, said)


def _strip_sentence(sentence: str) -> frozenset[str]:
    """Return the words of a sentence as those of a name; a name has fewer words than some have."""
    return frozenset[str]().union(*map(strip_name, sentence.split()))


def domains_by_rule(folder: Folder) -> Made:
    """Take the domains that `paper.toml` names, or none."""
    domains = list(folder.read_about().domains)
    said = ", ".join(domains) or "none; write `domains` into paper.toml"
    return Made(json.dumps(domains, indent=1) + "\n", {}, said)
