"""Players: they keep to the rules, and in the published games they score as was measured."""

import math
import sys
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.episode import play
from causarium.errors import UsageError
from causarium.families.causalgame import FAMILY
from causarium.families.causalgame.catalogue.paper_games import paper_game
from causarium.families.causalgame.evidence import exploration
from causarium.families.causalgame.evidence.search_policies import Offer, offer, settle
from causarium.families.causalgame.mechanics.game import Budget, Design, Space
from causarium.families.causalgame.mechanics.simulate import fly
from causarium.families.causalgame.players import PLAYERS, offer_of
from causarium.seeds import stream

ANTENNA = "antenna_trap"
ZONE = "deployment_zone_trap_categorical"
SESSIONS = 160
MEASURED = 250
"""How many sessions the published comparison is taken to have had."""
ACTING = sorted(set(PLAYERS) - {"silent"})


def outcomes(name, policy):
    """The fleet's survival in many sessions of a published game, in percent."""
    game, found = paper_game(name), []
    for session in range(SESSIONS):
        rng = stream(session, "player", name)
        design = settle(policy, game, rng)
        found.append(100 * float(fly(game, design, 1000, rng, 2).survived.mean()))
    return found


def near(measured, found):
    error = stdev(found) * math.sqrt(1 / len(found) + 1 / MEASURED)
    return pytest.approx(measured, abs=3 * error)


@pytest.mark.parametrize(
    ("name", "policy", "mean", "wins"),
    [
        (ANTENNA, exploration.random_search, 72.0, 48),
        (ZONE, exploration.random_search, 68.6, 31),
        (ANTENNA, exploration.one_factor, 80.1, 91),
        (ZONE, exploration.grid, 73.9, 58),
    ],
)
def test_trivial_explorers_score_as_measured_in_the_published_games(name, policy, mean, wins):
    found = outcomes(name, policy)
    assert fmean(found) == near(mean, found)
    won = [100.0 * (share >= 75) for share in found]
    assert fmean(won) == near(wins, won)


@pytest.mark.parametrize(("name", "mean"), [(ANTENNA, 39.8), (ZONE, 57.0)])
def test_one_random_design_scores_as_measured(name, mean):
    game, found = paper_game(name), []
    for session in range(2 * SESSIONS):
        rng = stream(session, "guess", name)
        flown = fly(game, exploration.guess(offer(game), rng), 300, rng, 2)
        found.append(100 * float(flown.survived.mean()))
    assert fmean(found) == near(mean, found)


@pytest.mark.parametrize("level", [ANTENNA, f"paper-{ZONE}", "weather_noise"])
@pytest.mark.parametrize("player", ACTING)
def test_players_keep_to_the_rules_and_submit(level, player):
    if player == "bayesian":
        pytest.importorskip("optuna")
    config = FAMILY.level(level)
    instance = FAMILY.generate(config, 0, 0)
    rules = FAMILY.rules_for(config.edition)
    episode = play(FAMILY, instance, rules, player)
    assert all(turn.legal for turn in episode.turns), [
        turn.observation for turn in episode.turns if not turn.legal
    ]
    kinds = [turn.action["kind"] for turn in episode.turns]
    assert kinds.count("submit") == 1
    assert episode.done
    again = play(FAMILY, instance, rules, player)
    assert [turn.observation for turn in again.turns] == [t.observation for t in episode.turns]


def test_the_silent_player_does_nothing():
    instance = FAMILY.generate(FAMILY.level(ANTENNA), 0, 0)
    episode = play(FAMILY, instance, FAMILY.rules_for("certified"), "silent")
    assert not episode.turns


def test_the_oracle_is_better_than_the_default_and_the_default_better_than_the_trap():
    config = FAMILY.level(f"paper-{ANTENNA}")
    instance, rules = FAMILY.generate(config, 0, 0), FAMILY.rules_for("paper")
    oracle, default, trap = (
        play(FAMILY, instance, rules, name).score().numbers["survival"]
        for name in ("oracle", "default", "trap")
    )
    assert oracle > default + 0.3 > trap + 0.3


@pytest.mark.parametrize("level", [ANTENNA, f"paper-{ZONE}"])
def test_the_oracle_holds_what_is_to_be_found_and_the_trap_what_is_not(level):
    config = FAMILY.level(level)
    instance, rules = FAMILY.generate(config, 0, 0), FAMILY.rules_for(config.edition)
    oracle, trap = (
        play(FAMILY, instance, rules, name).score().numbers for name in ("oracle", "trap")
    )
    assert oracle["golden_found"] == 1
    assert oracle["claim_distance"] == oracle["distractors_held"] == 0
    assert trap["golden_found"] == 0
    assert trap["claim_distance"] > oracle["claim_distance"]


def test_a_policy_is_offered_what_the_public_part_tells():
    for level in (ANTENNA, f"paper-{ZONE}"):
        instance = FAMILY.generate(FAMILY.level(level), 0, 0)
        assert offer_of(instance.public) == offer(instance.secret.game)


def test_bayesian_optimisation_plays_and_repeats_itself():
    pytest.importorskip("optuna")
    game = paper_game(ANTENNA)
    one, again = (settle(exploration.bayesian, game, stream(1, "bayesian")) for _ in range(2))
    assert one == again
    assert one != settle(exploration.bayesian, game, stream(2, "bayesian"))
    assert sum(one.armour.values()) <= game.space.total


def test_without_its_library_the_bayesian_player_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(UsageError, match="pip install"):
        settle(exploration.bayesian, paper_game(ANTENNA), stream(0, "none"))


offers = st.builds(
    lambda default, low, high, spare: Offer(
        {f"part{number}": points for number, points in enumerate(default)},
        Space(low=low, high=max(high, *default, low), total=sum(default) + spare),
        {"slot": ("plain", "fancy")},
        Budget(),
    ),
    st.lists(st.integers(3, 30), min_size=2, max_size=9),
    st.integers(0, 3),
    st.integers(5, 60),
    st.integers(0, 40),
)


def legal(given_offer, design):
    armour = {**given_offer.default, **design.armour}
    space = given_offer.space
    return (
        all(space.low <= points <= space.high for points in armour.values())
        and sum(armour.values()) <= space.total
        and set(design.armour) <= set(given_offer.default)
    )


@given(offers, st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_guessed_designs_are_legal_and_spend_the_total_where_they_can(given_offer, seed):
    design = exploration.guess(given_offer, stream(seed, "guess"))
    assert legal(given_offer, design)
    capped = any(points == given_offer.space.high for points in design.armour.values())
    assert capped or sum(design.armour.values()) == given_offer.space.total


@given(
    offers, st.sampled_from([exploration.one_factor, exploration.grid, exploration.random_search])
)
@settings(max_examples=60, deadline=None)
def test_explorers_try_legal_designs_within_the_budget(given_offer, policy):
    tried, submitted = explored(policy, given_offer, lambda _: 0.5)
    assert submitted == tried[0].design
    assert all(legal(given_offer, one.design) for one in tried)
    assert len(tried) <= given_offer.budget.deployments
    assert sum(one.count for one in tried) <= given_offer.budget.drones


def test_the_best_batch_is_submitted():
    wanted = Design(armour={"antenna": 0})
    _, submitted = explored(
        exploration.one_factor,
        offer(paper_game(ANTENNA)),
        lambda design: 0.9 if design == wanted else 0.4,
    )
    assert submitted == wanted


def explored(policy, given_offer, share_of):
    """Let a policy explore where each design has a known share; return trials and submission."""
    plan = policy(given_offer, stream(0, "explore"))
    tried = [next(plan)]
    try:
        while True:
            tried.append(plan.send(share_of(tried[-1].design)))
    except StopIteration as end:
        submitted = end.value
    return tried, submitted
