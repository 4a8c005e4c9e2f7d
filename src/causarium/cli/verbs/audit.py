"""`causarium audit`: what a set's score is worth to those who do not reason about causes."""

from typing import Annotated

import typer

from causarium.cli.options import AsJson, EngineName, FamilyName, Jobs, Limit, SetName, ShardOf
from causarium.cli.shared import print_json, print_note


def audit(
    family: FamilyName,
    *,
    set_name: SetName = "standard",
    limit: Limit = None,
    fresh: Annotated[
        int | None,
        typer.Option(min=2, help="Play so many instances that are in no set, in place of its own."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Where fresh instances and players' draws start.")] = 0,
    shard: ShardOf = None,
    out: Annotated[
        str | None, typer.Option(help="Folder for the share of a shard; `causarium merge` it.")
    ] = None,
    jobs: Jobs = 1,
    engine: EngineName = None,
    json: AsJson = False,
) -> None:
    """Hold each class of players against its bound, then every player. No model needed."""
    from causarium.api.scale.audit_many import audit_set, write_share
    from causarium.api.scale.workers import Workers
    from causarium.contract.shard import Shard
    from causarium.errors import UsageError
    from causarium.report.output.print_audit import print_audit

    share, workers = Shard.parse(shard), Workers.parse(jobs, engine)
    if (out is None) != share.is_whole:
        raise UsageError("a shard of an audit needs both --shard K/N and --out FOLDER")
    if out is not None:
        place = write_share(
            *(out, family),
            set=set_name,
            limit=limit,
            shard=share,
            workers=workers,
            watch=print_note,
        )
        print_note(f"{place}: share {share}; next: causarium merge {out}")
        return
    audited = audit_set(
        family, set=set_name, limit=limit, fresh=fresh, seed=seed, workers=workers, watch=print_note
    )
    print_json(audited.flat()) if json else print_audit(audited)
    if not audited.kept:
        raise typer.Exit(1)
