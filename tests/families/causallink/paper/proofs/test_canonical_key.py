"""Keys of cases: the same exactly where one case is another under other names."""

from itertools import permutations
from random import Random
from types import SimpleNamespace

import pytest

from causarium.contract.frozen import digest
from causarium.families.causallink.paper.evidence import find_twin
from causarium.families.causallink.paper.proofs import canonical_key
from tests.families.causallink.paper.worlds import all_worlds, world_of


def tell_plainly(reach, start, n):
    """Return the least way to write a case and its twin, over all orders of its variables."""
    twin = find_twin(reach, 0, 1)
    worlds = [reach] if twin is None or not twin.is_closed(start) else [reach, twin]
    return tuple(sorted(write_least(world.below, start, n) for world in worlds))


def write_least(below, start, n):
    return min(
        (
            tuple(
                tuple(below[order[x]] >> order[y] & 1 for y in range(n) if y != x) for x in range(n)
            ),
            tuple(start >> node & 1 for node in order),
            order.index(0),
            order.index(1),
        )
        for order in permutations(range(n))
    )


def make_case(reach, start, n):
    """Return a case over letters, in which a is asked about and b is its effect."""
    public = SimpleNamespace(shapes=tuple("abcd"[:n]), cause="a", effect="b", start=start)
    secret = SimpleNamespace(reach=lambda _: reach)
    return SimpleNamespace(public=public, secret=secret)


@pytest.mark.parametrize(("n", "most"), [(2, 100), (3, 1_000), (4, 250)])
def test_graphs_share_a_key_exactly_where_they_are_one(n, most):
    cases = [(reach, start) for reach in all_worlds(n) for start in reach.closed_states()]
    tried = cases if len(cases) <= most else Random(1).sample(cases, most)
    by_key, by_form = {}, {}
    for reach, start in tried:
        key = canonical_key(make_case(reach, start, n))
        form = tell_plainly(reach, start, n)
        assert by_key.setdefault(key, form) == form
        assert by_form.setdefault(form, key) == key
    assert len(by_key) > n


def test_keys_stay_what_they_were():
    """Splits are drawn by them."""
    cases = (("A>B B>C", "ABC", "A>C"), ("A>C B>C D>C", "D", "A>C"), ("", "", "B>D"))
    found = [canonical_key(world_of("ABCD", *case)) for case in cases]
    assert digest(*found)[7:19] == "426b0971d894"
