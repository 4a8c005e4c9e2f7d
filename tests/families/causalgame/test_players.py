"""Players: they keep to the rules, and in the published games they score as was measured."""

import math
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium import families
from causarium.contract.episode import play
from causarium.contract.world import Observation
from causarium.families.causalgame.paper.mechanics import fly
from causarium.families.causalgame.paper.model.actions import Deploy
from causarium.families.causalgame.paper.model.instance import ComponentNote
from causarium.families.causalgame.paper.model.paper_games import paper_game
from causarium.families.causalgame.paper.play.game_session import blueprint
from causarium.families.causalgame.paper.players import (
    cross_designs,
    draw_designs,
    guess_design,
    try_designs,
)
from causarium.seeds import stream

FAMILY = families.get("causalgame")

ANTENNA = "antenna_trap"
ZONE = "deployment_zone_trap_categorical"
SESSIONS = 120
MEASURED = 250
"""How many sessions the published comparison is taken to have had."""
ACTING = sorted(set(families.get("causalgame", "paper").players) - {"silent"})
DECIDING = sorted(set(families.get("causalgame", "certified").players) - {"silent"})


def settle(search, name, rng):
    """Let a search explore a published game; return what it would submit."""
    game = paper_game(name)
    public = FAMILY.generate(FAMILY.level(f"paper-{name}"), 0, 0).public
    moves = try_designs(public, search(public, rng), rng)
    move = next(moves)
    while isinstance(move, Deploy):
        flown = fly(game, blueprint(game, move.design, move.equipment), move.count, rng, 1)
        home = int(flown["survived"].sum())
        move = moves.send(Observation("", {"deployed": move.count, "survived": home}))
    return blueprint(game, move.design, move.equipment)


def outcomes(name, policy):
    """The fleet's survival in many sessions of a published game, in percent."""
    game, found = paper_game(name), []
    for session in range(SESSIONS):
        rng = stream(session, "player", name)
        design = settle(policy, name, rng)
        found.append(100 * float(fly(game, design, 1000, rng, 2)["survived"].mean()))
    return found


def near(measured, found):
    error = stdev(found) * math.sqrt(1 / len(found) + 1 / MEASURED)
    return pytest.approx(measured, abs=3 * error)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "policy", "mean", "wins"),
    [
        (ANTENNA, draw_designs, 72.0, 48),
        (ZONE, draw_designs, 68.6, 31),
        (ZONE, cross_designs, 73.9, 58),
    ],
)
def test_trivial_searches_score_as_measured_in_the_published_games(name, policy, mean, wins):
    found = outcomes(name, policy)
    assert fmean(found) == near(mean, found)
    won = [100.0 * (share >= 75) for share in found]
    assert fmean(won) == near(wins, won)


@pytest.mark.parametrize("level", [f"paper-{ANTENNA}", f"paper-{ZONE}", "paper-weather_noise"])
@pytest.mark.parametrize("player", ACTING)
def test_players_keep_to_the_rules_of_published_games_and_submit(level, player):
    instance, rules = FAMILY.generate(FAMILY.level(level), 0, 0), FAMILY.rules_for("paper")
    episode = play(FAMILY, instance, rules, player)
    assert all(turn.legal for turn in episode.turns), [
        turn.observation for turn in episode.turns if not turn.legal
    ]
    kinds = [turn.action["kind"] for turn in episode.turns]
    assert kinds.count("submit") == 1
    again = play(FAMILY, instance, rules, player)
    assert [turn.observation for turn in again.turns] == [t.observation for t in episode.turns]


@pytest.mark.parametrize("level", ["rung-1", "rung-3", "rung-5", "rung-6"])
@pytest.mark.parametrize("player", DECIDING)
def test_players_keep_to_the_rules_of_the_ladder_and_decide_once(level, player):
    instance, rules = FAMILY.generate(FAMILY.level(level), 0, 0), FAMILY.rules_for("certified")
    episode = play(FAMILY, instance, rules, player)
    assert all(turn.legal for turn in episode.turns), [
        turn.observation for turn in episode.turns if not turn.legal
    ]
    kinds = [turn.action["kind"] for turn in episode.turns]
    assert kinds.count("decide") == 1
    assert episode.done
    assert episode.score().numbers["slips"] == 0


def test_the_silent_player_does_nothing():
    instance = FAMILY.generate(FAMILY.level("rung-1"), 0, 0)
    assert not play(FAMILY, instance, FAMILY.rules_for("certified"), "silent").turns


def test_the_oracle_is_better_than_the_default_and_the_default_better_than_the_trap():
    instance, rules = (
        FAMILY.generate(FAMILY.level(f"paper-{ANTENNA}"), 0, 0),
        FAMILY.rules_for("paper"),
    )
    oracle, default, trap = (
        play(FAMILY, instance, rules, name).score().numbers["survival"]
        for name in ("oracle", "default", "trap")
    )
    assert oracle > default + 0.2 > trap + 0.2


offered = st.builds(
    lambda default, low, high, spare: FAMILY.generate(
        FAMILY.level(f"paper-{ZONE}"), 0, 0
    ).public.model_copy(
        update={
            "components": tuple(
                ComponentNote(name=f"part{place}", default=points)
                for place, points in enumerate(default)
            ),
            "lowest": low,
            "highest": max(high, *default, low),
            "total": sum(default) + spare,
        }
    ),
    st.lists(st.integers(3, 30), min_size=2, max_size=9),
    st.integers(0, 3),
    st.integers(5, 60),
    st.integers(0, 40),
)


def is_legal(public, design):
    armour = {**public.defaults, **design.armour}
    slots = {slot.name: {option.name for option in slot.options} for slot in public.slots}
    return (
        all(public.lowest <= points <= public.highest for points in armour.values())
        and sum(armour.values()) <= public.total
        and all(option in slots[name] for name, option in design.equipment.items())
    )


@given(offered, st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_guessed_designs_are_legal_and_spend_the_total_where_they_can(public, seed):
    design = guess_design(public, stream(seed, "guess"))
    points = {**public.defaults, **design.armour}.values()
    assert is_legal(public, design)
    assert public.highest in points or sum(points) == public.total


@given(offered, st.sampled_from([cross_designs, draw_designs]), st.integers(0, 100))
@settings(max_examples=40, deadline=None)
def test_searches_try_legal_designs_within_the_budget(public, search, seed):
    rng = stream(seed, "explore")
    moves = try_designs(public, search(public, rng), rng)
    tried, move = [], next(moves)
    while isinstance(move, Deploy):
        tried.append(move.count)
        back = rng.randrange(move.count + 1)
        move = moves.send(Observation("", {"deployed": move.count, "survived": back}))
    assert all(is_legal(public, design) for design in search(public, rng))
    assert len(tried) <= public.budget.deployments
    assert sum(tried) <= public.budget.drones
