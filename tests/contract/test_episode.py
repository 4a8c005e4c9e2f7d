"""Episodes: what is recorded is enough to play and to score again."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.episode import Episode, play, replay
from causarium.contract.sets.instance_sets import generate_set
from causarium.contract.turn import Turn
from causarium.contract.world import Unparsed
from causarium.errors import ContractError, UnknownName, UsageError
from tests.support.lamps import FAMILY as LAMPS
from tests.support.lamps.model import Answer, Flip
from tests.support.vary_family import vary

RULES = LAMPS.rules_for("certified")
FIRST, SECOND = generate_set(LAMPS, "certified", "smoke")[:2]
names = st.sampled_from([*FIRST.public.switches, "no such switch"])
moves = st.lists(
    st.builds(Flip, switch=names)
    | st.builds(Answer, wired=names)
    | st.just(Unparsed(mode="unreadable", detail="nothing")),
    max_size=8,
)


@given(moves)
def test_any_game_can_be_played_again_from_its_record(made):
    episode = Episode(LAMPS, FIRST, RULES)
    for move in made:
        episode.step(move)
    record = [Turn.model_validate_json(turn.model_dump_json()) for turn in episode.turns]
    again = replay(LAMPS, FIRST, RULES, record)
    assert again.turns == episode.turns
    assert again.score() == episode.score()
    assert (again.world.spent, again.done) == (episode.world.spent, episode.done)


@given(moves)
def test_turns_give_back_the_moves_they_record(made):
    episode = Episode(LAMPS, FIRST, RULES)
    for move in made:
        episode.step(move)
    assert [turn.move(LAMPS.actions) for turn in episode.turns] == made


def test_turns_of_another_instance_are_found_out():
    other = next(
        one for one in (SECOND, *generate_set(LAMPS, "certified", "standard")) if differs(one)
    )
    turns = play(LAMPS, FIRST, RULES, "optimal").turns
    with pytest.raises(ContractError, match=r"turn \d of lamps-.* was answered .* when it was"):
        replay(LAMPS, other, RULES, turns)


def differs(other):
    script = play(LAMPS, FIRST, RULES, "optimal").turns
    world = LAMPS.open_world(other, RULES)
    return [world.act(turn.move(LAMPS.actions)).text for turn in script] != [
        turn.observation for turn in script
    ]


def test_a_turn_of_an_unknown_kind_is_our_bug():
    turn = Turn(action={"kind": "sing"}, observation="", legal=True, cost=0)
    with pytest.raises(ContractError, match="kind 'sing'; this family has answer, flip"):
        turn.move(LAMPS.actions)


def test_a_players_game_depends_on_its_seed_alone():
    once, again = (play(LAMPS, FIRST, RULES, "random", seed=3) for _ in range(2))
    assert once.turns == again.turns
    games = {str(play(LAMPS, FIRST, RULES, "random", seed=seed).turns) for seed in range(20)}
    assert len(games) > 1


def test_a_silent_player_takes_no_turn():
    assert play(LAMPS, FIRST, RULES, "silent").turns == []


def test_a_player_that_never_stops_is_stopped_by_the_world():
    def plan(public, rules, rng):
        while True:
            yield Flip(switch="no such switch")

    endless = vary(LAMPS, players={"endless": replace(LAMPS.players["random"], moves=plan)})
    assert len(play(endless, FIRST, RULES, "endless").turns) == 3


def test_rules_follow_the_edition_and_take_changes():
    assert not LAMPS.rules_for("certified").first_object
    assert LAMPS.rules_for("paper").first_object
    assert LAMPS.rules_for("paper", first_object=False, interface="tools").interface == "tools"
    assert LAMPS.rules_for("paper", interface=None).interface == "json"


def test_rules_that_cannot_be_are_refused():
    with pytest.raises(UnknownName, match=r"rule 'interfaec'; did you mean 'interface'\?"):
        LAMPS.rules_for("certified", interfaec="json")
    with pytest.raises(UsageError, match="lamps cannot be played by these rules: first_object: "):
        LAMPS.rules_for("certified", first_object="perhaps")
    with pytest.raises(UnknownName, match="unknown interface 'smoke signals'"):
        LAMPS.rules_for("certified", interface="smoke signals")
