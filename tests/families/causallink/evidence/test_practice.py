"""Twins: one relation apart, and how many interventions it takes to see it."""

from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.causallink.evidence.practice import (
    find_depth,
    find_optimum,
    find_twin,
)
from causarium.families.causallink.model.instance import LinkPublic
from causarium.families.causallink.shared.reach import Reach
from tests.families.causallink.worlds import all_worlds


@pytest.mark.parametrize("n", [2, 3, 4])
def test_there_is_a_twin_exactly_where_a_world_differs_in_that_relation_alone(n):
    worlds = set(all_worlds(n))
    for world in worlds:
        for a, b in permutations(range(n), 2):
            toggled = [mask ^ (1 << b if x == a else 0) for x, mask in enumerate(world.below)]
            other = Reach(tuple(toggled))
            assert find_twin(world, a, b) == (other if other in worlds else None)
            if other in worlds:
                assert find_twin(other, a, b) == world


def least_by_trying(one: Reach, other: Reach, start: int, most: int) -> int | None:
    for length in range(1, most + 1):
        for acts in product(range(one.n), repeat=length):
            state = start
            for x in acts:
                active = bool(state >> x & 1)
                after, twin_after = (
                    world.hold(state, x) if active else world.move(state, x)
                    for world in (one, other)
                )
                if after != twin_after:
                    return length
                state = after
    return None


@settings(max_examples=40)
@given(st.sampled_from(all_worlds(4)), st.data())
def test_the_depth_is_the_shortest_sequence_that_shows_a_difference(world, data):
    a, b = data.draw(st.sampled_from(list(permutations(range(4), 2))))
    twin = find_twin(world, a, b)
    if twin is None:
        return
    shared = [state for state in world.closed_states() if twin.is_closed(state)]
    start = data.draw(st.sampled_from(shared))
    assert find_depth(world, twin, start) == least_by_trying(world, twin, start, 4)


def test_the_depth_is_never_above_what_the_worst_case_needs():
    """With only the effect and k others active it is k + 1 at most, one less than W."""
    for world in all_worlds(4):
        twin = find_twin(world, 0, 1)
        if twin is None or world.causes(0, 1):
            continue
        for start in world.closed_states():
            cause, effect = bool(start & 1), bool(start & 2)
            others = start.bit_count() - cause - effect
            if not twin.is_closed(start):
                continue
            names = ("a", "b", "c", "d")
            moving = tuple(name for x, name in enumerate(names) if start >> x & 1)
            least = find_optimum(
                LinkPublic(
                    theme="shapes", shapes=names, moving=moving, cause="a", effect="b", cap=8
                )
            )
            depth = find_depth(world, twin, start)
            assert depth is not None
            assert depth <= least - (effect and not cause and others > 0)


def test_the_worked_example_takes_three_interventions():
    cause, effect, first, second = range(4)
    edges = [(first, cause), (first, effect), (second, effect)]
    no, yes = Reach.of_edges(4, edges), Reach.of_edges(4, [*edges, (cause, effect)])
    assert find_twin(no, cause, effect) == yes
    assert find_depth(no, yes, 0b1111) == 3
    states = []
    for world in (no, yes):
        state = world.hold(0b1111, cause)
        assert state == 0b1111
        state = world.hold(state, first)
        assert state == 0b1010
        state = world.hold(state, second)
        assert state == 0
        states.append(world.move(state, cause))
    assert states == [0b01, 0b11]


def test_worlds_that_never_differ_have_no_depth():
    world = Reach.of_edges(3, [(0, 1)])
    assert find_depth(world, world, 0) is None
