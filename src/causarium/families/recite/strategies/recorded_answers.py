"""Answers that were recorded before: a language model saw a title and the names, and no text.

`names_only.json` holds them with model and date. A volume of several documents is answered by the
answers to each.
"""

import json
from functools import cache
from pathlib import Path

from causarium.contract.frozen import Frozen
from causarium.scoring.graph_scores import Edge

_FILE = Path(__file__).parent / "names_only.json"


class RecordedAnswer(Frozen):
    """What one model answered to one title and its names."""

    title: str
    model: str
    date: str
    edges: tuple[Edge, ...]


@cache
def read_recordings() -> tuple[RecordedAnswer, ...]:
    """Return all recorded answers."""
    found = json.loads(_FILE.read_text(encoding="utf-8"))
    return tuple(RecordedAnswer.model_validate(one) for one in found["answers"])


def recorded_edges(title: str, names: tuple[str, ...]) -> list[Edge]:
    """Return what was answered without the text, as far as the names are listed.

    Args:
        title: The title of a document, or the titles of a volume.
        names: The listed names.
    """
    known = set(names)
    told = [edge for one in read_recordings() if one.title in title for edge in one.edges]
    return sorted({edge for edge in told if {*edge} <= known})
