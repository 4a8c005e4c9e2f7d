"""A finished game beside others: players that play the case now, and models with a log of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from causarium import published
from causarium.contract.episode import play
from causarium.contract.family import AnyFamily
from causarium.contract.verdict import Verdict
from causarium.contract.views.play_page import Ending, Exchange
from causarium.contract.world import Observation
from causarium.engine.logbook.browse_logs import read_story, shelve
from causarium.engine.logbook.log_files import LogHeader
from causarium.errors import CausariumError, UsageError
from causarium.report.data.number_format import format_metric, show
from causarium.web.games import Game

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


def tell_ending(family: AnyFamily, verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Return how a game went, in the family's words or in plain ones."""
    if family.views.play_page is not None:
        return family.views.play_page.tell_ending(verdict, exchanges)
    facts = {"turns": str(len(exchanges))}
    return Ending(sentence=verdict.explanation or "The game is over.", facts=facts)


def compare_on_case(game: Game, logs: Path) -> list[PlayerResult]:
    """Return how everybody fared on the case of a game, the person first.

    Args:
        game: A finished game.
        logs: The folder of the logs of models.
    """
    family = game.family
    verdict = game.episode.score()
    ending = tell_ending(family, verdict, game.exchanges)
    compared = [PlayerResult(YOU, "", _headline(game, verdict), ending.facts)]
    compared += [
        person for who, name in _list_players(family) if (person := _let_play(game, who, name))
    ]
    return compared + _find_models(game, logs)


def _list_players(family: AnyFamily) -> list[tuple[str, str]]:
    """Return whom to set beside a person: who infers, who takes a shortcut, who guesses."""
    card, players = family.card, family.players
    members = [name for one in card.classes for name in one.members if name in players]
    shortcut = next((name for name in members if not players[name].slow), "")
    named = [
        ("the reference player", card.reference or "oracle"),
        ("a shortcut", shortcut),
        ("random", "random"),
    ]
    return [(who, name) for who, name in named if name in players]


def _let_play(game: Game, who: str, name: str) -> PlayerResult | None:
    family = game.family
    try:
        episode = play(family, game.instance, game.episode.rules, name)
    except UsageError:
        # A player may need a package that is not installed.
        return None
    verdict = episode.score()
    exchanges = [
        Exchange(
            turn.move(family.actions), Observation(turn.observation, {}, turn.legal, turn.cost)
        )
        for turn in episode.turns
    ]
    facts = tell_ending(family, verdict, exchanges).facts
    return PlayerResult(who, family.players[name].about, _headline(game, verdict), facts)


def _find_models(game: Game, logs: Path) -> list[PlayerResult]:
    """Return the models whose logs hold the case, the newest log of each."""
    found: dict[str, PlayerResult] = {}
    for shelved in shelve(logs):
        card = shelved.log.card
        same = (card.family, card.edition) == (game.family.name, game.edition)
        if shelved.problem or not same or card.version != game.family.card.version:
            continue
        who = card.agent
        if who in found or who.startswith(("player/", "human")):
            continue
        person = _read_model(game, shelved.log, logs)
        if person is not None:
            found[who] = person
        if len(found) >= MOST_MODELS:
            break
    return list(found.values())


def _read_model(game: Game, log: LogHeader, logs: Path) -> PlayerResult | None:
    family = game.family
    try:
        story = read_story(log.path, game.instance.id)
        exchanges = [
            Exchange(
                turn.move(family.actions), Observation(turn.observation, {}, turn.legal, turn.cost)
            )
            for turn in story.turns
        ]
    except CausariumError:
        return None
    if story.verdict.unscored is not None:
        return None
    facts = tell_ending(family, story.verdict, exchanges).facts
    link = f"{log.path.relative_to(logs)}"
    return PlayerResult(
        story.agent, "a model, from its log", _headline(game, story.verdict), facts, link
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
