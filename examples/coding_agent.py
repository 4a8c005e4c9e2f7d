"""A coding agent that plays any family over a sandboxed command line.

    causarium run causalab --agent examples/coding_agent.py@coding_agent --model openai/gpt-5

Its one tool is `bash`, in a sandbox without network and without causarium. The command `world`, and
the Python module of that name, reach the world's actions and nothing else:

    world                                            what can be done
    world intervene '{"property": "mass", "value": 3}'
    python3 -c 'import world; print(world.act("measure"))'

The sandbox needs bubblewrap; see docs/programs.md.
"""

from inspect_ai.agent import Agent, react
from inspect_ai.tool import ToolDef

from causarium_agent import needs_sandbox, shell

PROMPT = """You work on a command line. Where the task speaks of tools, use the command `world`:
it lists them, and `world NAME '{"argument": value}'` calls one. Write programs where they help:
keep what you observe in files, compute with Python, and check before you give your answer."""


@needs_sandbox
def coding_agent(tools: list[ToolDef]) -> Agent:
    """Return an agent with one tool, a shell that reaches the world."""
    return react(prompt=PROMPT, tools=[shell(tools)], submit=False)
