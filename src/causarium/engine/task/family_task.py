"""A family as an Inspect task, whose arguments are the family's own rules."""

import inspect
import sys
from collections.abc import Callable, Iterable
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Solver
from inspect_ai.util import SandboxEnvironmentSpec
from rich.markup import escape

from causarium.contract.family import AnyFamily, AnyInstance, Prompt
from causarium.contract.rules import Edition, Rules, check_edition
from causarium.contract.sets.instance_sets import OpenSet, open_named_set, open_set
from causarium.contract.shard import Shard
from causarium.engine.inspect_private import PrerequisiteError
from causarium.engine.logbook.run_card import SET_SIZE_KEY, SHARD_KEY, state
from causarium.engine.record.episode_record import EpisodeRecord
from causarium.engine.task.custom_agent import (
    CustomAgent,
    custom_agent_rules,
    custom_agent_solver,
    find_agent,
)
from causarium.engine.task.sandbox_need import find_sandbox, fit_rules_to_machine
from causarium.engine.task.solvers import agent_solver, player_solver
from causarium.errors import UnknownName, UsageError


def refuse(wrong: Exception) -> PrerequisiteError:
    """Return an error of ours as Inspect prints it: it reads markup, and ours holds none."""
    return PrerequisiteError(escape(str(wrong)))


def takes_rules(family: AnyFamily) -> Callable[[Callable[..., Task]], Callable[..., Task]]:
    """Give the function of a task the arguments of a family: every rule of it is one.

    Inspect reads a task's arguments from its signature, and writes them to the log.
    """

    def give(make: Callable[..., Task]) -> Callable[..., Task]:
        parameters = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
            for name, default in _list_defaults(family).items()
        ]
        # Without this Inspect drops an argument that it does not know, and plays something else.
        parameters.append(inspect.Parameter("unknown", inspect.Parameter.VAR_KEYWORD))
        make.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return make

    return give


def make_task(family: AnyFamily, scorer: Scorer, given: dict[str, Any]) -> Task:
    """Return a family's task, played by the arguments that were given to it.

    Args:
        family: The family.
        scorer: Its scorer, as what `family_scorer` returns makes it.
        given: The arguments by name: edition, set, player and the like, and rules.

    Raises:
        PrerequisiteError: An argument does not exist or cannot work.
    """
    defaults = _list_defaults(family)
    for name in given.keys() - defaults.keys():
        unknown = UnknownName(f"{family.name} argument", name, defaults, plural="arguments")
        raise refuse(unknown) from unknown
    chosen = {name: given.get(name, default) for name, default in _ARGUMENTS.items()}
    return build_task(
        family,
        scorer,
        edition=str(chosen["edition"]),
        set_name=str(chosen["set"]),
        file=chosen["file"],
        player=_who_plays(chosen["player"], chosen["agent"], chosen["agent_boundary"]),
        rules={name: value for name, value in given.items() if name not in _ARGUMENTS},
        shard=chosen["shard"],
    )


def _list_defaults(family: AnyFamily) -> dict[str, str | None]:
    return {**_ARGUMENTS, **dict.fromkeys(family.rules.model_fields)}


_ARGUMENTS: dict[str, str | None] = {
    "edition": "certified",
    "set": "standard",
    "file": None,
    "player": None,
    "agent": None,
    "agent_boundary": None,
    "shard": None,
}
"""What every family's task takes, beside the family's rules."""


def _who_plays(
    player: str | None, agent: str | None, boundary: str | None
) -> str | CustomAgent | None:
    if agent is None:
        return player
    if player is not None:
        raise PrerequisiteError(f"player={player} plays without an agent; leave one of them out")
    try:
        return find_agent(agent, boundary)
    except UsageError as wrong:
        raise refuse(wrong) from wrong


def build_task(  # noqa: PLR0913
    family: AnyFamily,
    scorer: Scorer,
    *,
    edition: str,
    set_name: str,
    file: str | None,
    player: str | CustomAgent | None,
    rules: dict[str, Any],
    shard: str | None = None,
) -> Task:
    """Return the task in which a set of a family is played.

    A player plays by name, an agent of a user's own as it is; if `player` is None, the model does,
    as the rules' interface has it.

    Args:
        family: The family to play.
        scorer: The scorer of the task.
        edition: The edition of the set.
        set_name: The named set to play.
        file: A set file to play instead of the named set.
        player: The reference player or custom agent; None for the model.
        rules: Rules to change, by name.
        shard: The part of the set to play, as in `1/4`; None for all of it.

    Raises:
        PrerequisiteError: The edition, set, file, player or a rule does not exist or cannot
            work; Inspect prints such a message without a traceback.
    """
    own = player if isinstance(player, CustomAgent) else None
    bot = player if isinstance(player, str) else None
    try:
        chosen = check_edition(edition)
        if bot is not None:
            family.player(bot)
        played, note = _rules(family, chosen, rules, player)
        played.check_interface_installed()
        source = _open_source(family, chosen, set_name, file)
        share = Shard.parse(shard)
        instances = _deal(source, share)
        needs_it = own is not None and own.needs_sandbox
        place = None if bot else find_sandbox(family, instances, played, agent_needs_it=needs_it)
    except UsageError as wrong:
        raise refuse(wrong) from wrong
    who = {"player": bot, "agent": own.name if own else None}
    name = source.name
    samples = [
        sample_of(family, instance, played, edition=chosen, set_name=name, **who)
        for instance in instances
    ]
    # Shards of one run have one card, so the words of the whole set count.
    whole = source.instances() if not share.is_whole else iter(())
    card = state(
        family,
        chosen,
        played,
        instances[0],
        set_digest=source.header.digest,
        openings=[opening_text(sample) for sample in samples]
        if share.is_whole
        else (join_texts(_messages(family.prompt(i.public, played), played)) for i in whole),
        own_agent=(own.digest, own.boundary) if own else None,
    )
    about: dict[str, Any] = {"family": family.name, "edition": chosen, "set": name, **who}
    if not share.is_whole:
        about |= {SHARD_KEY: str(share), SET_SIZE_KEY: source.size}
    return Task(
        dataset=MemoryDataset(samples, name=f"{family.name}-{chosen}-{name}"),
        solver=_solver(family, player, played.interface),
        scorer=scorer,
        sandbox=place,
        version=family.card.version,
        tags=["causal reasoning", "causarium", chosen, name],
        continue_on_fail=True,
        metadata={**about, **card, **_sandbox_fields(place, note)},
    )


def _rules(
    family: AnyFamily, edition: Edition, rules: dict[str, Any], player: str | CustomAgent | None
) -> tuple[Rules, str | None]:
    """Return the rules that are played, and a line on what this machine cannot do, if any."""
    note = None
    if isinstance(player, CustomAgent):
        rules = custom_agent_rules(rules)
    if not isinstance(player, str):
        rules, note = fit_rules_to_machine(family, edition, rules)
    if note is not None:
        sys.stderr.write(f"{note}\n")
    return family.rules_for(edition, **rules), note


def _sandbox_fields(place: SandboxEnvironmentSpec | None, note: str | None) -> dict[str, str]:
    """Return what a log says of the sandbox: which one, and what was left out without it."""
    fields = {"sandbox": "none" if place is None else place.type}
    return fields if note is None else {**fields, "without_sandbox": note}


def _solver(family: AnyFamily, player: str | CustomAgent | None, interface: str) -> Solver:
    if isinstance(player, CustomAgent):
        return custom_agent_solver(family, player)
    return agent_solver(family, interface) if player is None else player_solver(family, player)


def _deal(source: OpenSet, share: Shard) -> list[AnyInstance]:
    instances = list(source.instances(share))
    if not instances:
        raise UsageError(f"there are more shards than instances: {share} has none to play")
    return instances


def _open_source(family: AnyFamily, edition: Edition, set_name: str, file: str | None) -> OpenSet:
    if file is None:
        return open_named_set(family, edition, set_name)
    opened = open_set(file, family)
    if opened.header.edition != edition:
        raise UsageError(
            f"{file} holds instances of the {opened.header.edition} edition; "
            f"run it with edition={opened.header.edition}"
        )
    return opened


def sample_of(
    family: AnyFamily,
    instance: AnyInstance,
    rules: Rules,
    *,
    edition: Edition,
    set_name: str,
    player: str | None,
    agent: str | None = None,
) -> Sample:
    """Return an instance as a sample: the opening words, and the record that scoring needs.

    Args:
        family: The family of the instance.
        instance: The instance.
        rules: The rules it is played by.
        edition: The edition of the set it is from.
        set_name: The name of that set.
        player: The reference player; None for a model.
        agent: The custom agent that plays with the model, if there is one.
    """
    record = EpisodeRecord(
        family=family.name,
        version=family.card.version,
        edition=edition,
        set=set_name,
        player=player,
        agent=agent,
        instance=instance.model_dump(mode="json"),
        rules=rules.model_dump(mode="json"),
    )
    return Sample(
        id=instance.id,
        input=_messages(family.prompt(instance.public, rules), rules),
        metadata=record.metadata(instance),
    )


def opening_text(sample: Sample) -> str:
    """Return the words that open a sample."""
    words = sample.input
    return words if isinstance(words, str) else join_texts(words)


def join_texts(messages: Iterable[ChatMessage]) -> str:
    """Return the words of messages."""
    return "\n".join(message.text for message in messages)


def _messages(prompt: Prompt, rules: Rules) -> list[ChatMessage]:
    if rules.join_system:
        return [ChatMessageUser(content=f"{prompt.system}\n{prompt.user}")]
    return [ChatMessageSystem(content=prompt.system), ChatMessageUser(content=prompt.user)]
