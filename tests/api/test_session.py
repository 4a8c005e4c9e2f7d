"""Sessions: one episode by hand, in every family, and what they say to bad input."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import causarium as cm
from causarium import families
from causarium.api.session import Session
from causarium.contract.episode import play
from causarium.contract.texts.reply_schemas import INVALID_CALL
from causarium.contract.world import Program
from causarium.errors import UnknownName, UsageError
from tests.support.lamps import FAMILY as LAMPS

LINK = cm.load("causallink")
ITEM = LINK.instance("smoke", 2)


def open_tools() -> Session:
    return LINK.open(ITEM, interface="tools")


@pytest.mark.parametrize("name", families.FAMILIES)
@pytest.mark.parametrize("edition", ["certified", "paper"])
def test_a_players_moves_get_its_verdict(name: str, edition: str) -> None:
    benchmark = cm.load(name, edition=edition)
    item = benchmark.instance("smoke", 0)
    rules = benchmark.rules()
    direct = play(benchmark.family, item, rules, "oracle")
    session = benchmark.open(item)
    for turn in direct.turns:
        if isinstance(turn.move(benchmark.family.actions), Program):
            pytest.skip("its oracle runs programs")
        session.step(turn.action or "")
    assert session.turns == tuple(direct.turns)
    assert session.done == direct.done
    assert session.score().model_dump_json() == direct.score().model_dump_json()


@pytest.mark.parametrize("name", families.FAMILIES)
def test_what_is_handed_out_can_be_read_by_any_program(name: str) -> None:
    benchmark = cm.load(name)
    session = benchmark.open(benchmark.instance("smoke", 0))
    assert [message["role"] for message in session.messages] == ["system", "user"]
    assert all(message["content"] in session.reset() for message in session.messages)
    assert session.observation == session.opening
    json.dumps(session.schema(), allow_nan=False)
    offered = [action.kind for action in session.offered if action.in_tools]
    assert [tool["name"] for tool in session.tools()] == offered
    json.dumps(session.tools(), allow_nan=False)


def test_one_message_where_the_rules_join_them() -> None:
    (message,) = LINK.open(ITEM, join_system=True).messages
    assert message["role"] == "user"


def test_a_reply_that_cannot_be_read_is_a_turn() -> None:
    session = open_tools()
    step = session.step("I would rather not say.")
    assert (step.unparsed, step.legal) == ("invalid format", False)
    assert len(session.turns) == 1
    assert session.observation == step.text


def test_arguments_that_are_too_deep_or_too_long_are_refused_in_few_words() -> None:
    deep: dict[str, object] = {}
    for _ in range(3_000):
        deep = {"answer": deep}
    for arguments in (deep, {"k" * 100_000: 1}):
        step = open_tools().step({"name": "answer", "arguments": arguments})
        assert step.unparsed == INVALID_CALL
        assert len(step.text) < 400


@given(st.text(max_size=200))
@settings(max_examples=25, deadline=None)
def test_no_reply_whatever_raises(reply: str) -> None:
    session = open_tools()
    session.step(reply)
    session.step({"name": reply, "arguments": reply})
    session.step({"name": "trial", "arguments": {reply: reply}})
    assert len(session.turns) <= 3


def test_a_tool_call_is_read_as_data_or_as_json() -> None:
    arguments = {"start": [ITEM.public.asked], "hold": []}
    for form in (arguments, json.dumps(arguments)):
        step = open_tools().step({"name": "trial", "arguments": form})
        assert (step.legal, step.cost, step.unparsed) == (True, 1, None)


@pytest.mark.parametrize(
    "call",
    [
        {"name": "no_such", "arguments": {}},
        {"name": "intervene", "arguments": {"shape": "star", "action": "hold"}},
        {"name": "trial", "arguments": {"start": 7}},
        {"name": "trial", "arguments": [1]},
        {"name": "trial", "arguments": "{"},
        {"name": "answer"},
    ],
)
def test_a_tool_call_that_does_not_fit_is_refused_and_ends_nothing(call: dict[str, object]) -> None:
    session = open_tools()
    for _ in range(40):
        step = session.step(call)
        assert (step.unparsed, step.legal, step.done) == (INVALID_CALL, False, False)
    assert session.turns == ()


@pytest.mark.parametrize("name", families.FAMILIES)
@pytest.mark.parametrize("edition", ["certified", "paper"])
@pytest.mark.parametrize("interface", ["tools", "json"])
def test_what_is_offered_is_what_is_allowed_at_some_time(
    name: str, edition: str, interface: str
) -> None:
    """No tool that is never legal, none that comes as a surprise."""
    benchmark = cm.load(name, edition=edition)
    programless = {**benchmark.family.rules.without_programs, "interface": interface}
    for item in benchmark.instances("smoke", limit=4):
        session = benchmark.open(item, programless)
        seen = set(session.actions)
        for turn in play(session.family, item, session.rules, "oracle").turns:
            session.step(turn.action or "")
            seen |= set(session.actions)
        assert seen == set(session.offered)


@pytest.mark.parametrize("interface", ["dialog", "embodied", "embodied_tools"])
def test_what_pages_ask_for_is_offered_too(interface: str) -> None:
    lab = cm.load("causalab", edition="paper")
    session = lab.open(lab.instance("smoke", 0), interface=interface)
    for turn in play(session.family, session.instance, session.rules, "oracle").turns:
        assert set(session.actions) <= set(session.offered)
        session.step(turn.action or "")
    assert {"talk", "choose", "enter"} <= {kind.kind for kind in session.offered}


def test_a_programmers_mistake_raises() -> None:
    session = open_tools()
    with pytest.raises(UnknownName, match="did you mean 'trial'"):
        session.step({"kind": "trail"})
    with pytest.raises(UsageError, match="its fields: start, hold"):
        session.step({"kind": "trial", "start": 7})
    with pytest.raises(UnknownName, match="causallink action"):
        session.step(next(iter(cm.load("recite").actions)).model_construct())
    for mistake in (None, 3, b"yes", ["yes"]):
        with pytest.raises(UsageError, match="a move is a text, an action"):
            session.step(mistake)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="a move is a text, an action"):
        session.says("yes")  # type: ignore[arg-type]
    assert session.turns == ()


def test_after_the_end_nothing_happens() -> None:
    session = open_tools()
    session.step({"kind": "answer", "answer": "yes"})
    before = session.turns
    for move in ("anything", {"kind": "answer", "answer": "no"}, {"name": "answer"}):
        step = session.step(move)
        assert (step.text, step.legal, step.done, step.cost) == ("", False, True, 0)
    assert session.turns == before
    assert (session.actions, session.schema()) == ((), {})
    assert "done" in repr(session)


def test_a_fork_goes_its_own_way() -> None:
    session = open_tools()
    session.step({"kind": "trial", "hold": [ITEM.public.asked]})
    other = session.fork()
    assert (other.turns, other.budget_left) == (session.turns, session.budget_left)
    other.step({"kind": "answer", "answer": "yes"})
    assert other.done
    assert not session.done


def test_reset_starts_over() -> None:
    session = open_tools()
    session.step({"kind": "answer", "answer": "yes"})
    assert session.reset() == session.observation
    assert (session.done, session.turns) == (False, ())


def test_a_program_needs_a_sandbox_and_an_agent_cannot_say_what_it_printed() -> None:
    game = cm.load("causalgame", edition="paper")
    (program,) = [action for action in game.actions if action.kind == "run_analysis"]
    session = game.open(game.instance("smoke", 0), interface="tools")
    faked = {"output": "all is known", "ending": "finished"}
    with pytest.raises(UsageError, match=r"needs a sandbox; open the session with sandbox=True"):
        session.step({"kind": program.kind, "code": "1", "ran": faked})
    assert session.turns == ()


def test_rules_or_changes_but_not_both() -> None:
    with pytest.raises(UsageError, match="not both"):
        LINK.open(ITEM, LINK.rules(), interface="tools")
    with pytest.raises(UsageError, match="needs LinkRules"):
        LINK.open(ITEM, cm.load("recite").rules())
    assert LINK.open(ITEM, {"interface": "tools"}).rules == LINK.rules(interface="tools")


def test_a_family_of_another_package_is_played_the_same_way() -> None:
    item = LAMPS.generate(next(iter(LAMPS.levels.values())), 0, 0)
    session = Session(LAMPS, item, LAMPS.rules_for("certified"))
    while not session.done:
        session.step("nothing that anybody could read")
    assert session.score().numbers
