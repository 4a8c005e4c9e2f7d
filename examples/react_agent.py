"""Inspect's own ReAct agent plays any family: a factory of one line.

    causarium run causallink --agent examples/react_agent.py@react_agent --model openai/gpt-5-mini

A factory takes the world's actions as tools and returns an Inspect agent. It needs no
`submit` tool: each world has its own way to end.
"""

from inspect_ai.agent import Agent, react
from inspect_ai.tool import ToolDef


def react_agent(tools: list[ToolDef]) -> Agent:
    """Return Inspect's ReAct agent with the world's actions as its only tools."""
    return react(prompt=None, tools=tools, submit=False)
