"""Audits by several processes or machines: shares are played apart and put together."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from causarium import families
from causarium.api.scale.workers import HERE, Workers, run_tasks
from causarium.contract.frozen import Numbers, canonical_json
from causarium.contract.places import Place
from causarium.contract.shard import WHOLE, Shard
from causarium.errors import BadFile, UsageError
from causarium.players.audit_family import (
    Audit,
    AuditShare,
    PlayedShare,
    audit_share,
    combine_shares,
)

_NAME = "audit-"


class AuditTask(NamedTuple):
    """One share of an audit, as plain data."""

    family: str
    set: str
    limit: int | None
    shard: Shard
    fresh: int | None = None
    seed: int = 0
    full: bool = False


def audit_set(  # noqa: PLR0913 - what an audit plays, and who plays it
    family: str,
    *,
    set: str = "standard",
    limit: int | None = None,
    fresh: int | None = None,
    seed: int = 0,
    full: bool = False,
    workers: Workers = HERE,
    watch: Callable[[str], None] | None = None,
) -> Audit:
    """Audit a certified set.

    Args:
        family: The family's name.
        set: A named set.
        limit: Play only the first so many instances.
        fresh: Play so many instances that are in no set, in place of the set's own.
        seed: Where the players' own draws, and fresh instances, start.
        full: Whether to play more generic attacks, which learn from more instances.
        workers: Who plays.
        watch: Is told the name of each player before it plays, where this process plays.
    """
    share = _share_out(AuditTask(family, set, limit, WHOLE, fresh, seed, full), workers, watch)
    return combine_shares(families.get(family), [share])


def play_share(task: AuditTask) -> AuditShare:
    """Play one share of an audit."""
    return _play_here(task, None)


def _play_here(task: AuditTask, watch: Callable[[str], None] | None) -> AuditShare:
    return audit_share(
        families.get(task.family),
        set_name=task.set,
        limit=task.limit,
        fresh=task.fresh,
        seed=task.seed,
        full=task.full,
        shard=task.shard,
        watch=watch,
    )


def _share_out(
    task: AuditTask, workers: Workers, watch: Callable[[str], None] | None
) -> AuditShare:
    """Play one share of an audit by several processes, each of which has an equal part of it."""
    if workers == HERE:
        return _play_here(task, watch)
    shards = task.shard.split(workers.count_processes())
    tasks = [task._replace(shard=shard) for shard in shards]
    return _join(list(run_tasks(play_share, tasks, workers)), task.shard)


def _join(parts: Sequence[AuditShare], shard: Shard) -> AuditShare:
    """Return a share that was dealt out, as one process would have played it."""
    first, count = parts[0], len(parts)
    players: list[PlayedShare] = []
    for played in first.players:
        mine = [one for part in parts for one in part.players if one.player == played.player]
        if len(mine) == count:
            numbers: list[Numbers] = [{}] * sum(len(one.numbers) for one in mine)
            for place, one in enumerate(mine):
                numbers[place::count] = one.numbers
            players.append(played.model_copy(update={"numbers": tuple(numbers)}))
    bounds: list[Numbers] = [{}] * sum(len(part.bounds) for part in parts)
    for place, part in enumerate(parts):
        if bounds:
            bounds[place::count] = part.bounds
    return first.model_copy(
        update={
            "bounds": tuple(bounds),
            "number": shard.number,
            "count": shard.count,
            "players": tuple(players),
            "probes": {name: row for part in parts for name, row in part.probes.items()},
            "skipped": tuple(dict.fromkeys(reason for part in parts for reason in part.skipped)),
        }
    )


def write_share(
    out: str | Path,
    family: str,
    *,
    set: str = "standard",
    limit: int | None = None,
    shard: Shard = WHOLE,
    workers: Workers = HERE,
    watch: Callable[[str], None] | None = None,
) -> Place:
    """Play one share of an audit and write it to a folder, for `merge_audit`.

    Args:
        out: The folder, here or on an object store.
        family: The family's name.
        set: A named set.
        limit: Play only the first so many instances, of which this is a share.
        shard: Which share.
        workers: Who plays.
        watch: Is told the name of each player before it plays, where this process plays.

    Raises:
        BadFile: The folder cannot be written to.
    """
    place = Place.parse(out) / f"{_NAME}{shard.number:04d}-of-{shard.count:04d}.json"
    share = _share_out(AuditTask(family, set, limit, shard), workers, watch)
    # Not a number is null, and is read back as what it was.
    content = json.loads(share.model_dump_json())
    place.write_bytes(f"{canonical_json(content)}\n".encode())
    return place


def holds_audit(place: str | Path) -> bool:
    """Whether there are shares of an audit in a folder."""
    return any(name.startswith(_NAME) for name in Place.parse(place).list_names())


def merge_audit(place: str | Path) -> Audit:
    """Put together the shares of an audit that are in a folder.

    Raises:
        UsageError: There are none, some are missing, or they are of different audits.
    """
    folder = Place.parse(place)
    names = [name for name in folder.list_names() if name.startswith(_NAME)]
    if not names:
        raise UsageError(f"{folder} holds no share of an audit")
    shares = []
    for name in names:
        try:
            shares.append(AuditShare.model_validate_json((folder / name).read_bytes()))
        except ValidationError as wrong:
            raise BadFile(f"{folder / name} is not a share of an audit: {wrong}") from wrong
    return combine_shares(families.get(shares[0].family), shares)
