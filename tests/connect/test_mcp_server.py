"""The MCP server, spoken to by a real client in this process and as a command."""

import json
import os
import sys

import anyio
import pytest

import causarium as cm
from causarium.contract.texts.say_action import visible_fields
from causarium.contract.world import Action
from tests.support.talking_players import (
    INSTANCES,
    assert_same_verdict,
    every_family,
    every_player,
    play_directly,
)

pytest.importorskip("mcp", reason="needs causarium[mcp]")

from mcp import Client, StdioServerParameters, stdio_client

from causarium.connect.mcp_server import OVER, make_server


def text_of(result: object) -> str:
    return "".join(part.text for part in result.content)


@every_family
@every_player
def test_a_client_plays_and_gets_the_direct_runners_verdict(name: str, player: str) -> None:
    for index in range(INSTANCES):
        session = cm.open_session(name, index=index, interface="tools")
        direct, actions = play_directly(session, player)
        first, *_, last = anyio.run(talk, session, actions)
        assert first == session.opening
        assert_same_verdict(session, direct)
        assert OVER in last or not direct.done
        if player == "oracle":
            assert json.loads(last.rpartition("\n")[2])["reward"] == 1.0


async def talk(session: cm.Session, actions: list[Action]) -> list[str]:
    """Make a client play; returns what it reads."""
    async with Client(make_server(session, reveal=True)) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        texts = [text_of(await client.call_tool("task", {}))]
        for action in actions:
            assert action.kind in names
            texts.append(text_of(await client.call_tool(action.kind, visible_fields(action))))
        return texts


def test_nothing_is_revealed_unless_asked_and_bad_calls_are_answered() -> None:
    session = cm.open_session("causallink", interface="tools")

    async def talk() -> tuple[object, object]:
        async with Client(make_server(session)) as client:
            wrong = await client.call_tool("intervene", {"shape": 7})
            return wrong, await client.call_tool("answer", {"answer": "yes"})

    wrong, last = anyio.run(talk)
    assert session.turns[0].unparsed is not None
    assert "reward" not in text_of(wrong) + text_of(last)


@pytest.mark.long
def test_the_command_serves_over_standard_input() -> None:
    code = "from causarium.cli import main; main()"
    words = ["-c", code, "mcp", "causallink", "--level", "log"]

    async def talk() -> str:
        server = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))
        async with Client(stdio_client(server)) as client:
            return text_of(await client.call_tool("task", {}))

    assert anyio.run(talk) == cm.open_session("causallink", level="log", interface="tools").opening
