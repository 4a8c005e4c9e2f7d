"""The rules of the world: by hand, by property, and against a direct reading of them."""

from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.errors import GraphError
from causarium.families.causallink.paper.model.reach import Reach
from tests.families.causallink.paper.worlds import all_worlds


def masks(letters: str) -> int:
    return sum(1 << "ABCD".index(letter) for letter in letters)


def reach_of(edges: str) -> Reach:
    pairs = [edge.split(">") for edge in edges.split()]
    n = max(("ABCD".index(x) for pair in pairs for x in pair), default=0) + 1
    return Reach.of_edges(n, [("ABCD".index(a), "ABCD".index(b)) for a, b in pairs])


@pytest.mark.parametrize(
    ("edges", "before", "actions", "after"),
    [
        ("A>B", "", "move A", "AB"),
        ("A>B", "AB", "hold B", "AB"),
        ("A>B", "AB", "hold A", ""),
        ("A>B", "B", "hold B", ""),
        ("A>B", "B", "move A, hold A", ""),
        ("A>C B>C", "ABC", "hold A", "BC"),
        ("A>C B>C", "ABC", "hold A, hold C", "BC"),
        ("A>C B>C", "ABC", "hold A, hold C, hold B", ""),
        ("B>A B>C A>C", "AC", "hold A", ""),
        ("B>A B>C A>C", "ABC", "hold A", "ABC"),
        ("A>B B>C", "BC", "move B", "BC"),
        ("A>B B>C", "BC", "hold A", "BC"),
        ("A>B B>C", "AB", "move B", "ABC"),
        ("A>B A>C B>D C>D", "ABCD", "hold A", ""),
    ],
)
def test_the_rules_on_worlds_small_enough_to_check_by_eye(edges, before, actions, after):
    reach, state = reach_of(edges), masks(before)
    for action in actions.split(", "):
        verb, name = action.split()
        change = reach.move if verb == "move" else reach.hold
        state = change(state, "ABCD".index(name))
    assert state == masks(after)


def hold_by_direct_causes(graph: nx.DiGraph, active: set[int], x: int) -> None:
    if x in active and not any(cause in active for cause in graph.predecessors(x)):
        active.remove(x)
        for effect in graph.successors(x):
            hold_by_direct_causes(graph, active, effect)


@st.composite
def graphs(draw):
    n = draw(st.integers(2, 8))
    order = draw(st.permutations(range(n)))
    pairs = [(order[i], order[j]) for i in range(n) for j in range(i + 1, n)]
    return n, draw(st.lists(st.sampled_from(pairs), unique=True))


@settings(max_examples=60)
@given(graphs(), st.integers(0, 2**32))
def test_reachability_alone_gives_what_direct_causes_give(drawn, seed):
    n, edges = drawn
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    reach, rng = Reach.of_edges(n, edges), Random(seed)
    state = rng.choice(reach.closed_states())
    for _ in range(30):
        x = rng.randrange(n)
        active = {y for y in range(n) if state >> y & 1}
        if rng.random() < 0.4:
            state = reach.move(state, x)
            active |= {x} | nx.descendants(graph, x)
        else:
            state = reach.hold(state, x)
            hold_by_direct_causes(graph, active, x)
        assert state == sum(1 << y for y in active)
        assert reach.is_closed(state)


def test_a_stop_never_frees_anything_from_its_causes():
    for world in all_worlds(4):
        for state in world.closed_states():
            sources = {x for x in range(4) if state >> x & 1 and not world.above[x] & state}
            for x in range(4):
                after = world.hold(state, x)
                left = {y for y in range(4) if after >> y & 1 and not world.above[y] & after}
                assert left == sources - ({x} if after != state else set())


def test_edges_in_a_circle_are_our_own_mistake():
    with pytest.raises(GraphError, match="circle"):
        Reach.of_edges(3, [(0, 1), (1, 2), (2, 0)])


def test_there_are_as_many_worlds_as_partial_orders():
    assert [len(set(all_worlds(n))) for n in range(1, 5)] == [1, 3, 19, 219]
