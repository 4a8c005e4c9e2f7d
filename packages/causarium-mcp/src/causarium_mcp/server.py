"""MCP: `causarium mcp FAMILY`, play from any client of the Model Context Protocol.

Every connection plays an episode of its own. The tool `task` says what is to be done, each action
that this episode offers is a tool, `status` says where the episode stands and `new_episode` opens
another. Clients read the answers alone; the score is given only where the server was started to
reveal it.
"""

import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import anyio
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from causarium import __version__
from causarium.api.session import Session
from causarium.contract.texts.replies import describe_validation_error
from causarium.contract.texts.reply_schemas import inline_references
from causarium.errors import MissingExtra, UsageError

try:
    import mcp_types as types
    from mcp.server.lowlevel import NotificationOptions, Server
    from mcp.server.stdio import stdio_server
    from mcp.shared.exceptions import MCPError
    from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
    from starlette.applications import Starlette
    from starlette.responses import PlainTextResponse
    from starlette.types import ASGIApp, Receive, Scope, Send
except ImportError as missing:  # pragma: no cover - depends on what is installed
    raise MissingExtra("the MCP server", "mcp") from missing

MOST_GAMES = 1000
"""So many connections over HTTP are kept; then the one that was quiet longest loses its episode."""
OVER = "The episode is over. Call new_episode to play another."
_ADVICE = (
    "Call `task` first: it says what is to be done. Then play by the other tools, one call at a "
    "time. A call that is refused is marked as an error and changes nothing. `status` says where "
    "the episode stands; `new_episode` opens another one. The rules of the first episode:"
)

OpenEpisode = Callable[..., Session]
"""Opens an episode; takes `level`, `split` and `index`; all may be left out."""


class NewEpisode(BaseModel):
    """What `new_episode` takes."""

    model_config = ConfigDict(extra="forbid")

    level: str | None = Field(None, description="The level to draw from; as before if left out.")
    split: Literal["train", "validation"] | None = Field(None, description="The split.")
    index: int | None = Field(
        None, ge=0, lt=2**31, description="The number of the instance; the next if left out."
    )


class _Nothing(BaseModel):
    """What tools without parameters take."""

    model_config = ConfigDict(extra="forbid")


_OWN: dict[str, tuple[str, type[BaseModel]]] = {
    "task": ("Read the task: call this first.", _Nothing),
    "status": ("Read where the episode stands, and which tools are taken now.", _Nothing),
    "new_episode": ("Leave this episode and open another; returns its task.", NewEpisode),
}


@dataclass
class _Game:
    """The episode of one connection; calls take turns."""

    session: Session
    index: int = 0
    chosen: dict[str, Any] = field(default_factory=dict)
    turn: anyio.Lock = field(default_factory=anyio.Lock)


class _Games:
    """The episodes of all connections, by the id that HTTP has for one; elsewhere there is one."""

    def __init__(self, open_episode: OpenEpisode) -> None:
        self._open = open_episode
        self._games: OrderedDict[str, _Game] = OrderedDict()

    async def find(self, request: Any) -> _Game:
        key = request.headers.get("mcp-session-id", "") if request is not None else ""
        if key not in self._games:
            session = await anyio.to_thread.run_sync(self._open)
            address = session.address
            # Another call of the same client may have been faster.
            self._games.setdefault(key, _Game(session, address.index if address else 0))
        self._games.move_to_end(key)
        if len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)
        return self._games[key]

    async def start_over(self, game: _Game, wanted: NewEpisode) -> None:
        chosen = game.chosen | wanted.model_dump(exclude_none=True, exclude={"index"})
        index = game.index + 1 if wanted.index is None else wanted.index
        game.session = await anyio.to_thread.run_sync(lambda: self._open(index=index, **chosen))
        game.index, game.chosen = index, chosen


def make_server(open_episode: OpenEpisode, *, reveal: bool = False) -> "Server[_Games]":
    """Return a server on which each connection plays episodes of its own."""

    @asynccontextmanager
    async def keep_games(_: "Server[_Games]") -> AsyncIterator[_Games]:
        yield _Games(open_episode)

    async def list_tools(context: Any, _params: Any) -> types.ListToolsResult:
        game = await context.lifespan_context.find(context.request)
        # A family may have a `status` of its own.
        tools = {
            name: types.Tool(
                name=name,
                description=about,
                input_schema={"properties": {}, **inline_references(model.model_json_schema())},
            )
            for name, (about, model) in _OWN.items()
        } | {
            tool["name"]: types.Tool(
                name=tool["name"], description=tool["description"], input_schema=tool["parameters"]
            )
            for tool in game.session.tools()
        }
        return types.ListToolsResult(tools=list(tools.values()))

    async def call_tool(
        context: Any,
        params: types.CallToolRequestParams,
    ) -> types.CallToolResult:
        game = await context.lifespan_context.find(context.request)
        async with game.turn:
            if params.name in {kind.kind for kind in game.session.offered if kind.in_tools}:
                return await _play(game.session, params, reveal=reveal)
            if params.name in _OWN:
                return await _answer_own(context, game, params)
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {params.name!r}")

    return Server(
        "causarium",
        version=__version__,
        instructions=f"{_ADVICE}\n\n{open_episode().messages[0]['content']}",
        lifespan=keep_games,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _play(
    session: Session, params: types.CallToolRequestParams, *, reveal: bool
) -> types.CallToolResult:
    if session.done:
        return _answer(OVER, is_error=True)
    call = {"name": params.name, "arguments": params.arguments or {}}
    # A program takes its time, and other clients go on meanwhile.
    step = await anyio.to_thread.run_sync(session.step, call)
    text = f"{step.text}\n\n{OVER}" if step.done else step.text
    if step.done and reveal:
        text += f"\n{json.dumps({'reward': session.reward, **session.verdict()})}"
    return _answer(text, is_error=not step.legal)


async def _answer_own(
    context: Any,
    game: _Game,
    params: types.CallToolRequestParams,
) -> types.CallToolResult:
    try:
        wanted = _OWN[params.name][1].model_validate(params.arguments or {})
        if isinstance(wanted, NewEpisode):
            before = game.session.offered
            await context.lifespan_context.start_over(game, wanted)
            if game.session.offered != before:
                await context.session.send_tool_list_changed()
    except ValidationError as wrong:
        return _answer(f"Nothing has changed: {describe_validation_error(wrong)}", is_error=True)
    except UsageError as wrong:
        return _answer(f"Nothing has changed: {wrong}", is_error=True)
    if params.name == "status":
        session, info = game.session, game.session.info()
        told = {"episode": session.instance.id, "done": session.done}
        told |= {name: info[name] for name in ("turn", "spent", "budget")}
        return _answer(json.dumps({**told, "tools": info["expects"]}, ensure_ascii=False))
    return _answer(game.session.opening)


def _answer(text: str, *, is_error: bool = False) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], is_error=is_error
    )


class _Handshakes:
    """Sends clients to the handshake, which gives every connection an id.

    The protocol of 2026-07-28 has no connections over HTTP, and a game needs one. Its clients fall
    back to the handshake where a server does not know that version.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope.get("headers", ()))
        version = headers.get(b"mcp-protocol-version", b"").decode("latin-1")
        if version and version not in HANDSHAKE_PROTOCOL_VERSIONS:
            known = ", ".join(HANDSHAKE_PROTOCOL_VERSIONS)
            refusal = PlainTextResponse(f"unknown protocol version; known: {known}", 400)
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)


def make_app(server: "Server[_Games]") -> Starlette:
    """Return the server as an application for HTTP, with a session for each connection."""
    app = server.streamable_http_app()
    app.add_middleware(_Handshakes)
    return app


def serve(open_episode: OpenEpisode, *, reveal: bool = False, port: int | None = None) -> None:
    """Serve until the client leaves: over standard input and output, or a port.

    Args:
        open_episode: Opens an episode that is played by tools.
        reveal: Whether to say the score at the end.
        port: The port to listen on, at 127.0.0.1; None: standard input and output.
    """
    server = make_server(open_episode, reveal=reveal)
    if port is not None:
        import uvicorn

        uvicorn.run(make_app(server), host="127.0.0.1", port=port, log_level="warning")
        return

    async def talk() -> None:
        options = server.create_initialization_options(NotificationOptions(tools_changed=True))
        async with stdio_server() as (read, write):
            await server.run(read, write, options)

    anyio.run(talk)
