"""Two paths to one certificate, faults that both find, and kin under other names."""

import json
from random import Random

import pytest

from causarium.families.causalab.certified import FAMILY
from causarium.families.causalab.certified.evidence.alike import list_alike
from causarium.families.causalab.certified.levels import make_config
from causarium.families.causalab.certified.model.names import PROPERTIES
from causarium.families.causalab.certified.proofs.recheck import list_alike_symbols


def draw(rung, index=0, seed=3):
    return FAMILY.generate(FAMILY.level(f"rung-{rung}"), seed, index)


@pytest.mark.parametrize("rung", [1, 2, 3, 4, 5, pytest.param(8, marks=pytest.mark.slow)])
def test_both_paths_prove_the_same_and_find_every_fault(rung):
    proofs, instance = FAMILY.proofs, draw(rung)
    planted = {"good": instance} | {name: plant(instance) for name, plant in proofs.faults.items()}
    for name, one in planted.items():
        if one is None:
            continue
        found = [
            {p.claim: p.holds for p in way(one).proofs} for way in (proofs.certify, proofs.recheck)
        ]
        assert found[0] == found[1], name
        assert all(found[0].values()) == (name == "good"), name


@pytest.mark.parametrize("rung", [3, 4, 5, pytest.param(6, marks=pytest.mark.slow)])
def test_both_paths_find_as_many_crystals_alike(rung):
    config = make_config(rung)
    skeleton = config.skeleton
    parts = len(skeleton.parts)
    for fixed in range(parts) if skeleton.fixed else (None,):
        acting = [part for part in range(parts) if part != fixed]
        idle = skeleton.idle - skeleton.fixed
        first = {
            tuple(
                acting.index(one)
                if one in acting
                else one - parts + len(acting)
                if one >= 0
                else -1
                for one in row
            )
            for row in list_alike(skeleton, config.holds, fixed).tolist()
            if max(row) - parts + 1 <= idle
        }
        assert first == {*list_alike_symbols(skeleton, config.holds, fixed)}


@pytest.mark.parametrize("rung", [1, 4, 6])
def test_kin_are_the_same_under_other_names_and_no_others(rung):
    instance = draw(rung)
    names = Random(1).sample(PROPERTIES, len(instance.public.names))
    line = instance.line()
    for old, new in zip(instance.public.names, names, strict=True):
        line = line.replace(f'"{old}"', f'"<{new}>"')
    renamed = FAMILY.read_instance(json.loads(line.replace("<", "").replace(">", "")))
    key = FAMILY.proofs.canonical_key
    assert renamed != instance
    assert key(renamed) == key(instance)
    assert len({key(draw(rung, index)) for index in range(6)}) > 1
