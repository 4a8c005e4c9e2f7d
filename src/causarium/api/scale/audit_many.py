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
    """One share of an audit of a certified set, as plain data."""

    family: str
    set: str = "standard"
    limit: int | None = None
    """Only the first so many instances, of which this is a share."""
    shard: Shard = WHOLE
    fresh: int | None = None
    """So many instances that are in no set, in place of the set's own."""
    seed: int = 0
    """Where the players' own draws, and fresh instances, start."""
    full: bool = False
    """Whether to play more generic attacks, which learn from more instances."""


def audit_set(
    task: AuditTask, workers: Workers = HERE, watch: Callable[[str], None] | None = None
) -> Audit:
    """Audit a certified set.

    Args:
        task: The whole of it.
        workers: Who plays.
        watch: Is told the name of each player before it plays, where this process plays.
    """
    return combine_shares(families.get(task.family), [_share_out(task, workers, watch)])


def play_share(task: AuditTask, watch: Callable[[str], None] | None = None) -> AuditShare:
    """Play one share of an audit."""
    asked = task._asdict()
    family, set_name = families.get(asked.pop("family")), asked.pop("set")
    return audit_share(family, set_name=set_name, watch=watch, **asked)


def _share_out(
    task: AuditTask, workers: Workers, watch: Callable[[str], None] | None
) -> AuditShare:
    """Play one share of an audit by several processes, each of which has an equal part of it."""
    if workers == HERE:
        return play_share(task, watch)
    shards = task.shard.split(workers.count_processes())
    tasks = [task._replace(shard=shard) for shard in shards]
    return _join(list(run_tasks(play_share, tasks, workers)), task.shard)


def _join(parts: Sequence[AuditShare], shard: Shard) -> AuditShare:
    """Return a share that was dealt out, as one process would have played it."""
    first = parts[0]
    players: list[PlayedShare] = []
    for played in first.players:
        mine = [one for part in parts for one in part.players if one.player == played.player]
        if len(mine) == len(parts):
            numbers = _interleave([one.numbers for one in mine])
            players.append(played.model_copy(update={"numbers": numbers}))
    return first.model_copy(
        update={
            "bounds": _interleave([part.bounds for part in parts]),
            "number": shard.number,
            "count": shard.count,
            "players": tuple(players),
            "probes": {name: row for part in parts for name, row in part.probes.items()},
            "skipped": tuple(dict.fromkeys(reason for part in parts for reason in part.skipped)),
        }
    )


def _interleave(parts: Sequence[Sequence[Numbers]]) -> tuple[Numbers, ...]:
    """Return what was dealt out like cards in its order again."""
    whole: list[Numbers] = [{}] * sum(map(len, parts))
    for place, part in enumerate(parts):
        whole[place :: len(parts)] = part
    return tuple(whole)


def write_share(
    out: str | Path,
    task: AuditTask,
    workers: Workers = HERE,
    watch: Callable[[str], None] | None = None,
) -> Place:
    """Play one share of an audit and write it to a folder, for `merge_audit`.

    Args:
        out: The folder, here or on an object store.
        task: The share.
        workers: Who plays.
        watch: Is told the name of each player before it plays, where this process plays.

    Raises:
        BadFile: The folder cannot be written to.
    """
    place = Place.parse(out) / f"{_NAME}{task.shard.number:04d}-of-{task.shard.count:04d}.json"
    share = _share_out(task, workers, watch)
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
