"""Readers who saw a text, the rules and the names alone tell its graph; names alone do not."""

from collections import defaultdict
from statistics import fmean

import pytest

from causarium.families.recite.paper.generation.generate import read_shelf
from causarium.families.recite.paper.generation.slot_documents import draw_twins
from causarium.families.recite.paper.players.recorded_answers import (
    read_blind_readings,
    read_recordings,
)
from causarium.families.recite.paper.scoring.twin_score import score_twin
from causarium.seeds import stream

DOCUMENTS = {one.key: one for one in read_shelf()}


@pytest.mark.parametrize("key", DOCUMENTS)
def test_readers_who_know_nothing_else_tell_the_graph_of_the_text(key):
    readings = list(read_blind_readings(DOCUMENTS[key]))
    assert len({reader for _, reader, _ in readings}) >= 2
    assert len({frozenset(draw.edges) for draw, _, _ in readings}) >= 2
    for draw, _, edges in readings:
        assert score_twin(edges, draw.edges, draw.twin.edges).reading >= 0.84


def test_each_document_has_two_recorded_answers_to_its_names_alone():
    titles = {one.title: one for one in DOCUMENTS.values()}
    found = defaultdict(list)
    answered = defaultdict(set)
    for one in read_recordings():
        document = titles[one.title]
        told = draw_twins(document, "near", stream(0, "names-only", document.key)).edges
        taken = {edge for edge in one.edges if {*edge} <= {*document.nodes}}
        found[one.model].append(2 * len(taken & told) / (len(taken) + len(told)))
        if one.model:
            assert one.date.startswith("2026-11-1")
            assert one.prompt.startswith("sha256:")
            answered[document.key].add(one.model)
    assert all(len(answered[key]) >= 2 for key in DOCUMENTS)
    assert {model: (len(f1s), round(fmean(f1s), 3)) for model, f1s in found.items()} == {
        "": (15, 0.673),
        "qwen2.5-coder-1.5b-instruct": (17, 0.058),
        "smollm2-135m-instruct": (30, 0.004),
        "Claude, first reader": (13, 0.586),
        "Claude, second reader": (13, 0.588),
    }
