"""Certificates: every table has one, another path agrees, and faults are found."""

import pytest

from causarium.families.causallink.certified import FAMILY
from causarium.families.causallink.certified.model import LinkInstance
from causarium.families.causallink.certified.proofs.recheck import FAULTS

PROOFS = FAMILY.proofs


def draw(rung: int, index: int) -> LinkInstance:
    return FAMILY.generate(FAMILY.level(f"rung-{rung}"), 17, index)


@pytest.mark.parametrize(
    ("rung", "count"), [(1, 8), (2, 20), (3, 20), (4, 20), (5, 6), (6, 6), (7, 2), (8, 1)]
)
def test_both_paths_prove_the_same(rung: int, count: int) -> None:
    assert PROOFS.recheck is not None
    for index in range(count):
        one, other = PROOFS.certify(draw(rung, index)), PROOFS.recheck(draw(rung, index))
        assert all(proof.holds for proof in (*one.proofs, *other.proofs))
        assert [proof.claim for proof in one.proofs] == [proof.claim for proof in other.proofs]
        assert (one.optimum, one.extra) == (other.optimum, other.extra)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("rung", [1, 2, 4, 6])
def test_both_paths_find_every_fault(fault: str, rung: int) -> None:
    spoilt = FAULTS[fault](draw(rung, 2))
    if spoilt is not None:
        assert PROOFS.recheck is not None
        for prove in (PROOFS.certify, PROOFS.recheck):
            assert not all(proof.holds for proof in prove(spoilt).proofs)


def test_tables_under_other_names_are_kin() -> None:
    instance = draw(7, 0)
    text = instance.model_dump_json()
    for name in (*instance.public.objects, instance.public.target):
        text = text.replace(f'"{name}"', f'"{name[::-1]}"')
    renamed = type(instance).model_validate_json(text)
    assert renamed != instance
    assert PROOFS.canonical_key(renamed) == PROOFS.canonical_key(instance)
    other = draw(7, 1)
    assert PROOFS.canonical_key(other) != PROOFS.canonical_key(instance)
