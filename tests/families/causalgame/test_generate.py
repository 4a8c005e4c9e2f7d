"""Drawing sessions: each at its own address, and nothing of the game in what is public."""

import pytest

from causarium import families
from causarium.families.causalgame.paper.generation import generate
from causarium.families.causalgame.paper.levels import LEVELS, GameConfig
from causarium.families.causalgame.paper.model.paper_games import NAMES

PAPER = [f"paper-{name}" for name in NAMES]


def test_the_paper_edition_has_the_fourteen_and_the_certified_one_a_ladder():
    assert len(NAMES) == 14
    assert list(LEVELS) == PAPER
    levels = families.get("causalgame", "certified").levels
    assert list(levels) == [f"rung-{rung}" for rung in range(1, 11)]
    assert all(config.edition == "certified" for config in levels.values())


@pytest.mark.parametrize("level", PAPER)
def test_a_session_is_of_its_game_and_public_about_nothing_hidden(level):
    instance = generate(LEVELS[level], 0, 1)
    game, public = instance.secret.game, instance.public
    assert game.name == level.removeprefix("paper-")
    assert game.edition == LEVELS[level].edition
    assert instance.id == f"causalgame-{level}-0001"
    shown = public.model_dump_json()
    assert level not in shown
    for variable in game.variables:
        if variable.sight == "discoverable":
            assert f'"{variable.name}"' not in shown
    assert len(instance.secret.found) == len(instance.secret.rows) == len(public.history)


def test_two_sessions_of_a_game_differ_in_luck_alone():
    first, second = (generate(LEVELS["paper-antenna_trap"], 0, index) for index in (0, 1))
    assert first.secret.game == second.secret.game
    assert first.secret.session_seed != second.secret.session_seed
    assert first.public.history != second.public.history
    assert first.public.model_copy(update={"history": ()}) == second.public.model_copy(
        update={"history": ()}
    )


def test_seeds_are_part_of_the_id():
    family = families.get("causalgame")
    assert family.generate(family.level("rung-2"), 7, 0).id == "causalgame-rung-2-s7-0000"


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith("no_selection_bias")])
def test_without_selection_bias_lost_drones_are_on_record(name):
    biased, unbiased = (
        generate(LEVELS[f"paper-{level}"], 0, 0)
        for level in (name.removesuffix("_no_selection_bias"), name)
    )
    assert {flight.status for flight in biased.public.history} == {"RETURNED"}
    assert {flight.status for flight in unbiased.public.history} == {"RETURNED", "DESTROYED"}
    assert unbiased.facets["selection_bias"] is False


def test_a_configuration_that_names_no_game_is_refused():
    with pytest.raises(ValueError, match="there is no game 'antena'"):
        GameConfig(game="antena")
