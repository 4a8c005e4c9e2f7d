"""Answers that were recorded: to a title and names alone, and to texts that were read blind.

`names_only.json` has the first, with model, date and the hash of what was asked; those that name no
model were written from title and names. A volume of several documents is answered by the answers to
each.

`blind_readings.json` has what readers wrote who saw a text, the rules and the names, before any
score was known: two language models for each draw, on 16 and 17 November 2026; neither had
written the text or seen its slots. An arrow is two places in the sorted list of names, from 1 on.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

from causarium.contract.frozen import Frozen, digest
from causarium.contract.texts.role_questions import Ask
from causarium.contract.world import Unparsed
from causarium.scoring.graph_scores import Edge
from ..generation.slot_documents import Draw, SlotDocument, draw_twins
from ..model.graphs import name_ids
from ..play.prompts import names_only_text, node_list
from ..play.replies import read_graph

_FILE = Path(__file__).with_name("names_only.json")
_READINGS = Path(__file__).with_name("blind_readings.json")


class RecordedAnswer(Frozen):
    """What was answered to one title and its names."""

    title: str
    model: str = ""
    """Empty: no model, but written from title and names alone."""
    date: str = ""
    prompt: str = ""
    """The hash of what the model was asked."""
    edges: tuple[Edge, ...]


@cache  # 46 ms, and every instance asks
def read_recordings() -> tuple[RecordedAnswer, ...]:
    """Return all recorded answers."""
    found = json.loads(_FILE.read_text(encoding="utf-8"))
    return tuple(RecordedAnswer.model_validate(one) for one in found["answers"])


def recorded_edges(title: str, names: Sequence[str]) -> list[Edge]:
    """Return what was answered first without the text, as far as the names are listed.

    Args:
        title: The title of a document, or the titles of a volume.
        names: The listed names.
    """
    first: dict[str, RecordedAnswer] = {}
    for one in read_recordings():
        if one.title in title:
            first.setdefault(one.title, one)
    known = set(names)
    return sorted({e for one in first.values() for e in one.edges if {*e} <= known})


def ask_by_names(title: str, names: Sequence[str]) -> Ask:
    """Return the question to a model that is to answer without the text."""
    listed = f"The document is called “{title}”. These are the names:\n\n{node_list(names)}"
    return Ask(role="names_only", system=names_only_text(), user=listed)


def read_answer(ask: Ask, reply: str, title: str, names: Sequence[str]) -> RecordedAnswer:
    """Return what a model replied, as it is recorded; edges that join no two names are left out.

    Args:
        ask: What was asked.
        reply: What it replied.
        title: The title it was shown.
        names: The names it was shown.
    """
    found = read_graph(reply)
    said = () if isinstance(found, Unparsed) else found.relationships
    edges = name_ids(((one.source, one.sink) for one in said), names).edges
    return RecordedAnswer(
        title=title,
        prompt=digest(ask.system, ask.user),
        edges=tuple(sorted({e for e in edges if {*e} <= {*names} and e[0] != e[1]})),
    )


class BlindReading(NamedTuple):
    """What one reader wrote down of one text."""

    draw: Draw
    reader: str
    edges: frozenset[Edge]


def read_blind_readings(document: SlotDocument) -> Iterator[BlindReading]:
    """Yield what was read blind of a document, with the draws that were read."""
    names = sorted(document.nodes)
    for place, readers in json.loads(_READINGS.read_text(encoding="utf-8")).items():
        key, form, *twin = place.split("/")
        if key != document.key:
            continue
        far = form == "far"
        draw = draw_twins(
            document, "far" if far else "near", Random(f"blind {key} {1 if far else 2}")
        )
        for reader, arrows in readers.items():
            edges = frozenset((names[a - 1], names[b - 1]) for a, b in arrows)
            yield BlindReading(draw.twin if twin else draw, reader, edges)
