"""Counting graphs by what parents their nodes may have."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.errors import UsageError
from causarium.scm.count_dags import count_dags
from causarium.scm.dag import is_acyclic


def free(size, *, sink=None):
    """Let every node have any others as parents, but never `sink`."""
    masks = range(2**size)
    barred = 0 if sink is None else 1 << sink
    return [[m for m in masks if not m >> node & 1 and not m & barred] for node in range(size)]


@pytest.mark.parametrize(("size", "count"), list(enumerate([1, 1, 3, 25, 543, 29281, 3781503])))
def test_all_graphs_are_as_many_as_is_known(size, count):
    assert count_dags(free(size)) == count


def test_a_sink_leaves_the_others_free():
    assert count_dags(free(4, sink=3)) == 25 * 2**3


def test_a_node_without_any_option_leaves_no_graph():
    assert count_dags([[0], []]) == 0


@given(data=st.data(), size=st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_counting_agrees_with_listing(data, size):
    options = [
        data.draw(st.lists(st.sampled_from(masks), unique=True, max_size=5)) for masks in free(size)
    ]
    assert count_dags(options) == sum(is_acyclic(chosen) for chosen in product(*options))


def test_too_many_nodes_are_refused():
    with pytest.raises(UsageError, match="13 nodes are not counted; at most 12"):
        count_dags([[0]] * 13)
