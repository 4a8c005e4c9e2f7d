"""`causarium run --agent`: what is checked before a run, and what makes it another one."""

from pathlib import Path

import pytest

from causarium.api.plan_run import RunRequest, plan_run
from causarium.engine.run.run_plan import RunPlan
from tests.engine.sandbox import needs_bubblewrap
from tests.support.typed import Command

pytestmark = needs_bubblewrap

AGENT = "def mine(tools): return tools\n"


@pytest.fixture
def causarium(causarium: Command, tmp_path: Path) -> Command:
    (tmp_path / "mine.py").write_text(AGENT, "utf-8")
    return causarium


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--model", "openai/gpt-5", "--agent", "mine.py@min"], "did you mean 'mine'"),
        (["--model", "openai/gpt-5", "--agent", "yours.py@mine"], "yours.py with an agent in it"),
        (["--model", "openai/gpt-5", "--agent", "mine.py"], "path/to/file.py@name"),
        (["--player", "silent", "--agent", "mine.py@mine"], "give --agent with --model"),
        (["--agent", "mine.py@mine"], "--model PROVIDER/MODEL"),
        (
            ["--model", "openai/gpt-5", "--agent", "mine.py@mine", "--rule", "interface=json"],
            "acts through interface=tools",
        ),
        (["--model", "openai/gpt-5", "--solver", "mine.py"], "--agent FILE.py@NAME"),
    ],
)
def test_what_cannot_work_is_said_at_once(causarium: Command, words: list[str], said: str) -> None:
    done = causarium("run", "causallink", "--set", "smoke", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert not Path("logs").exists()


def plan(agent: str | None) -> RunPlan:
    rules = {} if agent else {"interface": "tools"}
    return plan_run(
        RunRequest("causallink", model="openai/gpt-5", agent=agent, set="smoke", rules=rules)
    )


def test_a_run_is_another_with_another_agent_or_another_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(AGENT, "utf-8")
    before = plan(f"{path}@mine")
    path.write_text(f"{AGENT}\n# changed\n", "utf-8")
    after, ours = plan(f"{path}@mine"), plan(None)
    assert before.who == after.who == "mine (openai/gpt-5)"
    assert before.name.startswith("causallink/certified-smoke-mine-openai-gpt-5-")
    assert len({before.folder, after.folder, ours.folder}) == 3
    assert after.arguments["interface"] == "tools"
