"""One family as an OpenEnv environment: replies in, what an agent reads out."""

import secrets
from typing import Any
from uuid import uuid4

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

from causarium import families
from causarium.api.session import Session, open_session
from causarium.contract.family_card import SetSpec
from causarium.contract.rules import check_edition


class Reply(Action):
    """What an agent writes."""

    text: str


class Seen(Observation):
    """What an agent reads."""

    text: str
    info: dict[str, Any] = Field(default_factory=dict)


class CausalEnvironment(Environment[Reply, Seen, State]):
    """One family.

    `reset` takes `split`, `index` and `level`: `train` or `validation` with any number, or a named
    set with the number of an instance. Without a number the seed picks one; without a seed, chance.

    Args:
        family: The family's name.
        options: What else `causarium.open_session` takes: level, edition and rules.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, family: str, **options: Any) -> None:
        super().__init__()
        self.family, self.options = families.get(family), options
        self.session: Session | None = None
        self._id: str | None = None

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        split: str = "train",
        index: int | None = None,
        level: str | None = None,
        **_: Any,
    ) -> Seen:
        """Open an instance.

        Args:
            seed: Picks the instance where no index is given.
            episode_id: What the episode is called.
            split: `train`, `validation`, or a named set.
            index: The number of the instance.
            level: The level to draw from; by default the server's.
        """
        count = self.num_tasks(split)
        if index is None:
            index = secrets.randbelow(count) if seed is None else seed % count
        options = dict(self.options)
        if split in self.list_splits()[2:]:
            options = {**options, "level": None, "set": split}
        else:
            options = {**options, "split": split, "level": level or options.get("level")}
        self._id = episode_id or str(uuid4())
        self.session = open_session(self.family.name, index=index, **options)
        return Seen(text=self.session.observation, info=self.session.info(), reward=0.0)

    def step(self, action: Reply, timeout_s: float | None = None, **_: Any) -> Seen:
        """Make one move."""
        if self.session is None:
            raise RuntimeError("call reset before step")
        step = self.session.step(action.text)
        return Seen(text=step.text, info=step.info, reward=step.reward, done=step.done)

    @property
    def state(self) -> State:
        """The episode's id and how many steps were taken; nothing of the instance."""
        taken = len(self.session.turns) if self.session else 0
        return State(episode_id=self._id, step_count=taken)

    @property
    def _sets(self) -> dict[str, SetSpec]:
        return self.family.card.sets[check_edition(self.options.get("edition", "certified"))]

    def list_splits(self) -> list[str]:
        """Return the splits to train on, then the named sets."""
        return ["train", "validation", *self._sets]

    def num_tasks(self, split: str) -> int:
        """Return how many tasks a split has; those to train on do not end."""
        return self._sets[split].size if split in self._sets else 2**31

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """Return the address of a task."""
        if not 0 <= index < self.num_tasks(split):
            raise IndexError(f"{split} has no task {index}")
        return {"split": split, "index": index}

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """Return the addresses of the first tasks of a split."""
        return [self.get_task(split, n) for n in range(min(self.num_tasks(split), 1000))]
