"""The start page: what there is to play, open games, and runs by family with their scores."""

import threading
from collections import defaultdict
from collections.abc import Iterable
from math import inf, isnan, nan
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from causarium import families
from causarium.contract.family_card import SetSpec
from causarium.contract.rules import check_edition
from causarium.engine.logbook.browse_logs import LogEntry, list_samples, shelve
from causarium.engine.logbook.log_files import LogHeader
from causarium.engine.logbook.run_card import UNKNOWN, RunCard
from causarium.errors import BadFile, CausariumError
from causarium.report.data.family_facts import facts_of
from causarium.report.data.scale import Scale, find_zero
from causarium.report.data.summaries import RunKey
from causarium.web.games import GameStore, GameSummary
from causarium.web.page_templates import page

MOST_OPEN = 12
"""So many open games are listed."""


class RunLine(NamedTuple):
    """One run as the start page shows it."""

    agent: str
    log: str
    when: str
    status: str
    played: int
    expected: int
    score: float
    """The mean of the headline metric."""
    place: float
    """The same on the set's scale; nan where the card states no zero."""
    older: tuple["RunLine", ...] = ()
    """Earlier runs of the same agent on the same set."""


class RunGroup(NamedTuple):
    """The runs on one set."""

    family: str
    title: str
    edition: str
    set: str
    metric: str
    """The headline metric of the edition."""
    has_strip: bool
    """Whether all scores lie between 0 and 1, so that a strip can show them."""
    runs: tuple[RunLine, ...]
    """Of models and people, the best first."""
    players: tuple[RunLine, ...]


class Tile(NamedTuple):
    """A family to play."""

    name: str
    title: str
    invitation: str
    has_picture: bool
    open_game: str
    """The newest game that is not over; empty if there is none."""


class Home:
    """The start page."""

    def __init__(self, logs: Path, store: GameStore) -> None:
        self._logs = logs
        self._store = store
        self._scores: dict[tuple[Path, int], tuple[int, list[float]]] = {}
        self._lock = threading.Lock()

    async def show(self, request: Request) -> Response:  # noqa: ARG002
        """Show what there is to play, and the runs."""
        return await to_thread.run_sync(self._show)

    async def list_families(self, request: Request) -> Response:  # noqa: ARG002
        """Show the families."""

        def show() -> Response:
            cards = list(families.read_cards().cards.items())
            return page("families.html", cards=cards)

        return await to_thread.run_sync(show)

    def _show(self) -> Response:
        shelf = shelve(self._logs)
        games = self._store.list_games()
        open_games = [game for game in games if not game.done]
        return page(
            "home.html",
            tiles=[_make_tile(name, open_games) for name in families.read_cards().cards],
            open_games=open_games[:MOST_OPEN],
            groups=self._group(shelf),
            damaged=[
                (str(shelved.log.path.relative_to(self._logs)), shelved.problem)
                for shelved in shelf
                if shelved.problem
            ],
            logs=str(self._logs),
        )

    def _group(self, shelf: Iterable[LogEntry]) -> list[RunGroup]:
        """Gather runs by family, edition and set, in the order in which families are listed."""
        lines: dict[tuple[str, str, str], dict[str, list[RunLine]]] = defaultdict(dict)
        for shelved in shelf:
            card = shelved.log.card
            if shelved.problem or not card.family:
                continue
            key = (card.family, card.edition, card.set)
            lines[key].setdefault(card.agent, []).append(self._line(shelved.log))
        places = {name: place for place, name in enumerate(families.names())}
        ordered = sorted(lines, key=lambda key: (places.get(key[0], len(places)), *key[1:]))
        return [_make_group(key, lines[key]) for key in ordered]

    def _line(self, log: LogHeader) -> RunLine:
        count, scores = self._read_scores(log)
        score, card = fmean(scores) if scores else nan, log.card
        spec, zero = _find_set(card)
        return RunLine(
            agent=log.card.agent,
            log=str(log.path.relative_to(self._logs)),
            when=log.path.name[:16].replace("T", " "),
            status=log.status,
            played=count,
            expected=spec.size * card.epochs if spec else log.expected,
            score=score,
            place=nan if zero is None else Scale(metric="", zero=zero).place(score),
        )

    def _read_scores(self, log: LogHeader) -> tuple[int, list[float]]:
        """Return how many samples a log has, and the headline metric of those that are scored."""
        key = (log.path, log.path.stat().st_mtime_ns)
        with self._lock:
            if key in self._scores:
                return self._scores[key]
        metric = _headline(log.card.family, log.card.edition)
        try:
            samples = list_samples(log.path)
        except BadFile:
            samples = []
        epochs: dict[str, list[float]] = {}
        for sample in samples:
            if not isnan(sample.numbers.get(metric, nan)):
                epochs.setdefault(sample.id, []).append(sample.numbers[metric])
        counted = len(samples), [fmean(scores) for scores in epochs.values()]
        with self._lock:
            self._scores[key] = counted
        return counted


def _headline(family: str, edition: str) -> str:
    try:
        return families.card(family).headline[check_edition(edition)]
    except (CausariumError, KeyError):
        return ""


def _find_set(card: RunCard) -> tuple[SetSpec | None, float | None]:
    """Return the set of a run as the family's card has it, and its zero."""
    try:
        facts = facts_of(families.get(card.family))
        key = RunKey(card.family, card.version, check_edition(card.edition), card.set)
    except CausariumError:
        return None, None
    stated = frozenset({card.set_digest} - {UNKNOWN})
    return facts.sets.get(key.edition, {}).get(key.set), find_zero(key, facts, stated)[0]


def _make_group(key: tuple[str, str, str], agents: dict[str, list[RunLine]]) -> RunGroup:
    newest = [runs[0]._replace(older=tuple(runs[1:])) for runs in agents.values()]
    newest.sort(key=lambda line: inf if isnan(line.score) else -line.score)
    family, edition, set_name = key
    return RunGroup(
        family=family,
        title=_title(family),
        edition=edition,
        set=set_name,
        metric=_headline(family, edition),
        has_strip=all(0 <= line.score <= 1 for line in newest if not isnan(line.score)),
        runs=tuple(line for line in newest if not line.agent.startswith("player/")),
        players=tuple(line for line in newest if line.agent.startswith("player/")),
    )


def _title(family: str) -> str:
    try:
        return families.card(family).title
    except CausariumError:
        return family


def _make_tile(name: str, open_games: list[GameSummary]) -> Tile:
    family = families.get(name)
    board_page = family.views.play_page
    return Tile(
        name=name,
        title=family.card.title,
        invitation=board_page.invitation if board_page else family.card.about,
        has_picture=bool(board_page and (board_page.folder / "tile.svg").is_file()),
        open_game=next((game.id for game in open_games if game.family == name), ""),
    )
