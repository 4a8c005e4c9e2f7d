"""`causarium local-model` and `--model local`, with another program in llama.cpp's place."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from causarium.api.plan_run import RunRequest, plan_run
from causarium.cli import app
from causarium.engine.run.run_plan import RunPlan
from causarium.errors import BadFile, UsageError
from causarium_local import served_model as local
from causarium_local import server
from causarium_local.weights import DIGEST
from tests.support.logs import find_logs, read_header, read_rows

FAKE = Path(__file__).with_name("fake_server.py")


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    path = tmp_path / "Tiny.gguf"
    path.write_bytes(b"GGUF and nothing more")
    return path


def test_the_command_prints_what_to_set_and_stops_at_ctrl_c(gguf: Path) -> None:
    code = (
        "import sys; from causarium_local import server; "
        f"server.CHILD = (sys.executable, {str(FAKE)!r}, 'well'); "
        "server.check_installed = lambda: None; from causarium.cli import main; main()"
    )
    words = [sys.executable, "-c", code, "local-model", "--gguf", str(gguf), "--json"]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        said = json.loads(command.stdout.readline())
        command.send_signal(signal.SIGINT)
        assert command.wait(timeout=60) == 0
        talk = command.stderr.read()
    assert said["model"] == "openai-api/local/tiny"
    assert said["environment"]["LOCAL_BASE_URL"] == said["base_url"]
    assert said["base_url"].startswith("http://127.0.0.1:")
    assert said["context"] == 4096
    assert "Ctrl-C stops it" in talk
    assert "Traceback" not in talk


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["local-model", "--gguf", "none.gguf"], "no GGUF file can be read at none.gguf"),
        (["run", "causallink", "--model", "local:none.gguf"], "no GGUF file can be read"),
        (["run", "causallink", "--model", "local:"], "names no file"),
        (
            ["run", "causallink", "--model", "local", "--rule", "context=much"],
            "must be a number of tokens",
        ),
        (["run", "causallink", "--model", "local", "--rule", "contextt=1"], "contextt"),
    ],
)
def test_what_cannot_work_is_said_before_anything_is_fetched(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fetched(*_: object) -> None:
        raise AssertionError("fetched")

    monkeypatch.setattr("causarium_local.weights.fetch", fetched)
    monkeypatch.setattr(local, "fetch", fetched)
    monkeypatch.setattr(server, "check_installed", lambda: None)
    done = CliRunner().invoke(app, words)
    assert isinstance(done.exception, UsageError | BadFile)
    assert said in str(done.exception)


def plan(model: str, family: str = "causallink", **given: object) -> RunPlan:
    return plan_run(RunRequest(family, model=model, set="smoke", **given))


def test_a_model_of_a_provider_is_left_as_it_is() -> None:
    asked = plan("openai/gpt-5", rules={"context": 9000})
    assert (asked.model, asked.rules, asked.local) == ("openai/gpt-5", {"context": 9000}, None)


def test_a_local_model_is_held_to_schemas_and_to_its_context() -> None:
    asked = plan("local")
    assert asked.model == "openai-api/local/smollm2-135m-instruct"
    assert asked.rules["constrained"] is True
    assert asked.local is not None
    settings = asked.local.settings
    assert asked.rules["context"] + asked.local.max_tokens < settings.context <= 8192
    assert asked.options.given == {
        "metadata": {"gguf": DIGEST},
        "max_connections": settings.slots,
        "max_tokens": asked.local.max_tokens,
    }


def test_what_was_asked_for_goes_before_what_suits() -> None:
    given = {"max_connections": 5, "max_tokens": 200}
    asked = plan("local", rules={"constrained": False, "context": 3000}, options=given)
    assert asked.rules == {"constrained": False, "context": 3000}
    assert asked.local is not None
    assert asked.local.settings.slots == 5
    assert asked.local.settings.context > 3200
    assert asked.options.given["max_tokens"] == 200


@pytest.mark.parametrize("interface", ["tools", "embodied_tools"])
def test_tool_calls_are_not_held_to_a_schema(interface: str) -> None:
    asked = plan("local", "causalab", edition="paper", rules={"interface": interface})
    assert "constrained" not in asked.rules


@pytest.mark.parametrize("interface", ["dialog", "embodied"])
def test_turns_of_every_interface_in_text_are_held_to_a_schema(interface: str) -> None:
    asked = plan("local", "causalab", edition="paper", rules={"interface": interface})
    assert asked.rules["constrained"] is True


def test_other_weights_under_the_same_name_are_another_run(gguf: Path) -> None:
    first = plan(f"local:{gguf}").name
    gguf.write_bytes(b"GGUF and something more")
    assert plan(f"local:{gguf}").name != first


def test_a_run_serves_the_model_for_itself_and_stops_it(
    gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openai")
    monkeypatch.setattr(server, "CHILD", (sys.executable, str(FAKE), "well"))
    monkeypatch.setattr(local, "check_installed", lambda: None)
    logs = tmp_path / "logs"
    words = ["run", "causallink", "--set", "smoke", "--limit", "2", "--log-dir", str(logs)]
    done = CliRunner().invoke(app, [*words, "--model", f"local:{gguf}", "--json"])
    assert done.exit_code == 0, done.stderr
    assert "LOCAL_BASE_URL" not in os.environ
    (log,) = find_logs([logs])
    assert read_header(log).model == "openai-api/local/tiny"
    rows = list(read_rows(log))
    assert [row.labels["error"] for row in rows] == ["invalid format"] * 2
    assert all(row.usage is not None and row.usage.agent.output == 6 for row in rows)
