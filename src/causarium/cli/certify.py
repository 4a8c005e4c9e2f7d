"""`causarium certify`: prove instances, and print floor, ceiling and optimum of each."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.shared import (
    AsJson,
    EditionName,
    FamilyName,
    family_of,
    print_json,
    talk,
)
from causarium.contract.certificate import Certificate
from causarium.contract.instance_sets import generate_set, read_set
from causarium.contract.rules import check_edition


def certify(
    family: FamilyName,
    *,
    edition: EditionName = "certified",
    set_name: Annotated[str, typer.Option("--set", help="A named set.")] = "standard",
    file: Annotated[Path | None, typer.Option(help="A set file instead.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many.")] = None,
    json: AsJson = False,
) -> None:
    """Prove instances, and print the floor, ceiling and optimum of each."""
    from rich.console import Console
    from rich.progress import track

    from causarium.players.direct_runner import certify_instance

    proven, chosen = family_of(family), check_edition(edition)
    if file is not None:
        header, instances = read_set(file, proven)
        chosen, instances = header.edition, instances[:limit]
    else:
        instances = generate_set(proven, chosen, set_name, limit=limit)
    rules = proven.rules_for(chosen)
    certificates = []
    for instance in track(instances, "proving", console=Console(stderr=True), transient=True):
        certificates.append(certify_instance(proven, instance, rules))
        if json:
            print_json(certificates[-1].flat())
    if not json:
        _print(certificates)
    if not all(one.certified for one in certificates):
        talk(f"{sum(not one.certified for one in certificates)} instances are not certified")
        raise typer.Exit(1)


def _print(certificates: list[Certificate]) -> None:
    for one in certificates:
        mark = "certified" if one.certified else "NOT CERTIFIED"
        optimum = "unknown" if one.optimum is None else f"{one.optimum:g}"
        print(f"{one.id}  {mark}  optimum {optimum}  floor {one.floor:g}  ceiling {one.ceiling:g}")
        for proof in one.proofs:
            if not proof.holds:
                print(f"    does not hold: {proof.claim} ({proof.method})")
    optima = Counter("unknown" if c.optimum is None else f"{c.optimum:g}" for c in certificates)
    spread = ", ".join(f"{value}: {n}" for value, n in sorted(optima.items()))
    sure = sum(one.certified for one in certificates)
    talk(f"{sure} of {len(certificates)} certified; optimum {spread}")
    proofs = [proof for one in certificates for proof in one.proofs]
    failed = {(proof.claim, proof.method) for proof in proofs if not proof.holds}
    for claim, method in dict.fromkeys((proof.claim, proof.method) for proof in proofs):
        if (claim, method) not in failed:
            talk(f"  proved by {method}: {claim}")
