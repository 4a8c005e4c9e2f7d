"""Sessions by address: rewards, shaping, snapshots, programs, and what they never tell."""

import json
import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

import causarium as cm
from causarium import families
from causarium.contract.checks.json_values import leaves
from causarium.contract.episode import play
from causarium.contract.rules import Rules
from causarium.contract.world import Action
from causarium.engine.sandbox.bubblewrap import no_bubblewrap
from causarium.errors import BadFile, ContractError, UnknownName, UsageError
from tests.support.extras import needs_discoveryworld

PAPER: dict[str, Any] = {
    "edition": "paper",
    "set": "smoke",
    "sandbox": True,
    "analysis_unanswered": False,
}
"""A session in which programs run."""
SHAPED = ("causallink", "causalab", "causalgame")
INFO = {"turn", "spent", "budget", "legal", "cost", "unread", "expects", "seen"}


def follow(session: cm.Session, player: str) -> list[cm.Step]:
    """Play a session by what a player says."""
    direct = play(session.family, session.instance, session.rules, player)
    moves = [turn.move(session.family.actions) for turn in direct.turns]
    return [session.step(session.says(move)) for move in moves if isinstance(move, Action)]


@pytest.mark.parametrize("name", families.FAMILIES)
def test_an_oracle_that_talks_earns_everything_and_silence_nothing(name: str) -> None:
    session = cm.open_session(name)
    assert session.reward == 0.0
    steps = follow(session, "oracle")
    assert (session.done, session.reward, sum(step.reward for step in steps)) == (True, 1.0, 1.0)
    json.dumps(session.verdict(), allow_nan=False)
    assert session.step("more").reward == 0.0


@settings(max_examples=12, deadline=None)
@given(
    name=st.sampled_from(SHAPED),
    index=st.integers(0, 50),
    gamma=st.sampled_from([1.0, 0.9, 0.5]),
    rng=st.randoms(use_true_random=False),
)
def test_shaping_moves_no_policy_past_another(
    name: str, index: int, gamma: float, rng: Random
) -> None:
    """Whatever is done, the discounted shares add up to the discounted reward of the end.

    So shaped and plain returns are the same number for every policy, and rank them alike.
    """
    session = cm.open_session(name, index=index, shaped=True, gamma=gamma)
    direct = play(session.family, session.instance, session.rules, "random", seed=index)
    moves = [turn.move(session.family.actions) for turn in direct.turns]
    replies = [session.says(move) for move in moves if isinstance(move, Action)]
    for _ in range(2):
        replies.insert(rng.randrange(len(replies)), "neither here nor there")
    total, share = 0.0, 1.0
    for reply in replies:
        step = session.step(reply)
        assert -1.0 <= step.reward <= 1.0
        total += share * step.reward
        if session.done:
            break
        share *= gamma
    if session.done:
        assert total == pytest.approx(share * session.reward, abs=1e-9)


def interfaces():
    return [
        pytest.param(
            name,
            interface,
            id=f"{name}-{interface}",
            marks=[needs_discoveryworld] if "discoveryworld" in extra else [],
        )
        for name in families.FAMILIES
        for rules in [families.get(name, "certified").rules]
        for interface in rules.interfaces
        if interface != "released_world"  # needs a release, which has tests of its own
        for extra in [rules.extras.get(interface, "")]
    ]


@pytest.mark.parametrize(("name", "interface"), interfaces())
def test_a_session_survives_pickle_a_snapshot_and_a_fork(name: str, interface: str) -> None:
    session = cm.open_session(name, index=2, shaped=name in SHAPED, interface=interface)
    session.step("no action in this")
    for other in copies(session):
        if interface != "code":  # Players make moves of their own, and no programs.
            assert follow(other, "oracle")
    assert len(session.turns) == 1


def copies(session: cm.Session) -> list[cm.Session]:
    """Return copies by every way, each of them at the same point as the session."""
    snapshot = json.loads(json.dumps(session.snapshot(), allow_nan=False))
    others = [cm.restore(snapshot), pickle.loads(pickle.dumps(session)), session.fork()]
    for other in others:
        assert [t.model_dump() for t in other.turns] == [t.model_dump() for t in session.turns]
        assert (other.info(), other.instance) == (session.info(), session.instance)
        assert other.reward == session.reward
    return others


@pytest.mark.parametrize(("name", "interface"), interfaces())
def test_info_snapshot_and_tools_hold_no_secret(name: str, interface: str) -> None:
    session = cm.open_session(name, interface=interface)
    if interface != "code":
        follow(session, "random")
    assert set(session.info()) == INFO
    snapshot = session.snapshot()
    snapshot["address"].pop("level")  # a name in public lists
    told = json.dumps(
        [session.info(), snapshot, cm.open_session(name, interface=interface).tools()]
    )
    public = session.opening + session.instance.public.model_dump_json() + session.observation
    read = public + " ".join(f"{turn.observation} {turn.action}" for turn in session.turns)
    revealed = session.family.proofs.revealed_fields
    if callable(revealed):
        revealed = revealed(session.instance.public)
    for place, value in leaves(session.instance.secret.model_dump(mode="json")):
        text = str(value)
        if len(text) >= 6 and text not in read and not revealed & set(map(str, place)):
            assert text not in told, place
    assert session.instance.id not in json.dumps(session.info())


def test_a_snapshot_of_something_else_is_refused() -> None:
    session = cm.open_session("causallink", level="rung-3")
    session.step("nothing")
    snapshot = session.snapshot()
    with pytest.raises(BadFile, match="not a snapshot"):
        cm.restore({})
    with pytest.raises(BadFile, match="not None"):
        cm.restore(None)  # type: ignore[arg-type]
    with pytest.raises(BadFile, match="of version 0-A"):
        cm.restore({**snapshot, "address": {**snapshot["address"], "version": "0-A"}})
    other = {"action": {"kind": "answer", "bogus": 1}, "unparsed": None}
    for wrong in (
        {"gamma": "x"},
        {"shaped": "no"},
        {"rules": {"interface": "zz"}},
        {"address": {**snapshot["address"], "split": "test"}},
        {"turns": [{**snapshot["turns"][0], **other}]},
        {"turns": None},
    ):
        with pytest.raises(BadFile, match="not a snapshot"):
            cm.restore({**snapshot, **wrong})
    changed = [{**snapshot["turns"][0], "observation": "otherwise"}]
    with pytest.raises(ContractError, match="was answered"):
        cm.restore({**snapshot, "turns": changed})


def test_an_instance_given_by_hand_is_given_again() -> None:
    item = cm.load("causallink").instance("smoke", 1)
    snapshot = cm.open_session("causallink", instance=item).snapshot()
    assert item.public.asked not in json.dumps(snapshot)
    assert cm.restore(snapshot, instance=item).instance == item
    with pytest.raises(BadFile, match="pass the same instance again"):
        cm.restore(snapshot)


def test_a_private_instance_is_restored_with_its_own_salt() -> None:
    salt, other = SecretStr("one of mine"), SecretStr("another")
    session = cm.open_session("causallink", split="private", salt=salt)
    snapshot = session.snapshot()
    assert salt.get_secret_value() not in json.dumps(snapshot)
    assert cm.restore(snapshot, salt=salt).instance == session.instance
    with pytest.raises(BadFile, match="another salt"):
        cm.restore(snapshot, salt=other)


def test_the_verdict_comes_at_the_end() -> None:
    with pytest.raises(UsageError, match="at the end"):
        cm.open_session("causallink").verdict()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"level": "rong-3"}, "did you mean 'rung-3'"),
        ({"split": "trian"}, "did you mean 'train'"),
        ({"split": "test"}, "named sets"),
        ({"index": -1}, "numbered from 0"),
        ({"seed": -1}, "from 0 to 2\\^56"),
        ({"seed": 3.5}, "seed: Input should be a valid integer"),
        ({"edition": "paper"}, "draw from another level, or play a named set"),
        ({"seed": 2**56}, "from 0 to 2\\^56"),
        ({"level": "paper-core"}, "edition='paper'"),
        ({"set": "smok"}, "did you mean 'smoke'"),
        ({"no_rule": 1}, "unknown causallink rule"),
    ],
)
def test_an_address_that_leads_nowhere_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        cm.open_session("causallink", **given)
    with pytest.raises(UnknownName):
        cm.open_session("causalink")


def test_without_a_sandbox_the_rules_need_none() -> None:
    assert not {"run_analysis"} & {
        t["name"] for t in cm.open_session("causalgame", edition="paper", set="smoke").tools()
    }


@pytest.mark.parametrize(
    ("name", "rules"), [("replayscm", {}), ("causalgame", {"analysis": True}), ("causallink", {})]
)
def test_what_is_expected_can_be_called(name: str, rules: dict[str, bool]) -> None:
    session = cm.open_session(name, edition="paper", set="smoke", interface="tools", **rules)
    expected = session.info()["expects"]
    assert expected
    assert set(expected) <= {tool["name"] for tool in session.tools()}


@pytest.mark.skipif(no_bubblewrap() is not None, reason="bubblewrap does not work here")
def test_programs_run_in_the_sandbox() -> None:
    session = cm.open_session("causalgame", **PAPER, analysis=True, interface="tools")
    step = session.step({"name": "run_analysis", "arguments": {"code": "print(6 * 7)"}})
    assert (step.legal, "42" in step.text) == (True, True)
    assert session.fork().turns == session.turns


@pytest.mark.long
@pytest.mark.skipif(no_bubblewrap() is not None, reason="bubblewrap does not work here")
def test_a_session_with_a_sandbox_survives_all_that_too() -> None:
    session = cm.open_session("causalgame", **PAPER, analysis=True, interface="tools")
    session.step({"name": "run_analysis", "arguments": {"code": "print(6 * 7)"}})
    for other in copies(session):
        again = {"name": "run_analysis", "arguments": {"code": "print(6 * 8)"}}
        assert "48" in other.step(again).text


@pytest.mark.long
@pytest.mark.skipif(no_bubblewrap() is not None, reason="bubblewrap does not work here")
def test_a_program_that_plays_can_be_forked_too() -> None:
    session = cm.open_session("causalgame", **PAPER, interface="code")
    step = session.step("```python\nprint(6 * 7)\n```")
    assert "42" in step.text
    for other in copies(session):
        assert "48" in other.step("```python\nprint(6 * 8)\n```").text


def test_rules_are_those_of_the_edition() -> None:
    assert isinstance(cm.open_session("recite").rules, Rules)
    assert cm.open_session("causallink", edition="paper", set="smoke").rules.strict_form
