"""A person plays: the same world, budget and scorer as an agent's, and a log at the end."""

import json
import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from causarium import families
from causarium.contract.episode import Episode
from causarium.contract.family import Prompt
from causarium.contract.rules import Edition, check_edition
from causarium.contract.sets.instance_sets import generate_one
from causarium.contract.world import frame_of
from causarium.errors import UsageError
from causarium.web.action_forms import forms_of, read_form
from causarium.web.belief_graph import draw_staging
from causarium.web.frames import list_keyed_moves
from causarium.web.page_templates import form, number, page

MOST_GAMES = 200
"""So many games are kept; the oldest makes room."""


@dataclass
class Game:
    """One person's game."""

    id: str
    episode: Episode
    edition: Edition
    set: str
    number: int
    prompt: Prompt
    lock: threading.Lock = field(default_factory=threading.Lock)
    """One writer at a time: the same game may be open in two tabs."""
    log: Path | None = None


class Playing:
    """Pages on which people play."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._writing = threading.Lock()

    async def begin(self, request: Request) -> Response:
        """Open a game and go to it."""
        given = await form(request)
        game = await to_thread.run_sync(self._open, given)
        return RedirectResponse(f"/games/{game.id}", 303)

    def _open(self, given: dict[str, str]) -> Game:
        family = families.get(given.get("family", ""))
        edition, name = check_edition(given.get("edition", "")), given.get("set", "")
        at = number(given.get("number"), 0)
        instance = generate_one(family, edition, name, at)
        rules = family.rules_for(edition, interface=given.get("interface") or None)
        game = Game(
            id=secrets.token_urlsafe(9),
            episode=Episode(family, instance, rules),
            edition=edition,
            set=name,
            number=at,
            prompt=family.prompt(instance.public, rules),
        )
        self._games[game.id] = game
        while len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)
        return game

    def _game(self, request: Request) -> Game:
        game = self._games.get(request.path_params["game"])
        if game is None:
            raise UsageError("this game is not kept any more; begin another from the family's page")
        return game

    async def show(self, request: Request) -> Response:
        """Show how a game stands."""
        return self._shown(self._game(request))

    def _shown(self, game: Game, note: str = "") -> Response:
        episode = game.episode
        family, instance = episode.family, episode.instance
        done = episode.done
        staging = None
        if done and family.scene is not None:
            staging = family.scene(instance, episode.rules, episode.turns)
        return page(
            "game.html",
            game=game,
            family=family,
            turns=episode.turns,
            note=note,
            forms=forms_of(episode.world.allowed_actions),
            by_tools=episode.rules.by_tools,
            frame=frame_of(episode.world),
            keyed=list_keyed_moves(episode.world.allowed_actions),
            left=episode.world.budget - episode.world.spent,
            verdict=episode.score() if done else None,
            graphs=draw_staging(staging, len(episode.turns)) if staging else "",
            secret=json.dumps(instance.secret.model_dump(mode="json"), indent=2, ensure_ascii=False)
            if done
            else "",
        )

    async def move(self, request: Request) -> Response:
        """Make one move, if the game still stands where the form was made."""
        game, given = self._game(request), await form(request)
        note = await to_thread.run_sync(self._move, game, given)
        if note:
            return self._shown(game, note)
        return RedirectResponse(f"/games/{game.id}#now", 303)

    def _move(self, game: Game, given: dict[str, str]) -> str:
        episode = game.episode
        with game.lock:
            if number(given.get("turn"), -1) != len(episode.turns):
                return "This game has moved on since that page was made; nothing was done."
            if episode.done:
                return "This game is over; nothing was done."
            if "reply" in given:
                episode.step(episode.parse_reply(given["reply"]))
            else:
                episode.step(read_form(episode.world.allowed_actions, given))
            if episode.done:
                self._write(game)
        return ""

    def _write(self, game: Game) -> None:
        from causarium.engine.run.human_log import write_human_log

        episode = game.episode
        with self._writing:
            game.log = write_human_log(
                self._folder,
                episode.family,
                episode.instance,
                episode.rules,
                episode.turns,
                edition=game.edition,
                set_name=game.set,
            )
