"""Playing a table: words, replies, what is refused, and how a case ends."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.episode import Episode
from causarium.contract.world import Unparsed
from causarium.families.causallink.certified import FAMILY
from causarium.families.causallink.certified.model import ACTIONS, Answer, Trial

RULES = FAMILY.rules_for("certified")


def open_episode(rung: int, index: int = 0) -> Episode:
    return Episode(FAMILY, FAMILY.generate(FAMILY.level(f"rung-{rung}"), 23, index), RULES)


def read(reply: str) -> object:
    return FAMILY.replies.parse(reply, ACTIONS, RULES)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"start": ["bell"], "hold": []}', Trial(start=("bell",))),
        ('I think:\n{"start": "bell, drum", "hold": "none"}', Trial(start=("bell", "drum"))),
        ('{"hold": ["bell"]}', Trial(hold=("bell",))),
        ('{"start": ["bell"], "hold": ["..."]}', Trial(start=("bell",))),
        ('{"answer": "yes"}', Answer(answer="yes")),
        ('{"start": ["bell"]} It rings. {"answer": "yes"}', Trial(start=("bell",), forgiven=1)),
        ('{"note": 1} {"answer": "yes"} {"answer": "yes"}', Answer(answer="yes")),
        ("yes", Answer(answer="yes")),
        ("**No.**", Answer(answer="no")),
        ('{"start": [], "hold": [], "answer": "no"}', Answer(answer="no")),
    ],
)
def test_replies_are_read(reply: str, expected: object) -> None:
    assert read(reply) == expected


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("Start the bell.", "no JSON object"),
        ('{"begin": ["bell"]}', "other keys: begin"),
        ('{"start": ["bell"], "answer": "yes"}', "both a trial and an answer"),
    ],
)
def test_what_cannot_be_read_says_why(reply: str, why: str) -> None:
    found = read(reply)
    assert isinstance(found, Unparsed)
    assert why in found.detail


@given(st.text())
def test_no_reply_raises(reply: str) -> None:
    episode = open_episode(2)
    episode.take(episode.parse_reply(reply))
    episode.take(episode.parse_reply(reply))


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ('{"start": ["zebra"]}', "there is no 'zebra'"),
        ('{"start": ["TARGET"]}', "nobody may touch the TARGET"),
        ('{"start": ["FIRST"], "hold": ["the FIRST"]}', "cannot be started and held"),
        ('{"start": ["FIRST"], "hold": ALL}', "at most 4 objects, not 5"),
        ('{"answer": "perhaps"}', "neither yes nor no"),
    ],
)
def test_a_bad_trial_is_asked_for_once_more(reply: str, why: str) -> None:
    episode = open_episode(3)
    public = episode.instance.public
    bad = reply.replace("TARGET", public.target).replace("FIRST", public.objects[0])
    bad = bad.replace("ALL", json.dumps(public.objects[1:]))
    seen = episode.take(episode.parse_reply(bad))
    assert why.replace("TARGET", public.target) in seen.text
    assert not seen.legal
    assert episode.world.spent == 0
    assert not episode.done
    episode.take(Trial(start=public.objects[:1]))
    assert episode.world.spent == 1
    episode.take(episode.parse_reply(bad))
    episode.take(episode.parse_reply(bad))
    assert episode.done
    numbers = episode.score().numbers
    assert (numbers["score"], numbers["answered"], numbers["slips"]) == (0, 0, 2)


def test_no_trial_is_made_beyond_the_last() -> None:
    episode = open_episode(2)
    for _ in range(episode.world.budget):
        assert Trial in episode.world.allowed_actions
        episode.take(Trial())
    assert episode.world.allowed_actions == (Answer,)
    seen = episode.take(Trial())
    assert "no trials left" in seen.text
    assert not episode.done
    episode.take(Answer(answer="yes"))
    assert episode.score().numbers["answered"] == 1


def test_rung_1_is_short_and_takes_one_word() -> None:
    for index in range(40):
        episode = open_episode(1, index)
        words = FAMILY.prompt(episode.instance.public, RULES)
        assert len(words.system) + len(words.user) <= 1500
        episode.take(episode.parse_reply(episode.instance.secret.answer))
        assert episode.score().numbers["score"] == 1


@pytest.mark.parametrize("rung", range(1, 9))
def test_the_prompt_names_every_object_and_hides_every_part(rung: int) -> None:
    instance = open_episode(rung).instance
    twin = instance.secret.model_copy(update={"truth": not instance.secret.truth})
    for interface in ("json", "tools"):
        words = FAMILY.prompt(instance.public, FAMILY.rules_for("certified", interface=interface))
        assert all(name in words.user for name in instance.public.objects)
        assert "$" not in words.system + words.user
    assert twin.answer != instance.secret.answer
