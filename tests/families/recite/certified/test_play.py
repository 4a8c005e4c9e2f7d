"""Playing a text: words, replies, what is refused, and how a case ends."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.episode import Episode
from causarium.contract.world import Unparsed
from causarium.families.recite.certified import FAMILY
from causarium.families.recite.certified.model import ACTIONS, Submit

RULES = FAMILY.rules_for("certified")
EDGES = (("1", "2"), ("3", "1"))


def open_episode(rung: int, index: int = 0) -> Episode:
    return Episode(FAMILY, FAMILY.generate(FAMILY.level(f"rung-{rung}"), 23, index), RULES)


def read(reply: str) -> object:
    return FAMILY.replies.parse(reply, ACTIONS, RULES)


@pytest.mark.parametrize(
    "reply",
    [
        '{"edges": [[1, 2], [3, 1]]}',
        'So:\n```json\n{"edges": [["1", "2"], ["3", "1"]]}\n```',
        '{"relationships": [{"source": 1, "sink": 2}, {"source": 3, "sink": 1}]}',
        '{"edges": ["1 -> 2", "3 → 1"]}',
        "<think>[[9, 9]]</think>[[1, 2], [3, 1]]",
        "1 -> 2\n3 -> 1",
        "1 -> 2, 3 -> 1",
    ],
)
def test_edges_are_read(reply: str) -> None:
    assert read(reply) == Submit(edges=EDGES)


@pytest.mark.parametrize(
    "reply",
    [
        '{"answers": ["a", "b", "b"]}',
        '{"answers": "abb"}',
        "a, b, b",
        "1. a\n2. b\n3. (b)",
        "a b b",
    ],
)
def test_letters_are_read(reply: str) -> None:
    assert read(reply) == Submit(answers=("a", "b", "b"))


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("The heron did it.", "no JSON object"),
        ('{"graph_of": 1}', 'no "edges" or "answers"'),
        ('{"edges": [[1, 2, 3]]}', "is no pair"),
        ('{"edges": 7}', "must be a list"),
    ],
)
def test_what_cannot_be_read_says_why(reply: str, why: str) -> None:
    found = read(reply)
    assert isinstance(found, Unparsed)
    assert why in found.detail


@pytest.mark.parametrize(
    ("rung", "reply", "why"),
    [
        (1, '{"answers": ["a"]}', "1 letters for 6 questions"),
        (1, '{"answers": ["a", "b", "a", "b", "a", "c"]}', "'c' answers question 6"),
        (1, '{"edges": [[1, 1]]}', "cannot act on itself"),
        (2, '{"answers": ["a"]}', "there are no questions"),
        (2, '{"edges": [[1, 99]]}', "there is no '99'; ids go from 1 to 8"),
    ],
)
def test_what_cannot_be_taken_is_asked_for_once_more(rung: int, reply: str, why: str) -> None:
    episode = open_episode(rung)
    turn = episode.take(episode.parse_reply(reply))
    assert why in turn.text
    assert not episode.done
    episode.take(episode.parse_reply(reply))
    assert episode.done
    assert episode.score().numbers["score"] == 0


def test_both_edges_of_a_question_are_refused() -> None:
    episode = open_episode(1)
    question = episode.instance.public.questions[1]
    reply = json.dumps({"edges": [question.first, question.second]})
    assert "both edges of question 2" in episode.take(episode.parse_reply(reply)).text


def test_names_are_read_as_ids() -> None:
    episode = open_episode(2)
    cause, effect = episode.instance.public.names[:2]
    episode.take(episode.parse_reply(json.dumps({"edges": [[cause.upper(), f"the {effect}"[4:]]]})))
    assert episode.score().answer == f"{cause} > {effect}"


@pytest.mark.parametrize("rung", [1, 2])
def test_an_answer_is_read_again_as_written(rung: int) -> None:
    for action in (Submit(edges=EDGES), Submit(answers=("a", "b"))):
        assert read(FAMILY.replies.write(action, RULES)) == action


def test_a_tool_call_may_have_ids_as_numbers() -> None:
    assert Submit.model_validate({"edges": [[1, 2], [3, 1]]}) == Submit(edges=EDGES)
    assert {"edges", "answers"} == {*Submit.model_json_schema()["properties"]}


@pytest.mark.parametrize("rung", range(1, 5))
def test_rules_are_the_same_on_every_rung(rung: int) -> None:
    prompt = FAMILY.prompt(open_episode(rung).instance.public, RULES)
    assert prompt.system == FAMILY.prompt(open_episode(1).instance.public, RULES).system


def test_prompts_of_the_first_rung_are_short() -> None:
    for index in range(0, 24, 2):
        prompt = FAMILY.prompt(open_episode(1, index).instance.public, RULES)
        assert len(prompt.system) + len(prompt.user) <= 3_000


@given(st.text())
def test_no_reply_raises(reply: str) -> None:
    episode = open_episode(1)
    episode.take(episode.parse_reply(reply))
    episode.take(episode.parse_reply(reply))
    assert episode.done
