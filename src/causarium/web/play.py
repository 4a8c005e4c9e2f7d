"""A person plays: the same world, budget and scorer as an agent's, and a log at the end."""

import json
from math import nan
from pathlib import Path
from typing import Any

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response

from causarium import families
from causarium.contract.family import AnyFamily
from causarium.contract.rules import check_edition
from causarium.contract.sets.instance_sets import find_set
from causarium.contract.unparsed import Unparsed
from causarium.contract.views.play_page import PlayPage, Problem
from causarium.contract.world import Action, Move, frame_of
from causarium.errors import UsageError
from causarium.scoring.intervals import Interval, summarize
from causarium.web.action_forms import forms_of, read_form
from causarium.web.compare_players import compare_on_case, tell_ending, tell_published
from causarium.web.frames import list_keyed_moves
from causarium.web.games import Game, GameStore
from causarium.web.page_templates import draw_slowly, form, number, page
from causarium.web.world_picture import Titles, draw_beliefs

FIRST_SETS = ("smoke", "standard")
"""Where somebody who just wants to play finds cases."""
TYPES = {".js": "text/javascript", ".css": "text/css"}
"""What a family's board may bring beside its template."""
SPENT = "Nothing was spent."


_TITLES = Titles("What you said", "The truth", "The truth")
"""The graphs at the end of a game."""


class PlayPages:
    """Pages on which people play."""

    def __init__(self, logs: Path, store: GameStore, study: str | None = None) -> None:
        self._logs = logs
        self._store = store
        self._study = study

    async def begin(self, request: Request) -> Response:
        """Open a game and go to it; in a study, whoever has not agreed to it is asked first."""
        given = await form(request)
        if self._study and given.pop("consent", "") != "yes":
            return page("consent.html", study=self._study, given=given)
        game = await to_thread.run_sync(self._begin, given)
        return RedirectResponse(f"/games/{game.id}", 303)

    def _begin(self, given: dict[str, str]) -> Game:
        family = families.get(given.get("family", ""))
        edition = check_edition(given.get("edition", "certified"))
        if "number" in given:
            set_name, place = given.get("set", ""), number(given["number"], -1, least=-1)
        else:
            set_name, place = self._next_case(family, given.get("set"), given.get("after"))
        interface = given.get("interface") or _usual_interface(family)
        rules = family.rules_for(edition, interface=interface)
        return self._store.begin(family, edition, set_name, place, rules)

    def _next_case(
        self, family: AnyFamily, set_name: str | None, after: str | None
    ) -> tuple[str, int]:
        """Return a case that nobody has played here: after a case, or from the first one on."""
        played = {
            (game.edition, game.set, game.number)
            for game in self._store.list_games()
            if game.family == family.name
        }
        sets = family.card.sets["certified"]
        offered = [name for name in (set_name, *FIRST_SETS) if name in sets] or list(sets)[:1]
        first = number(after, -1, least=-1) + 1
        for name in dict.fromkeys(offered):
            size = find_set(family, "certified", str(name)).size
            start = first if name == set_name else 0
            for place in range(start, size):
                if ("certified", name, place) not in played:
                    return str(name), place
        return str(offered[0]), 0

    async def show(self, request: Request) -> Response:
        """Show how a game stands."""
        return await to_thread.run_sync(lambda: self._show(self._game(request)))

    def _game(self, request: Request) -> Game:
        return self._store.get(request.path_params["game"])

    def _show(
        self,
        game: Game,
        note: str = "",
        draft: dict[str, str] | None = None,
        problems: tuple[Problem, ...] = (),
    ) -> Response:
        if game.done:
            return self._show_end(game, note)
        episode = game.episode
        shown = {
            "game": game,
            "family": game.family,
            "turns": episode.turns,
            "note": note or " ".join(problem.words for problem in problems),
            "spent": SPENT if problems else "",
            "draft": draft or {},
            "problems": {problem.field: problem.words for problem in problems},
            "prompt": game.prompt,
        }
        board_page = _board_page(game)
        if board_page is not None:
            board = board_page.lay_out(game.instance.public, episode.rules, game.exchanges)
            reply = page("play.html", **shown, board=board, view=board.view, assets=_assets(game))
        else:
            reply = page(
                "game.html",
                **shown,
                forms=forms_of(episode.world.allowed_actions),
                by_tools=episode.rules.by_tools,
                frame=frame_of(episode.world),
                keyed=list_keyed_moves(episode.world.allowed_actions),
                left=episode.world.budget - episode.world.spent,
            )
        reply.status_code = 422 if problems else 200
        return reply

    def _show_end(self, game: Game, note: str) -> Response:
        family, instance, episode = game.family, game.instance, game.episode
        verdict = episode.score()
        staging = None
        if family.views.scene is not None:
            staging = family.views.scene(instance, episode.rules, episode.turns)
        secret = json.dumps(instance.secret.model_dump(mode="json"), indent=2, ensure_ascii=False)
        return page(
            "play_end.html",
            game=game,
            family=family,
            note=note,
            verdict=verdict,
            ending=tell_ending(family, verdict, game.exchanges),
            graphs=draw_beliefs(staging, len(episode.turns), _TITLES) if staging else None,
            secret=secret,
            played=self._record(family),
            metric=family.card.headline[game.edition],
        )

    def _record(self, family: AnyFamily) -> Interval:
        """Return the mean score of the games of a family that count, with its interval."""
        scores = [
            game.score
            for game in self._store.list_games()
            if game.family == family.name and game.score is not None and not game.seen_before
        ]
        return summarize(scores) if scores else Interval(nan, nan, nan, 0)

    async def compare_game(self, request: Request) -> Response:
        """Show a finished game beside others who played the case; players play it now."""

        def compare() -> Response:
            game = self._game(request)
            if not game.done:
                raise UsageError("others are shown when the game is over")
            return page(
                "beside.html",
                game=game,
                compared=compare_on_case(game, self._logs),
                published=tell_published(game.family),
                metric=game.family.card.headline[game.edition],
            )

        return await draw_slowly(compare)

    async def check(self, request: Request) -> Response:
        """Say what is wrong with a draft; nothing is done."""
        given = await form(request)

        def problems() -> tuple[Problem, ...]:
            game = self._game(request)
            with game.lock:
                read = self._read(game, given)
                return read if isinstance(read, tuple) else _foresee(game, read)

        slips = await to_thread.run_sync(problems)
        return JSONResponse(
            {"problems": [problem.model_dump() for problem in slips], "spent": SPENT}
        )

    async def move(self, request: Request) -> Response:
        """Make one move, if it can be made and the game still stands where the form was made."""
        given = await form(request)
        return await to_thread.run_sync(lambda: self._move(self._game(request), given))

    def _move(self, game: Game, given: dict[str, str]) -> Response:
        with game.lock:
            if game.done:
                return self._show(game, "This game is over; nothing was done.")
            if number(given.get("turn"), -1, least=-1) != len(game.exchanges):
                note = "This game has moved on since that page was made; nothing was done."
                return self._show(game, note)
            read = self._read(game, given)
            if isinstance(read, tuple):
                return self._show(game, draft=given, problems=read)
            episode, exchange = game.try_move(read)
            if not exchange.seen.legal:
                return self._show(game, draft=given, problems=(_refusal(exchange.seen.text),))
            self._store.take(game, episode, exchange)
            if episode.done:
                self._finish(game)
        return RedirectResponse(f"/games/{game.id}", 303)

    def _read(self, game: Game, given: dict[str, str]) -> Move | tuple[Problem, ...]:
        """Return the move that was entered, or why it is none."""
        episode, board_page = game.episode, _board_page(game)
        if "reply" in given:
            return _check_form("reply", episode.parse_reply(given["reply"]))
        if board_page is not None:
            return board_page.read_draft(game.instance.public, episode.rules, game.exchanges, given)
        return _check_form("", read_form(episode.world.allowed_actions, given))

    async def give_up(self, request: Request) -> Response:
        """End a game as it stands, and write its log."""
        await form(request)

        def end() -> str:
            game = self._game(request)
            with game.lock:
                if not game.done:
                    self._finish(game)
            return game.id

        return RedirectResponse(f"/games/{await to_thread.run_sync(end)}", 303)

    def _finish(self, game: Game) -> None:
        from causarium.engine.run.human_log import write_human_log

        episode = game.episode
        log = write_human_log(
            self._store.folder,
            episode.family,
            episode.instance,
            episode.rules,
            episode.turns,
            edition=game.edition,
            set_name=game.set,
            seen_before=game.seen_before,
        )
        score = episode.score().numbers[episode.family.card.headline[game.edition]]
        self._store.finish(game, log.name, score)

    async def asset(self, request: Request) -> Response:
        """Serve the script or the styles of a family's board."""
        board_page = families.get(request.path_params["family"]).views.play_page
        name = request.path_params["asset"]
        files = {path.name: path for path in board_page.folder.iterdir()} if board_page else {}
        kind = TYPES.get(Path(name).suffix)
        if name not in files or kind is None:
            raise UsageError(f"there is no {name!r} here")
        return FileResponse(files[name], media_type=kind)


def _usual_interface(family: AnyFamily) -> str | None:
    return "tools" if "tools" in family.rules.interfaces else None


def _board_page(game: Game) -> PlayPage[Any, Any] | None:
    """Return the family's own page; it speaks in actions, so it takes the place of tools alone."""
    return game.family.views.play_page if game.episode.rules.interface == "tools" else None


def _assets(game: Game) -> dict[str, bool]:
    board_page = game.family.views.play_page
    names = ("board.js", "board.css")
    return {name: bool(board_page and (board_page.folder / name).is_file()) for name in names}


def _check_form(field: str, read: Action | Unparsed) -> Move | tuple[Problem, ...]:
    return (Problem(field=field, words=read.detail),) if isinstance(read, Unparsed) else read


def _foresee(game: Game, move: Move) -> tuple[Problem, ...]:
    seen = game.try_move(move)[1].seen
    return () if seen.legal else (_refusal(seen.text),)


def _refusal(text: str) -> Problem:
    return Problem(field="", words=text.removeprefix("Refused: ").partition("\n")[0])
