"""`causarium certify`: prove instances, and print floor, ceiling and optimum of each."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli import options as given
from causarium.cli.options import AsJson, EditionName, FamilyName, Limit, SetFile, SetName
from causarium.cli.shared import print_json, print_note

if TYPE_CHECKING:
    from causarium.contract.certificate import Certificate


def certify(
    family: FamilyName,
    *,
    edition: EditionName = "certified",
    set_name: SetName = "standard",
    file: SetFile = None,
    limit: Limit = None,
    shard: given.ShardOf = None,
    jobs: given.Jobs = 1,
    engine: given.EngineName = None,
    again: Annotated[
        bool, typer.Option("--again", help="Prove stored certificates again and compare.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Prove instances, and print the floor, ceiling and optimum of each.

    The outputs of all shards, in order, are the output of the whole set.
    """
    from rich.console import Console
    from rich.progress import track

    from causarium.api.scale.certify_many import CertificateCounts, certify_set, flatten
    from causarium.api.scale.workers import Workers
    from causarium.contract.shard import Shard

    certificates = certify_set(
        family,
        edition=edition,
        set=set_name,
        file=file,
        limit=limit,
        shard=Shard.parse(shard),
        workers=Workers.parse(jobs, engine),
        again=again,
    )
    counts = CertificateCounts()
    for proven in track(
        certificates.stream,
        "proving",
        total=certificates.count,
        console=Console(stderr=True),
        transient=True,
    ):
        counts.add(proven)
        print_json(flatten(proven)) if json else print("\n".join(_lines(proven)))
    if not json:
        print_note("\n".join(counts.lines()))
    if counts.failed:
        print_note(f"{counts.failed} instances are not certified")
        raise typer.Exit(1)


def _lines(proven: "Certificate") -> Iterator[str]:
    mark = "certified" if proven.certified else "NOT CERTIFIED"
    optimum = "unknown" if proven.optimum is None else f"{proven.optimum:g}"
    bounds = f"floor {proven.floor:g}  ceiling {proven.ceiling:g}"
    yield f"{proven.id}  {mark}  optimum {optimum}  {bounds}"
    for proof in proven.proofs:
        if not proof.holds:
            yield f"    does not hold: {proof.claim} ({proof.method})"
