"""A family as an Inspect task, with the family's own rules for arguments.

Who plays: a model by text, a model by tool calls, or a player with no model. Whether that needs a
sandbox, and what to play where there is none, is decided here too.
"""

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from inspect_ai import Task as Task  # noqa: PLC0414 - a family takes both from here
from inspect_ai import task as task  # noqa: PLC0414
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    Content,
    execute_tools,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Solver, TaskState
from inspect_ai.tool import ToolDef
from inspect_ai.util import SandboxEnvironmentSpec
from rich.markup import escape

from causarium.contract.episode import count_bad_replies, count_refusals, start_player
from causarium.contract.family import AnyFamily, AnyInstance, Prompt
from causarium.contract.row import Row
from causarium.contract.rules import Edition, Rules, check_edition
from causarium.contract.rungs import RUNG, parse_rungs
from causarium.contract.sets.instance_sets import (
    OpenSet,
    choose_numbers,
    generate_set,
    open_named_set,
    open_set,
)
from causarium.contract.shard import Shard
from causarium.contract.verdict import Verdict
from causarium.contract.views.outcome import tell_outcome
from causarium.contract.world import Move, Program, Unparsed, offered_actions
from causarium.engine.inspect_private import PrerequisiteError
from causarium.engine.logbook.run_card import SET_SIZE_KEY, SHARD_KEY, state
from causarium.engine.play.conversation import Conversation, show_observation
from causarium.engine.play.inspect_episode import Play, make_solver
from causarium.engine.play.programs import NO_CALL, action_tools, read_refusal
from causarium.engine.record.episode_record import (
    EpisodeRecord,
    EpisodeStore,
    read_record,
    score_turns,
)
from causarium.engine.record.run_summary import FORM, RunSample, summarize_run
from causarium.engine.sandbox.bubblewrap import NoSandbox, find_sandbox
from causarium.engine.task.climb import Climb
from causarium.engine.task.custom_agent import (
    CustomAgent,
    custom_agent_rules,
    custom_agent_solver,
    find_agent,
)
from causarium.errors import UnknownName, UsageError


@metric
def numbers() -> Metric:
    """Return the metric of a run: its reach or mean score, and the shares of what was refused.

    One metric for all of them, because Inspect copies every score, with all its numbers and its
    record, for each metric that is asked for by name. All numbers of a verdict are in its sample.
    """

    def compute(scores: list[SampleScore]) -> Value:
        told = [
            RunSample(str(sample.sample_id), next(iter(sample.score.value.values()), None), **form)
            for sample in scores
            if isinstance(sample.score.value, dict)
            for form in [(sample.score.metadata or {}).get(FORM, {})]
        ]
        return dict(summarize_run(told))

    return compute


METRICS = [numbers()]
"""What a run says of all its verdicts."""


def family_scorer(family: AnyFamily) -> Callable[[], Scorer]:
    """Register a family's scorer, `<family>_verdict`, so that a log can find it again.

    Inspect writes a scorer's name without its package and later looks it up as written. So the
    scorer is registered twice: under its own name, and under one that keeps the package when
    the first part is cut off. The package is the one of the family's rules, so that the name is the
    same when Inspect runs a task's file by its path.
    """

    def make() -> Scorer:
        return verdict_scorer(family)

    make.__name__ = make.__qualname__ = f"{family.name}_verdict"
    make.__module__ = family.rules.__module__
    scorer(metrics=METRICS)(make)
    package = make.__module__.partition(".")[0]
    return scorer(metrics=METRICS, name=f"{package}/{make.__name__}")(make)


def verdict_scorer(family: AnyFamily) -> Scorer:
    """Return the scorer of a family: it reads the sample's record and turns, and nothing else."""

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        record = read_record(state.metadata)
        store = EpisodeStore(state.store)
        wing = family.for_edition(check_edition(record.edition))
        played = record.rebuild(wing)
        turns = store.turns
        verdict = score_turns(wing, *played, turns, store.judgements)
        headline = family.card.headline.get(record.edition, "")
        row = Row(
            **record.model_dump(include={"family", "version", "edition", "set"}),
            interface=record.interface,
            agent="",
            id=str(state.sample_id),
            facets={},
            numbers=verdict.numbers,
            turns=len(turns),
            answered=verdict.is_answered,
            faults=count_bad_replies(turns),
            refusals=count_refusals(turns),
            unscored=verdict.unscored,
        )
        outcome = tell_outcome(row, headline, share=wing.metrics[headline].share)
        refused = sum(row.faults.values())
        form = {"replies": row.turns, "refused": refused}
        form["malformed"] = int(outcome.ending == "malformed")
        return as_score(verdict, headline=headline, form=form)

    return score


def as_score(
    verdict: Verdict, *, headline: str = "", form: Mapping[str, int] | None = None
) -> Score:
    """Return a verdict in Inspect's words, the headline number first.

    Args:
        verdict: The verdict.
        headline: The number that is the score.
        form: How many replies there were, how many were refused, and whether most were.
    """
    extra = {"labels": verdict.labels, **({FORM: dict(form)} if form else {})}
    if verdict.unscored is not None:
        return Score.unscored(
            reason="grader_failed",
            answer=verdict.answer,
            explanation=verdict.unscored,
            metadata=extra,
        )
    numbers = verdict.numbers
    return Score(
        value={
            name: numbers[name] for name in dict.fromkeys((headline, *numbers)) if name in numbers
        },
        answer=verdict.answer,
        explanation=verdict.explanation or None,
        metadata=extra,
    )


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


def offer_task(family: AnyFamily) -> Callable[..., Task]:
    """Register the task of a family that another package brings, as `causarium/NAME`."""
    verdict = family_scorer(family)

    @takes_rules(family)
    def make(**given: Any) -> Task:  # noqa: ANN401
        return make_task(family, verdict(), given)

    return task(name=family.name)(make)


def make_task(family: AnyFamily, scorer: Scorer, given: dict[str, Any]) -> Task:
    """Return a family's task, played by the arguments that were given to it.

    Args:
        family: The family.
        scorer: Its scorer, as what `family_scorer` returns makes it.
        given: The arguments by name: edition, set, player and the like, and rules.

    Raises:
        PrerequisiteError: An argument, or what it names, does not exist or cannot work; Inspect
            prints such a message without a traceback.
    """
    try:
        return _build_task(family, scorer, given)
    except UsageError as wrong:
        raise refuse(wrong) from wrong


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
    "limit": None,
    "rungs": None,
    "all_rungs": None,
}
"""What every family's task takes, beside the family's rules."""


def _build_task(family: AnyFamily, scorer: Scorer, given: Mapping[str, Any]) -> Task:
    """Build it: a player plays by name, an agent of a user's own as it is, otherwise the model."""
    defaults = _list_defaults(family)
    for name in given.keys() - defaults.keys():
        raise UnknownName(f"{family.name} argument", name, defaults, plural="arguments")
    asked = {name: given.get(name, default) for name, default in _ARGUMENTS.items()}
    chosen, bot, own = check_edition(str(asked["edition"])), asked["player"], None
    both, family = family, family.for_edition(chosen)
    if asked["agent"] is not None:
        if bot is not None:
            raise UsageError(f"player={bot} plays without an agent; leave one of them out")
        own = find_agent(asked["agent"], asked["agent_boundary"])
    if bot is not None:
        family.player(bot)
    rules = {name: value for name, value in given.items() if name not in _ARGUMENTS}
    played, note = _rules(family, chosen, rules, own or bot)
    played.check_interface_installed()
    family = family.with_release(played, chosen)
    source = _open_source(both, chosen, str(asked["set"]), asked["file"])
    share, part = Shard.parse(asked["shard"]), _read_part(asked["limit"], asked["rungs"])
    if part is None:
        instances = _deal(share, source.instances(share))
        size = source.size
    else:
        some = _choose_instances(family, chosen, source, part, named=asked["file"] is None)
        instances, size = _deal(share, share.deal(some)), len(some)
    needs_it = own is not None and own.needs_sandbox
    needs_it = needs_it or has_programs(family, instances[0], played)
    place = find_sandbox() if needs_it and not bot else None
    who = {"player": bot, "agent": own.name if own else None}
    name = source.name
    samples = [
        sample_of(family, instance, played, edition=chosen, set_name=name, **who)
        for instance in instances
    ]
    # Parts of one run have one card, so the words of the whole set count; those of a release are in
    # its digest.
    whole = source.instances() if not (share.is_whole or family.released) else iter(())
    if part is not None and not share.is_whole:
        whole = iter(some)
    card = state(
        family,
        chosen,
        played,
        instances[0],
        set_digest=source.header.digest,
        openings=[join_texts(sample.input) for sample in samples]
        if share.is_whole and not family.released
        else (join_texts(_messages(family.prompt(i.public, played), played)) for i in whole),
        own_agent=(own.digest, own.boundary) if own else None,
    )
    about: dict[str, Any] = {"family": family.name, "edition": chosen, "set": name, **who}
    if not share.is_whole:
        about |= {SHARD_KEY: str(share), SET_SIZE_KEY: size}
    return Task(
        dataset=MemoryDataset(samples, name=f"{family.name}-{chosen}-{name}"),
        solver=_solver(family, own or bot, played.interface),
        scorer=scorer,
        sandbox=place,
        version=family.card.version,
        tags=["causal reasoning", "causarium", chosen, name],
        continue_on_fail=True,
        early_stopping=_find_climb(family, chosen, instances, whole=asked["all_rungs"] is not None),
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


def _find_climb(
    family: AnyFamily, edition: Edition, instances: Sequence[AnyInstance], *, whole: bool
) -> Climb | None:
    """Return the manager of early stops; None if all is played or nothing is a rung."""
    if whole or not all(RUNG in one.facets for one in instances):
        return None
    return Climb(instances, family.card.headline[edition])


def _sandbox_fields(place: SandboxEnvironmentSpec | None, note: str | None) -> dict[str, str]:
    """Return what a log says of the sandbox: which one, and what was left out without it."""
    fields = {"sandbox": "none" if place is None else place.type}
    return fields if note is None else {**fields, "without_sandbox": note}


def _solver(family: AnyFamily, player: str | CustomAgent | None, interface: str) -> Solver:
    if isinstance(player, CustomAgent):
        return custom_agent_solver(family, player)
    if player is not None:
        return player_solver(family, player)
    by_tools = interface in family.rules.tool_interfaces
    return tool_agent(family) if by_tools else text_agent(family)


class _Part(NamedTuple):
    """Which instances of a set are played."""

    limit: int | None
    rungs: range | None


def _read_part(limit: str | int | None, rungs: str | int | None) -> _Part | None:
    """Return the part of a set that is asked for; None: all of it.

    Raises:
        UsageError: It is none.
    """
    if limit is None and rungs is None:
        return None
    if limit is not None and not (str(limit).isdecimal() and int(limit) > 0):
        raise UsageError(f"limit is the number of instances to run, 1 or more, not {limit}")
    return _Part(
        None if limit is None else int(limit), parse_rungs(None if rungs is None else str(rungs))
    )


def _choose_instances(
    family: AnyFamily, edition: Edition, source: OpenSet, part: _Part, *, named: bool
) -> list[AnyInstance]:
    """Return some instances of a set: of a file without parts the first ones."""
    if named:
        return generate_set(family, edition, source.name, **part._asdict())
    everything = list(source.instances())
    if sum(one.size for one in source.header.parts) != len(everything):
        return everything[: part.limit]
    return [everything[at] for at in choose_numbers(source.header.parts, **part._asdict())]


def _deal(share: Shard, dealt: Iterable[AnyInstance]) -> list[AnyInstance]:
    instances = list(dealt)
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
    """Return an instance as a sample: the opening words, and the record that scoring needs."""
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


def join_texts(messages: str | Iterable[ChatMessage]) -> str:
    """Return the words of messages."""
    return messages if isinstance(messages, str) else "\n".join(one.text for one in messages)


def _messages(prompt: Prompt, rules: Rules) -> list[ChatMessage]:
    if rules.join_system:
        return [ChatMessageUser(content=f"{prompt.system}\n{prompt.user}")]
    return [ChatMessageSystem(content=prompt.system), ChatMessageUser(content=prompt.user)]


def has_programs(family: AnyFamily, instance: AnyInstance, rules: Rules) -> bool:
    """Tell whether an agent may write programs under these rules, and have them run."""
    allowed_actions = family.open_world(instance, rules).allowed_actions
    return any(issubclass(action, Program) for action in allowed_actions)


def fit_rules_to_machine(
    family: AnyFamily, edition: Edition, rules: Mapping[str, Any]
) -> tuple[dict[str, Any], str | None]:
    """Return rules that can be played on this machine, and a line on what they leave out.

    Returns:
        The rules as they were given and None where a sandbox is not needed or there is one.

    Raises:
        NoSandbox: The user asked for something that needs a sandbox, and there is none.
    """
    family = family.for_edition(edition)
    given = {name: value for name, value in rules.items() if value is not None}
    changes = {k: v for k, v in family.rules.without_programs.items() if k not in given}
    if not changes:
        return dict(rules), None
    level = next(one for one in family.levels.values() if one.edition == edition)
    instance = family.generate(level, 0, 0)
    if not has_programs(family, instance, family.rules_for(edition, **given)):
        return dict(rules), None
    try:
        find_sandbox()
    except NoSandbox:
        if has_programs(family, instance, family.rules_for(edition, **{**given, **changes})):
            raise
        words = ", ".join(f"{name}={value}" for name, value in changes.items())
        note = f"No sandbox on this machine: {family.name} is played without programs ({words})."
        return {**rules, **changes}, note
    return dict(rules), None


def text_agent(family: AnyFamily) -> Solver:
    """Return a solver that plays by text: the world's answer to a reply is the next message."""

    async def solve(state: TaskState) -> TaskState:
        play = Play(family, state)
        talk = Conversation(state, play.episode)
        while not play.done:
            seen = await play.make(await talk.move())
            if not play.done:
                talk.tell(show_observation(seen), alone=seen.alone)
        return await play.finish()

    return make_solver("causarium/text_agent", solve)


def tool_agent(family: AnyFamily) -> Solver:
    """Return a solver that plays by tool calls, reasoning in between (ReAct).

    Inspect has a `react()` of its own, which runs here as an agent of one's own
    (`examples/react_agent.py`). It is not what we measure with: it brings a `submit` tool, a
    system message and words of its own, where a family's are part of what is published; it
    answers a reply without a call itself and without end, where for us such a reply is a move
    that the world answers, counts and bounds; a call that does not fit its tool never reaches
    it; and it goes on after the world has ended.
    """

    async def solve(state: TaskState) -> TaskState:
        play = Play(family, state)
        talk = Conversation(state, play.episode)

        async def take(move: Move) -> str | list[Content]:
            return show_observation(await play.make(move))

        # What is expected at first is what this instance has; the list stays the same, so that
        # a call made too late is answered by the world and not by Inspect.
        tools = action_tools(offered_actions(play.episode.world), take)
        while not play.done:
            await _tool_turn(talk, play, tools)
        return await play.finish()

    return make_solver("causarium/tool_agent", solve)


async def _tool_turn(talk: Conversation, play: Play, tools: list[ToolDef]) -> None:
    message = await talk.call(tools)
    if isinstance(message, Unparsed) or not message.tool_calls:
        no_call = Unparsed(mode=NO_CALL, detail="the reply calls no tool")
        seen = play.take(message if isinstance(message, Unparsed) else no_call)
        if not play.done:
            talk.tell(show_observation(seen))
        return
    for call in message.tool_calls:
        alone = message.model_copy(update={"tool_calls": [call]})
        # Inspect would shorten a long answer in words of its own, which are not the world's.
        for answer in (await execute_tools([alone], tools, max_output=0)).messages:
            if isinstance(answer, ChatMessageTool) and (move := read_refusal(answer)) is not None:
                play.take(move)
            talk.tell(answer)


def player_solver(family: AnyFamily, player: str) -> Solver:
    """Return a solver in which a player plays, with no model."""

    async def solve(state: TaskState) -> TaskState:
        play = Play(family, state)
        play.episode.follow(start_player(play.episode, player, seed=state.epoch - 1))
        EpisodeStore(state.store).start_turns(play.episode.turns)
        return await play.finish()

    return make_solver(f"causarium/player_{player}", solve)
