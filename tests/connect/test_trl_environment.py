"""The TRL environment class: a method an action, described so that a tool can be made of it."""

import inspect

import pytest

from causarium import families
from causarium.connect.trl_environment import environment, reward, tool_name
from causarium.contract.texts.say_action import visible_fields
from causarium.errors import UnknownName, UsageError
from tests.support.talking_players import (
    INSTANCES,
    assert_same_verdict,
    every_family,
    every_player,
    play_directly,
)


@every_family
@every_player
def test_a_player_earns_the_direct_runners_verdict(name: str, player: str) -> None:
    rollout = environment(name)()
    for index in range(INSTANCES):
        assert rollout.reset(index=index, prompt="ignored")
        session = rollout._session
        direct, actions = play_directly(session, player)
        for action in actions:
            getattr(rollout, tool_name(type(action)))(**visible_fields(action))
        assert_same_verdict(session, direct)
        assert reward([rollout]) == [session.reward]
        assert player != "oracle" or session.reward == 1.0


def test_the_model_is_offered_actions_alone() -> None:
    """As TRL finds its tools: all functions of the class but `reset` and private ones."""
    for name in families.FAMILIES:
        found = {m for m, _ in inspect.getmembers(environment(name), inspect.isfunction)}
        offered = {member for member in found if not member.startswith("_")} - {"reset"}
        assert offered <= {tool_name(action) for action in families.get(name).actions}


def test_methods_are_described_for_the_model() -> None:
    cls = environment("causallink", level="log")
    assert str(inspect.signature(cls.intervene)) == "(self, shape: str, action: str) -> str"
    assert "Args:\n    shape: The name" in (cls.intervene.__doc__ or "")
    public = {name for name in dir(cls) if not name.startswith("_")}
    assert public - {"family", "options", "reset"} == {"intervene", "run", "answer"}


def test_a_call_that_does_not_fit_is_answered() -> None:
    rollout = environment("causallink")()
    rollout.reset()
    assert rollout.intervene(shape="no such", action="move")
    assert reward([rollout]) == [0.0]
    with pytest.raises(UnknownName):
        environment("causalink")


def test_a_call_before_reset_says_what_to_do() -> None:
    with pytest.raises(UsageError, match="call reset"):
        environment("causallink")().intervene(shape="star", action="hold")  # type: ignore[attr-defined]
