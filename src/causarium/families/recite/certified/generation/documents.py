"""The documents: texts with slots, read from files and checked.

A file of short texts (`texts/choice.toml`, `texts/line.toml`) has a table for each text. A long
document (`texts/long/NAME.toml`) has slots of its own, each decided where its pair is named, and a
file of chain slots (`texts/chain/NAME.toml`) adds slots to its scenes.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from causarium.errors import ContractError
from ..evidence.marks import Passage, read_passage, write_versions
from ..evidence.numerals import NUMERAL
from ..model import Edge
from .find_names import NameFinder
from .slots import Place, Slot

_TEXTS = Path(__file__).parents[1] / "texts"
_QUANTITY = re.compile(
    rf"{NUMERAL.pattern}|\b(?:half|thirds?|quarters?|twice|thrice|doubled?|trebled?|dozen|cent)\b",
    re.IGNORECASE,
)
"""A figure in the passages of the long documents, which have no marks."""
_LEAST_SLOTS = 5
"""A long document with fewer slots that count is no text of its own."""
_HOLE = re.compile(r"\{([\w.]+)\}")


@dataclass(frozen=True)
class Document:
    """A text with holes for the passages of its slots: `{a}`, or `{a.2}` for the second one."""

    name: str
    title: str
    split: str
    text: str
    names: tuple[str, ...]
    aliases: Mapping[str, Sequence[str]]
    shared: tuple[tuple[str, str, str], ...]
    """Edges that both twins tell, each with the sentence that tells it."""
    slots: tuple[Slot, ...]

    @property
    def shared_edges(self) -> frozenset[Edge]:
        """The edges that both twins tell."""
        return frozenset((cause, effect) for cause, effect, _ in self.shared)

    @cached_property
    def finder(self) -> NameFinder:
        """Finds the document's names."""
        return NameFinder({name: self.aliases.get(name, ()) for name in self.names})

    def fill(self, passages: Mapping[str, str]) -> str:
        """Return the text with passages in its holes; an empty hole leaves no gap."""
        text = _HOLE.sub(lambda hole: passages.get(hole[1], ""), self.text)
        lines = (re.sub(r" {2,}", " ", line).strip() for line in text.split("\n"))
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def name_holes(slot: Slot) -> list[str]:
    """Return the names of the holes of a slot's passages, in order."""
    if len(slot.places) == 1:
        return [slot.name]
    return [f"{slot.name}.{n}" for n in range(1, len(slot.places) + 1)]


@lru_cache(maxsize=8)  # reading a form takes a tenth of a second, and every draw asks
def list_documents(form: str, split: str) -> tuple[Document, ...]:
    """Return the documents of a form, those for training or those for tests."""
    read = _read_short if form in {"choice", "line"} else _read_long
    return tuple(one for one in read(form) if one.split == split)


def find_document(form: str, name: str) -> Document:
    """Return the document of a form by its name.

    Raises:
        ContractError: There is none.
    """
    for split in ("test", "train"):
        for document in list_documents(form, split):
            if document.name == name:
                return document
    raise ContractError(f"there is no document {name!r} of the form {form!r}")


def _read_short(form: str) -> Iterator[Document]:
    for name, value in tomllib.loads((_TEXTS / f"{form}.toml").read_text("utf-8")).items():
        slots = tuple(read_slot(key, one) for key, one in value.items() if isinstance(one, dict))
        document = Document(
            name=name,
            title=value["title"],
            split=value["split"],
            text=value["text"].strip(),
            names=tuple(value["names"]),
            aliases={},
            shared=tuple(tuple(one) for one in value.get("shared", ())),
            slots=slots,
        )
        check_document(document)
        yield document


def _read_long(form: str) -> Iterator[Document]:
    if form == "chain":
        for path in sorted((_TEXTS / "chain").glob("*.toml")):
            yield _add_chains(_read_body(path.stem), tomllib.loads(path.read_text("utf-8")))
        return
    for path in sorted((_TEXTS / "long").glob("*.toml")):
        body = _read_body(path.stem)
        if sum(slot.counted for slot in body.slots) >= _LEAST_SLOTS:
            yield body


def _read_body(name: str) -> Document:
    value = tomllib.loads((_TEXTS / "long" / f"{name}.toml").read_text("utf-8"))
    return Document(
        name=name,
        title=value["title"],
        split=value["split"],
        text=value["text"].strip(),
        names=tuple(value["names"]),
        aliases=value["aliases"],
        shared=tuple(tuple(one) for one in value["shared"]),
        slots=tuple(_read_near(key, one) for key, one in value["slots"].items()),
    )


def _read_near(name: str, value: Mapping[str, Any]) -> Slot:
    """Read a slot of a long document; one with figures is held, since nothing is derived there."""
    first, second = (frozenset((a, b) for a, b in one) for one in value["tells"])
    counted = not any(_QUANTITY.search(words) for words in value["passage"])
    return Slot(
        name,
        value["kind"],
        tuple(sorted(first | second)),
        (Place(tuple(Passage((words,)) for words in value["passage"])),),
        (first, second),
        held=not counted,
        counted=counted,
    )


def _add_chains(body: Document, value: Mapping[str, Any]) -> Document:
    """Return a long document with chain slots in its scenes, and its own slots held.

    A slot of its own that speaks of the edges of a chain slot is left out.
    """
    text = body.text
    ours = {_read_edge(edge) for one in value.values() for edge in one["edges"]}
    slots = [replace(slot, held=True) for slot in body.slots if ours.isdisjoint(slot.edges)]
    for key, one in value.items():
        slot = read_slot(key, one)
        for hole, place in zip(name_holes(slot), one["passages"], strict=True):
            if text.count(place["after"]) != 1:
                raise ContractError(f"{body.name}: {place['after']!r} does not stand there once")
            text = text.replace(place["after"], f"{place['after']}\n\n{{{hole}}}")
        slots.append(slot)
    document = replace(body, text=text, slots=tuple(slots))
    check_document(document)
    return document


def read_slot(name: str, value: Mapping[str, Any]) -> Slot:
    """Read a slot from its table and check it."""
    edges = tuple(_read_edge(text) for text in value["edges"])
    passages = value.get("passages") or [value]
    places = tuple(
        Place(_read_versions(one["passage"]), _read_versions(one.get("turned", "")))
        for one in passages
    )
    slot = Slot(name, value["kind"], edges, places)
    if not any(cell[0] == "fig" for cell in slot.list_cells(slot.combinations[0])):
        tells = value.get("tells")
        told = (
            tuple(frozenset(map(_read_edge, one)) for one in tells)
            if tells
            else (frozenset(edges[:1]), frozenset(edges[1:2]))
        )
        slot = replace(slot, stated=(told[0], told[1]))
    slot.check()
    return slot


def _read_versions(text: str) -> tuple[Passage, ...]:
    return tuple(map(read_passage, write_versions(text))) if text else ()


def _read_edge(text: str) -> Edge:
    cause, _, effect = text.partition(" > ")
    return cause, effect


def check_document(document: Document) -> None:
    """Make sure that a document can be drawn from.

    Raises:
        ContractError: An edge names no listed name or is told twice, a hole has no passage, a
            shared edge has no sentence, or two versions differ in names or their order.
    """
    where = document.name
    ends = {name for slot in document.slots for edge in slot.edges for name in edge}
    if unknown := (ends | {name for a, b, _ in document.shared for name in (a, b)}) - {
        *document.names
    }:
        raise ContractError(f"{where}: {min(unknown)!r} is not listed")
    edges = [edge for slot in document.slots if slot.counted for edge in slot.edges]
    edges += [(a, b) for a, b, _ in document.shared]
    if twice := {edge for edge in edges if edges.count(edge) > 1}:
        raise ContractError(f"{where}: {min(twice)} is decided twice")
    holes = set(_HOLE.findall(document.text))
    if missing := {hole for slot in document.slots for hole in name_holes(slot)} - holes:
        raise ContractError(f"{where}: the text has no {{{min(missing)}}}")
    for cause, effect, sentence in document.shared:
        if sentence not in document.text:
            raise ContractError(f"{where}: {cause} > {effect} has no sentence in the text")
    for slot in document.slots:
        for place in slot.places:
            for versions in (place.versions, place.turned):
                outlines = {str(document.finder.outline(one.render())) for one in versions}
                if len(outlines) > 1:
                    raise ContractError(
                        f"{where}, slot {slot.name}: versions differ in names or their order: "
                        f"{' / '.join(sorted(outlines))}"
                    )
