"""The TRL environment class: a method an action, described so that a tool can be made of it."""

import inspect

import pytest
from causarium_train.trl_environment import OVER, Environment, RefusedCall, environment, name_tool

from causarium.contract.texts.say_action import visible_fields
from causarium.errors import UnknownName, UsageError
from tests.support.talking_players import (
    INSTANCES,
    assert_same_verdict,
    every_family,
    every_player,
    play_directly,
)


def list_tools(cls: type[Environment]) -> set[str]:
    """As TRL finds its tools: all functions of the class but its own and private ones."""
    found = {name for name, _ in inspect.getmembers(cls, inspect.isfunction)}
    return {name for name in found if not name.startswith("_")} - {"reset", "get_reward"}


@every_family
@every_player
def test_a_player_earns_the_direct_runners_verdict(name: str, player: str) -> None:
    rollout = environment(name)()
    for index in range(INSTANCES):
        assert rollout.reset(index=index, prompt="ignored")
        session = rollout._session
        direct, actions = play_directly(session, player)
        for action in actions:
            try:
                getattr(rollout, name_tool(type(action)))(**visible_fields(action))
            except RefusedCall:
                assert not session.turns[-1].legal
        assert_same_verdict(session, direct)
        assert rollout.get_reward() == session.reward
        assert rollout.is_done == direct.done
        assert player != "oracle" or session.reward == 1.0


@every_family
def test_the_model_is_offered_what_the_level_offers(name: str) -> None:
    cls = environment(name)
    rollout = cls()
    rollout.reset()
    offered = {name_tool(kind) for kind in rollout._session.offered if kind.in_tools}
    assert list_tools(cls) == offered


def test_methods_are_described_for_the_model() -> None:
    cls = environment("causallink", level="rung-2")
    assert (
        str(inspect.signature(cls.trial))
        == "(self, start: list[str] | None = None, hold: list[str] | None = None) -> str"
    )
    assert "Args:\n    start: The objects to start" in (cls.trial.__doc__ or "")
    assert list_tools(cls) == {"trial", "answer"}


def test_nested_parameters_keep_types_and_descriptions() -> None:
    fly = environment("causalgame", level="rung-4").fly  # type: ignore[attr-defined]
    held = inspect.signature(fly).parameters["set"]
    assert str(held.annotation).startswith("dict[str, ")
    assert "leg: The number of the leg." in (fly.__doc__ or "")
    answer = environment("causalab").answer  # type: ignore[attr-defined]
    assert str(inspect.signature(answer).parameters["answers"].annotation) == "list[str | None]"


def test_the_schemas_that_transformers_makes_hold_the_types() -> None:
    made = pytest.importorskip("transformers.utils", reason="needs transformers").get_json_schema
    tool = made(environment("causalab").answer)["function"]  # type: ignore[attr-defined]
    answers = tool["parameters"]["properties"]["answers"]
    assert answers["items"] == {"type": "string", "nullable": True}
    assert answers["description"].startswith("One word for each question")


def test_a_call_that_does_not_fit_is_an_error_and_ends_nothing() -> None:
    rollout = environment("causallink", level="rung-2")()
    rollout.reset()
    for _ in range(30):
        with pytest.raises(RefusedCall):
            rollout.trial(start=7)  # type: ignore[attr-defined]
    assert (rollout.is_done, rollout.get_reward()) == (False, 0.0)
    assert rollout.answer(answer="yes").endswith(OVER)  # type: ignore[attr-defined]
    with pytest.raises(RefusedCall, match="over"):
        rollout.answer(answer="no")  # type: ignore[attr-defined]
    with pytest.raises(UnknownName):
        environment("causalink")


def test_a_call_before_reset_says_what_to_do() -> None:
    with pytest.raises(UsageError, match="call reset"):
        environment("causallink", level="rung-2")().trial(start=["bell"])  # type: ignore[attr-defined]
