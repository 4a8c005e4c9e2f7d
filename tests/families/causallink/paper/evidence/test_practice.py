"""Twins: one relation apart, and how many interventions it takes to see it."""

from itertools import permutations

import pytest

from causarium.families.causallink.paper.evidence import (
    find_twin,
)
from causarium.families.causallink.paper.model.reach import Reach
from tests.families.causallink.paper.worlds import all_worlds


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
