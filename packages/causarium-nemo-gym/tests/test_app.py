"""Run in an environment of its own (Python 3.12): pip install . pytest && pytest."""

import json
from unittest.mock import MagicMock

import pytest

pytest.importorskip("nemo_gym", reason="nemo-gym cannot be installed beside causarium[dev]")

from causarium_nemo_gym.app import OVER, BaseResourcesServerConfig, CausalServer, make_row
from fastapi.testclient import TestClient
from nemo_gym.server_utils import ServerClient

from causarium import families
from causarium.api.session import open_session
from causarium.contract.episode import play
from causarium.contract.texts.say_action import visible_fields


def open_client() -> TestClient:
    config = BaseResourcesServerConfig(host="127.0.0.1", port=8080, entrypoint="", name="causarium")
    server = CausalServer(config=config, server_client=MagicMock(spec=ServerClient))
    return TestClient(server.setup_webserver())


def verify(client: TestClient, row: dict) -> float:
    reply = {
        "id": "r",
        "created_at": 0.0,
        "model": "m",
        "object": "response",
        "output": [],
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
    }
    done = client.post("/verify", json={**row, "response": reply})
    assert done.status_code == 200, done.text
    return done.json()["reward"]


@pytest.mark.parametrize("name", families.FAMILIES)
def test_the_oracle_earns_1_and_silence_0(name: str) -> None:
    client, row = open_client(), make_row({"family": name, "index": 1})
    assert client.post("/seed_session", json=row).status_code == 200
    session = open_session(name, index=1, interface="tools")
    offered = {tool["name"] for tool in row["responses_create_params"]["tools"]}
    for turn in play(session.family, session.instance, session.rules, "oracle").turns:
        action = turn.move(session.family.actions)
        assert action.kind in offered
        text = client.post(f"/{action.kind}", json=visible_fields(action)).text
    assert text.endswith(OVER)
    assert verify(client, row) == 1.0
    client.post("/seed_session", json=row)
    assert verify(client, row) == 0.0


def test_two_rollouts_do_not_meet_and_bad_calls_end_nothing() -> None:
    row = make_row({"family": "causallink"})
    client = open_client()
    other = TestClient(client.app)
    for one in (client, other):
        one.post("/seed_session", json=row)
    for body in ("", "{", "[1]", json.dumps({"shape": 7})):
        assert "not taken" in client.post("/intervene", content=body).text
    client.post("/answer", json={"answer": "yes"})
    assert client.post("/answer", json={"answer": "no"}).text == OVER
    assert OVER in other.post("/answer", json={"answer": "no"}).text
    assert TestClient(client.app).post("/answer").status_code == 409
