"""Batches: n sessions step as each alone would; snapshots and forks go on from the same point."""

import asyncio
import json
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

import causarium as cm
from causarium import families
from causarium.contract.episode import play
from causarium.errors import BadFile, UsageError

LEVEL = "rung-2"
REPLIES = st.sampled_from(['{"start": [], "hold": []}', '{"answer": "yes"}', "no", "", "{", None])


@given(st.lists(st.lists(REPLIES, min_size=3, max_size=3), max_size=6))
@settings(max_examples=8, deadline=None)
def test_rows_step_as_sessions_do(rounds: list[list[str | None]]) -> None:
    rows = cm.batch("causallink", 3, size=4, level=LEVEL)
    alone = [cm.open_session("causallink", level=LEVEL, index=n) for n in range(3)]
    opened = 3
    for moves in rounds:
        seen = rows.step(moves)
        for row, move in enumerate(moves):
            if move is None:
                assert not seen.moved[row]
                continue
            step = alone[row].step(move)
            assert seen.steps[row] == step
            told = (seen.rewards[row], seen.done[row], seen.legal[row])
            assert told == (step.reward, step.done, step.legal)
            if step.done:
                alone[row] = cm.open_session("causallink", level=LEVEL, index=opened % 4)
                opened += 1
            assert seen.texts[row] == alone[row].observation
    assert rows.texts == [session.observation for session in alone]


@pytest.mark.parametrize("name", families.FAMILIES)
def test_every_family_plays_in_rows(name: str) -> None:
    rows = cm.batch(name, 2, size=2)
    scripts = []
    for session in rows.sessions:
        turns = play(session.family, session.instance, session.rules, "oracle").turns
        scripts.append([session.says(turn.move(session.family.actions)) for turn in turns])
    earned, done = np.zeros(2), np.zeros(2, dtype=bool)
    for number in range(max(map(len, scripts))):
        moves = [script[number] if number < len(script) else None for script in scripts]
        step = rows.step(moves)
        earned, done = earned + step.rewards, done | step.done
    assert (earned.tolist(), done.all()) == ([1.0, 1.0], True)


def test_forks_and_snapshots_go_on_apart() -> None:
    rows = cm.batch("causallink", 2, level=LEVEL)
    rows.step(["hm", None])
    kept = json.loads(json.dumps(rows.snapshot()))
    for other in (rows.fork(), rows.load(kept)):
        assert [len(session.turns) for session in other.sessions] == [1, 0]
        assert other.texts == rows.texts
        other.step(["no", "no"])
    assert [len(session.turns) for session in rows.sessions] == [1, 0]
    with pytest.raises(BadFile, match="not a snapshot of a batch"):
        rows.load({})


def test_stepping_beside_an_event_loop() -> None:
    rows = cm.batch("causallink", 2, level=LEVEL, interface="tools")
    step = asyncio.run(rows.step_async([{"kind": "answer", "answer": "yes"}, None]))
    assert (step.done.tolist(), step.moved.tolist()) == ([True, False], [True, False])


def test_where_one_move_is_wrong_none_is_made() -> None:
    rows = cm.batch("causallink", 2, level=LEVEL, interface="tools")
    with pytest.raises(UsageError, match="unknown causallink action"):
        rows.step([{"kind": "answer", "answer": "yes"}, {"kind": "bogus"}])
    assert [len(session.turns) for session in rows.sessions] == [0, 0]


def test_after_the_last_of_a_set_comes_its_first() -> None:
    rows = cm.batch("causallink", 2, set="smoke", start=4, interface="tools")
    ids = [session.instance.id for session in rows.sessions]
    rows.step([{"kind": "answer", "answer": "yes"}] * 2)
    assert [session.instance.id for session in rows.sessions] == ids
    with pytest.raises(UsageError, match="2 instances from 4 on, not 3"):
        cm.batch("causallink", 2, set="smoke", start=4, size=3)


def test_a_snapshot_of_private_or_own_instances_is_loaded() -> None:
    item = cm.load("causallink").instance("smoke", 0)
    for given_ in ({"split": "private", "salt": SecretStr("mine")}, {"instance": item}):
        rows = cm.batch("causallink", 2, **given_)
        assert rows.load(rows.snapshot()).texts == rows.texts


def test_a_batch_survives_pickle() -> None:
    rows = cm.batch("causallink", 2, level=LEVEL)
    rows.step(["no", None])
    other = pickle.loads(pickle.dumps(rows))
    assert (other.texts, other.step(["no", "no"]).texts) == (
        rows.texts,
        rows.step(["no"] * 2).texts,
    )


def test_a_snapshot_of_another_batch_is_refused() -> None:
    rows = cm.batch("causallink", 1, level=LEVEL)
    other = {"opened": 1, "sessions": [cm.open_session("causalab").snapshot()]}
    for wrong in ({"opened": -5, "sessions": []}, {**rows.snapshot(), "opened": 0}, other):
        with pytest.raises(BadFile, match="not a snapshot of a batch of causallink"):
            rows.load(wrong)


def test_wrong_sizes_are_refused() -> None:
    with pytest.raises(UsageError, match="begins with start="):
        cm.batch("causallink", 2, index=3)
    with pytest.raises(UsageError, match="needs 2 moves, not 1"):
        cm.batch("causallink", 2, level=LEVEL).step(["no"])
    with pytest.raises(UsageError, match="at least 1 session"):
        cm.batch("causallink", 0)
