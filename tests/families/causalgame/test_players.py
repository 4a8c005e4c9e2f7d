"""Players: they keep to the rules, and in the published games they score as was measured."""

import math
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.episode import play
from causarium.families.causalgame import FAMILY
from causarium.families.causalgame.mechanics.published.simulate import fly
from causarium.families.causalgame.model.published.paper_games import paper_game
from causarium.families.causalgame.players import PLAYERS
from causarium.families.causalgame.players.expeditions.shortcuts import SHORTCUTS
from causarium.families.causalgame.players.published import (
    Choice,
    Offer,
    Outcome,
    grid,
    guess,
    name_design,
    offer_session,
    random_search,
)
from causarium.seeds import stream

ANTENNA = "antenna_trap"
ZONE = "deployment_zone_trap_categorical"
SESSIONS = 120
MEASURED = 250
"""How many sessions the published comparison is taken to have had."""
EXPLORING = {"exact", "learned", *SHORTCUTS}
ACTING = sorted(set(PLAYERS) - {"silent"} - EXPLORING)
SEEING = sorted(EXPLORING - {"learned"} | {"oracle", "trap", "random"})


def settle(policy, name, rng):
    """Let a policy explore a published game; return what it would submit."""
    game = paper_game(name)
    public = FAMILY.generate(FAMILY.level(f"paper-{name}"), 0, 0).public
    plan = policy(offer_session(public), rng)
    try:
        trial = next(plan)
        while True:
            flown = fly(game, name_design(public, trial.design), trial.count, rng, 1)
            trial = plan.send(Outcome(float(flown.survived.mean())))
    except StopIteration as end:
        return name_design(public, end.value)


def outcomes(name, policy):
    """The fleet's survival in many sessions of a published game, in percent."""
    game, found = paper_game(name), []
    for session in range(SESSIONS):
        rng = stream(session, "player", name)
        design = settle(policy, name, rng)
        found.append(100 * float(fly(game, design, 1000, rng, 2).survived.mean()))
    return found


def near(measured, found):
    error = stdev(found) * math.sqrt(1 / len(found) + 1 / MEASURED)
    return pytest.approx(measured, abs=3 * error)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "policy", "mean", "wins"),
    [
        (ANTENNA, random_search, 72.0, 48),
        (ZONE, random_search, 68.6, 31),
        (ZONE, grid, 73.9, 58),
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


@pytest.mark.parametrize("level", ["expedition-1", "expedition-2", "expedition-3"])
@pytest.mark.parametrize("player", [*SEEING, pytest.param("learned", marks=pytest.mark.slow)])
def test_players_keep_to_the_rules_of_expeditions_and_commit_once(level, player):
    instance, rules = FAMILY.generate(FAMILY.level(level), 0, 0), FAMILY.rules_for("certified")
    episode = play(FAMILY, instance, rules, player)
    assert all(turn.legal for turn in episode.turns), [
        turn.observation for turn in episode.turns if not turn.legal
    ]
    kinds = [turn.action["kind"] for turn in episode.turns]
    assert kinds.count("commit") == 1
    assert episode.done
    assert episode.score().numbers["slips"] == 0


def test_the_silent_player_does_nothing():
    instance = FAMILY.generate(FAMILY.level("dial"), 0, 0)
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
    lambda default, low, high, spare: Offer(
        default=tuple(default),
        low=low,
        high=max(high, *default, low),
        total=sum(default) + spare,
        options=(2, 3),
        deployments=12,
        drones=200,
        per_deployment=50,
    ),
    st.lists(st.integers(3, 30), min_size=2, max_size=9),
    st.integers(0, 3),
    st.integers(5, 60),
    st.integers(0, 40),
)


def legal(offer: Offer, design: Choice) -> bool:
    return (
        all(offer.low <= points <= offer.high for points in design.armour)
        and sum(design.armour) <= offer.total
        and all(
            0 <= option < count for option, count in zip(design.options, offer.options, strict=True)
        )
    )


@given(offered, st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_guessed_designs_are_legal_and_spend_the_total_where_they_can(offer, seed):
    design = guess(offer, stream(seed, "guess"))
    assert legal(offer, design)
    assert offer.high in design.armour or sum(design.armour) == offer.total


@given(
    offered,
    st.sampled_from([grid, random_search]),
    st.integers(0, 100),
)
@settings(max_examples=40, deadline=None)
def test_searches_try_legal_designs_within_the_budget(offer, policy, seed):
    rng = stream(seed, "rates")
    plan = policy(offer, stream(seed, "explore"))
    tried = [next(plan)]
    try:
        while True:
            tried.append(plan.send(Outcome(rng.random())))
    except StopIteration as end:
        submitted = end.value
    assert all(legal(offer, trial.design) for trial in [*tried])
    assert legal(offer, submitted)
    assert len(tried) <= offer.deployments
    assert sum(trial.count for trial in tried) <= offer.drones
