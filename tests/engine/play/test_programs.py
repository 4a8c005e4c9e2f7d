"""Programs that an agent writes, each run in a real sandbox."""

from collections.abc import Iterator
from typing import Any, get_args

import anyio
import pytest

from causarium.contract.episode import Episode
from causarium.contract.sets.instance_sets import generate_set
from causarium.contract.world import Move, Observation, ProgramResult
from causarium.engine.play import programs
from causarium.engine.sandbox.bubblewrap import Bubblewrap
from causarium.errors import RunError
from tests.engine.sandbox import needs_bubblewrap
from tests.support.wired_lamps import WIRED, Tinker

pytestmark = needs_bubblewrap


@pytest.fixture(autouse=True)
def sandbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bubblewrap]:
    made = Bubblewrap()
    monkeypatch.setattr(programs, "sandbox", lambda: made)
    yield made
    made.close()


ENDINGS = get_args(ProgramResult.model_fields["ending"].annotation)


def run(code: str, *, pause_s: float = 0) -> list[dict[str, Any]]:
    """Run one program on the first lamp; returns the turns, the program's own the last.

    The world takes `pause_s` over each answer.
    """
    instance = generate_set(WIRED, "certified", "smoke", limit=1)[0]
    episode = Episode(WIRED, instance, WIRED.rules_for("certified", interface="code"))

    async def take(move: Move) -> Observation:
        await anyio.sleep(pause_s)
        return episode.step(move)

    ran = anyio.run(programs.run_program, episode, Tinker(code=code), take)
    if not episode.done:
        episode.step(ran)
    return [turn.model_dump(mode="json") for turn in episode.turns]


def outcome(code: str) -> dict[str, str]:
    """Run one program; returns what became of it."""
    found: dict[str, str] = run(code)[-1]["action"]["ran"]
    return found


def test_a_refusal_is_an_exception_inside_and_a_turn_outside() -> None:
    code = """
try:
    client.flip(switch="no such")
except Refused as why:
    print("refused:", why)
"""
    flip, program = run(code)
    assert not flip["legal"]
    assert program["observation"] == "Your program finished:\nrefused: There is no such switch.\n"


def test_arrays_may_be_sent_and_are_read_as_lists() -> None:
    code = """
import numpy
try:
    client.flip(switch=numpy.array(["a", "b"]))
except Refused as why:
    print(why)
"""
    assert "switch: Input should be a valid string" in outcome(code)["output"]


def test_a_mistake_comes_back_as_a_traceback_of_the_program_alone() -> None:
    ran = outcome("def f():\n    return 1 / 0\nf()")
    assert ran["ending"] == "failed"
    assert ran["output"].startswith(
        'Traceback (most recent call last):\n  File "program.py", line 3'
    )
    assert ran["output"].endswith("ZeroDivisionError: division by zero\n")
    assert "client.py" not in ran["output"]


def test_what_cannot_be_compiled_is_said_and_not_raised() -> None:
    ran = outcome("this is no Python")
    assert ran["ending"] == "failed"
    assert "SyntaxError" in ran["output"]


def test_an_endless_loop_is_out_of_time_and_keeps_what_it_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(programs, "TIME_S", 3)
    ran = outcome("print('so far')\nwhile True: pass")
    assert ran == {"output": "so far\n", "ending": "out of time"}


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
    code: str, ending: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Those that end by time should do so soon, and the others before it is over.
    monkeypatch.setattr(programs, "TIME_S", 1 if ending in {None, "out of time"} else 30)
    monkeypatch.setattr(programs, "_GRACE_S", 1)
    assert outcome(code)["ending"] in (ENDINGS if ending is None else {ending})
    monkeypatch.setattr(programs, "TIME_S", 30)
    assert outcome("print('still there')") == {"output": "still there\n", "ending": "finished"}


def forged_lines(line: str, monkeypatch: pytest.MonkeyPatch, *, times: int = 1) -> None:
    """Put a guest in the place of ours that says only this."""
    text = programs.read_inner_module
    ready = "print('{\"ready\": true}', flush=True); input()"
    forged = f"{ready}; print({line!r} * {times}, flush=True)"
    monkeypatch.setattr(
        programs, "read_inner_module", lambda name: forged if "guest" in name else text(name)
    )


@pytest.mark.parametrize(
    "line",
    [
        '{"end": "solved"}',
        '{"end": ["finished"]}',
        '{"ready": 1}',
        '{"out": {"deep": 1}}',
        '{"call": null}',
        '{"call": "[1, 2, 3]"}',
        '["end"]',
        "no JSON",
        '{"out": "\\ud800"}',
        "",
    ],
)
def test_a_program_that_plays_the_guest_gains_nothing(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forged_lines(line, monkeypatch)
    *before, program = run("pass")
    assert not any(turn["legal"] for turn in before)
    assert program["action"]["ran"]["ending"] == "failed"


@pytest.mark.parametrize("sign", ["[", "x"])
def test_a_line_without_end_is_the_end(sign: str, monkeypatch: pytest.MonkeyPatch) -> None:
    forged_lines(sign, monkeypatch, times=3_000_000)
    assert outcome("pass") == {"output": "", "ending": "failed"}


def test_the_way_to_the_world_is_not_open_to_a_program_s_children() -> None:
    code = """
import glob, subprocess, sys
for path in glob.glob("/proc/[0-9]*/fd/1"):
    try:
        with open(path, "wb", buffering=0) as pipe:
            pipe.write(b'{"call": "[\\"answer\\", {\\"wired\\": \\"x\\"}]"}\\n')
    except OSError:
        pass
subprocess.run([sys.executable, "-c", "import os; print(sorted(os.listdir('/proc/self/fd')))"])
"""
    assert "['0', '1', '2', '3']" in outcome(code)["output"]


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
def test_only_the_verbs_reach_the_world(request_: str, why: str) -> None:
    call, program = run(raw(request_))
    assert call["action"] is None
    assert why in call["unparsed"]["detail"]
    assert why in program["action"]["ran"]["output"]


def test_a_request_without_end_is_not_passed_on() -> None:
    code = "client._lines.write('x' * 10**6)\nclient._lines.flush()\nclient._lines.readline()"
    ran = outcome(code)
    assert ran["ending"] == "failed"
    assert "is not passed on" in ran["output"]


def test_after_the_end_a_program_gets_answers_and_no_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MOST_CALLS", 5)
    code = """
while True:
    try:
        client.answer(wired="no such")
    except Refused:
        pass
"""
    assert [turn["legal"] for turn in run(code)] == [False] * 3


def test_long_output_keeps_its_beginning_and_its_end() -> None:
    code = "print('begin')\nfor n in range(10**5): print(n)\nprint('end')"
    output = outcome(code)["output"]
    assert output.startswith("begin\n0\n1\n")
    assert output.endswith("99999\nend\n")
    assert "characters left out" in output
    assert len(output) < programs.MOST_OUTPUT_CHARS + 100


def test_bytes_that_are_no_text_come_back_mended() -> None:
    code = "import os\nos.write(1, b'\\xff\\xfe caf\\xc3\\xa9')"
    assert outcome(code)["output"] == "�� café"


def test_a_program_of_any_size_is_answered() -> None:
    ran = outcome("x = 1\n" * 30_000)
    assert ran["ending"] == "refused"
    assert "at most 100,000 are run" in ran["output"]


def test_a_program_may_not_ask_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MOST_CALLS", 2)
    code = """
import json
for _ in range(9):
    try:
        print(client.flip(switch=json.load(open("switches.json"))[0]).text)
    except Refused:
        pass
"""
    *flips, program = run(code)
    assert len(flips) == 2
    assert program["action"]["ran"]["ending"] == "failed"
    assert program["action"]["ran"]["output"].endswith("[a program may ask 2 times]\n")


@pytest.mark.slow
def test_time_in_which_the_world_thinks_is_not_the_program_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(programs, "TIME_S", 4)
    monkeypatch.setattr(programs, "_GRACE_S", 0)
    code = "import json\nclient.flip(switch=json.load(open('switches.json'))[0])\nprint('done')"
    ran = run(code, pause_s=5)[-1]["action"]["ran"]
    assert ran == {"output": "done\n", "ending": "finished"}


def test_nothing_of_the_truth_is_within_reach() -> None:
    """The instance's secret number is in this process, and nowhere where a program can look."""
    secret = generate_set(WIRED, "certified", "smoke", limit=1)[0].secret.fuse_ohm
    code = f"""
import glob, os
wanted, found = str({secret!r})[1:-1].encode(), []
places = ["/proc/[0-9]*/environ", "/proc/[0-9]*/cmdline", "/etc/**", "/workspace/**", "/tmp/**"]
for path in [path for place in places for path in glob.glob(place, recursive=True)]:
    try:
        with open(path, "rb") as file:
            if wanted in file.read():
                found.append(os.path.basename(path))
    except OSError:
        pass
print(found, sorted(os.listdir(".")))
"""
    # The program itself says what it looks for, and so finds itself, and nothing else.
    expected = "['program.py'] ['client.py', 'program.py', 'switches.json']\n"
    assert outcome(code)["output"] == expected


def test_a_program_leaves_nothing_for_the_next() -> None:
    run("open('note', 'w').write('x' * 1000)")
    assert outcome("import glob; print(len(glob.glob('/tmp/program-*')))")["output"] == "1\n"


def test_a_machine_that_fails_is_no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "PYTHON", "/no/such/python")
    with pytest.raises(RunError, match=r"does not start.*no/such/python"):
        run("print(1)")
