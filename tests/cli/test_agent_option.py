"""`causarium run --agent`: what is checked before a run, and what makes it another one."""

from pathlib import Path

import pytest

from causarium.api.prepare_run import make_spec
from causarium.engine.run.start_run import RunSpec
from causarium.families import get
from tests.support.typed import Command, command_line

AGENT = "def mine(tools): return tools\n"


@pytest.fixture
def causarium(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Command:
    (tmp_path / "mine.py").write_text(AGENT, "utf-8")
    return command_line(capfd, monkeypatch, tmp_path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--model", "openai/gpt-5", "--agent", "mine.py@min"], "did you mean 'mine'"),
        (["--model", "openai/gpt-5", "--agent", "yours.py@mine"], "yours.py with an agent in it"),
        (["--model", "openai/gpt-5", "--agent", "mine.py"], "path/to/file.py@name"),
        (["--player", "silent", "--agent", "mine.py@mine"], "give --agent and --model"),
        (["--agent", "mine.py@mine"], "--model PROVIDER/MODEL"),
        (
            ["--model", "openai/gpt-5", "--agent", "mine.py@mine", "--rule", "interface=json"],
            "acts through tools",
        ),
        (["--model", "openai/gpt-5", "--solver", "mine.py"], "--agent FILE.py@NAME"),
    ],
)
def test_what_cannot_work_is_said_at_once(causarium: Command, words: list[str], said: str) -> None:
    done = causarium("run", "causallink", "--set", "smoke", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert not Path("logs").exists()


def spec(agent: str | None) -> RunSpec:
    arguments = {"edition": "certified", "set": "smoke", **({"agent": agent} if agent else {})}
    return make_spec(
        get("causallink"),
        player=None,
        model="openai/gpt-5",
        arguments=arguments,
        rules={} if agent else {"interface": "tools"},
    )


def test_a_run_is_another_with_another_agent_or_another_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(AGENT, "utf-8")
    before = spec(f"{path}@mine")
    path.write_text(f"{AGENT}\n# changed\n", "utf-8")
    after, ours = spec(f"{path}@mine"), spec(None)
    assert before.agent == after.agent == "mine (openai/gpt-5)"
    assert before.folder.startswith("causallink/certified-smoke-mine-openai-gpt-5-")
    assert len({before.folder, after.folder, ours.folder}) == 3
    assert after.arguments["interface"] == "tools"
