"""A command line in a sandbox, from which a coding agent acts on the world.

The agent's one tool is `bash`. In the sandbox the command `world` reaches the world's actions, and
nothing else does: each request comes out through the same gate as those of programs, and becomes an
ordinary move. What the agent writes in its workspace lasts until the sample ends.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from inspect_ai.tool import ToolDef

from causarium.contract.unparsed import Unparsed
from causarium.contract.world import ProgramResult
from causarium.engine.play.programs import (
    MOST_CODE_CHARS,
    Job,
    read_inner_module,
    read_request,
    refusal,
    run_job,
)

_PROGRAM = f"{read_inner_module('terminal.py')}\n\nmain(client._lines)\n"
_ABOUT = """Run a command line in your sandbox, and read what it prints. Files that you write stay.

The command `world` acts on the world, and nothing else does: world NAME '{"argument": value}'.
`world NAME --help` shows the arguments. In Python: import world; world.act("NAME", argument=value).
What can be done:"""

FactoryT = TypeVar("FactoryT", bound=Callable[..., Any])


def needs_sandbox(factory: FactoryT) -> FactoryT:
    """Mark a factory whose agent runs things in the sample's sandbox, so that there is one."""
    factory.needs_sandbox = True  # type: ignore[attr-defined]
    return factory


def shell(tools: Sequence[ToolDef]) -> ToolDef:
    """Return the tool `bash`, in whose sandbox the command `world` does what `tools` do.

    Args:
        tools: The world's actions, as a factory is given them.
    """
    known = {tool.name: tool for tool in tools}
    verbs = {name: _verb(one) for name, one in known.items()}
    listed = "\n".join(f"- {name}: {verb['about']}" for name, verb in verbs.items())

    async def answer(asked: object) -> dict[str, Any]:
        found = read_request(asked)
        if isinstance(found, Unparsed):
            return refusal(found.detail)
        name, given = found
        if name not in known:
            return refusal(f"there is no {name!r}; world can do {', '.join(known)}")
        return {"legal": True, "seen": {}, "text": str(await known[name].tool(**given))}

    async def execute(cmd: str) -> str:
        if len(cmd) > MOST_CODE_CHARS:
            return f"A command line has at most {MOST_CODE_CHARS:,} characters; nothing was run."
        files = {
            "command.sh": cmd,
            "verbs.json": json.dumps(verbs),
            "world.py": read_inner_module("world.py"),
        }
        return _describe_result(await run_job(Job(_PROGRAM, files, verbs, answer)))

    return ToolDef(
        execute,
        name="bash",
        description=f"{_ABOUT}\n{listed}",
        parameters={"cmd": "The command line, for bash."},
        parallel=False,
    )


def _verb(one: ToolDef) -> dict[str, Any]:
    """Return what `world` says of an action."""
    schema = one.parameters.model_dump(exclude_none=True)
    return {
        "about": one.description,
        "fields": list(one.parameters.properties),
        "arguments": schema,
    }


def _describe_result(ran: ProgramResult) -> str:
    """Return what the agent reads of a command line that was run."""
    how = "" if ran.ending == "finished" else f"\n[{ran.ending}]"
    return f"{ran.output}{how}".strip() or "[no output]"
