"""The graph that a description states is the graph of the equations."""

from itertools import product

import numpy as np
import pytest

from causarium.errors import UnknownName
from causarium.families.causalgame.paper.mechanics import Draws, fly_on
from causarium.families.causalgame.paper.model.game import Design, Game
from causarium.families.causalgame.paper.model.paper_games import NAMES, paper_game
from tests.families.causalgame.game_graph import Graph
from tests.families.causalgame.made import design

SHIFT = "deployment_zone_trap_env_shift"
GAMES = {
    name: paper_game(name)
    for name in (
        "antenna_trap",
        "antenna_trap_no_selection_bias",
        "deployment_zone_trap_categorical",
        "deployment_zone_trap_categorical_no_selection_bias",
        SHIFT,
        "weather_noise",
    )
}
ONE = design(20, 20, 15, 15, 8, 6, 6, 12)
OTHER = design(9, 11, 9, 12, 3, 12, 1, 30)
STAGE = 2
DRAWS = Draws(5, 2000)

games = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def held(game: Game, flights, names):
    """What it takes to hold variables at what they were in a fleet."""
    found = {}
    for name in names:
        variable = game.variable(name)
        column = flights[name]
        found[name] = variable.values[int(column[0])] if variable.role == "equipment" else column
    return found


def last_options(game: Game) -> dict[str, str]:
    return {slot.name: slot.options[-1].name for slot in game.slots}


@games
def test_a_variable_is_settled_by_its_parents_and_its_own_chance(game):
    graph = Graph(game)
    sent = ONE.model_copy(update={"equipment": {slot.name: slot.default for slot in game.slots}})
    flown = fly_on(game, sent, DRAWS, STAGE)
    for variable in game.variables:
        if variable.role in {"lever", "equipment"}:
            continue
        parents = held(game, flown, graph.parents(variable.name))
        other = OTHER.model_copy(
            update={"equipment": {k: v for k, v in last_options(game).items() if k not in parents}}
        )
        again = fly_on(game, other, DRAWS, STAGE, parents)
        assert np.array_equal(again[variable.name], flown[variable.name]), variable


@games
def test_every_parent_makes_a_difference(game):
    graph = Graph(game)
    for variable in game.variables:
        for parent in graph.parents(variable.name):
            assert makes_a_difference(game, graph, parent, variable.name), (parent, variable.name)


def makes_a_difference(game, graph, parent, child):
    designs = (ONE, OTHER, design(10, 10, 10, 10, 10, 10, 10, 10), design(15, 0, 15, 0))
    for tried, stage in product(designs, (1, 2)):
        flown = fly_on(game, tried, DRAWS, stage)
        rest = held(game, flown, set(graph.parents(child)) - {parent})
        for value in other_values(game, flown, parent):
            changed = fly_on(game, tried, DRAWS, stage, {**rest, parent: value})
            if not np.array_equal(changed[child], flown[child]):
                return True
    return False


def other_values(game, flights, name):
    variable = game.variable(name)
    if variable.values:
        return variable.values
    column = flights[name]
    return (np.roll(column, 1), column * 0, column * 0 + 40, column * 0 + 0.45)


@games
def test_an_intervention_changes_nothing_but_what_comes_after_it(game):
    graph = Graph(game)
    flown = fly_on(game, ONE, DRAWS, STAGE)
    for variable in game.variables:
        for value in other_values(game, flown, variable.name)[:2]:
            changed = fly_on(game, ONE, DRAWS, STAGE, {variable.name: value})
            reached = {variable.name, *graph.descendants(variable.name)}
            for name, column in flown.items():
                if name not in reached:
                    assert np.array_equal(column, changed[name]), (variable.name, name)


@games
def test_every_structural_variable_is_flown_and_nothing_else(game):
    flown = fly_on(game, ONE, DRAWS, STAGE)
    assert set(flown) == {variable.name for variable in game.variables}
    assert all(column.shape == (DRAWS.count,) for column in flown.values())


@games
def test_causes_stand_before_their_effects(game):
    seen = set()
    for variable in game.variables:
        assert set(variable.parents) <= seen
        seen.add(variable.key)


def test_a_held_variable_stays_what_it_is_held_at():
    game = GAMES["antenna_trap"]
    flown = fly_on(game, ONE, DRAWS, STAGE, {"wind_speed": 20.0, "detected": True})
    assert set(flown["wind_speed"]) == {20.0}
    assert flown["detected"].all()


def test_equations_and_data_call_every_variable_the_same():
    assert all(one.key == one.name for name in NAMES for one in paper_game(name).variables)


def test_the_trap_is_on_the_way_from_antenna_armour_to_detection():
    graph = Graph(GAMES["antenna_trap"])
    assert graph.parents("antenna_working") == ("antenna_def", "antenna_damage")
    assert "detected" in graph.descendants("antenna_def")
    assert "temperature" not in graph.ancestors("survived")


def test_no_lever_reaches_detection_after_the_published_shift():
    levers = {v.name for v in GAMES[SHIFT].variables if v.role == "lever"}
    assert not levers & set(Graph(GAMES[SHIFT]).ancestors("detected"))


@pytest.mark.parametrize(
    ("do", "error"), [({"moon": 1.0}, KeyError), ({"coating": "gold"}, ValueError)]
)
def test_impossible_interventions_are_refused(do, error):
    with pytest.raises(error):
        fly_on(GAMES["antenna_trap_no_selection_bias"], Design(), DRAWS, STAGE, do)


def test_unknown_games_are_refused_by_name():
    with pytest.raises(UnknownName, match="did you mean 'antenna_trap'"):
        paper_game("antena_trap")


def test_there_are_fourteen_games():
    assert len(NAMES) == 14
    for name in NAMES:
        game = paper_game(name)
        assert game.name == name
        assert Game.model_validate_json(game.model_dump_json()) == game
