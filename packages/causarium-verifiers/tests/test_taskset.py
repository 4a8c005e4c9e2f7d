"""Run in an environment of its own: pip install . && pytest. Every family, by what players say."""

import asyncio
import os
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

pytest.importorskip("verifiers.v1", reason="verifiers cannot be installed beside causarium[mcp]")

from causarium_verifiers.taskset import CausalConfig, CausalEnv, CausalTask, CausalTaskset

from causarium import families
from causarium.contract.checks.json_values import leaves
from causarium.contract.episode import play

INSTANCES = int(os.environ.get("CAUSARIUM_INSTANCES", "3"))


class Talker:
    """An agent that says what a player would."""

    def __init__(self, player: str) -> None:
        self.player_name, self.rewards = player, {}
        self.player = self

    def record_reward(self, name: str, value: float, weight: float) -> None:
        self.rewards[name] = value * weight

    @asynccontextmanager
    async def interaction(self, task: CausalTask):
        session = task.open()
        direct = play(session.family, session.instance, session.rules, self.player_name)
        moves = [turn.move(session.family.actions) for turn in direct.turns]
        replies = iter([session.says(move) for move in moves])
        self.direct = direct

        async def turn(text: str | None = None) -> SimpleNamespace:
            reply = next(replies, None)
            return SimpleNamespace(last_reply=reply, terminated=reply is None)

        yield SimpleNamespace(turn=turn, trace=self)


def tasks(name: str, **options: object) -> list[CausalTask]:
    taskset = CausalTaskset(CausalConfig(id="causarium", family=name, **options))
    return list(taskset.take(INSTANCES))


@pytest.mark.parametrize("name", families.FAMILIES)
@pytest.mark.parametrize("player", ["oracle", "random"])
def test_the_direct_runners_reward(name: str, player: str) -> None:
    from causarium.contract.episode import reward_of

    for task in tasks(name):
        talker = Talker(player)
        asyncio.run(CausalEnv.run(None, task, talker))
        direct = reward_of(talker.direct.family, "certified", talker.direct.score())
        assert talker.rewards == {"reward": direct}
        assert player != "oracle" or direct == 1.0


@pytest.mark.parametrize("name", families.FAMILIES)
def test_a_task_holds_no_secret(name: str) -> None:
    for task in tasks(name):
        session, text = task.open(), task.data.model_dump_json()
        read = session.opening + session.instance.public.model_dump_json()
        for _, value in leaves(session.instance.secret.model_dump(mode="json")):
            if len(str(value)) >= 6 and str(value) not in read and str(value) not in text[-200:]:
                assert str(value) not in text


def test_a_named_set_ends() -> None:
    taskset = CausalTaskset(CausalConfig(id="causarium", family="causallink", set="smoke"))
    assert len(list(taskset.load())) == 12
