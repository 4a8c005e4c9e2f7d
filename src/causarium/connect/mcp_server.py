"""MCP: `causarium mcp FAMILY`, play from any client of the Model Context Protocol.

The tool `task` tells what is to be done; each action of the family is a tool of its own. Clients
read the answers alone; the score is told only where the server was started to reveal it.
"""

import json
from typing import Any

import anyio

from causarium import __version__
from causarium.api.session import Session
from causarium.errors import MissingExtra

try:
    import mcp_types as types
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server
except ImportError as missing:  # pragma: no cover - depends on what is installed
    raise MissingExtra("the MCP server", "mcp") from missing

TASK = types.Tool(
    name="task",
    description="Read the task: call this first.",
    input_schema={"type": "object", "properties": {}, "additionalProperties": False},
)
OVER = "The episode is over."


def make_server(session: Session, *, reveal: bool = False) -> "Server[Any]":
    """Return a server on which one episode is played.

    Args:
        session: The episode, opened with the interface `tools`.
        reveal: Whether the score is told at the end.
    """
    # What is allowed changes in the course of play; clients need not ask again.
    names = {action.kind for action in session.family.actions if action.in_tools}
    session.reset()

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:  # noqa: ANN401
        tools = [
            types.Tool(
                name=tool["name"],
                description=tool["description"],
                input_schema=tool["parameters"],
            )
            for tool in session.tools(whenever=True)
        ]
        return types.ListToolsResult(tools=[TASK, *tools])

    async def call_tool(
        _context: Any,  # noqa: ANN401
        params: types.CallToolRequestParams,
    ) -> types.CallToolResult:
        if params.name == TASK.name:
            return _answer(session.opening, is_error=False)
        if session.done:
            return _answer(OVER, is_error=True)
        call = {"name": params.name, "arguments": params.arguments or {}}
        # A program takes its time, and the client may ask for other things meanwhile.
        step = await anyio.to_thread.run_sync(session.step, call)
        text = f"{step.text}\n\n{OVER}" if step.done else step.text
        if step.done and reveal:
            text += f"\n{json.dumps({'reward': session.reward, **session.verdict()})}"
        return _answer(text, is_error=params.name not in names)

    return Server(
        "causarium", version=__version__, on_list_tools=list_tools, on_call_tool=call_tool
    )


def _answer(text: str, *, is_error: bool) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], is_error=is_error
    )


def serve(session: Session, *, reveal: bool = False, port: int | None = None) -> None:
    """Serve one episode until the client leaves: over standard input and output, or a port.

    Args:
        session: The episode.
        reveal: Whether the score is told at the end.
        port: The port to listen on, at 127.0.0.1; None: standard input and output.
    """
    server = make_server(session, reveal=reveal)
    if port is not None:
        import uvicorn

        uvicorn.run(server.streamable_http_app(), host="127.0.0.1", port=port, log_level="warning")
        return

    async def talk() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(talk)
