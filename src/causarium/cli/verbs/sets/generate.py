"""`causarium generate`: generate instances of a level and save them."""

from pathlib import Path
from typing import Annotated

import typer

from causarium.cli.options import AsJson, EngineName, FamilyName, Jobs, ShardOf
from causarium.cli.shared import INCOMPLETE, print_json, print_note
from causarium.errors import UsageError


def generate(
    family: FamilyName,
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
    shard: ShardOf = None,
    jobs: Jobs = 1,
    engine: EngineName = None,
    certified: Annotated[
        bool, typer.Option("--certify/--no-certify", help="Keep certificates in the parts.")
    ] = True,
    resume: Annotated[
        bool, typer.Option("--resume/--no-resume", help="Continue in a folder that has parts.")
    ] = True,
    released: Annotated[
        bool, typer.Option("--released", help="Write the published release's own format.")
    ] = False,
    json: AsJson = False,
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
        raise UsageError(
            f"a salt draws the private split, and this is {split}; say --split private"
        )
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
