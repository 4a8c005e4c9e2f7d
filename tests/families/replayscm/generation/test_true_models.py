"""True models as drawn: the published ranges hold, and an address is all they depend on."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.replayscm.generation.true_models import (
    DEPTHS,
    ROOTS,
    SIZES,
    WINDOW,
    draw_latent,
)
from causarium.scm.boolean.formula import functional_parents
from causarium.scm.dag import bits

addresses = st.tuples(st.integers(0, 3), st.integers(0, 200), st.integers(0, 2))


@given(addresses)
@settings(max_examples=60, deadline=None)
def test_models_stay_within_the_published_ranges(address: tuple[int, int, int]) -> None:
    latent = draw_latent("core", *address)
    assert 6 <= latent.n <= 10
    assert latent.scm.roots.bit_count() == ROOTS
    for variable, formula in latent.formulas.items():
        assert SIZES[0] <= formula.size <= SIZES[1]
        assert DEPTHS[0] <= formula.depth <= DEPTHS[1]
        assert latent.windows[variable].bit_count() <= WINDOW
        assert 2 <= len(functional_parents(formula)) <= WINDOW


@given(addresses)
@settings(max_examples=60, deadline=None)
def test_every_name_in_a_mechanism_matters_and_comes_earlier(
    address: tuple[int, int, int],
) -> None:
    latent = draw_latent("core", *address)
    for variable, formula in latent.formulas.items():
        assert set(formula.names) == set(functional_parents(formula))
        assert latent.scm.parents[variable] & ~latent.windows[variable] == 0
        assert latent.windows[variable] & ~latent.before(variable) == 0


def test_the_same_address_has_the_same_model_and_attempts_share_its_size() -> None:
    first, again, retried = (draw_latent("core", 5, 7, attempt) for attempt in (0, 0, 1))
    assert first == again
    assert first.scm != retried.scm
    assert first.n == retried.n


def test_names_say_nothing_of_the_order() -> None:
    first_roots = Counter(
        latent.variables[root]
        for latent in (draw_latent("core", 0, index, 0) for index in range(300))
        for root in bits(latent.scm.roots)
    )
    assert all(60 < first_roots[f"X{i}"] < 160 for i in range(1, 7))


@pytest.mark.parametrize(("pool", "n"), [("large-12", 12), ("large-14", 14)])
def test_large_pools_have_large_models(pool: str, n: int) -> None:
    assert draw_latent(pool, 0, 0, 0).n == n  # type: ignore[arg-type]
