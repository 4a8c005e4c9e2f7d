"""The games that people play, kept in one SQLite file, so that an open one survives a restart.

A turn is written before the page that answers it is sent. Nothing is thrown away. The file also
says which instances somebody has seen the truth of: a later game on one of those is marked.
"""

import secrets
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from causarium import families
from causarium.contract.episode import Episode
from causarium.contract.family import AnyFamily, AnyInstance, Prompt
from causarium.contract.rules import Edition, Rules, check_edition
from causarium.contract.sets.instance_sets import generate_one
from causarium.contract.turn import Turn
from causarium.contract.views.play_page import Exchange
from causarium.contract.world import Move
from causarium.errors import CausariumError, UsageError
from causarium.web.page_templates import StillOpen

FILE = "games.sqlite3"
MOST_READY = 50
"""So many games are kept ready in memory; the others are played again from the file when asked."""
_TABLES = """
create table if not exists games (
  id text primary key, family text, version text, edition text, "set" text, number integer,
  instance text, rules text, began text, seen integer, done integer default 0, log text default '',
  score real
);
create table if not exists turns (game text, n integer, turn text, primary key (game, n));
create table if not exists peeks (instance text primary key, at text);
"""


_DRAWING = threading.Lock()


@lru_cache(maxsize=100)  # up to a second each, and every page of a game asks
def _draw_case(family: str, edition: Edition, set_name: str, number: int) -> AnyInstance:
    return generate_one(families.get(family, edition), edition, set_name, number)


def draw_case(family: str, edition: Edition, set_name: str, number: int) -> AnyInstance:
    """Draw an instance of a named set, or return the one that was drawn before.

    A game asks for its own three times and more, and one of ReCITE takes 100 ms to draw. Visitors
    who come at once wait for one drawing, and do not each make their own.

    Raises:
        UsageError: There is no such instance.
    """
    with _DRAWING:
        return _draw_case(family, edition, set_name, number)


@dataclass
class Game:
    """One person's game."""

    id: str
    episode: Episode
    exchanges: list[Exchange]
    """The turns of the episode with all that the world answered."""
    edition: Edition
    set: str
    number: int
    seen_before: bool
    """Whether somebody had seen the truth of the instance before the game began."""
    done: bool = False
    """Whether it is over or was given up."""
    log: str = ""
    """The log that it was written to, once it is done."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    """One writer at a time: the same game may be open in two tabs."""

    @property
    def family(self) -> AnyFamily:
        """The family that is played."""
        return self.episode.family

    @property
    def instance(self) -> AnyInstance:
        """What is played."""
        return self.episode.instance

    @property
    def prompt(self) -> Prompt:
        """What an agent would read first."""
        return self.family.prompt(self.instance.public, self.episode.rules)

    def try_move(self, move: Move) -> tuple[Episode, Exchange]:
        """Make a move in a fresh world that has come to where this one is, and leave this one."""
        episode = Episode(self.family, self.instance, self.episode.rules)
        for past in self.exchanges:
            episode.step(past.move)
        return episode, Exchange(move, episode.step(move))


class GameSummary(NamedTuple):
    """One game in short."""

    id: str
    family: str
    edition: str
    set: str
    number: int
    instance: str
    began: str
    turns: int
    score: float | None
    done: bool
    seen_before: bool


class GameStore:
    """All games of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path = folder / FILE
        self._ready: dict[str, Game] = {}
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        """Writers wait in line here: SQLite lets them try again and again, in no order."""

    def begin(
        self, family: AnyFamily, edition: Edition, set_name: str, number: int, rules: Rules
    ) -> Game:
        """Open a new game and write it down.

        Raises:
            UsageError: There is no such instance, or games cannot be kept here.
        """
        instance = draw_case(family.name, edition, set_name, number)
        game = Game(
            id=secrets.token_urlsafe(9),
            episode=Episode(family, instance, rules),
            exchanges=[],
            edition=edition,
            set=set_name,
            number=number,
            seen_before=self.was_seen(instance.id),
        )
        row = (
            game.id,
            game.family.name,
            game.family.card.version,
            game.edition,
            game.set,
            game.number,
            game.instance.id,
            game.episode.rules.model_dump_json(),
            _format_current_time(),
            int(game.seen_before),
        )
        with self._write() as file:
            file.execute(
                'insert into games (id, family, version, edition, "set", number, instance, rules, '
                "began, seen) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )
        return self._keep(game)

    def get(self, id_: str) -> Game:
        """Return a game, played again from the file if it is not at hand.

        Raises:
            UsageError: There is none, or it cannot be played on with this version.
        """
        with self._lock:
            if id_ in self._ready:
                return self._ready[id_]
        rows = self._read(
            'select family, version, edition, "set", number, rules, seen, done, log from games '
            "where id = ?",
            id_,
        )
        if not rows:
            raise UsageError("there is no such game; begin another from the start page")
        family_name, version, edition, set_name, number, rules, seen, done, log = rows[0]
        family = families.get(family_name, check_edition(edition))
        if family.card.version != version:
            raise UsageError(
                f"this game was begun with version {version} of {family_name}, and this is version "
                f"{family.card.version}; begin another from the start page"
            )
        try:
            instance = draw_case(family_name, check_edition(edition), set_name, int(number))
            episode = Episode(family, instance, family.rules.model_validate_json(rules))
            exchanges = [_repeat(episode, turn) for turn in self._turns(id_)]
        except ValidationError as wrong:
            raise UsageError("this game cannot be read any more; begin another") from wrong
        game = Game(
            id=id_,
            episode=episode,
            exchanges=exchanges,
            edition=check_edition(edition),
            set=set_name,
            number=int(number),
            seen_before=bool(seen),
            done=bool(done),
            log=log,
        )
        return self._keep(game)

    def _turns(self, id_: str) -> list[Turn]:
        rows = self._read("select turn from turns where game = ? order by n", id_)
        return [Turn.model_validate_json(turn) for (turn,) in rows]

    def _keep(self, game: Game) -> Game:
        """Keep a game ready; the one that is there already wins, so that there is one lock."""
        with self._lock:
            game = self._ready.setdefault(game.id, game)
            while len(self._ready) > MOST_READY:
                self._ready.pop(next(iter(self._ready)))
        return game

    def take(self, game: Game, episode: Episode, exchange: Exchange) -> None:
        """Write a move down that was made, then make it the game's."""
        with self._write() as file:
            file.execute(
                "insert into turns values (?, ?, ?)",
                (game.id, len(game.exchanges), episode.turns[-1].model_dump_json()),
            )
        game.episode = episode
        game.exchanges.append(exchange)

    def finish(self, game: Game, log: str, score: float) -> None:
        """Note that a game is over; its truth is shown from then on."""
        with self._write() as file:
            file.execute(
                "update games set done = 1, log = ?, score = ? where id = ?", (log, score, game.id)
            )
        game.done, game.log = True, log
        self.note_peek(game.instance.id)

    def list_games(self) -> list[GameSummary]:
        """Return all games, newest first."""
        rows = self._read(
            'select id, family, edition, "set", number, instance, began, '
            "(select count(*) from turns where game = games.id), score, done, seen "
            "from games order by rowid desc"
        )
        return [GameSummary._make((*row[:9], bool(row[9]), bool(row[10]))) for row in rows]

    def is_open(self, instance: str) -> bool:
        """Tell whether somebody is playing an instance."""
        return bool(self._read("select 1 from games where instance = ? and done = 0", instance))

    def refuse_peek(self, instance: str, address: tuple[str, str, str] | None = None) -> None:
        """Let nobody see the truth of an instance while one of its set is being played.

        Instances of a set may be twins: the truth of one is then that of the other.

        Args:
            instance: Its id.
            address: The family, the edition and the name of its set, where they are known; else
                instances are of one set if their ids differ in the last number alone.

        Raises:
            StillOpen: A game on one of its set is open.
        """
        rows = self._read('select instance, family, edition, "set" from games where done = 0')
        for played, *of in rows:
            kin = played.rpartition("-")[0] == instance.rpartition("-")[0]
            if played == instance or kin or tuple(of) == address:
                raise StillOpen(
                    f"a game on {played} is open, and this page shows the truth of its set; finish "
                    "the game or give it up first"
                )

    def note_peek(self, instance: str) -> None:
        """Note that somebody has seen the truth of an instance."""
        with self._write() as file:
            file.execute(
                "insert or ignore into peeks values (?, ?)", (instance, _format_current_time())
            )

    def was_seen(self, instance: str) -> bool:
        """Tell whether somebody has seen the truth of an instance."""
        return bool(self._read("select 1 from peeks where instance = ?", instance))

    def _read(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        if not self._path.is_file():
            return []
        with self._open() as file:
            return file.execute(query, values).fetchall()

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as wrong:
            raise UsageError(f"games cannot be kept in {self.folder}: {wrong.strerror}") from wrong
        with self._writing, self._open() as file, file:
            file.executescript(_TABLES)
            yield file

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self._path, timeout=20)) as file:
                yield file
        except sqlite3.Error as wrong:
            raise UsageError(
                f"the games in {self._path} cannot be read or written ({wrong}); with that file "
                "moved away, new ones can be played"
            ) from wrong


def _repeat(episode: Episode, turn: Turn) -> Exchange:
    try:
        move = turn.move(episode.family.actions)
        seen = episode.step(move)
    except CausariumError as wrong:
        raise UsageError(f"this game cannot be continued: {wrong}") from wrong
    if seen.text != turn.observation:
        raise UsageError(
            "this game cannot be continued: the world no longer answers as it did; begin another"
        )
    return Exchange(move, seen)


def _format_current_time() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
