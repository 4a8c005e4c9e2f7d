"""A family as an Inspect task, whose arguments are the family's own rules."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Scorer
from inspect_ai.util import SandboxEnvironmentSpec

from causarium.contract.family import AnyFamily, AnyInstance, Prompt
from causarium.contract.rules import Edition, Rules, known_edition
from causarium.contract.sets import draw_set, read_set
from causarium.contract.world import Program
from causarium.engine.agents import agent_solver, player_solver
from causarium.engine.record import Record
from causarium.engine.sandbox.choice import choose
from causarium.errors import UnknownName, UsageError


def family_task(
    family: AnyFamily, verdict: Callable[[], Scorer], module: str
) -> Callable[..., Task]:
    """Register a family's task; every rule of the family is an argument of the task.

    Args:
        family: The family.
        verdict: Its scorer, as `family_scorer` returns it.
        module: The `__name__` of the caller: the package it is in becomes part of the task's name.
    """

    def make(**given: Any) -> Task:  # noqa: ANN401
        for name in given.keys() - defaults.keys():
            unknown = UnknownName(f"{family.name} argument", name, defaults, plural="arguments")
            raise PrerequisiteError(str(unknown)) from unknown
        rules = {name: value for name, value in given.items() if name not in _ARGUMENTS}
        chosen = {name: given.get(name, default) for name, default in _ARGUMENTS.items()}
        return build_task(
            family,
            verdict(),
            edition=str(chosen["edition"]),
            set_name=str(chosen["set"]),
            file=chosen["file"],
            player=chosen["player"],
            rules=rules,
        )

    defaults = {**_ARGUMENTS, **dict.fromkeys(family.rules.model_fields)}
    parameters = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
        for name, default in defaults.items()
    ]
    # Without this Inspect drops an argument that it does not know, and plays something else.
    parameters.append(inspect.Parameter("unknown", inspect.Parameter.VAR_KEYWORD))
    make.__name__ = make.__qualname__ = family.name
    make.__module__ = module
    make.__doc__ = family.card.about
    # Inspect reads a task's arguments from its signature, and writes them to the log.
    make.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return task(make)


_ARGUMENTS: dict[str, str | None] = {
    "edition": "certified",
    "set": "standard",
    "file": None,
    "player": None,
}
"""What every family's task takes, beside the family's rules."""


def build_task(
    family: AnyFamily,
    scorer: Scorer,
    *,
    edition: str,
    set_name: str,
    file: str | None,
    player: str | None,
    rules: dict[str, Any],
) -> Task:
    """Return the task in which a model, or a player, plays a set of a family.

    Raises:
        PrerequisiteError: The edition, set, file, player or a rule does not exist or cannot
            work; Inspect prints such a message without a traceback.
    """
    try:
        chosen = known_edition(edition)
        played = family.rules_for(chosen, **rules)
        instances = _instances(family, chosen, set_name, file)
        if player is not None:
            family.player(player)
        place = None if player else _sandbox(family, instances, played)
    except UsageError as wrong:
        raise PrerequisiteError(str(wrong)) from wrong
    name = Path(file).stem if file else set_name
    samples = [
        sample_of(family, instance, played, edition=chosen, set_name=name, player=player)
        for instance in instances
    ]
    solver = player_solver(family, player) if player else agent_solver(family, played.interface)
    return Task(
        dataset=MemoryDataset(samples, name=f"{family.name}-{chosen}-{name}"),
        solver=solver,
        scorer=scorer,
        sandbox=place,
        version=family.card.version,
        continue_on_fail=True,
        metadata={"family": family.name, "edition": chosen, "set": name, "player": player},
    )


def _sandbox(
    family: AnyFamily, instances: list[AnyInstance], rules: Rules
) -> SandboxEnvironmentSpec | None:
    """Return the sandbox for what an agent writes, if its worlds run programs at all.

    Raises:
        NoSandbox: They do, and there is none on this machine.
    """
    expected = family.open(instances[0], rules).expects if instances else ()
    runs = any(issubclass(action, Program) for action in expected)
    return choose() if runs else None


def _instances(
    family: AnyFamily, edition: Edition, set_name: str, file: str | None
) -> list[AnyInstance]:
    if file is None:
        return draw_set(family, edition, set_name)
    header, instances = read_set(Path(file), family)
    if header.edition != edition:
        raise UsageError(
            f"{file} holds instances of the {header.edition} edition; "
            f"run it with edition={header.edition}"
        )
    return instances


def sample_of(
    family: AnyFamily,
    instance: AnyInstance,
    rules: Rules,
    *,
    edition: Edition,
    set_name: str,
    player: str | None,
) -> Sample:
    """Return an instance as a sample: the opening words, and the record that scoring needs."""
    record = Record(
        family=family.name,
        version=family.card.version,
        edition=edition,
        set=set_name,
        player=player,
        instance=instance.model_dump(mode="json"),
        rules=rules.model_dump(mode="json"),
    )
    return Sample(
        id=instance.id,
        input=_messages(family.prompt(instance.public, rules), rules),
        metadata=record.metadata(instance),
    )


def _messages(prompt: Prompt, rules: Rules) -> list[ChatMessage]:
    if rules.join_system:
        return [ChatMessageUser(content=f"{prompt.system}\n{prompt.user}")]
    return [ChatMessageSystem(content=prompt.system), ChatMessageUser(content=prompt.user)]
