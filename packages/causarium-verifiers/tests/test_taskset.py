"""Run in an environment of its own: pip install . uv pytest && pytest.

The framework's own command plays every family against a model server that the test starts.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("verifiers.v1", reason="verifiers cannot be installed beside causarium[mcp]")
ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

from causarium_verifiers.taskset import CausalConfig, CausalTask, CausalTaskset

from causarium import families
from causarium.contract.checks.json_values import leaves
from causarium.contract.episode import play
from tests.support.chat_server import Messages, chat_server, text_of

TASKS = 2
every_family = pytest.mark.parametrize("name", families.FAMILIES)
pytestmark = pytest.mark.filterwarnings("default")  # those of the framework are not ours


def make_tasks(name: str, **options: object) -> list[CausalTask]:
    taskset = CausalTaskset(CausalConfig(id="causarium-verifiers", family=name, **options))
    return list(taskset.take(TASKS))


def write_replies(task: CausalTask, player: str) -> list[str]:
    session = task.open()
    turns = play(session.family, session.instance, session.rules, player).turns
    return [session.says(turn.move(session.family.actions)) for turn in turns]


@every_family
@pytest.mark.parametrize(("player", "reward"), [("oracle", 1.0), ("silent", 0.0)])
def test_the_command_plays(name: str, player: str, reward: float, tmp_path: Path) -> None:
    tasks = make_tasks(name)
    replies = {
        task.data.prompt: write_replies(task, "oracle") if player == "oracle" else []
        for task in tasks
    }

    def say(messages: Messages) -> str:
        said = sum(message["role"] == "assistant" for message in messages)
        opening = next(text_of(message) for message in messages if message["role"] == "user")
        mine = next(mine for prompt, mine in replies.items() if prompt in opening)
        return mine[said] if said < len(mine) else "I would rather not say."

    with chat_server(say) as url:
        program = str(Path(sys.executable).with_name("vf-eval"))
        command = [program, "causarium-verifiers", "-n", str(TASKS), "-m", "small"]
        command += ["--env.taskset.family", name, "--client.base-url", url]
        command += ["--client.api-key-var", "NO_KEY", "--no-push", "--no-rich", "-o", str(tmp_path)]
        env = {**os.environ, "NO_KEY": "none", "NO_PROXY": "127.0.0.1"}
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (file,) = tmp_path.rglob("traces.jsonl")
    episodes = [json.loads(line) for line in file.read_text().splitlines()]
    traces = [trace for episode in episodes for trace in episode["traces"]]
    assert [trace["errors"] for trace in traces] == [[]] * TASKS
    assert [trace["rewards"]["reward"]["score"] for trace in traces] == [reward] * TASKS


@every_family
def test_a_task_holds_no_secret(name: str) -> None:
    for task in make_tasks(name):
        session, text = task.open(), task.data.model_dump_json()
        read = session.opening + session.instance.public.model_dump_json()
        for _, value in leaves(session.instance.secret.model_dump(mode="json")):
            if len(str(value)) >= 6 and str(value) not in read and str(value) not in text[-200:]:
                assert str(value) not in text


def test_sets_and_levels_end() -> None:
    named = CausalTaskset(CausalConfig(id="causarium-verifiers", set="smoke"))
    drawn = CausalTaskset(CausalConfig(id="causarium-verifiers", level="rung-3", size=2))
    size = families.card("causallink").sets["certified"]["smoke"].size
    assert (len(list(named)), len(list(drawn))) == (size, 2)
    assert named.bounded


def test_edition_and_rules_are_the_ones_that_were_asked_for() -> None:
    (task,) = list(
        CausalTaskset(
            CausalConfig(
                id="causarium-verifiers",
                edition="paper",
                level="paper-advanced-5",
                size=1,
                rules={"join_system": True},
            )
        )
    )
    session = task.open()
    assert (session.edition, session.rules.join_system) == ("paper", True)
