"""Run in an environment of its own: pip install . && pytest. Every family, by what players say.

The tests named after OpenEnv's semantic checks are ours: its validator has no grader for them yet.
"""

import os

import pytest

pytest.importorskip("openenv", reason="openenv cannot be installed beside causarium[mcp]")

from causarium_openenv.environment import CausalEnvironment, Reply

from causarium import families
from causarium.contract.checks.json_values import leaves
from causarium.contract.episode import play

INSTANCES = int(os.environ.get("CAUSARIUM_INSTANCES", "3"))


def rollout(env: CausalEnvironment, player: str, **place: object) -> tuple[float, str]:
    seen = env.reset(**place)
    session = env.session
    assert session is not None
    direct = play(session.family, session.instance, session.rules, player)
    texts, earned = [seen.text], 0.0
    for turn in direct.turns:
        seen = env.step(Reply(text=session.says(turn.move(session.family.actions))))
        earned += seen.reward
        texts.append(seen.text + str(seen.info))
    numbers = session.score().numbers
    for name, value in direct.score().numbers.items():
        assert value != value or numbers[name] == value
    return earned, "\n".join(texts)


@pytest.mark.parametrize("name", families.FAMILIES)
@pytest.mark.parametrize("player", ["oracle", "random"])
def test_the_direct_runners_verdict(name: str, player: str) -> None:
    env = CausalEnvironment(name)
    for index in range(INSTANCES):
        earned, _ = rollout(env, player, index=index)
        assert 0.0 <= earned <= 1.0


@pytest.mark.parametrize("name", families.FAMILIES)
def test_oracle_max_and_canary_floor(name: str) -> None:
    env = CausalEnvironment(name)
    assert rollout(env, "oracle", split="smoke", index=0)[0] == 1.0
    env.reset(split="smoke", index=0)
    assert env.session is not None
    assert env.session.reward == 0.0


@pytest.mark.parametrize("name", families.FAMILIES)
def test_no_solution_leakage_and_replayability(name: str) -> None:
    first, second = CausalEnvironment(name), CausalEnvironment(name)
    _, text = rollout(first, "random", index=1)
    assert rollout(second, "random", index=1)[1] == text
    state = first.state.model_dump()
    assert set(state) == {"episode_id", "step_count"}
    assert first.session is not None
    for _, value in leaves(first.session.instance.facets):
        assert str(value) not in str(state) or len(str(value)) < 6


def test_tasks_are_named_sets() -> None:
    env = CausalEnvironment("causallink")
    assert env.num_tasks("smoke") == 12
    with pytest.raises(IndexError):
        env.get_task("smoke", 12)
