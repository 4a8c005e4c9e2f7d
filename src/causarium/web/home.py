"""Pages to look around in: start, families, sets, instances, the report."""

import json
import re
import threading
from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from math import inf, isnan, nan
from pathlib import Path
from statistics import fmean
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from causarium import families
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.family_card import SetSpec
from causarium.contract.rules import EDITIONS, Edition, check_edition
from causarium.contract.rungs import STANDARD, read_rung
from causarium.contract.sets.instance_sets import find_set
from causarium.engine.logbook.log_book import LogBook
from causarium.engine.logbook.log_files import LogHeader, find_logs, list_samples, shelve
from causarium.engine.logbook.run_card import RunCard
from causarium.errors import BadFile, CausariumError
from causarium.players.direct_runner import certify_instance
from causarium.report.data.number_format import show
from causarium.report.output.report_logs import report_logs
from causarium.report.output.write_html import render
from causarium.scoring.reach import find_reach
from causarium.web.games import GameStore, GameSummary, draw_case
from causarium.web.page_templates import PAGE, number, page
from causarium.web.play import FIRST_SETS, list_levels

_POLICY = re.compile(r'http-equiv="Content-Security-Policy" content="([^"<>\n]{1,500})"')
_CLOSED = "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"


class ReportPage:
    """The report of a folder."""

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        self._lock = threading.Lock()
        self._made: tuple[tuple[tuple[str, int], ...], str] = ((), "")
        """What the logs were when a report was last made, and that report."""

    def show(self, request: Request) -> Response:  # noqa: ARG002
        """Show the report; its own policy for scripts and styles stands in its head."""
        paths = find_logs([self._logs])
        stamp = tuple((str(path), path.stat().st_mtime_ns) for path in paths)
        with self._lock:
            if self._made[0] != stamp:
                self._made = (stamp, self._make())
            text = self._made[1]
        policy = _POLICY.search(text[:4_000])
        headers = {"Content-Security-Policy": f"{policy[1]}; {_CLOSED}"} if policy else {}
        return HTMLResponse(text, headers=headers)

    def _make(self) -> str:
        report, _ = report_logs(LogBook.read([self._logs]))
        paths = {str(path): path for path in find_logs([self._logs])}
        replays = {
            name: "/replay?" + urlencode({"log": path.relative_to(self._logs)})
            for name, path in paths.items()
        }
        return render(report, replays=replays)


class BrowsePages:
    """Pages on what there is to play."""

    def __init__(self, store: GameStore) -> None:
        self._store = store

    def family(self, request: Request) -> Response:
        """Show a family's card."""
        family = families.get(request.path_params["family"])
        return page("family.html", family=family, card=family.card, editions=EDITIONS)

    def set(self, request: Request) -> Response:
        """Show a set's instances, a page at a time."""
        family, edition, name = _read_path(request)
        spec = family.card.sets[edition][name]
        pages = -(-spec.size // PAGE)
        shown_page = number(request.query_params.get("page"), 1, least=1, most=pages)
        first, last = (shown_page - 1) * PAGE, min(shown_page * PAGE, spec.size)
        return page(
            "set.html",
            family=family,
            edition=edition,
            name=name,
            spec=spec,
            levels=_group_by_level(spec, first, last),
            at=shown_page,
            pages=pages,
        )

    def instance(self, request: Request) -> Response:
        """Show an instance as an agent sees it."""
        family, edition, name = _read_path(request)
        place = request.path_params["number"]
        instance = draw_case(family.name, edition, name, place)
        rules = family.rules_for(edition)
        return page(
            "instance.html",
            family=family,
            edition=edition,
            name=name,
            number=place,
            instance=instance,
            prompt=family.prompt(instance.public, rules),
            interfaces=family.for_edition(edition).rules.interfaces,
            is_open=self._store.is_open(instance.id),
        )

    def secret(self, request: Request) -> Response:
        """Show what only the scorer knows; whoever looks is noted."""
        _, instance = self._peek(request)
        secret = json.dumps(instance.secret.model_dump(mode="json"), indent=2, ensure_ascii=False)
        return page("secret.html", secret=secret, facets=instance.facets)

    def proofs(self, request: Request) -> Response:
        """Show what is proven about an instance; this may take a while."""
        family, instance = self._peek(request)
        edition = check_edition(request.path_params["edition"])
        return page("proofs.html", found=certify_instance(family, instance, edition))

    def _peek(self, request: Request) -> tuple[AnyFamily, AnyInstance]:
        """Return an instance before its truth is shown, and note that it is."""
        family, edition, name = _read_path(request)
        instance = draw_case(family.name, edition, name, request.path_params["number"])
        self._store.refuse_peek(instance.id, (family.name, edition, name))
        self._store.note_peek(instance.id)
        return family, instance


def _group_by_level(spec: SetSpec, first: int, last: int) -> list[tuple[str, list[int]]]:
    """Return the numbers of a page of a set, with the level of each run of them."""
    levels = list_levels(spec)
    runs = groupby(range(first, last), key=levels.__getitem__)
    return [(level, list(numbers)) for level, numbers in runs]


def _read_path(request: Request) -> tuple[AnyFamily, Edition, str]:
    edition, name = check_edition(request.path_params["edition"]), request.path_params["set"]
    family = families.get(request.path_params["family"], edition)
    find_set(family, edition, name)
    return family, edition, name


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
    """The mean of the headline metric, or the reach."""
    told: str
    """The score in words."""
    share: float
    """The score as a share of full marks."""
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
    levels: tuple[str, ...]
    """What there is to choose from, as the sets that are played first have it."""


class Home:
    """The start page."""

    def __init__(self, logs: Path, store: GameStore) -> None:
        self._logs = logs
        self._store = store
        # Once: to read the cards of all families takes 50 ms.
        self._cards = families.read_cards().cards
        self._scores: dict[tuple[Path, int], tuple[int, dict[str, float]]] = {}
        self._lock = threading.Lock()

    def list_families(self, request: Request) -> Response:  # noqa: ARG002
        """Show the families."""
        return page("families.html", cards=list(self._cards.items()))

    def show(self, request: Request) -> Response:  # noqa: ARG002
        """Show what there is to play, and the runs."""
        shelf = shelve(self._logs)
        games = self._store.list_games()
        open_games = [game for game in games if not game.done]
        return page(
            "home.html",
            tiles=[_make_tile(name, open_games) for name in self._cards],
            open_games=open_games[:MOST_OPEN],
            groups=self._group(shelf),
            damaged=[
                (str(shelved.path.relative_to(self._logs)), shelved.problem)
                for shelved in shelf
                if shelved.problem
            ],
            logs=str(self._logs),
        )

    def _group(self, shelf: Iterable[LogHeader]) -> list[RunGroup]:
        """Gather runs by family, edition and set, in the order in which families are listed."""
        lines: dict[tuple[str, str, str], dict[str, list[RunLine]]] = defaultdict(dict)
        for shelved in shelf:
            card = shelved.card
            if shelved.problem or not card.family:
                continue
            key = (card.family, card.edition, card.set)
            lines[key].setdefault(card.agent, []).append(self._line(shelved))
        places = {name: place for place, name in enumerate(self._cards)}
        ordered = sorted(lines, key=lambda key: (places.get(key[0], len(places)), *key[1:]))
        return [self._make_group(key, lines[key]) for key in ordered]

    def _line(self, log: LogHeader) -> RunLine:
        count, scores = self._read_scores(log)
        spec = _find_set(log.card)
        score, told, full = _tell_score(scores)
        return RunLine(
            agent=log.card.agent,
            log=str(log.path.relative_to(self._logs)),
            when=log.path.name[:16].replace("T", " "),
            status=log.status,
            played=count,
            expected=spec.size * log.card.epochs if spec else log.expected,
            score=score,
            told=told,
            share=score / full,
        )

    def _read_scores(self, log: LogHeader) -> tuple[int, dict[str, float]]:
        """Return the number of samples of a log, and the headline metric of scored instances."""
        key = (log.path, log.path.stat().st_mtime_ns)
        with self._lock:
            if key in self._scores:
                return self._scores[key]
        metric = self._headline(log.card.family, log.card.edition)
        try:
            samples = list_samples(log.path)
        except BadFile:
            samples = []
        epochs: dict[str, list[float]] = {}
        for sample in samples:
            if not isnan(sample.numbers.get(metric, nan)):
                epochs.setdefault(sample.id, []).append(sample.numbers[metric])
        counted = len(samples), {id_: fmean(scores) for id_, scores in epochs.items()}
        with self._lock:
            self._scores[key] = counted
        return counted

    def _headline(self, family: str, edition: str) -> str:
        card = self._cards.get(family)
        headlines = {} if card is None else {str(name): it for name, it in card.headline.items()}
        return headlines.get(edition, "")

    def _make_group(self, key: tuple[str, str, str], agents: dict[str, list[RunLine]]) -> RunGroup:
        newest = [runs[0]._replace(older=tuple(runs[1:])) for runs in agents.values()]
        newest.sort(key=lambda line: inf if isnan(line.score) else -line.score)
        family, edition, set_name = key
        return RunGroup(
            family=family,
            title=self._cards[family].title if family in self._cards else family,
            edition=edition,
            set=set_name,
            metric=self._headline(family, edition),
            runs=tuple(line for line in newest if not line.agent.startswith("player/")),
            players=tuple(line for line in newest if line.agent.startswith("player/")),
        )


def _tell_score(scores: dict[str, float]) -> tuple[float, str, float]:
    """Return a run's score, the score in words, and full marks: of a ladder, one a rung."""
    rungs = {id_: rung for id_ in scores if (rung := read_rung(id_))}
    if len(rungs) < len(scores) or not scores:
        mean = fmean(scores.values()) if scores else nan
        return mean, show(mean), 1.0
    reach = find_reach((rung, scores[id_], id_) for id_, rung in rungs.items())
    return reach.value, reach.in_words, float(max(STANDARD, *rungs.values()))


def _find_set(card: RunCard) -> SetSpec | None:
    """Return the set of a run as the family's card has it."""
    try:
        own = families.card(card.family)
        return own.sets.get(check_edition(card.edition), {}).get(card.set)
    except CausariumError:
        return None


def _make_tile(name: str, open_games: list[GameSummary]) -> Tile:
    family = families.get(name, "certified")
    board_page, sets = family.views.play_page, family.card.sets["certified"]
    first = [sets[name] for name in FIRST_SETS if name in sets]
    return Tile(
        name=name,
        title=family.card.title,
        invitation=board_page.invitation if board_page else family.card.about,
        has_picture=bool(board_page and (board_page.folder / "tile.svg").is_file()),
        open_game=next((game.id for game in open_games if game.family == name), ""),
        levels=tuple(dict.fromkeys(part.level for spec in first for part in spec.parts)),
    )
