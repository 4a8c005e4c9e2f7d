"""Tasks that carry an address and nothing of an instance, and the environment that plays them.

What a task holds is written to traces, so it holds where an instance comes from: a family, a level,
a split, a seed and a number, or a named set and a number.
"""

import asyncio
from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf
from verifiers.v1.harnesses.null import NullHarnessConfig

from causarium import families
from causarium.api.session import Session, open_session
from causarium.contract.rules import check_edition
from causarium.contract.sets.instance_sets import find_set


class CausalConfig(vf.TasksetConfig):
    """Which tasks are loaded: so many of a level's split, or those of a named set."""

    family: str = "causallink"
    edition: str = "certified"
    level: str | None = None
    """The level; by default the easiest one that can be trained on."""
    split: str = "train"
    seed: int = 0
    size: int = 1000
    """How many instances of the split there are; a split has no end of its own."""
    set: str | None = None
    """A named set, in place of level, split, seed and size."""
    rules: dict[str, Any] = {}  # noqa: RUF012 - copied for every config
    """Changes to the rules of the edition."""


class CausalData(vf.TaskData):
    """What the agent reads first, and the address of its instance."""

    address: dict[str, Any]


class CausalTask(vf.Task[CausalData, vf.State, vf.TaskConfig]):
    """One instance."""

    def open(self) -> Session:
        """Open the instance."""
        return open_session(**self.data.address)


class CausalTaskset(vf.Taskset[CausalTask, CausalConfig]):
    """The first instances of a split, or those of a named set."""

    def load(self) -> Iterator[CausalTask]:
        """Yield one task after another; each is drawn when it is asked for."""
        given = self.config
        place: dict[str, Any] = {"level": given.level, "split": given.split, "seed": given.seed}
        size = given.size
        if given.set is not None:
            place = {"set": given.set}
            edition = check_edition(given.edition)
            size = find_set(families.get(given.family, edition), edition, given.set).size
        place |= {"family": given.family, "edition": given.edition}
        for number in range(size):
            address = {**given.rules, **place, "index": number}
            *system, user = (message["content"] for message in open_session(**address).messages)
            data = CausalData(
                name=f"{given.family}#{number}",
                prompt=user,
                system_prompt="\n".join(system) or None,
                address=address,
            )
            yield CausalTask(data, given.task)


class CausalEnvConfig(vf.EnvConfig):
    """Who plays: a plain conversation, which runs no code and needs no box of its own."""

    player: vf.AgentConfig = vf.AgentConfig(
        harness=NullHarnessConfig(id="null"), runtime=vf.SubprocessConfig()
    )


class CausalEnv(vf.Env[CausalEnvConfig]):
    """The world answers each reply until the episode is over; its reward is the session's."""

    async def run(self, task: CausalTask, agents: Any) -> None:
        """Play one task; drawing and stepping take their time in threads, beside the loop."""
        session = await asyncio.to_thread(task.open)
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                step = await asyncio.to_thread(session.step, segment.last_reply)
                if step.done:
                    break
                segment = await interaction.turn(step.text)
        interaction.trace.record_reward("reward", session.reward, 1.0)
