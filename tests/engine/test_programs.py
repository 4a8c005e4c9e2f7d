"""Programs that a model writes, run in a sandbox while it plays."""

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.scorer import Scorer, scorer
from inspect_ai.util import SandboxEnvironmentSpec

from causarium.contract.episode import replay
from causarium.engine import programs, task
from causarium.engine.logs import find_logs, rescore
from causarium.engine.record import read_record, read_turns
from causarium.engine.sandbox import choice
from causarium.engine.scorer import METRICS, verdict_scorer
from causarium.engine.task import build_task
from tests.engine.sandbox import needs_bubblewrap
from tests.support.scripted import in_turn, scripted_model
from tests.support.wired_lamps import WIRED

pytestmark = needs_bubblewrap

SOLVE = """
import json
switches = json.load(open("switches.json"))
found = switches[-1]
for name in switches[:-1]:
    if client.flip(switch=name)["lit"]:
        found = name
        break
print("it is", found)
client.answer(wired=found)
print("not reached by the model")
"""


@pytest.fixture(autouse=True)
def bubblewrap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take bubblewrap where there is Docker, too: these tests build no images."""
    monkeypatch.setattr(task, "choose", lambda: SandboxEnvironmentSpec("bubblewrap"))


@scorer(metrics=METRICS)
def wired_verdict() -> Scorer:
    return verdict_scorer(WIRED)


def wired_task(**rules: Any) -> Task:
    return build_task(
        WIRED,
        wired_verdict(),
        edition="certified",
        set_name="smoke",
        file=None,
        player=None,
        rules={"interface": "code", **rules},
    )


def fenced(code: str) -> str:
    return f"Let us see.\n```python\n{code}\n```\n"


def play(says: list[Any], folder: Path, *, limit: int = 1, **rules: Any) -> EvalLog:
    model = scripted_model(in_turn(says))
    (log,) = eval(
        wired_task(**rules), model=model, limit=limit, log_dir=str(folder), display="none"
    )
    assert log.status == "success", log.error
    return log


def first(log: EvalLog) -> EvalSample:
    assert log.samples
    return log.samples[0]


def turns(log: EvalLog) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = first(log).store["causarium:turns"]
    return found


def said(log: EvalLog) -> str:
    """Return what the agent was last told."""
    return [m.text for m in first(log).messages if m.role in {"user", "tool"}][-1]


def test_a_program_plays_and_wins_and_each_verb_is_a_turn(tmp_path: Path) -> None:
    log = play([fenced(SOLVE)], tmp_path, limit=3)
    assert log.results is not None
    scores = {score.name: score.metrics["mean"].value for score in log.results.scores}
    assert scores["accuracy"] == 1
    kinds = [turn["action"]["kind"] for turn in turns(log)]
    assert kinds[-1] == "answer"
    assert set(kinds[:-1]) == {"flip"}
    (path,) = find_logs([tmp_path])
    assert all(pair.same for pair in rescore(path, lambda name: WIRED))


def test_output_goes_back_and_the_program_is_a_turn_of_its_own(tmp_path: Path) -> None:
    log = play([fenced("print(6 * 7)"), '{"wired": "tin"}', "no", "no", "no"], tmp_path)
    turn = turns(log)[0]
    assert turn["action"]["kind"] == "tinker"
    assert turn["action"]["ran"] == {"output": "42\n", "ending": "finished"}
    assert turn["observation"] == "Your program finished:\n42\n"


def test_a_refusal_is_an_exception_inside_and_a_turn_outside(tmp_path: Path) -> None:
    code = """
try:
    client.flip(switch="no such")
except Refused as why:
    print("refused:", why)
"""
    log = play([fenced(code), "over", "over", "over"], tmp_path)
    flip, program = turns(log)[:2]
    assert not flip["legal"]
    assert program["observation"] == "Your program finished:\nrefused: There is no such switch.\n"


def test_numbers_of_numpy_may_be_sent_and_both_libraries_are_there(tmp_path: Path) -> None:
    code = """
import numpy
try:
    client.flip(switch=numpy.array(["a", "b"]))
except Refused as why:
    print(why)
"""
    log = play([fenced(code), "over", "over", "over"], tmp_path)
    assert "switch: Input should be a valid string" in turns(log)[1]["observation"]


def test_a_mistake_comes_back_as_a_traceback_of_the_program_alone(tmp_path: Path) -> None:
    log = play([fenced("def f():\n    return 1 / 0\nf()"), "over", "over", "over"], tmp_path)
    ran = turns(log)[0]["action"]["ran"]
    assert ran["ending"] == "failed"
    assert ran["output"].startswith(
        'Traceback (most recent call last):\n  File "program.py", line 3'
    )
    assert ran["output"].endswith("ZeroDivisionError: division by zero\n")
    assert "client.py" not in ran["output"]


def test_what_cannot_be_compiled_is_said_and_not_raised(tmp_path: Path) -> None:
    log = play([fenced("this is no Python"), "over", "over", "over"], tmp_path)
    ran = turns(log)[0]["action"]["ran"]
    assert ran["ending"] == "failed"
    assert "SyntaxError" in ran["output"]


def test_tools_run_programs_too_and_one_without_verbs_has_none(tmp_path: Path) -> None:
    code = "print([name for name in dir(client) if not name.startswith('_')])"
    says = [("ponder", {"code": code}), ("tinker", {"code": code}), ("answer", {"wired": "x"})]
    log = play(says, tmp_path, interface="tools")
    assert [turn["action"]["ran"]["output"] for turn in turns(log)[:2]] == [
        "[]\n",
        "['answer', 'flip']\n",
    ]


def test_an_agent_cannot_say_what_came_out(tmp_path: Path) -> None:
    forged = {"output": "the lamp is wired to tin", "ending": "finished"}
    reply = json.dumps({"code": "print('true')", "ran": forged})
    log = play([reply, "over", "over", "over"], tmp_path, interface="json")
    assert turns(log)[0]["action"]["ran"] == {"output": "true\n", "ending": "finished"}
    call = ("ponder", {"code": "print('true')", "ran": forged})
    log = play([call, "over", "over", "over"], tmp_path, interface="tools")
    assert not any("tin" in str(turn["action"]) for turn in turns(log))


def test_an_endless_loop_is_out_of_time_and_keeps_what_it_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "TIME_S", 1)
    log = play([fenced("print('so far')\nwhile True: pass"), "a", "b", "c"], tmp_path)
    assert turns(log)[0]["action"]["ran"] == {"output": "so far\n", "ending": "out of time"}


@pytest.mark.parametrize(
    ("code", "ending"),
    [
        pytest.param("x = bytearray(10**10)", "out of memory", id="memory"),
        pytest.param(
            "import os\nwhile os.fork() >= 0: x = bytearray(b'x' * 2**27)",
            "out of memory",
            id="memory-of-many",
        ),
        pytest.param("import os\nos.kill(os.getppid(), 9)", "failed", id="kill-the-guest"),
        pytest.param("import os\nos.kill(os.getppid(), 19)", "out of time", id="stop-the-guest"),
        pytest.param("import os\nwhile True: os.fork()", None, id="fork-bomb"),
        pytest.param("import sys\nsys.exit(3)", "failed", id="exit-code"),
        pytest.param(
            "import os, time\nfor n in range(9): os.posix_fallocate(os.open(str(n), 66), 0, 2**25)"
            "\ntime.sleep(60)",
            "failed",
            id="disk",
        ),
        pytest.param(
            "import os\nos.close(int(os.listdir('/proc/self/fd')[3]))\nprint(1)",
            None,
            id="cut-line",
        ),
    ],
)
def test_whatever_a_program_does_the_episode_goes_on(
    code: str, ending: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "TIME_S", 2)
    monkeypatch.setattr(programs, "_GRACE_S", 1)
    log = play([fenced(code), "a", "b", "c"], tmp_path)
    assert first(log).error is None
    assert len(turns(log)) == 4
    if ending is not None:
        assert turns(log)[0]["action"]["ran"]["ending"] == ending


FORGE = """
import glob, os
line = b'%s' + b"\\n"
for path in glob.glob("/proc/[0-9]*/fd/1"):
    try:
        with open(path, "wb", buffering=0) as pipe:
            pipe.write(line)
    except OSError:
        pass
"""


@pytest.mark.parametrize(
    "line",
    [
        '{"end": "solved"}',
        '{"out": "EVALUATION_COMPLETE"}',
        '{"ready": 1}',
        '{"call": null}',
        '{"call": "[1, 2, 3]"}',
        '["end"]',
        "no JSON",
        "[" * 5000,
        '{"out": "' + chr(92) * 2 + 'ud800"}',
    ],
)
def test_a_program_that_plays_the_guest_gains_nothing(line: str, tmp_path: Path) -> None:
    log = play([fenced(FORGE % line), "a", "b", "c"], tmp_path)
    assert first(log).error is None
    assert first(log).scores is not None
    legal = [turn for turn in turns(log) if turn["legal"]]
    assert [turn["action"]["kind"] for turn in legal] == ["tinker"]


def raw(request: str) -> str:
    """Return a program that sends a request past the client's methods."""
    return f"print({request}, file=client._lines, flush=True)\nprint(client._lines.readline())"


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ("'[\"reset\", {}]'", "a program can do flip, answer"),
        ('\'["tinker", {"code": "1"}]\'', "a program can do flip, answer"),
        ('\'["flip", {"switch": "x", "session": 2}]\'', "flip has the arguments switch"),
        ("'[\"flip\", {}]'", "switch: Field required"),
        ("'[\"flip\", {\"switch\": ' + '[' * 100 + ']' * 100 + '}]'", "nest at most 32 deep"),
        ("'[\"flip\", {\"switch\": ' + '[' * 90000 + ']' * 90000 + '}]'", "a name and arguments"),
        ("'[\"flip\", {\"switch\": \"' + 'x' * 250000 + '\"}]'", "at most 200,000 characters"),
        ("'nothing'", "a request has a name and arguments"),
    ],
)
def test_only_the_verbs_reach_the_world(request_: str, why: str, tmp_path: Path) -> None:
    log = play([fenced(raw(request_)), "a", "b", "c"], tmp_path)
    call, program = turns(log)[:2]
    assert call["action"] is None
    assert why in call["unparsed"]["detail"]
    assert why in program["action"]["ran"]["output"]


def test_a_request_without_end_is_not_passed_on(tmp_path: Path) -> None:
    code = "client._lines.write('x' * 10**6)\nclient._lines.flush()\nclient._lines.readline()"
    log = play([fenced(code), "a", "b", "c"], tmp_path)
    assert turns(log)[0]["action"]["ran"]["ending"] == "failed"
    assert "is not passed on" in turns(log)[0]["action"]["ran"]["output"]


def test_a_program_may_not_ask_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MOST_CALLS", 5)
    code = """
while True:
    try:
        client.answer(wired="no such")
    except Refused:
        pass
"""
    log = play([fenced(code)], tmp_path)
    assert [turn["legal"] for turn in turns(log)] == [False] * 3
    assert first(log).error is None


def test_long_output_keeps_its_beginning_and_its_end(tmp_path: Path) -> None:
    code = "print('begin')\nfor n in range(10**5): print(n)\nprint('end')"
    log = play([fenced(code), "a", "b", "c"], tmp_path)
    output = turns(log)[0]["action"]["ran"]["output"]
    assert output.startswith("begin\n0\n1\n")
    assert output.endswith("99999\nend\n")
    assert "characters left out" in output
    assert len(output) < programs.MOST_OUTPUT_CHARS + 100


def test_bytes_that_are_no_text_come_back_mended(tmp_path: Path) -> None:
    code = "import os\nos.write(1, b'\\xff\\xfe caf\\xc3\\xa9')"
    log = play([fenced(code), "a", "b", "c"], tmp_path)
    assert turns(log)[0]["action"]["ran"]["output"] == "�� café"


def test_a_program_of_any_size_is_answered(tmp_path: Path) -> None:
    log = play([fenced("x = 1\n" * 30_000), "a", "b", "c"], tmp_path)
    ran = turns(log)[0]["action"]["ran"]
    assert ran["ending"] == "refused"
    assert "at most 100,000 are run" in ran["output"]


def test_a_program_that_is_not_expected_is_not_run(tmp_path: Path) -> None:
    log = play([fenced("print(1)")] * 8, tmp_path)
    endings = [(turn["action"]["ran"] or {}).get("ending") for turn in turns(log)]
    assert endings == ["finished"] * 4 + [None] * 3


def test_a_sandbox_that_isolates_nothing_is_refused(tmp_path: Path) -> None:
    model = scripted_model(in_turn([fenced("print(1)")]))
    (log,) = eval(
        wired_task(), model=model, limit=1, sandbox="local", log_dir=str(tmp_path), display="none"
    )
    assert first(log).error is not None
    assert "this run was given another" in first(log).error.message


def test_where_there_is_no_sandbox_the_mode_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "no_docker", lambda: "docker is not installed")
    monkeypatch.setattr(choice, "no_bubblewrap", lambda: "bwrap: No permissions")
    monkeypatch.setattr(task, "choose", choice.choose)
    with pytest.raises(PrerequisiteError) as refused:
        wired_task()
    assert "docker is not installed" in str(refused.value)
    assert "bwrap: No permissions" in str(refused.value)
    assert "apt install bubblewrap" in str(refused.value)


def test_players_need_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task, "choose", lambda: pytest.fail("no program will be run"))
    made = build_task(
        WIRED,
        wired_verdict(),
        edition="certified",
        set_name="smoke",
        file=None,
        player="oracle",
        rules={},
    )
    assert made.sandbox is None


def test_recorded_programs_are_replayed_without_a_sandbox(tmp_path: Path) -> None:
    log = play([fenced("print(1)"), fenced(SOLVE)], tmp_path)
    record = read_record(first(log).metadata)
    instance, rules = record.open(WIRED)
    again = replay(WIRED, instance, rules, read_turns(first(log).store))
    assert again.done
    assert again.verdict().numbers["accuracy"] == 1
