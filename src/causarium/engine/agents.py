"""Who plays under Inspect: a model by text, a model by tool calls, or a player with no model.

All three hand their moves to one `Episode`, and the turns go to the sample's store as they
are taken, so that a log that ends early still holds what happened.
"""

from inspect_ai.model import ChatMessageTool, execute_tools
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolDef

from causarium.contract.answer import Unparsed
from causarium.contract.episode import Episode, begin
from causarium.contract.family import AnyFamily
from causarium.contract.world import Move, Observation, Program
from causarium.engine.consult import assisted, judged
from causarium.engine.conversation import Conversation
from causarium.engine.programs import run_program
from causarium.engine.record import JUDGEMENTS_KEY, TURNS_KEY, read_record
from causarium.engine.tools import action_tools, refused

NO_CALL = "invalid format"
"""The error mode of a reply without a tool call, where one is needed."""


def agent_solver(family: AnyFamily, interface: str) -> Solver:
    """Return the solver in which a model plays a family."""
    return tool_agent(family) if interface == "tools" else text_agent(family)


def text_agent(family: AnyFamily) -> Solver:
    """Return a solver that plays by text: the world's answer to a reply is the next message."""

    @solver(name="causarium/text_agent")
    def agent() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
            episode = _open(family, state)
            talk = Conversation(state, episode.rules)
            while not episode.done:
                seen = await _make(state, episode, episode.read(await talk.reply()))
                if not episode.done:
                    talk.tell(seen.text)
            return await _finished(state, episode)

        return solve

    return agent()


def tool_agent(family: AnyFamily) -> Solver:
    """Return a solver that plays by tool calls."""

    @solver(name="causarium/tool_agent")
    def agent() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
            episode = _open(family, state)
            talk = Conversation(state, episode.rules)
            # What is expected at first is what this instance has; the list stays the same, so that
            # a call made too late is answered by the world and not by Inspect.
            offered = episode.world.expects

            async def take(move: Move) -> str:
                return (await _make(state, episode, move)).text

            tools = action_tools(offered, take)
            while not episode.done:
                await _tool_turn(talk, episode, tools)
            return await _finished(state, episode)

        return solve

    return agent()


async def _tool_turn(talk: Conversation, episode: Episode, tools: list[ToolDef]) -> None:
    message = await talk.call(tools)
    if not message.tool_calls:
        no_call = Unparsed(mode=NO_CALL, detail="the reply calls no tool")
        seen = _take(talk.state, episode, no_call)
        if not episode.done:
            talk.tell(seen.text)
        return
    for call in message.tool_calls:
        alone = message.model_copy(update={"tool_calls": [call]})
        for answer in (await execute_tools([alone], tools)).messages:
            if isinstance(answer, ChatMessageTool) and (move := refused(answer)) is not None:
                _take(talk.state, episode, move)
            talk.tell(answer)


def player_solver(family: AnyFamily, player: str) -> Solver:
    """Return a solver in which a player plays, with no model."""

    @solver(name=f"causarium/player_{player}")
    def plays() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
            episode = _open(family, state)
            plan = begin(episode, player, seed=state.epoch - 1)
            try:
                move = next(plan)
                while not episode.done:
                    move = plan.send(_take(state, episode, move))
            except StopIteration:
                pass
            return await _finished(state, episode)

        return solve

    return plays()


def _open(family: AnyFamily, state: TaskState) -> Episode:
    instance, rules = read_record(state.metadata).open(family)
    state.store.set(TURNS_KEY, [])
    return Episode(family, instance, rules)


async def _make(state: TaskState, episode: Episode, move: Move) -> Observation:
    """Make a model's move: as its assistant reads it and, if it is a program, once it has run."""
    move = await assisted(episode, move)
    if isinstance(move, Program):
        over = episode.done
        move = await run_program(episode, move, lambda verb: _make(state, episode, verb))
        if episode.done and not over:
            # What the program did ended the episode; its own turn would come after the end.
            return Observation("It is over.")
    return _take(state, episode, move)


def _take(state: TaskState, episode: Episode, move: Move) -> Observation:
    seen = episode.take(move)
    turn = episode.turns[-1].model_dump(mode="json")
    state.store.set(TURNS_KEY, [*state.store.get(TURNS_KEY), turn])
    return seen


async def _finished(state: TaskState, episode: Episode) -> TaskState:
    judgements = await judged(episode)
    if judgements:
        state.store.set(JUDGEMENTS_KEY, [found.model_dump(mode="json") for found in judgements])
    state.completed = True
    return state
