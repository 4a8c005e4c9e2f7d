"""The pictures that families draw of their own rows and episodes, as panels of the report."""

import math
from collections.abc import Callable, Iterator, Sequence

from causarium import families
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.row import Row
from causarium.contract.rules import Rules
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.engine.logbook.log_book import LogBook
from causarium.report.data.family_facts import Panel
from causarium.report.data.summaries import PLAYING, role_of

MOST_EPISODES = 4
"""So many agents' episodes are drawn for each family."""


def draw_family_figures(
    book: LogBook, rows: Sequence[Row], episode: str | None = None
) -> list[Panel]:
    """Return every picture that the families of `rows` draw.

    Args:
        book: The logs that `rows` were read from.
        rows: All rows of the report.
        episode: The instance to draw; where it is not given, one that told agents apart.
    """
    panels = []
    for name in dict.fromkeys(row.family for row in rows):
        if name not in families.names():
            continue
        family, mine = families.get(name), [row for row in rows if row.family == name]
        if family.views.draw_rows is not None:
            pictures = family.views.draw_rows(_separate_variants(mine))
            panels += [_panel(name, picture) for picture in pictures]
        if family.views.draw_episode is not None:
            logged = [row for row in book.rows if is_of_today(row, family)]
            if logged:
                panels += _episodes(family, family.views.draw_episode, book, logged, episode)
    return panels


def _separate_variants(rows: Sequence[Row]) -> list[Row]:
    """Return rows in which runs that differ have agents of different names."""
    return [
        row.model_copy(update={"agent": f"{row.agent} ({row.variant})"}) if row.variant else row
        for row in rows
    ]


def _episodes(
    family: AnyFamily,
    draw: Callable[[AnyInstance, Rules, Sequence[Turn]], Figure],
    book: LogBook,
    rows: Sequence[Row],
    episode: str | None,
) -> Iterator[Panel]:
    chosen = episode or telling_instance(rows, family.card.headline[rows[0].edition])
    drawn: set[str] = set()
    for sample in book.samples_of(chosen) if chosen else ():
        agent = sample.row.agent
        if not is_of_today(sample.row, family) or agent in drawn:
            continue
        if role_of(agent) in PLAYING and len(drawn) < MOST_EPISODES:
            drawn.add(agent)
            instance, rules = sample.record.rebuild(family)
            yield _panel(family.name, draw(instance, rules, sample.turns), agent)


def is_of_today(row: Row, family: AnyFamily) -> bool:
    """Whether a row is of this family and of the version that can play it again."""
    return row.family == family.name and row.version == family.card.version


def telling_instance(rows: Sequence[Row], metric: str) -> str | None:
    """Return the earliest instance that all agents played and that told them apart.

    Where agents agree on everything it is the first that all played; None if there is none.
    """
    scores: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.unscored is None and role_of(row.agent) in PLAYING:
            scores.setdefault(row.id, {})[row.agent] = row.numbers.get(metric, math.nan)
    everyone = max(map(len, scores.values()), default=0)
    shared = {id_: seen for id_, seen in scores.items() if len(seen) == everyone}
    told_apart = [id_ for id_, seen in shared.items() if len(set(seen.values())) > 1]
    return next(iter([*told_apart, *shared]), None)


def _panel(family: str, picture: Figure, about: str = "") -> Panel:
    title = f"{picture.title}: {about}" if about else picture.title
    return Panel(title=title, markup=picture.svg, caption=picture.caption, family=family)
