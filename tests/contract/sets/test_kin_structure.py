"""What `bench.kin_structure` rests on: a structure drawn alone is that of the whole draw."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.kin_structure import STRUCTURES, find_edge_form, find_form
from causarium import families
from causarium.families.recite.proofs import number_names


@given(
    st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1), st.permutations(range(6))
)
def test_names_and_order_do_not_change_a_form(edges, names):
    renamed = sorted((names[cause], names[effect]) for cause, effect in edges)
    assert find_edge_form(list(edges)) == find_edge_form(renamed)


def test_forms_tell_graphs_apart():
    chain, fork, collider = [(0, 1), (1, 2)], [(0, 1), (0, 2)], [(0, 2), (1, 2)]
    assert len({find_edge_form(edges) for edges in (chain, fork, collider)}) == 3
    assert find_form({0: 1, 1: 2}, [(0, 1)]) != find_form({0: 2, 1: 1}, [(0, 1)])


@pytest.mark.slow
@pytest.mark.parametrize("name", STRUCTURES)
def test_a_structure_drawn_alone_is_that_of_the_whole_draw(name):
    family, structure = families.get(name), STRUCTURES[name]
    for level_name in family.card.ladder:
        level = family.level(level_name)
        for index in range(25):
            assert structure.draw(level, 7, index) == structure.read(level, 7, index)


@pytest.mark.slow
def test_the_kin_of_a_document_holds_its_graph():
    family = families.get("recite")
    for level in family.card.ladder:
        for index in range(25):
            instance = family.generate(family.level(level), 7, index)
            edges = [tuple(edge) for edge in number_names(instance)[1]]
            assert find_edge_form(edges) == find_edge_form(instance.secret.pairs)
