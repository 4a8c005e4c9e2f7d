"""An agent written against the plain OpenAI client, playing any family with any model.

    causarium run causallink --agent examples/openai_agent.py@openai_agent --model anthropic/...

Within Inspect's agent bridge, requests for the model "inspect" go to the model under test, whoever
provides it, and are counted, limited and logged like any other. An existing agent with its own loop
and memory needs no more than this wrapper.
"""

import json
from typing import Any

from inspect_ai.agent import Agent, AgentState, agent_bridge
from inspect_ai.model import messages_to_openai
from inspect_ai.tool import ToolDef
from openai import AsyncOpenAI

MOST_REPLIES = 100


def openai_agent(tools: list[ToolDef]) -> Agent:
    """Return an agent that uses the OpenAI client and calls the tools itself."""

    async def execute(state: AgentState) -> AgentState:
        async with agent_bridge(state) as bridge:
            await play(AsyncOpenAI(api_key="not needed"), state, tools)
            return bridge.state

    return execute


async def play(client: AsyncOpenAI, state: AgentState, tools: list[ToolDef]) -> None:
    """Go on until the model calls no tool."""
    by_name = {one.name: one for one in tools}
    offered: list[Any] = [described(one) for one in tools]
    messages: list[Any] = await messages_to_openai(state.messages)
    for _ in range(MOST_REPLIES):
        completion = await client.chat.completions.create(
            model="inspect", messages=messages, tools=offered
        )
        reply = completion.choices[0].message
        messages.append(reply.model_dump(exclude_none=True))
        calls = [call for call in reply.tool_calls or () if call.type == "function"]
        if not calls:
            return
        for call in calls:
            said = await called(by_name, call.function.name, call.function.arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": said})


async def called(tools: dict[str, ToolDef], name: str, arguments: str) -> str:
    """Call a tool as the model wants it called; returns what the model reads."""
    try:
        return str(await tools[name].tool(**json.loads(arguments)))
    except (KeyError, ValueError, TypeError) as wrong:
        return f"That call cannot be made: {wrong!r}"


def described(one: ToolDef) -> dict[str, Any]:
    """Return a tool as the OpenAI client describes it to a model."""
    schema = one.parameters.model_dump(exclude_none=True)
    function = {"name": one.name, "description": one.description, "parameters": schema}
    return {"type": "function", "function": function}
