"""`causarium certify`: prove instances, and print floor, ceiling and optimum of each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

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
    json: AsJson = False,
) -> None:
    """Prove instances, and print the floor, ceiling and optimum of each."""
    from rich.console import Console
    from rich.progress import track

    from causarium.api.find_benchmark import load, load_file

    if file is None:
        benchmark = load(family, edition=edition)
        instances = benchmark.instances(set_name, limit=limit)
    else:
        benchmark, instances = load_file(family, file, limit=limit)
    certificates = []
    for instance in track(instances, "proving", console=Console(stderr=True), transient=True):
        certificates.append(benchmark.certify(instance))
        if json:
            print_json(certificates[-1].flat())
    if not json:
        _print(certificates)
    if failed := sum(not certificate.certified for certificate in certificates):
        print_note(f"{failed} instances are not certified")
        raise typer.Exit(1)


def _print(certificates: "Sequence[Certificate]") -> None:
    for proven in certificates:
        mark = "certified" if proven.certified else "NOT CERTIFIED"
        bounds = f"floor {proven.floor:g}  ceiling {proven.ceiling:g}"
        print(f"{proven.id}  {mark}  optimum {_optimum(proven)}  {bounds}")
        for proof in proven.proofs:
            if not proof.holds:
                print(f"    does not hold: {proof.claim} ({proof.method})")
    optima = [_optimum(proven) for proven in certificates]
    spread = ", ".join(f"{value}: {optima.count(value)}" for value in sorted(set(optima)))
    count = sum(proven.certified for proven in certificates)
    print_note(f"{count} of {len(certificates)} certified; optimum {spread}")
    proofs = [proof for proven in certificates for proof in proven.proofs]
    failed = {(proof.claim, proof.method) for proof in proofs if not proof.holds}
    for claim, method in dict.fromkeys((proof.claim, proof.method) for proof in proofs):
        if (claim, method) not in failed:
            print_note(f"  proved by {method}: {claim}")


def _optimum(certificate: "Certificate") -> str:
    return "unknown" if certificate.optimum is None else f"{certificate.optimum:g}"
