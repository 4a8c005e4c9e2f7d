"""Graphs are found in linear time, and where they were found before."""

import json
import random

import pytest

from causarium.families.recite.parse import _singles, _values, read_graph
from tests.families.recite.old_parse import old_singles, old_values
from tests.support.cpu_time import cpu_seconds
from tests.support.hostile_replies import SHAPES, make_reply, make_shape

pytestmark = pytest.mark.slow

EDGE = {"source": "rain", "sink": 'the "old" flood {x}'}
GRAPHS = [
    json.dumps({"relationships": [EDGE, {"cause": "a", "effect": "b"}]}),
    json.dumps([["a", "b"], EDGE]),
    "{'relationships': [{'source': 'l'eau', 'sink': 'x'}]}",
]


@pytest.mark.parametrize("seed", range(4))
def test_values_and_relationships_are_those_that_were_found_before(seed):
    draw = random.Random(seed)
    for _ in range(5_000):
        reply = make_reply(draw, GRAPHS)
        new = [(value, end) for value, _, end in _values(reply)]
        assert json.dumps(new) == json.dumps(list(old_values(reply)))
        assert _singles(reply) == old_singles(reply)


@pytest.mark.parametrize("name", SHAPES)
def test_any_shape_of_200_kb_is_read_in_time(name):
    reply = make_shape(name, 200_000)
    seconds = cpu_seconds(lambda: read_graph(reply), rounds=1)
    assert seconds < 0.1 or cpu_seconds(lambda: read_graph(reply)) < 0.4
