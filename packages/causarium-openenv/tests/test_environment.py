"""Run in an environment of its own: pip install . && pytest. Every family, by what players say."""

import os

import pytest

pytest.importorskip("openenv", reason="openenv cannot be installed beside causarium[mcp]")

from causarium_openenv.environment import CausalEnvironment, Reply

from causarium import families
from causarium.contract.episode import play

INSTANCES = int(os.environ.get("CAUSARIUM_INSTANCES", "3"))
pytestmark = pytest.mark.filterwarnings("default")  # those of the framework are not ours


def rollout(env: CausalEnvironment, player: str, **place: object) -> float:
    env.reset(**place)
    session = env.session
    assert session is not None
    direct = play(session.family, session.instance, session.rules, player)
    earned = 0.0
    for turn in direct.turns:
        seen = env.step(Reply(text=session.says(turn.move(session.family.actions))))
        earned += seen.reward
    numbers = session.score().numbers
    for name, value in direct.score().numbers.items():
        assert value != value or numbers[name] == value
    return earned


@pytest.mark.parametrize("name", families.FAMILIES)
@pytest.mark.parametrize("player", ["oracle", "random"])
def test_the_direct_runners_verdict(name: str, player: str) -> None:
    env = CausalEnvironment(name)
    for index in range(INSTANCES):
        earned = rollout(env, player, index=index)
        assert -1.0 <= earned <= 1.0
        assert player != "oracle" or earned == 1.0


def test_tasks_are_named_sets() -> None:
    env = CausalEnvironment("causallink")
    size = families.card("causallink").sets["certified"]["smoke"].size
    assert env.num_tasks("smoke") == size
    with pytest.raises(IndexError):
        env.get_task("smoke", size)
    paper = CausalEnvironment("causallink", edition="paper")
    assert paper.num_tasks("smoke") == families.card("causallink").sets["paper"]["smoke"].size
    assert "advanced" in paper.list_splits()


def test_a_reset_without_a_seed_opens_another_instance() -> None:
    env = CausalEnvironment("causallink")
    assert len({env.reset().text for _ in range(4)}) > 1
    assert env.reset(seed=7).text == env.reset(seed=7).text != env.reset(seed=8).text


def test_level_split_and_index_choose_the_instance() -> None:
    env = CausalEnvironment("causallink")
    env.reset(level="rung-3", split="validation", index=4)
    assert env.session is not None
    address = env.session.address
    assert address is not None
    assert (address.level, address.split, address.index) == ("rung-3", "validation", 4)
    env.reset(split="smoke", index=2)
    assert env.session.instance.id.startswith("causallink")
