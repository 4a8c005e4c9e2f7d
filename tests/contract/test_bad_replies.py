"""No reply makes an exception: read, taken, recorded, written down and scored, all together."""

import math
import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

import causarium as cm
from causarium import families
from causarium.contract.episode import NOT_HANDLED, Episode, count_bad_replies, replay
from causarium.contract.world import Unparsed
from tests.support.hostile_replies import find_seats, play_hostile_replies

ROOT = Path(__file__).resolve().parents[2]
KNOWN = {
    "causalab": "{'hold':{('spin',1):'up'}}",
    "causalgame": "{'decide':{('leg',1):'fit'}}",
}
"""Replies that once ended a sample."""


@pytest.mark.parametrize("name", families.names())
def test_hostile_replies_raise_nothing(name):
    *_, found = play_hostile_replies(families.get(name), 400, seed=1)
    assert (found.played, found.raised, found.late) == (400, [], 0)


@pytest.mark.parametrize("name", KNOWN)
def test_replies_that_once_ended_a_sample_are_read(name):
    family = families.get(name)
    for instance, rules in find_seats(family):
        episode = Episode(family, instance, rules)
        move = episode.parse_reply(KNOWN[name])
        assert not isinstance(move, Unparsed) or move.mode != NOT_HANDLED
        episode.step(move)
        episode.score()


def break_reader(family):
    """Return a family in which one reply breaks the reader, and another one the world."""

    def parse(reply, allowed_actions, rules):
        if reply == "break the reader":
            raise AttributeError(reply)
        return family.replies.parse(reply, allowed_actions, rules)

    def open_world(instance, rules):
        world = family.open_world(instance, rules)
        act = world.act

        def act_once(move):
            seen = act(move)
            if isinstance(move, Unparsed) and "break the world" in move.detail:
                raise KeyError(move.detail)
            return seen

        world.act = act_once
        return world

    return replace(family, replies=replace(family.replies, parse=parse), open_world=open_world)


@pytest.mark.parametrize("reply", ["break the reader", "break the world"])
def test_an_exception_of_our_own_is_a_bad_reply_and_the_episode_goes_on(reply):
    whole = families.get("causallink", "certified")
    family = break_reader(whole)
    instance, rules = find_seats(whole)[0]
    episode = Episode(family, instance, rules)
    for said in ("nonsense", reply, "nonsense"):
        episode.take(episode.parse_reply(said))
    assert [turn.unparsed.mode for turn in episode.turns][1] == NOT_HANDLED
    assert count_bad_replies(episode.turns)[NOT_HANDLED] == 1
    # The world took nothing of the move that broke it: the turns are true.
    assert replay(whole, instance, rules, episode.turns).turns == episode.turns
    episode.score()


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_number_that_no_log_can_hold_is_no_action(value):
    session = cm.open_session("causalab", edition="paper", set="smoke", interface="tools")
    step = session.step({"name": "intervene", "arguments": {"property": "ph", "value": value}})
    assert (step.unparsed, session.turns) == ("invalid action", ())


def test_a_move_that_a_log_cannot_hold_is_a_bad_reply():
    session = cm.open_session("causalab", edition="paper", set="smoke", interface="tools")
    submit = next(action for action in session.actions if action.kind == "submit")
    session.take(submit.model_construct(value=math.nan))
    assert [turn.unparsed.mode for turn in session.turns] == [NOT_HANDLED]
    assert cm.restore(session.snapshot()).turns == session.turns


@pytest.mark.slow
def test_a_fuzz_that_is_ended_early_has_said_what_it_found():
    env = {**os.environ, "CAUSARIUM_FUZZ": "1000000"}
    words = [sys.executable, "-m", "bench", "fuzz"]
    with Popen(words, cwd=ROOT, env=env, stdout=PIPE, text=True) as bench:
        told = bench.stdout.readline()
        bench.terminate()
        rest = bench.stdout.read()
    found = r"seed 1: [\d,]+ replies, 0 exceptions, 0 over a second, the slowest [\d.]+ s"
    assert re.search(f"{found}$", told)
    assert re.search(f"{found}, of 200,000", rest)
    assert "wanted" in rest  # the table as far as it came
    assert bench.returncode == 130
