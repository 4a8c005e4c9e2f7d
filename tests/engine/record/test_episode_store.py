"""What an episode leaves in a store: seven keys that logs have always had, spelt in one place."""

import re
from pathlib import Path

import pytest
from inspect_ai.util import Store

import causarium
from causarium.contract.texts.role_questions import Judgement
from causarium.contract.turn import Turn
from causarium.engine.record import episode_record
from causarium.engine.record.episode_record import AnswerCheck, Compaction, EpisodeStore

TURN = Turn(action={"kind": "look"}, observation="a lamp", legal=True, cost=1)
KEYS = {
    *("causarium:turns", "causarium:judgements", "causarium:tokens", "causarium:continued"),
    *("causarium:compacted", "causarium:recheck", "causarium:ended"),
}


def filled() -> Store:
    inner = Store()
    store = EpisodeStore(inner)
    store.start_turns([TURN]).append(TURN.model_dump(mode="json"))
    store.judgements = [Judgement(model="a/b", found={"yes": 1})]
    store.start_tokens().append([3, 1, 2])
    store.continued += 1
    store.continued += 1
    store.compacted = [Compaction(turn=2, messages=3, characters=40)]
    store.answer_check = AnswerCheck(turn=1, intended={"kind": "answer"}, changed=True, gain=1.0)
    store.ended = "it acted after the end"
    return inner


def test_what_is_written_is_read_again_from_a_store_and_from_a_log() -> None:
    inner = filled()
    for store in (EpisodeStore(inner), EpisodeStore(dict(inner.items()))):
        assert store.turns == [TURN, TURN]
        assert store.judgements == [Judgement(model="a/b", found={"yes": 1})]
        assert store.tokens == [(3, 1, 2)]
        assert store.continued == 2
        assert store.compacted == [Compaction(turn=2, messages=3, characters=40)]
        assert store.answer_check is not None
        assert store.ended == "it acted after the end"
        assert store.read_labels({})["context"] == "shortened"
        assert store.read_labels({"recheck": True})["recheck"] == "raised"


def test_the_keys_are_those_of_every_log_and_stand_in_one_file() -> None:
    assert set(filled().keys()) == KEYS
    sources = Path(causarium.__file__).parent
    spelt = [
        path for path in sources.rglob("*.py") if re.search('"causarium:[a-z]', path.read_text())
    ]
    assert spelt == [Path(episode_record.__file__)]


def test_an_empty_store_holds_nothing_and_stays_empty() -> None:
    inner = Store()
    store = EpisodeStore(inner)
    assert (store.turns, store.judgements, store.tokens, store.compacted) == ([], [], [], [])
    assert (store.continued, store.answer_check, store.ended) == (0, None, None)
    assert store.read_labels({"context": 900}) == {"context": "whole"}
    assert store.read_labels({"recheck": True}) == {"recheck": "no answer"}
    assert store.read_labels({}) == {}
    assert not list(inner.keys())


def test_a_log_is_not_written_to() -> None:
    with pytest.raises(TypeError, match="not written to"):
        EpisodeStore({}).ended = "now"
