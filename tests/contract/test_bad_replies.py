"""No reply makes an exception: read, taken, recorded, written down and scored, all together."""

import random
from dataclasses import replace

import pytest

from causarium import families
from causarium.contract.episode import NOT_HANDLED, Episode, count_bad_replies, find_first_mismatch
from causarium.contract.rules import EDITIONS
from causarium.contract.sets.instance_sets import generate_instances
from causarium.contract.unparsed import Unparsed
from tests.support.hostile_replies import make_reply

HOSTILE_KEYS = ["1", "('q', 1)", "None", "True", "b'x'", "1.5", "frozenset()", "...", '"a"', "{}"]
HOSTILE_VALUES = ["{1: 1}", "{('q', 1): 'up'}", "[[[]]]", "1e999", "-0", "''", "[None]", "{'': {}}"]
KNOWN = {
    "causalab": "{'action':'measure','hypothesis':{1:1}}",
    "causalgame": "{'action':'answer','answers':{('q',1):'up'}}",
}
"""Replies that once ended a sample."""


def make_hostile(draw: random.Random, family) -> str:
    """Return a reply with the keys of some action and absurd things under them."""
    if draw.random() < 0.5:
        return make_reply(draw)
    action = draw.choice(family.actions)
    keys = [f"'{name}'" for name in ("action", *action.model_fields)]
    pairs = []
    for key in draw.sample(keys, k=draw.randint(1, len(keys))):
        value = repr(action.kind) if key == "'action'" else draw.choice(HOSTILE_VALUES)
        if draw.random() < 0.3:
            value = "{" + f"{draw.choice(HOSTILE_KEYS)}: {draw.choice(HOSTILE_VALUES)}" + "}"
        pairs.append(f"{key}: {value}")
    return "{" + ", ".join(pairs) + "}"


def find_seats(family):
    """Return an instance and rules for every edition and interface."""
    seats = []
    for edition in EDITIONS:
        spec = family.card.sets.get(edition, {}).get("smoke")
        if spec is not None:
            instance = next(iter(generate_instances(family, spec.parts)))
            for interface in family.rules.interfaces:
                rules = family.rules_for(edition, interface=interface)
                if rules.is_interface_installed():
                    seats.append((instance, rules))
    return seats


def play_hostile_replies(family, count: int, seed: int) -> int:
    """Play episodes of hostile replies strictly, and return how many replies were played."""
    draw, played = random.Random(seed), 0
    seats = find_seats(family)
    while played < count:
        instance, rules = draw.choice(seats)
        episode = Episode(family, instance, rules)
        while not episode.done and played < count:
            reply = make_hostile(draw, family)
            # Not `parse_reply` and `take`, which catch what is looked for here.
            episode.step(family.replies.parse(reply, episode.world.allowed_actions, rules))
            episode.turns[-1].model_dump_json()
            played += 1
            if draw.random() < 0.05:
                break
        episode.score().model_dump_json()
    return played


@pytest.mark.parametrize("name", families.names())
def test_hostile_replies_raise_nothing(name):
    assert play_hostile_replies(families.get(name), 400, seed=1) == 400


@pytest.mark.long
@pytest.mark.parametrize("name", families.names())
@pytest.mark.parametrize("part", range(20))
def test_a_million_hostile_replies_raise_nothing(name, part):
    assert play_hostile_replies(families.get(name), 10_000, seed=100 + part) == 10_000


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
    whole = families.get("causallink")
    family = break_reader(whole)
    instance, rules = find_seats(whole)[0]
    episode = Episode(family, instance, rules)
    for said in ("nonsense", reply, "nonsense"):
        episode.take(episode.parse_reply(said))
    assert [turn.unparsed.mode for turn in episode.turns][1] == NOT_HANDLED
    assert count_bad_replies(episode.turns)[NOT_HANDLED] == 1
    # The world took nothing of the move that broke it: the turns are true.
    assert find_first_mismatch(whole, instance, rules, episode.turns) == ""
    episode.score()
