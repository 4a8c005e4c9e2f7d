"""The TRL environment class: a method an action, described so that a tool can be made of it."""

import inspect

import pytest

from causarium import families
from causarium.connect.trl_environment import environment, reward, tool_name
from causarium.contract.episode import play
from causarium.contract.texts.say_action import visible_fields
from causarium.contract.world import Action
from causarium.errors import UnknownName


@pytest.mark.parametrize("name", families.FAMILIES)
def test_an_oracle_earns_the_direct_runners_verdict(name: str) -> None:
    rollout = environment(name)()
    for index in range(2):
        assert rollout.reset(index=index, prompt="ignored")
        session = rollout._session
        direct = play(session.family, session.instance, session.rules, "oracle")
        for turn in direct.turns:
            move = turn.move(session.family.actions)
            assert isinstance(move, Action)
            getattr(rollout, tool_name(type(move)))(**visible_fields(move))
        assert reward([rollout]) == [1.0]
        assert repr(session.score()) == repr(direct.score())


def test_methods_are_described_for_the_model() -> None:
    cls = environment("causallink", level="starts-5")
    assert str(inspect.signature(cls.intervene)) == "(self, shape: str, action: str) -> str"
    assert "Args:\n    shape: The name" in (cls.intervene.__doc__ or "")
    public = {name for name in dir(cls) if not name.startswith("_")}
    assert public - {"family", "options", "reset", "get_reward"} == {"intervene", "answer"}


def test_a_call_that_does_not_fit_is_answered() -> None:
    rollout = environment("causallink")()
    rollout.reset()
    assert rollout.intervene(shape="no such", action="move")
    assert rollout.get_reward() == 0.0
    with pytest.raises(UnknownName):
        environment("causalink")
