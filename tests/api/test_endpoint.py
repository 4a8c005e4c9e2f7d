"""A model behind an endpoint: one call first, and one sentence where it does not work."""

import json
import os
import re
import shlex
from pathlib import Path

import pytest

from causarium.api.plan_run import reach_endpoint
from causarium.errors import UsageError
from tests.support.bad_provider import provider
from tests.support.chat_server import Messages, chat_server

FAULTS = ["404", "401", "500", "garbage", "page", "other", "hangup", "half"]
PAGE = Path(__file__).resolve().parents[2] / "docs/ways/endpoint.md"


def say_yes(_: Messages) -> str:
    return json.dumps({"next": "answer the question", "answer": "yes"})


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    for name in ("ENDPOINT_BASE_URL", "ENDPOINT_API_KEY"):
        monkeypatch.setenv(name, "")


def test_one_call_is_made_and_the_run_finds_the_server() -> None:
    asked: Messages = []
    with chat_server(say_yes, asked) as url:
        name = reach_endpoint(f"{url}/", "org/small", None, print)
    assert name == "openai-api/endpoint/org/small"
    assert [request["model"] for request in asked] == ["org/small"]
    assert (os.environ["ENDPOINT_BASE_URL"], os.environ["ENDPOINT_API_KEY"]) == (url, "none")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_server_that_answers_otherwise_is_one_sentence(fault: str) -> None:
    with provider(always=fault) as bad:
        url = f"http://127.0.0.1:{bad.port}/v1"
        with pytest.raises(UsageError, match="/chat/completions"):
            reach_endpoint(url, "small", None, print)
        assert bad.asked == 1


def test_the_right_address_and_names_are_suggested() -> None:
    with chat_server(say_yes) as url, pytest.raises(UsageError) as wrong:
        reach_endpoint(url.removesuffix("/v1"), "small", None, print)
    assert f"answered 404: Not Found. Try --endpoint {url}" in str(wrong.value)


@pytest.mark.parametrize(
    ("endpoint", "model", "key_env", "says"),
    [
        ("host:8000", "small", None, "is an address such as"),
        ("http://127.0.0.1:9/v1", None, None, "needs --model"),
        ("http://127.0.0.1:9/v1", "small", None, "nothing answers at 127.0.0.1:9"),
        ("http://127.0.0.1:9/v1", "small", "NO_SUCH_KEY", "NO_SUCH_KEY"),
    ],
)
def test_what_cannot_work_is_said(
    endpoint: str, model: str | None, key_env: str | None, says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        reach_endpoint(endpoint, model, key_env, print)


@pytest.mark.slow
def test_the_commands_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from causarium.cli import app

    monkeypatch.chdir(tmp_path)
    lines = "\n".join(re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
    commands = [line for line in lines.splitlines() if line.startswith("causarium ")]
    assert len(commands) == 3
    with chat_server(say_yes) as url:
        for command in commands:
            words = shlex.split(command.replace("http://127.0.0.1:8000/v1", url), comments=True)
            done = CliRunner().invoke(app, words[1:])
            assert done.exit_code == 0, done.output
    assert list(tmp_path.rglob("*.html"))
