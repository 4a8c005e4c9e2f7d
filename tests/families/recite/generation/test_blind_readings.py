"""Readers who saw a text, the rules and the names alone tell its graph."""

import pytest

from causarium.families.recite.generation.generate import read_shelf
from causarium.families.recite.players.recorded_answers import read_blind_readings
from causarium.families.recite.scoring.twin_score import score_twin

DOCUMENTS = {one.key: one for one in read_shelf()}


@pytest.mark.parametrize("key", DOCUMENTS)
def test_readers_who_know_nothing_else_tell_the_graph_of_the_text(key):
    for draw, _, edges in read_blind_readings(DOCUMENTS[key]):
        assert score_twin(edges, draw.edges, draw.twin.edges).reading >= 0.84
