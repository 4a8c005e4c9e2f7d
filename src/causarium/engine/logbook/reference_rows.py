"""Players beside whoever played: on the same instances, under the same rules, without a model.

A score says little without what no reading earns. A family's card names the players whose scores
stand beside every run (`beside`); they play when a run is printed or reported, and leave no log.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from causarium.contract.episode import play
from causarium.contract.row import Row
from causarium.engine.logbook.read_logs import Lookup, read_records
from causarium.engine.record.episode_record import Record
from causarium.errors import BadFile, UnknownName
from causarium.players.direct_runner import make_row


def rows_beside(paths: Sequence[Path], rows: Sequence[Row], lookup: Lookup) -> list[Row]:
    """Return the rows of the players that stand beside `rows`, which were read from `paths`.

    A player that has a row of its own for an instance does not play it again.
    """
    played = {(*_where(row), row.agent) for row in rows}
    found: list[Row] = []
    for path in paths:
        # What can be read of a damaged log counts; who reads its rows says what is wrong with it.
        with suppress(BadFile):
            for record in read_records(path):
                for row in _played(record, lookup, played):
                    played.add((*_where(row), row.agent))
                    found.append(row)
    return found


def _where(row: Row) -> tuple[str, ...]:
    return (row.family, row.edition, row.set, row.interface, row.id)


def _played(record: Record, lookup: Lookup, played: Collection[tuple[str, ...]]) -> Iterator[Row]:
    try:
        family = lookup(record.family)
    except UnknownName:
        return
    if not family.card.reference_players or record.version != family.card.version:
        return
    instance, rules = record.reopen(family)
    where = (record.family, record.edition, record.set, record.interface, instance.id)
    for player in family.card.reference_players:
        agent = f"player/{player}"
        if (*where, agent) not in played:
            episode = play(family, instance, rules, player)
            yield make_row(
                episode,
                episode.score(),
                edition=record.edition,
                set_name=record.set,
                agent=agent,
            )
