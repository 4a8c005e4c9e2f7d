"""Verbs about sets of instances: `generate`, `certify`, `merge`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from causarium.cli import options as given
from causarium.cli.shared import INCOMPLETE, print_json, print_note
from causarium.errors import UsageError

if TYPE_CHECKING:
    from causarium.contract.certificate import Certificate


def generate(
    family: given.FamilyName,
    *,
    level: Annotated[str, typer.Option(help="Level; see `causarium list FAMILY`.")],
    size: Annotated[int, typer.Option(min=1, help="Number of instances.")],
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    split: Annotated[str, typer.Option(help="train, validation or private.")] = "train",
    salt_file: Annotated[
        Path | None, typer.Option(help="Your secret for the private split (or CAUSARIUM_SALT).")
    ] = None,
    out: Annotated[
        str, typer.Option(help="File (.jsonl), or folder of a large set in parts; URLs too.")
    ],
    start: Annotated[int, typer.Option(min=0, help="Index of the first instance.")] = 0,
    rows: Annotated[int, typer.Option(min=1, help="Instances per part.")] = 1_000,
    shard: given.ShardOf = None,
    jobs: given.Jobs = 1,
    engine: given.EngineName = None,
    certified: Annotated[
        bool, typer.Option("--certify/--no-certify", help="Keep certificates in the parts.")
    ] = True,
    resume: Annotated[
        bool, typer.Option("--resume/--no-resume", help="Continue in a folder that has parts.")
    ] = True,
    released: Annotated[
        bool, typer.Option("--released", help="Write the published release's own format.")
    ] = False,
    json: given.AsJson = False,
) -> None:
    """Generate instances of a level and save them, as one file or as a folder of parts.

    A folder is written part by part: stop it at any time, run it again to resume, or split the
    work with --shard.
    """
    from causarium.api.benchmark import load_level
    from causarium.api.scale.make_parts import write_parts
    from causarium.api.scale.workers import HERE, Workers
    from causarium.contract.sets.splits import read_salt
    from causarium.contract.shard import Shard

    benchmark = load_level(family, level)
    if released:
        count = benchmark.write_released(Path(out), level, size=size, seed=seed, split=split)
        print_note(f"{count} instances of {family}/{level} in {out}, in the released format")
        return
    if salt_file is not None and split != "private":
        raise UsageError(f"a salt is for the private split, not for {split}; give --split private")
    salt = read_salt(salt_file) if split == "private" else None
    share, workers = Shard.parse(shard), Workers.parse(jobs, engine)
    if out.endswith(".jsonl") and workers == HERE and share.is_whole and not start:
        header = benchmark.write_set(out, level, size=size, seed=seed, split=split, salt=salt)
        if json:
            print_json({**header.model_dump(mode="json"), "file": out})
        else:
            print_note(f"{size} {split} instances of {family}/{level} in {out}, {header.digest}")
        return
    made = write_parts(
        *(benchmark, out, level),
        size=size,
        seed=seed,
        split=split,
        salt=salt,
        start=start,
        rows=rows,
        certify=certified,
        shard=share,
        workers=workers,
        resume=resume,
        watch=None if json else lambda part: print_note(f"part {part.part}: {part.rows} instances"),
    )
    print_json(made.flat()) if json else print_note(made.describe())
    if made.uncertified:
        raise typer.Exit(INCOMPLETE)


def certify(
    family: given.FamilyName,
    *,
    edition: given.EditionName = "certified",
    set_name: given.SetName = "standard",
    file: given.SetFile = None,
    limit: given.Limit = None,
    shard: given.ShardOf = None,
    jobs: given.Jobs = 1,
    engine: given.EngineName = None,
    again: Annotated[
        bool, typer.Option("--again", help="Prove stored certificates again and compare.")
    ] = False,
    json: given.AsJson = False,
) -> None:
    """Prove instances, and print the floor, ceiling and optimum of each.

    The outputs of all shards, in order, are the output of the whole set.
    """
    from rich.console import Console
    from rich.progress import track

    from causarium.api.scale.audit_many import CertificateCounts, certify_set, flatten
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


def merge(
    place: Annotated[str, typer.Argument(metavar="FOLDER", help="Folder of shards; URLs too.")],
    *,
    json: given.AsJson = False,
) -> None:
    """Merge the results of shards: the parts of a set, or the shares of an audit.

    Logs of shards need no merging: `causarium report` and `score` combine them.
    """
    from causarium.api.scale.audit_many import holds_audit, merge_audit
    from causarium.api.scale.make_parts import merge_parts
    from causarium.report.output.print_tables import print_audit

    if holds_audit(place):
        audited = merge_audit(place)
        print_json(audited.flat()) if json else print_audit(audited)
        if not audited.kept:
            raise typer.Exit(1)
        return
    manifest = merge_parts(place)
    uncertified = sum(part.uncertified for part in manifest.parts)
    if json:
        print_json(manifest.model_dump(mode="json"))
    else:
        print_note(f"{manifest.instances} instances in {place}, {manifest.digest}")
    if uncertified:
        print_note(f"{uncertified} instances are not certified")
        raise typer.Exit(INCOMPLETE)
