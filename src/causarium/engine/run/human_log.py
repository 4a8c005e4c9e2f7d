"""What a person played, written as an ordinary log, so that it stands in reports beside models."""

from collections.abc import Sequence
from pathlib import Path

import inspect_ai
from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset
from inspect_ai.solver import TaskState

from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.rules import Edition, Rules
from causarium.contract.turn import Turn
from causarium.engine.play.inspect_episode import make_solver
from causarium.engine.record.episode_record import HUMAN, HUMAN_SEEN, EpisodeStore
from causarium.engine.run.run_plan import NO_MODEL
from causarium.engine.task.family_task import family_scorer, sample_of
from causarium.errors import RunError


def write_human_log(  # noqa: PLR0913 - all that a log says of a game
    folder: Path,
    family: AnyFamily,
    instance: AnyInstance,
    rules: Rules,
    turns: Sequence[Turn],
    *,
    edition: Edition,
    set_name: str,
    seen_before: bool = False,
) -> Path:
    """Write the log of one episode that a person played; returns its path.

    Args:
        folder: Where to write it.
        family: What was played.
        instance: The instance.
        rules: How it was played.
        turns: What was done and answered.
        edition: The edition of the set.
        set_name: The set that the instance is in.
        seen_before: Whether the person may have seen the truth before; such a game stands under
            a name of its own, so that it is in no mean of the others.

    Raises:
        RunError: The log could not be written.
    """

    async def replay_turns(state: TaskState) -> TaskState:
        EpisodeStore(state.store).start_turns(turns)
        state.completed = True
        return state

    who = HUMAN_SEEN if seen_before else HUMAN
    sample = sample_of(family, instance, rules, edition=edition, set_name=set_name, player=who)
    verdict = family_scorer(family)
    task = Task(
        name=family.name,
        dataset=MemoryDataset([sample], name=f"{family.name}-{edition}-{set_name}"),
        solver=make_solver("causarium/human", replay_turns),
        scorer=verdict(),
        version=family.card.version,
        metadata={"family": family.name, "edition": edition, "set": set_name, "player": who},
    )
    (log,) = inspect_ai.eval(
        task, model=NO_MODEL, log_dir=str(folder), display="none", log_level="warning"
    )
    if log.status != "success":
        raise RunError(f"the log could not be written to {folder}: {log.error}")
    return Path(log.location.removeprefix("file://"))
