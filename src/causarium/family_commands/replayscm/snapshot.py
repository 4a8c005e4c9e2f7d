"""The whole published-size snapshot into a folder, by one command, bit for bit.

`causarium replayscm snapshot FOLDER` draws the ten sets under
their published names, holds each against the card's digest, measures it and writes one set file
each and `manifest.json`: which instances, from which level and seed, with which digests, and what
their worlds hold.
"""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import Any

from causarium.contract.family_card import SetSpec
from causarium.contract.frozen import canonical_json
from causarium.contract.places import write_atomically
from causarium.contract.rules import Edition
from causarium.contract.sets.instance_sets import find_set, generate_set, write_set
from causarium.families.replayscm import FAMILY
from causarium.families.replayscm.model.instance import ReplayInstance

POOLS = (
    *("ord-full", "hid-full", "block", "hid-roots", "alt-ord", "alt-hid"),
    *("ord-ext", "hid-ext", "ord-cex", "hid-cex"),
)
"""The ten published sets, under their short names."""


def write_snapshot(folder: Path, *, workers: int = 2) -> dict[str, Any]:
    """Draw and write all ten sets of the paper edition; returns the manifest.

    Raises:
        ContractError: A set that was drawn is not the one of the card.
        BadFile: A file cannot be written.
    """
    edition: Edition = "paper"
    jobs = [(folder, edition, name) for name in POOLS]
    with ProcessPoolExecutor(workers) as pool:
        entries = dict(zip(POOLS, pool.map(_write_pool, jobs), strict=True))
    manifest = {
        "family": FAMILY.name,
        "version": FAMILY.card.version,
        "edition": edition,
        "size": sum(entry["size"] for entry in entries.values()),
        "sets": entries,
    }
    write_atomically(folder / "manifest.json", f"{canonical_json(manifest)}\n")
    return manifest


def _write_pool(job: tuple[Path, Edition, str]) -> dict[str, Any]:
    folder, edition, name = job
    spec = find_set(FAMILY, edition, name)
    instances: list[ReplayInstance] = generate_set(FAMILY, edition, name)
    write_set(folder / f"{name}.jsonl", FAMILY, edition, spec.parts)
    return manifest_entry(spec, instances)


def manifest_entry(spec: SetSpec, instances: Sequence[ReplayInstance]) -> dict[str, Any]:
    """Return what the manifest says of one set."""
    worlds = [len(instance.public.train) for instance in instances]
    return {
        "about": spec.about,
        "size": len(instances),
        "digest": spec.digest,
        "parts": [part.model_dump(mode="json") for part in spec.parts],
        "train_worlds": {"mean": fmean(worlds), "least": min(worlds), "most": max(worlds)},
        "heldout_worlds": fmean(len(instance.secret.heldout) for instance in instances),
        "latents": len({instance.secret.latent for instance in instances}),
    }
