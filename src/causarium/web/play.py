"""A person plays: the same world, budget and scorer as an agent's, and a log at the end."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import nan
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response

from causarium import families, published
from causarium.contract.episode import Episode, play
from causarium.contract.family import AnyFamily
from causarium.contract.family_card import SetSpec
from causarium.contract.rules import check_edition
from causarium.contract.sets.instance_sets import find_set
from causarium.contract.texts.replies import describe_validation_error
from causarium.contract.texts.reply_schemas import INVALID_CALL
from causarium.contract.verdict import Verdict
from causarium.contract.views.play_page import Ending, Exchange, PlayPage, Problem
from causarium.contract.world import Action, Move, Observation, Program, Unparsed, frame_of
from causarium.engine.logbook.log_files import LogHeader, Story, read_story, shelve
from causarium.engine.logbook.reference_rows import list_programs
from causarium.errors import CausariumError, UsageError
from causarium.report.data.number_format import format_metric, show
from causarium.report.data.summaries import name_agent
from causarium.scoring.intervals import Interval, summarize
from causarium.web.games import Game, GameStore
from causarium.web.page_templates import number, page
from causarium.web.world_picture import Titles, draw_beliefs


@dataclass(frozen=True, slots=True)
class Field:
    """One thing to enter."""

    name: str
    about: str
    kind: str
    """`choice`, `number`, `switch`, `text` or `json`."""
    choices: tuple[str, ...] = ()
    needed: bool = True


@dataclass(frozen=True, slots=True)
class Form:
    """One action that can be taken."""

    kind: str
    about: str
    fields: tuple[Field, ...]


def forms_of(actions: tuple[type[Action], ...]) -> list[Form]:
    """Return a form for each action; programs are left out, since nothing here runs code."""
    offered = [a for a in actions if a.in_tools and not issubclass(a, Program)]
    return [_form(action) for action in offered]


def _form(action: type[Action]) -> Form:
    schema = action.model_json_schema()
    definitions = schema.get("$defs", {})
    fields = tuple(
        _field(name, _resolve_reference(part, definitions), name in schema.get("required", ()))
        for name, part in schema.get("properties", {}).items()
    )
    return Form(action.kind, " ".join((action.__doc__ or "").split()), fields)


def _resolve_reference(part: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in part:
        return {**definitions[part["$ref"].rpartition("/")[2]], **part}
    return part


def _field(name: str, part: dict[str, Any], needed: bool) -> Field:  # noqa: FBT001
    about = part.get("description", name)
    if "enum" in part:
        return Field(name, about, "choice", tuple(map(str, part["enum"])), needed)
    kinds = {"string": "text", "integer": "number", "number": "number", "boolean": "switch"}
    return Field(name, about, kinds.get(part.get("type", ""), "json"), needed=needed)


def read_form(actions: tuple[type[Action], ...], entered: Mapping[str, str]) -> Move:
    """Return the move that a posted form stands for; what does not fit is data, as anywhere."""
    kind = entered.get("kind", "")
    for action in actions:
        if action.kind == kind and action.in_tools and not issubclass(action, Program):
            fields = {f.name: _value(f, entered.get(f.name, "")) for f in _form(action).fields}
            try:
                return action.model_validate({k: v for k, v in fields.items() if v is not None})
            except ValidationError as wrong:
                return Unparsed(mode=INVALID_CALL, detail=describe_validation_error(wrong))
    return Unparsed(mode=INVALID_CALL, detail=f"there is no action {kind[:80]!r} here now")


def _value(field: Field, text: str) -> object:
    if field.kind == "switch":
        return text != ""
    if text == "" and not field.needed:
        return None
    if field.kind in {"text", "choice"}:
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


class KeyedMove(NamedTuple):
    """A move that one key makes."""

    key: str
    """The browser's name of the key."""
    kind: str
    fields: Mapping[str, str]

    @property
    def words(self) -> str:
        """What the move is, in words."""
        return " ".join((self.kind, *self.fields.values()))


def list_keyed_moves(actions: tuple[type[Action], ...]) -> list[KeyedMove]:
    """Return the moves that can be made by key."""
    return [
        KeyedMove(key, action.kind, fields)
        for action in actions
        for key, fields in action.keys.items()
    ]


MOST_MODELS = 8
"""So many models are set beside a game, the newest runs first."""
MOST_PUBLISHED = 4
YOU = "You"


class PlayerResult(NamedTuple):
    """Somebody who played the case."""

    who: str
    about: str
    """What kind of player it is, in a sentence."""
    score: float
    facts: dict[str, str]
    link: str = ""
    """The query of the replay, where there is a log."""


def tell_ending(game: Game, verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Return how a case was played, in the family's words or in plain ones."""
    own = _own_page(game)
    if own is not None:
        return own.tell_ending(verdict, exchanges)
    facts = {"turns": str(len(exchanges))}
    return Ending(sentence=verdict.explanation or "The game is over.", facts=facts)


def compare_on_case(game: Game, logs: Path) -> list[PlayerResult]:
    """Return how everybody fared on the case of a finished game, the person first."""
    family = game.family
    verdict = game.episode.score()
    ending = tell_ending(game, verdict, game.exchanges)
    compared = [PlayerResult(YOU, "", _headline(game, verdict), ending.facts)]
    for who, names in _list_players(family):
        people = (_let_play(game, who, name) for name in names)
        compared += islice(filter(None, people), 1)
    return compared + _find_models(game, logs)


def _list_players(family: AnyFamily) -> list[tuple[str, tuple[str, ...]]]:
    """Return whom to set beside a person: who infers, a program, who guesses; the first plays.

    A program may be made for some levels, and say nothing on the others.
    """
    named = {
        "the reference player": (family.card.reference or "oracle",),
        "a program": list_programs(family),
        "random": ("random",),
    }
    return [
        (who, tuple(name for name in names if name in family.players))
        for who, names in named.items()
    ]


def _let_play(game: Game, who: str, name: str) -> PlayerResult | None:
    family = game.family
    try:
        episode = play(family, game.instance, game.episode.rules, name)
    except UsageError:
        # A player may need a package that is not installed.
        return None
    if not episode.turns:
        return None
    verdict = episode.score()
    about = family.players[name].about
    return PlayerResult(who, about, _headline(game, verdict), _tell_facts(game, verdict, episode))


def _tell_facts(game: Game, verdict: Verdict, played: Episode | Story) -> dict[str, str]:
    """Return what the family tells of an episode that somebody else played."""
    exchanges = [
        Exchange(
            turn.move(game.family.actions),
            Observation(turn.observation, {}, turn.legal, turn.cost),
        )
        for turn in played.turns
    ]
    return tell_ending(game, verdict, exchanges).facts


def _find_models(game: Game, logs: Path) -> list[PlayerResult]:
    """Return the models that have played the case, from the newest log of each."""
    found: dict[str, PlayerResult] = {}
    for shelved in shelve(logs):
        card = shelved.card
        same = (card.family, card.edition) == (game.family.name, game.edition)
        if shelved.problem or not same or card.version != game.family.card.version:
            continue
        who = card.agent
        if who in found or who.startswith(("player/", "human")):
            continue
        person = _read_model(game, shelved, logs)
        if person is not None:
            found[who] = person
        if len(found) >= MOST_MODELS:
            break
    return list(found.values())


def _read_model(game: Game, log: LogHeader, logs: Path) -> PlayerResult | None:
    try:
        story = read_story(log.path, game.instance.id)
        facts = _tell_facts(game, story.verdict, story)
    except CausariumError:
        return None
    if story.verdict.unscored is not None:
        return None
    link = f"{log.path.relative_to(logs)}"
    return PlayerResult(
        name_agent(story.agent),
        "a model, from its log",
        _headline(game, story.verdict),
        facts,
        link,
    )


def _headline(game: Game, verdict: Verdict) -> float:
    return verdict.numbers[game.family.card.headline[game.edition]]


def tell_published(family: AnyFamily) -> str:
    """Return what published models scored, in words and with their setting; empty if nobody did."""
    if family.name not in published.families():
        return ""
    metric = family.card.headline["paper"]
    for table in published.tables(family.name):
        if not table.main:
            continue
        rows = [row for row in published.rows(family.name, table.name) if row.metric == metric]
        if not rows:
            continue
        setting = rows[0].setting
        same = [row for row in rows if row.setting == setting]
        best = sorted(same, key=lambda row: -row.value)[:MOST_PUBLISHED]
        where = ", ".join(f"{name} {value}" for name, value in setting.items())
        values = ", ".join(f"{row.agent} {show(row.value)}" for row in best)
        return (
            "Published models did not play this case. "
            f"{_name_metric(metric)} in the paper ({table.name}{f'; {where}' if where else ''}), "
            f"by other rules: {values}."
        )
    return ""


def _name_metric(metric: str) -> str:
    words = format_metric(metric)
    return f"{words[:1].upper()}{words[1:]}"


FIRST_SETS = ("smoke", "standard")
"""Where somebody who just wants to play finds cases."""


def list_levels(spec: SetSpec) -> list[str]:
    """Return the level of every case of a set."""
    return [part.level for part in spec.parts for _ in range(part.size)]


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

    def begin(self, request: Request, given: dict[str, str]) -> Response:  # noqa: ARG002
        """Open a game and go to it; in a study, whoever has not agreed to it is asked first."""
        if self._study and given.pop("consent", "") != "yes":
            return page("consent.html", study=self._study, given=given)
        edition = check_edition(given.get("edition", "certified"))
        family = families.get(given.get("family", ""), edition)
        if "number" in given:
            set_name, place = given.get("set", ""), number(given["number"], -1, least=-1)
        else:
            set_name, place = self._next_case(family, given)
        usual = "tools" if "tools" in family.rules.interfaces else None
        interface = given.get("interface") or usual
        rules = family.rules_for(edition, interface=interface)
        game = self._store.begin(family, edition, set_name, place, rules)
        return RedirectResponse(f"/games/{game.id}", 303)

    def _next_case(self, family: AnyFamily, given: Mapping[str, str]) -> tuple[str, int]:
        """Return a case that nobody has played here: after a case, of a level, or the first one."""
        set_name, level = given.get("set"), given.get("level")
        played = {
            (game.edition, game.set, game.number)
            for game in self._store.list_games()
            if game.family == family.name
        }
        sets = family.card.sets["certified"]
        offered = [name for name in (set_name, *FIRST_SETS) if name in sets] or list(sets)[:1]
        first = number(given.get("after"), -1, least=-1) + 1
        found = []
        for name in dict.fromkeys(offered):
            levels = list_levels(find_set(family, "certified", str(name)))
            start = first if name == set_name else 0
            places = [at for at in range(start, len(levels)) if level in {None, "", levels[at]}]
            found += [(str(name), at) for at in places]
        fresh = (case for case in found if ("certified", *case) not in played)
        return next(fresh, found[0] if found else (str(offered[0]), 0))

    def show(self, request: Request) -> Response:
        """Show how a game stands."""
        return self._show(self._game(request))

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
            ending=tell_ending(game, verdict, game.exchanges),
            staging=staging,
            graphs=draw_beliefs(staging, len(episode.turns), _TITLES) if staging else None,
            secret=secret,
            played=self._record(game),
            metric=family.card.headline[game.edition],
            truth=staging.answer if staging else "",
            next_level=_find_next_level(game),
        )

    def _record(self, game: Game) -> Interval:
        """Return the mean score of the games that count beside this one, with its interval."""
        of, metric = (game.family.name, game.edition), game.family.card.headline[game.edition]
        scores = [
            (one.score, one.instance)
            for one in self._store.list_games()
            if (one.family, one.edition) == of and one.score is not None and not one.seen_before
        ]
        if not scores:
            return Interval(nan, nan, nan, 0)
        values, cases = zip(*scores, strict=True)
        return summarize(values, clusters=cases, share=game.family.metrics[metric].share)

    def compare_game(self, request: Request) -> Response:
        """Show a finished game beside others who played the case; players play it now."""
        game = self._game(request)
        if not game.done:
            raise UsageError("finish the game first; then this page shows how others played it")
        return page(
            "beside.html",
            game=game,
            compared=compare_on_case(game, self._logs),
            published=tell_published(game.family),
            metric=game.family.card.headline[game.edition],
        )

    def check(self, request: Request, given: dict[str, str]) -> Response:
        """Say what is wrong with a draft; nothing is done."""
        game = self._game(request)
        with game.lock:
            read = self._read(game, given)
            slips = read if isinstance(read, tuple) else _foresee(game, read)
        return JSONResponse(
            {"problems": [problem.model_dump() for problem in slips], "spent": SPENT}
        )

    def move(self, request: Request, given: dict[str, str]) -> Response:
        """Make one move, if it can be made and the game still stands where the form was made."""
        game = self._game(request)
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

    def give_up(self, request: Request, given: dict[str, str]) -> Response:  # noqa: ARG002
        """End a game as it stands, and write its log."""
        game = self._game(request)
        with game.lock:
            if not game.done:
                self._finish(game)
        return RedirectResponse(f"/games/{game.id}", 303)

    def _finish(self, game: Game) -> None:
        from causarium.engine.run.run_plan import write_human_log

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

    def asset(self, request: Request) -> Response:
        """Serve the script or the styles of a family's board."""
        edition = check_edition(request.path_params["edition"])
        board_page = families.get(request.path_params["family"], edition).views.play_page
        name = request.path_params["asset"]
        files = {path.name: path for path in board_page.folder.iterdir()} if board_page else {}
        kind = TYPES.get(Path(name).suffix)
        if name not in files or kind is None:
            raise UsageError(f"there is no {name!r} here")
        return FileResponse(files[name], media_type=kind)


def _find_next_level(game: Game) -> str:
    """Return the level that comes after that of a game in its set; empty after the last."""
    levels = list_levels(find_set(game.family, game.edition, game.set))
    later = (level for level in levels[game.number :] if level != levels[game.number])
    return next(later, "") if game.edition == "certified" else ""


def _own_page(game: Game) -> PlayPage[Any, Any] | None:
    own = game.family.views.play_page
    return own if own is not None and game.edition in own.editions else None


def _board_page(game: Game) -> PlayPage[Any, Any] | None:
    """Return the family's own page; it speaks in actions, so it takes the place of tools alone."""
    return _own_page(game) if game.episode.rules.interface == "tools" else None


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
    words = text.removeprefix("Refused: ").partition("\n")[0]
    return Problem(field="", words=f"{words[:1].upper()}{words[1:]}")
