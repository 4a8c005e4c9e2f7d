"""Certified edition: check that the twins of a slot document differ in what they say alone."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from causarium.errors import BadFile
from causarium.scoring.graph_scores import Edge
from ..model.name_places import name_skeleton, split_paragraphs, split_sentences, strip_name
from .slot_documents import (
    FORMS,
    LEAST_DIFFERING,
    MARK,
    Form,
    Slot,
    SlotDocument,
    Versions,
    list_pages,
    read_slot_file,
)

LEAST_RATIO, MOST_RATIO = 0.7, 1.45
"""How long version two may be, of version one."""
MOST_EDGES = 4
"""So many edges at most differ by one slot."""
LEAST_APART = 3
"""So many paragraphs at least lie between a local sentence and what decides it."""
LEAST_FAR, LEAST_PARITY, LEAST_DEVICES, MOST_OF_A_DEVICE = 0.6, 0.25, 5, 1 / 3
"""Level `far`: the share of differing edges decided elsewhere, of slots with two deciding passages,
how many devices, and the share of slots on one device."""
_WORD = re.compile(r"[^\W\d_]+")


class Problem(NamedTuple):
    """Why a file is refused."""

    slot: str
    """The slot, or the part of the file."""
    reason: str


def load_slot_document(path: Path) -> SlotDocument:
    """Read a slot file and check it.

    Raises:
        BadFile: It cannot be read, or some slot is not what it should be.
    """
    document = read_slot_file(path)
    problems = list(find_problems(document))
    if problems:
        shown = "; ".join(f"{one.slot}: {one.reason}" for one in problems[:5])
        more = f"; and {len(problems) - 5} more" if len(problems) > 5 else ""
        raise BadFile(f"{path.name}: {shown}{more}")
    return document


def find_problems(document: SlotDocument) -> Iterator[Problem]:
    """Yield everything that is wrong with a document; of a damaged one only what is damaged."""
    damaged = [*_check_places(document), *_check_names(document), *_check_edges(document)]
    yield from dict.fromkeys(damaged)
    if damaged:
        return
    for key, slot in document.slots.items():
        yield from (Problem(key, reason) for reason in _check_slot(document, key, slot))
    yield from _check_shared(document)
    yield from _check_levels(document)


def _check_places(document: SlotDocument) -> Iterator[Problem]:
    if not document.slots:
        yield Problem("slots", "the document has no slot")
    places = Counter(found.group() for found in MARK.finditer(document.whole))
    wanted: Counter[str] = Counter()
    for key, slot in document.slots.items():
        wanted[f"{{{key}}}"] += 1
        wanted[f"{{{key}.far}}"] += slot.far is not None
        wanted[f"{{{key}.parity}}"] += slot.parity is not None
        if slot.near is None and slot.far is None:
            yield Problem(key, "has neither `near` nor `far` versions")
        if bool(slot.local) != (slot.far is not None):
            yield Problem(key, "`local` and `far` go together: give both or neither")
        if slot.parity is not None and slot.far is None:
            yield Problem(key, "has `parity` versions without `far` ones")
        if slot.near is not None and f"{{{key}}}" in document.afterword:
            yield Problem(key, "stands in the afterword, which near texts do not have")
    for mark in sorted({*places, *(+wanted)}):
        if places[mark] != wanted[mark]:
            key = mark.strip("{}").split(".")[0]
            yield Problem(
                key, f"{mark} stands in the text {places[mark]} times, not {wanted[mark]}"
            )
    for found in MARK.finditer(document.whole):
        before, after = document.whole[: found.start()], document.whole[found.end() :]
        if before.rstrip(" ")[-1:] not in {"", "\n", "}", *'.!?"”’)'} or after[:1] not in {
            "",
            " ",
            "\n",
        }:
            yield Problem(found.group(1), f"{found.group()} does not stand between sentences")


def _check_names(document: SlotDocument) -> Iterator[Problem]:
    owner: dict[str, str] = {}
    for name in {*document.nodes, *document.aliases}:
        if name not in document.nodes:
            yield Problem("aliases", f"{name!r} is not in [nodes]")
        for form in (name, *document.aliases.get(name, ())):
            if not form.strip():
                yield Problem("aliases", f"a word for {name!r} is empty")
            if owner.setdefault(form.casefold(), name) != name:
                yield Problem(
                    "aliases", f"{form!r} is a word for {owner[form.casefold()]!r} and {name!r}"
                )


def _check_edges(document: SlotDocument) -> Iterator[Problem]:
    holder: dict[Edge, str] = {}
    told = [("shared", edge) for edge in sorted(document.shared_edges)]
    for key, slot in document.slots.items():
        told += [(key, edge) for edge in dict.fromkeys((*slot.tells_one, *slot.tells_two))]
        if not slot.differing:
            yield Problem(key, "both versions tell the same edges")
        if len(slot.differing) > MOST_EDGES:
            yield Problem(key, f"{len(slot.differing)} edges differ; at most {MOST_EDGES} may")
    if len(document.shared_edges) != len(document.shared):
        yield Problem("shared", "an edge stands twice")
    for place, edge in told:
        for name in edge:
            if name not in document.nodes:
                yield Problem(place, f"{name!r} is not in [nodes]")
        if edge[0] == edge[1]:
            yield Problem(place, f"{edge[0]!r} acts on itself")
        if holder.setdefault(edge, place) != place:
            yield Problem(place, f"{_arrow(edge)} stands in {holder[edge]} already")


def _check_slot(document: SlotDocument, key: str, slot: Slot) -> Iterator[str]:
    for name in ("near", "far", "parity"):
        versions: Versions | None = getattr(slot, name)
        if versions is not None:
            yield from (f"{name}: {reason}" for reason in _check_versions(document, versions))
    if slot.near is not None:
        before = _sentence_before(document, key)
        for version, tells in zip(slot.near, (slot.tells_one, slot.tells_two), strict=True):
            named = document.finder.nodes_in(f"{before} {version}")
            for edge in tells:
                for name in edge:
                    if document.nodes[name] == 1 and name not in named:
                        yield f"near: tells {_arrow(edge)} and does not name {name!r}"
    if slot.far is not None:
        yield from _check_far(document, key, slot)


def _check_versions(document: SlotDocument, versions: Versions) -> Iterator[str]:
    one, two = versions
    if one == two:
        yield "both versions are the same"
    for version in versions:
        if not version.strip() or version.rstrip('"”’)')[-1:] not in {*".!?"} or "\n" in version:
            yield f"a version is no line of whole sentences: {version[:60]!r}"
    if not LEAST_RATIO <= len(two) / max(len(one), 1) <= MOST_RATIO:
        yield (
            f"version two has {len(two) / max(len(one), 1):.2f} of the length of version one; "
            f"{LEAST_RATIO} to {MOST_RATIO} is allowed"
        )
    skeletons = [name_skeleton(version, document.finder) for version in versions]
    if skeletons[0] != skeletons[1]:
        yield f"other names or another order: {_words(skeletons[0])} and {_words(skeletons[1])}"
    elif _scattered_names(document, one) != _scattered_names(document, two):
        scattered = _scattered_names(document, one) ^ _scattered_names(document, two)
        names = ", ".join(sorted({repr(name) for _, name in scattered}))
        yield f"one version has all words of {names} and the other has not: is an alias missing?"


def _scattered_names(document: SlotDocument, text: str) -> set[tuple[int, str]]:
    """Return the names with every word in a sentence, wherever these stand."""
    found: set[tuple[int, str]] = set()
    for number, sentence in enumerate(split_sentences(text)):
        words = frozenset[str]().union(*map(strip_name, _WORD.findall(sentence)))
        found |= {(number, name) for name in document.nodes if strip_name(name) <= words}
    return found


def _check_far(document: SlotDocument, key: str, slot: Slot) -> Iterator[str]:
    pairs = {tuple(sorted(edge)) for edge in slot.differing}
    paragraphs = split_paragraphs(document.whole)
    (home,) = [n for n, one in enumerate(paragraphs) if f"{{{key}}}" in one]
    named = document.finder.nodes_in(f"{slot.local} {_sentence_before(document, key)}")
    for name in {name for pair in pairs for name in pair}:
        if document.nodes[name] == 1 and name not in named:
            yield f"local: does not name {name!r}"
    for place in ("far", "parity"):
        for number, one in enumerate(paragraphs):
            if f"{{{key}.{place}}}" in one and abs(number - home) <= LEAST_APART:
                yield f"{place}: within {LEAST_APART} paragraphs of its local sentence"
    for paragraph in paragraphs:
        marks = [(document.slots[m.group(1)], m.group(2)) for m in MARK.finditer(paragraph)]
        if all(mark is None and other.far is not None for other, mark in marks):
            continue
        every = MARK.sub(lambda m: _possible(document, m, "far"), paragraph)
        names = document.finder.nodes_in(every)
        for a, b in pairs:
            if {a, b} <= names:
                yield f"a paragraph that varies names both {a!r} and {b!r}: {every[:50]!r}"


def _possible(document: SlotDocument, mark: re.Match[str], form: Form) -> str:
    """Return all that may stand in a place at levels of a form."""
    slot = document.slots[mark.group(1)]
    if not slot.stands(form):
        return ""
    if slot.kind(form) == "near":
        return "" if mark.group(2) else " ".join(slot.near or ())
    if mark.group(2) is None:
        return slot.local
    return " ".join((slot.far if mark.group(2) == "far" else slot.parity) or ())


def _sentence_before(document: SlotDocument, key: str) -> str:
    before = document.whole.split(f"{{{key}}}")[0].rsplit("\n", 1)[-1]
    sentences = split_sentences(MARK.sub("", before))
    return sentences[-1] if sentences else ""


def _check_shared(document: SlotDocument) -> Iterator[Problem]:
    outside = MARK.sub("", document.text)
    for cause, effect, sentence in document.shared:
        if sentence not in outside:
            yield Problem(
                "shared",
                f"{_arrow((cause, effect))}: its sentence is not in the text outside slots",
            )
            continue
        named = document.finder.nodes_in(sentence)
        for name in (cause, effect):
            if document.nodes[name] == 1 and name not in named:
                yield Problem(
                    "shared", f"{_arrow((cause, effect))}: its sentence does not name {name!r}"
                )
    for form in FORMS:
        marked = document.marked(form)
        filled = MARK.sub(lambda m, f=form: _possible(document, m, f), marked)  # type: ignore[misc]
        named = document.finder.nodes_in(filled)
        for name, label in document.nodes.items():
            if (name in named) != (label == 1):
                says = "never named" if label == 1 else "named although it is labelled 2"
                yield Problem("nodes", f"{name!r} is {says} in {form} texts")


def _check_levels(document: SlotDocument) -> Iterator[Problem]:
    for form, level in zip(FORMS, ("twin", "far"), strict=True):
        differing = document.count_differing(form)
        if level in document.levels and differing < LEAST_DIFFERING:
            yield Problem(
                "levels", f"{level}: {differing} edges differ a side, not {LEAST_DIFFERING}"
            )
    if "page" in document.levels and not list_pages(document):
        yield Problem(
            "levels", f"page: no run of sections has {LEAST_DIFFERING} differing edges a side"
        )
    if "far" not in document.levels:
        return
    if document.far_share() < LEAST_FAR:
        yield Problem(
            "levels",
            f"far: {document.far_share():.2f} of the differing edges are far, not {LEAST_FAR}",
        )
    free = document.free_slots("far")
    devices = Counter(slot.device for slot in free.values())
    parity = sum(slot.parity is not None for slot in free.values())
    if len(devices) < LEAST_DEVICES:
        yield Problem("levels", f"far: {len(devices)} devices, not {LEAST_DEVICES}")
    for device, count in devices.items():
        if count > MOST_OF_A_DEVICE * len(free):
            yield Problem("levels", f"far: {count} of {len(free)} slots are {device!r}")
    if parity < LEAST_PARITY * len(free):
        yield Problem(
            "levels",
            f"far: {parity} of {len(free)} slots have two deciding passages; a quarter is needed",
        )


def list_sentences_to_read(document: SlotDocument) -> list[Problem]:
    """Return the sentences outside slots that name the pair of a slot, for readers to look at."""
    outside = split_sentences(MARK.sub("", document.whole))
    named = [(one, document.finder.nodes_in(one)) for one in outside]
    return [
        Problem(key, sentence)
        for key, slot in document.slots.items()
        for pair in sorted({tuple(sorted(edge)) for edge in slot.differing})
        for sentence, names in named
        if {*pair} <= names
    ]


def _arrow(edge: Edge) -> str:
    return f"{edge[0]} > {edge[1]}"


def _words(skeleton: tuple[tuple[str, ...], ...]) -> str:
    return " | ".join(", ".join(one) for one in skeleton) or "none"
