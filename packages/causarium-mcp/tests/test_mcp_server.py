"""The MCP server, spoken to by the official client: in this process, over stdio and over HTTP."""

import json
import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import anyio
import pytest

import causarium as cm
from causarium.contract.texts.say_action import visible_fields
from causarium.contract.world import Action
from tests.support.talking_players import (
    INSTANCES,
    every_family,
    every_player,
    play_directly,
)

pytest.importorskip("mcp", reason="needs causarium[mcp]")

import uvicorn
from causarium_mcp.server import OVER, make_app, make_server
from mcp import Client, StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

OWN = {"task", "status", "new_episode"}


def opener(name: str, **options: object) -> partial[cm.Session]:
    return partial(cm.open_session, name, interface="tools", **options)


def text_of(result: object) -> str:
    return "".join(part.text for part in result.content)


async def play_through(client: Client, actions: list[Action]) -> list[str]:
    """Make a client play; returns what it reads."""
    names = {tool.name for tool in (await client.list_tools()).tools}
    texts = [text_of(await client.call_tool("task", {}))]
    for action in actions:
        assert action.kind in names
        texts.append(text_of(await client.call_tool(action.kind, visible_fields(action))))
    return texts


@every_family
@every_player
def test_a_client_plays_and_gets_the_direct_runners_verdict(name: str, player: str) -> None:
    for index in range(INSTANCES):
        session = opener(name, index=index)()
        direct, actions = play_directly(session, player)

        async def talk(index: int = index, actions: list[Action] = actions) -> list[str]:
            async with Client(make_server(opener(name, index=index), reveal=True)) as client:
                return await play_through(client, actions)

        first, *_, last = anyio.run(talk)
        assert first == session.opening
        assert OVER in last or not direct.done
        if direct.done:
            told = json.loads(last.rpartition("\n")[2])
            for number, value in direct.score().numbers.items():
                assert value != value or told[number] == value
            assert player != "oracle" or told["reward"] == 1.0


@every_family
def test_only_what_the_episode_offers_is_a_tool(name: str) -> None:
    async def talk() -> set[str]:
        async with Client(make_server(opener(name))) as client:
            return {tool.name for tool in (await client.list_tools()).tools}

    assert anyio.run(talk) == OWN | {tool["name"] for tool in opener(name)().tools()}


def test_instructions_tell_the_rules() -> None:
    async def talk() -> str:
        async with Client(make_server(opener("causallink"))) as client:
            return client.instructions or ""

    rules = opener("causallink")().messages[0]["content"]
    assert anyio.run(talk).endswith(rules)


HOSTILE = [
    {"start": 7},
    {"start": None, "hold": None},
    {"start": ["bell"], "hold": [], "more": [1] * 100},
    {"start": {"a": {"b": []}}, "hold": ["x"]},
    {"kind": "answer", "answer": "yes"},
]


def test_bad_arguments_are_errors_and_never_end_an_episode() -> None:
    async def talk() -> None:
        async with Client(make_server(opener("causallink", level="rung-2"))) as client:
            for _ in range(10):
                for arguments in HOSTILE:
                    wrong = await client.call_tool("trial", arguments)
                    assert wrong.is_error
            for arguments in (
                {"index": -1},
                {"index": "x"},
                {"level": "no"},
                {"level": 7},
                {"a": 1},
            ):
                assert (await client.call_tool("new_episode", arguments)).is_error
            assert (await client.call_tool("new_episode", {"split": "private"})).is_error
            with pytest.raises(MCPError, match="no tool 'intervene'"):
                await client.call_tool("intervene", {"shape": "star"})
            state = json.loads(text_of(await client.call_tool("status", {})))
            assert (state["turn"], state["done"]) == (0, False)
            last = await client.call_tool("answer", {"answer": "yes"})
            assert not last.is_error
            assert "reward" not in text_of(last)
            assert (await client.call_tool("answer", {"answer": "no"})).is_error

    anyio.run(talk)


def test_a_new_episode_is_the_one_that_was_asked_for() -> None:
    async def talk() -> None:
        async with Client(make_server(opener("causallink"))) as client:
            for asked in ({"level": "rung-3", "index": 5}, {"index": 9}, {"split": "validation"}):
                await client.call_tool("answer", {"answer": "yes"})
                text = text_of(await client.call_tool("new_episode", asked))
                seen.append(text)
            tools = {tool.name for tool in (await client.list_tools(cache_mode="refresh")).tools}
            assert {"trial", "answer"} == tools - OWN

    seen: list[str] = []
    anyio.run(talk)
    expected = [(5, "train"), (9, "train"), (10, "validation")]
    log = opener("causallink", level="rung-3")
    assert seen == [log(index=index, split=split).opening for index, split in expected]


@contextmanager
def served(name: str) -> Iterator[str]:
    """Serve a family over HTTP at a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    app = make_app(make_server(opener(name), reveal=True))
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.02)
    try:
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.should_exit = True
        thread.join()


def test_two_clients_over_http_have_an_episode_each() -> None:
    async def talk(url: str) -> None:
        async with Client(url) as one, Client(url) as two:
            await one.call_tool("new_episode", {"index": 3})
            await one.call_tool("answer", {"answer": "yes"})
            first = json.loads(text_of(await one.call_tool("status", {})))
            second = json.loads(text_of(await two.call_tool("status", {})))
            assert (first["done"], second["done"], second["turn"]) == (True, False, 0)
            assert first["episode"] != second["episode"]
            assert not (await two.call_tool("answer", {"answer": "yes"})).is_error

    with served("causallink") as url:
        anyio.run(talk, url)


@pytest.mark.slow
@every_family
def test_every_family_is_played_to_its_end_over_http(name: str) -> None:
    _, actions = play_directly(opener(name)(), "oracle")

    async def talk(url: str) -> str:
        async with Client(url) as client:
            return (await play_through(client, actions))[-1]

    with served(name) as url:
        last = anyio.run(talk, url)
    assert json.loads(last.rpartition("\n")[2])["reward"] == 1.0


@pytest.mark.long
@every_family
def test_the_command_serves_over_standard_input(name: str) -> None:
    code = "from causarium.cli import main; main()"
    words = ["-c", code, "mcp", name, "--reveal"]
    session = opener(name)()
    _, actions = play_directly(session, "oracle")

    async def talk() -> list[str]:
        server = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))
        async with Client(stdio_client(server)) as client:
            return await play_through(client, actions)

    texts = anyio.run(talk)
    assert texts[0] == session.opening
    assert json.loads(texts[-1].rpartition("\n")[2])["reward"] == 1.0
