"""Boards are shared between games, and nothing that happens in one shows in another."""

from random import Random

import pytest

from causarium.contract.episode import Episode
from causarium.families.causallink import FAMILY
from causarium.families.causallink.actions import Intervene
from causarium.families.causallink.interface.board import (
    ActiveNames,
    forget_boards,
    open_board,
)
from causarium.families.causallink.mechanics.theme import theme
from tests.families.causallink.worlds import world_of


def test_a_game_does_not_depend_on_games_before_it():
    rng = Random(2)
    instance = FAMILY.generate(FAMILY.level("advanced-6"), 0, 0)
    for interface in ("json", "tools"):
        rules = FAMILY.rules_for("certified", interface=interface)
        for _ in range(20):
            moves = [
                Intervene(
                    shape=rng.choice(instance.public.shapes), action=rng.choice(["move", "hold"])
                )
                for _ in range(rng.randrange(1, 12))
            ]
            games = []
            for fresh in (True, False):
                if fresh:
                    forget_boards()
                episode = Episode(FAMILY, instance, rules)
                for move in moves:
                    episode.step(move)
                games.append((episode.turns, episode.world.steps, episode.world.spent))
            assert games[0] == games[1]


def test_cases_that_differ_in_secret_alone_have_boards_of_their_own():
    rules = FAMILY.rules_for("certified", interface="tools")
    texts = []
    for edges in ("A>B", "B>A"):
        world = FAMILY.open_world(world_of("AB", edges, "", "A>B"), rules)
        texts.append(world.act(Intervene(shape="A", action="move")).text)
    assert texts[0] != texts[1]


@pytest.mark.parametrize("interface", ["json", "tools"])
def test_two_questions_about_one_graph_are_shown_their_own_words(interface):
    """As tools nothing shown later names the question, which is why they share a board there."""
    rules = FAMILY.rules_for("paper", interface=interface)
    level = FAMILY.level("paper-advanced-5")
    first, second = (FAMILY.generate(level, 0, index) for index in (0, 1))
    assert first.secret.edges == second.secret.edges
    boards = [open_board(case.public, case.secret.edges, rules) for case in (first, second)]
    assert (boards[0] is boards[1]) == (interface == "tools")
    texts = [board.view(first.public.start).text for board in boards]
    for text, case in zip(texts, (first, second), strict=True):
        asked = theme(case.public.theme).ask(case.public.cause, case.public.effect)
        assert (asked in text) == (interface == "json")


def test_who_is_active_cannot_be_changed_by_a_player():
    data = ActiveNames(("a", "b", "c"), 0b101)
    names = data["moving"]
    assert names == ["a", "c"]
    names.clear()
    assert data == {"moving": ["a", "c"]}
    assert list(data) == ["moving"]
    assert len(data) == 1
    assert "still" not in data
