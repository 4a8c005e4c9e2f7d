"""Every family through the server's own application, by what players say.

`gym env test --resources-server causarium` runs this in an environment of its own.
"""

from unittest.mock import MagicMock

import pytest

pytest.importorskip("nemo_gym", reason="nemo-gym needs an environment of its own")

from fastapi.testclient import TestClient
from nemo_gym.base_resources_server import BaseResourcesServerConfig
from nemo_gym.server_utils import ServerClient
from resources_servers.causarium.app import CausalServer
from resources_servers.causarium.write_rows import make_row

from causarium import families
from causarium.api.session import open_session
from causarium.contract.episode import play

pytestmark = pytest.mark.filterwarnings("default")  # those of the framework are not ours


def answer(text: str) -> dict[str, object]:
    """Return what a model server answers."""
    content = [{"type": "output_text", "text": text, "annotations": []}]
    message = {"type": "message", "id": "m", "role": "assistant", "status": "completed"}
    given = {"id": "r", "created_at": 0.0, "model": "small", "object": "response", "tools": []}
    settings = {"parallel_tool_calls": False, "tool_choice": "auto"}
    return {**given, **settings, "output": [{**message, "content": content}]}


@pytest.fixture
def app() -> TestClient:
    config = BaseResourcesServerConfig(host="", port=0, entrypoint="", name="causarium")
    server = CausalServer(config=config, server_client=MagicMock(spec=ServerClient))
    return TestClient(server.setup_webserver())


def rollout(app: TestClient, row: dict[str, object], replies: list[str]) -> list[dict]:
    """Play a row as the agent of the framework does."""
    assert app.post("/reset", json=row).json()["observation"] is None
    return [app.post("/step", json={**row, "response": answer(text)}).json() for text in replies]


@pytest.mark.parametrize("name", families.FAMILIES)
@pytest.mark.parametrize("player", ["oracle", "random"])
def test_the_direct_runners_verdict(app: TestClient, name: str, player: str) -> None:
    for index in range(2):
        row = make_row(family=name, index=index)
        session = open_session(name, index=index)
        assert row["responses_create_params"] == {"input": session.messages}
        direct = play(session.family, session.instance, session.rules, player)
        moves = [turn.move(session.family.actions) for turn in direct.turns]
        steps = rollout(app, row, [session.says(move) for move in moves])
        assert [step["observation"] for step in steps[:-1]] == [
            turn.observation for turn in direct.turns[:-1]
        ]
        assert steps[-1]["terminated"] == direct.done
        assert player != "oracle" or sum(step["reward"] for step in steps) == 1.0


def test_two_rollouts_at_once_have_a_session_each(app: TestClient) -> None:
    other = TestClient(app.app)
    waits, ends = (make_row(family="causallink", level="rung-3", index=n) for n in (1, 0))
    rollout(other, waits, [])
    (last,) = rollout(app, ends, ['{"answer": "yes"}'])
    assert last["terminated"]
    said = other.post("/step", json={**waits, "response": answer("Hm.")})
    assert not said.json()["terminated"]


def test_a_reply_without_an_action_is_a_move_and_earns_nothing(app: TestClient) -> None:
    steps = rollout(app, make_row(family="causallink", set="smoke", index=0), ["Hm.", "{}"])
    assert [step["reward"] for step in steps] == [0.0, 0.0]
    assert steps[0]["info"]["unread"]
