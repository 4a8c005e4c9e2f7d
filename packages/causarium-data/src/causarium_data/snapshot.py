"""`causarium replayscm snapshot FOLDER`: the ten published sets, drawn bit for bit into a folder.

Each set is checked against the card's digest, measured and written as one set file, and
`manifest.json` says which instances they are and what their worlds hold.
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer

from causarium.cli.shared import print_note

if TYPE_CHECKING:
    from causarium.contract.family_card import SetSpec
    from causarium.families.replayscm.paper.model.instance import ReplayInstance

POOLS = (
    *("ord-full", "hid-full", "block", "hid-roots", "alt-ord", "alt-hid"),
    *("ord-ext", "hid-ext", "ord-cex", "hid-cex"),
)
"""The ten published sets, under their short names."""

app = typer.Typer(help="ReplaySCM: the published snapshot.", no_args_is_help=True)


@app.callback()
def replayscm() -> None:
    """ReplaySCM: the published snapshot."""


@app.command("snapshot")
def snapshot(
    folder: Annotated[Path, typer.Argument(help="Folder to write to.")],
) -> None:
    """Write the ten sets of the published sizes, each checked against its digest."""
    from concurrent.futures import ProcessPoolExecutor

    from causarium.contract.frozen import canonical_json
    from causarium.contract.places import write_atomically
    from causarium.families import get

    family = get("replayscm")
    with ProcessPoolExecutor(2) as pool:
        drawn = pool.map(_write_pool, [(folder, name) for name in POOLS])
        entries = dict(zip(POOLS, drawn, strict=True))
    manifest = {
        "family": family.name,
        "version": family.card.version,
        "edition": "paper",
        "size": sum(entry["size"] for entry in entries.values()),
        "sets": entries,
    }
    write_atomically(folder / "manifest.json", f"{canonical_json(manifest)}\n")
    print_note(f"{manifest['size']} problems in {len(POOLS)} sets in {folder}")


def _write_pool(job: tuple[Path, str]) -> dict[str, Any]:
    from causarium.contract.sets.instance_sets import find_set, generate_set, write_set
    from causarium.families import get

    family, (folder, name) = get("replayscm", "paper"), job
    spec = find_set(family, "paper", name)
    instances = generate_set(family, "paper", name)
    write_set(folder / f"{name}.jsonl", family, "paper", spec.parts)
    return manifest_entry(spec, instances)


def manifest_entry(spec: "SetSpec", instances: "Sequence[ReplayInstance]") -> dict[str, Any]:
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
