"""The snapshot: ten sets, a manifest, and no set that is not the card's."""

import json

from causarium_data.snapshot import POOLS, manifest_entry

from causarium.contract.family_card import Part, SetSpec
from causarium.contract.sets.instance_sets import find_set, generate_instances
from causarium.families.replayscm.paper import FAMILY


def test_the_ten_pools_are_the_published_ones() -> None:
    sizes = [find_set(FAMILY, "paper", name).size for name in POOLS]
    assert sizes == [250, 250] + [100] * 8


def test_the_manifest_says_what_a_set_holds() -> None:
    spec = SetSpec(about="some", parts=(Part(level="paper-roots", size=3),), digest="sha256:0")
    entry = manifest_entry(spec, list(generate_instances(FAMILY, spec.parts)))
    assert entry["size"] == entry["latents"] == 3
    assert entry["heldout_worlds"] == 8
    assert 8 <= entry["train_worlds"]["least"] <= entry["train_worlds"]["most"] <= 11
    assert entry["parts"] == [{"level": "paper-roots", "size": 3, "seed": 0, "start": 0}]


def test_the_stored_manifest_is_of_the_cards_sets() -> None:
    path = FAMILY.folder / "manifests" / "paper.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    assert manifest["version"] == FAMILY.card.version
    assert manifest["size"] == 1300
    for name in POOLS:
        spec = find_set(FAMILY, "paper", name)
        assert manifest["sets"][name]["digest"] == spec.digest
        assert manifest["sets"][name]["size"] == spec.size
