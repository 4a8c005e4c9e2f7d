"""Who plays under Inspect: a model by text, a model by tool calls, or a player with no model.

All three hand their moves to one `Play`. An agent of a user's own is in `own_agent`.
"""

from inspect_ai.model import ChatMessageTool, Content, execute_tools
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolDef

from causarium.contract.episode import start_player
from causarium.contract.family import AnyFamily
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Move
from causarium.engine.play.action_tools import NO_CALL, action_tools, read_refusal
from causarium.engine.play.conversation import Conversation
from causarium.engine.play.inspect_episode import Play
from causarium.engine.play.shown_frames import show_observation


def agent_solver(family: AnyFamily, interface: str) -> Solver:
    """Return the solver in which a model plays a family."""
    by_tools = interface in family.rules.tool_interfaces
    return tool_agent(family) if by_tools else text_agent(family)


def text_agent(family: AnyFamily) -> Solver:
    """Return a solver that plays by text: the world's answer to a reply is the next message."""

    @solver(name="causarium/text_agent")
    def agent() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
            play = Play(family, state)
            talk = Conversation(state, play.episode)
            while not play.done:
                seen = await play.make(await talk.move())
                if not play.done:
                    talk.tell(show_observation(seen))
            return await play.finish()

        return solve

    return agent()


def tool_agent(family: AnyFamily) -> Solver:
    """Return a solver that plays by tool calls, reasoning in between (ReAct).

    Inspect has a `react()` of its own, which runs here as an agent of one's own
    (`examples/react_agent.py`). It is not what we measure with: it brings a `submit` tool, a
    system message and words of its own, where a family's are part of what is published; it
    answers a reply without a call itself and without end, where for us such a reply is a move
    that the world answers, counts and bounds; a call that does not fit its tool never reaches
    it; and it goes on after the world has ended.
    """

    @solver(name="causarium/tool_agent")
    def agent() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
            play = Play(family, state)
            talk = Conversation(state, play.episode)

            async def take(move: Move) -> str | list[Content]:
                return show_observation(await play.make(move))

            # What is expected at first is what this instance has; the list stays the same, so that
            # a call made too late is answered by the world and not by Inspect.
            tools = action_tools(play.episode.world.allowed_actions, take)
            while not play.done:
                await _tool_turn(talk, play, tools)
            return await play.finish()

        return solve

    return agent()


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
        for answer in (await execute_tools([alone], tools)).messages:
            if isinstance(answer, ChatMessageTool) and (move := read_refusal(answer)) is not None:
                play.take(move)
            talk.tell(answer)


def player_solver(family: AnyFamily, player: str) -> Solver:
    """Return a solver in which a player plays, with no model."""

    @solver(name=f"causarium/player_{player}")
    def plays() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
            play = Play(family, state)
            plan = start_player(play.episode, player, seed=state.epoch - 1)
            try:
                move = next(plan)
                while not play.done:
                    move = plan.send(play.take(move))
            except StopIteration:
                pass
            return await play.finish()

        return solve

    return plays()
