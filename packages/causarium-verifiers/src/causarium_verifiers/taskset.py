"""Tasks that carry an address and nothing of an instance, and the environment that plays them.

What a task holds is written to traces, so it holds where an instance comes from: a family, a level,
a split, a seed and a number, or a named set and a number.
"""

from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any

import verifiers.v1 as vf

from causarium import families
from causarium.api.session import Session, open_session
from causarium.contract.sets.instance_sets import find_set


class CausalConfig(vf.TasksetConfig):
    """Which tasks are loaded."""

    family: str = "causallink"
    level: str | None = None
    set: str | None = None
    split: str = "train"
    seed: int = 0


class CausalData(vf.TaskData):
    """What the agent reads first, and the address of its instance."""

    address: dict[str, Any]


class CausalTask(vf.Task[CausalData, vf.State, vf.TaskConfig]):
    """One instance."""

    def open(self) -> Session:
        """Open the instance."""
        return open_session(**self.data.address)


class CausalTaskset(vf.Taskset[CausalTask, CausalConfig]):
    """The instances of a split, without end, or those of a named set."""

    INFINITE = True

    def load(self) -> Iterator[CausalTask]:
        """Yield one task after another."""
        given = self.config
        place: dict[str, Any] = {"set": given.set}
        numbers: Iterable[int] = count()
        if given.set is None:
            place = {"level": given.level, "split": given.split, "seed": given.seed}
        else:
            numbers = range(find_set(families.get(given.family), "certified", given.set).size)
        for number in numbers:
            address = {"family": given.family, "index": number, **place}
            system, user = (message["content"] for message in open_session(**address).messages)
            data = CausalData(
                name=f"{given.family}#{number}", prompt=user, system_prompt=system, address=address
            )
            yield CausalTask(data, given.task)


class CausalEnvConfig(vf.EnvConfig):
    """Who plays."""

    player: vf.AgentConfig = vf.AgentConfig()


class CausalEnv(vf.Env[CausalEnvConfig]):
    """The world answers each reply until the episode is over; its reward is the session's."""

    async def run(self, task: CausalTask, agents: Any) -> None:
        """Play one task."""
        session = task.open()
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                step = session.step(segment.last_reply)
                if step.done:
                    break
                segment = await interaction.turn(step.text)
        interaction.trace.record_reward("reward", session.reward, 1.0)
