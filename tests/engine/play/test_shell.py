"""A command line in a real sandbox, from which the world is reached."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalSample
from inspect_ai.util import SandboxEnvironmentSpec

from causarium.contract.sets.instance_sets import generate_set
from causarium.engine.task import family_task as sandbox_need
from tests.engine.sandbox import needs_bubblewrap
from tests.support.inspect_runs import task_of
from tests.support.lamps import FAMILY as LAMPS
from tests.support.logs import find_logs, rescore
from tests.support.scripted import in_turn, scripted_model

pytestmark = needs_bubblewrap

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
CODER = f"{EXAMPLES / 'coding_agent.py'}@coding_agent"
FIRST = generate_set(LAMPS, "certified", "smoke", limit=1)[0]
NAMES = FIRST.public.switches

SOLVE = f"""
import world
names = {list(NAMES)}
wired = names[-1]
for name in names[:-1]:
    if "on" in world.act("flip", switch=name).split()[3]:
        wired = name
        break
open("found.txt", "w").write(wired)
"""


@pytest.fixture(autouse=True)
def bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_need, "find_sandbox", lambda: SandboxEnvironmentSpec("bubblewrap"))


def play(commands: list[str], folder: Path, **rules: Any) -> EvalSample:
    says: list[Any] = [("bash", {"cmd": command}) for command in commands]
    (log,) = eval(
        task_of(LAMPS, agent=CODER, agent_boundary="none", **rules),
        model=scripted_model(in_turn([*says, "That is all."])),
        limit=1,
        log_dir=str(folder),
        display="log",
    )
    assert log.status == "success", log.error
    assert log.samples
    return log.samples[0]


def printed(sample: EvalSample) -> list[str]:
    return [message.text for message in sample.messages if message.role == "tool"]


def turns(sample: EvalSample) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = sample.store["causarium:turns"]
    return found


def test_a_coding_agent_explores_by_program_and_answers_by_command(tmp_path: Path) -> None:
    write = f"cat > solve.py <<'END'\n{SOLVE}END\npython3 solve.py && cat found.txt"
    sample = play([write, 'world answer wired="$(cat found.txt)"'], tmp_path)
    kinds = [turn["action"]["kind"] for turn in turns(sample)]
    assert kinds[-1] == "answer"
    assert set(kinds[:-1]) == {"flip"}
    assert printed(sample)[-1] == "Your answer is noted."
    assert sample.scores
    (score,) = sample.scores.values()
    assert isinstance(score.value, dict)
    assert score.value["accuracy"] == 1
    (path,) = find_logs([tmp_path])
    assert all(pair.same for pair in rescore(path, lambda name: LAMPS))


def test_the_command_says_what_can_be_done_and_what_was_wrong(tmp_path: Path) -> None:
    commands = [
        "world; world flip --help",
        """world explode; world flip 'no JSON'; world flip '{"swotch": 1}'; world flip {}""",
        "exit 3",
        "true",
    ]
    listed, wrong, ended, nothing = printed(play(commands, tmp_path))
    assert "world flip switch=..." in listed
    assert "Flip one switch and look at the lamp." in listed
    assert "The name of the switch." in listed
    assert "there is no 'explode'; world can do flip, answer" in wrong
    assert "'no JSON' is neither" in wrong
    assert wrong.count("That could not be read") == 2
    assert ended == "[exit code 3]"
    assert nothing == "[no output]"


def test_files_stay_and_causarium_is_not_there(tmp_path: Path) -> None:
    commands = [
        "echo kept > note.txt",
        "cat note.txt; python3 -c 'import causarium' 2>&1 | tail -1",
    ]
    sample = play(commands, tmp_path)
    kept, missing = printed(sample)[1].splitlines()
    assert kept == "kept"
    assert missing == "ModuleNotFoundError: No module named 'causarium'"
    assert turns(sample) == []


def test_after_the_end_the_next_request_ends_the_agent(tmp_path: Path) -> None:
    command = f"world answer wired={NAMES[0]}"
    sample = play([command, f"{command}; echo on and on", "echo never"], tmp_path)
    assert len(turns(sample)) == 1
    assert printed(sample) == ["Your answer is noted."]
    assert sample.store["causarium:ended"] == "it acted after the end"


def test_requests_of_many_processes_are_answered_one_after_the_other(tmp_path: Path) -> None:
    command = f"for n in 1 2; do world flip switch={NAMES[0]} & done; wait"
    sample = play([command], tmp_path)
    assert [turn["action"]["kind"] for turn in turns(sample)] == ["flip", "flip"]


def test_a_check_before_the_answer_reaches_the_command_line(tmp_path: Path) -> None:
    command = f"world answer wired={NAMES[0]}"
    sample = play([command, command], tmp_path, recheck=True)
    assert printed(sample)[0].startswith("Before this counts")
    assert printed(sample)[1] == "Your answer is noted."
