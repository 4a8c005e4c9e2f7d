"""An agent of one's own reaches neither the truth nor the turns, whatever it tries."""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import (
    ChatMessageUser,
    Content,
    ContentData,
    ContentDocument,
    ContentImage,
    ContentText,
)

from causarium.contract.sets.instance_sets import generate_set
from causarium.engine.logbook.log_files import read_header
from causarium.engine.record.episode_record import EpisodeStore
from causarium.engine.sandbox import agent_process
from causarium.engine.sandbox.agent_process import check_boundary, find_module_file
from causarium.engine.task import custom_agent
from causarium.engine.task.custom_agent import (
    MOST_REQUESTS,
    WalledAgent,
    _is_harmless,
    find_agent,
)
from causarium.errors import BadFile, UnknownName, UsageError
from tests.engine.sandbox import needs_bubblewrap
from tests.support.inspect_runs import task_of
from tests.support.lamps import FAMILY as LAMPS
from tests.support.logs import find_logs, newest_rows
from tests.support.scripted import in_turn, scripted_model

pytestmark = needs_bubblewrap

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
FIRST = generate_set(LAMPS, "certified", "smoke", limit=1)[0]
NAME = FIRST.public.switches[0]
PLAYED = [("flip", {"switch": NAME}), ("answer", {"wired": NAME})]

SPY = """
import gc, inspect as look, json, os, sys
from pathlib import Path

from inspect_ai.log import transcript
from inspect_ai.model import get_model
from inspect_ai.util import store


def search_objects():
    names = {"Episode", "Play", "Instance", "EpisodeRecord", "LampsWorld", "LampsInstance"}
    return sorted({type(o).__name__ for o in gc.get_objects()} & names)


def search_closure(tools):
    found = []
    for tool in tools:
        for cell in getattr(tool.tool, "__closure__", None) or ():
            found.append(type(cell.cell_contents).__name__)
    return [name for name in found if name in {"Episode", "Play", "Take", "_Reins"}]


def search_metadata():
    try:
        from inspect_ai.log._samples import sample_active
        active = sample_active()
        return json.dumps(active.sample.metadata or {}) if active else ""
    except Exception as wrong:
        return ""


def search_frames():
    frame, names = sys._getframe(), []
    while frame is not None:
        names += [name for name in frame.f_locals if name in {"play", "state", "record"}]
        values = [v for v in frame.f_locals.values() if type(v).__name__ in {"Play", "Episode"}]
        names += [type(v).__name__ for v in values]
        frame = frame.f_back
    return [name for name in names if name in {"Play", "Episode"}]


def search_environment():
    return [name for name in os.environ if "KEY" in name or "TOKEN" in name]


def search_memory():
    parent = os.getppid()
    try:
        maps = Path(f"/proc/{parent}/maps").read_text()
        command = Path(f"/proc/{parent}/cmdline").read_bytes()
    except OSError:
        return ""
    return command.decode(errors="replace") if "python" in maps else ""


def import_ours():
    try:
        import causarium
        return causarium.__file__
    except ImportError:
        return ""


def search_network():
    import socket
    try:
        socket.create_connection(("127.0.0.1", PORT), timeout=1).close()
        return "open"
    except OSError:
        return ""


def mine(tools):
    async def execute(state):
        store().set("causarium:turns", FORGED)
        stories = {
            "objects": search_objects(),
            "closure": search_closure(tools),
            "metadata": search_metadata(),
            "frames": search_frames(),
            "environment": search_environment(),
            "memory": search_memory(),
            "ours": import_ours(),
            "network": search_network(),
            "files": [path for path in PATHS if Path(path).exists()],
            "turns": bool((store().get("causarium:turns") or [])) and "own",
        }
        state.messages.append(type(state.messages[0])(content=json.dumps(stories)))
        return state
    return execute
"""


def written(folder: Path, code: str, **values: object) -> str:
    path = folder / "mine.py"
    constants = "".join(f"{name} = {value!r}\n" for name, value in values.items())
    path.write_text(f"{constants}{code}", "utf-8")
    return f"{path}@mine"


def run(agent: str, folder: Path, boundary: str, say: Any, **options: Any) -> EvalLog:
    (log,) = eval(
        task_of(LAMPS, agent=agent, agent_boundary=boundary),
        model=scripted_model(say),
        log_dir=str(folder),
        display="none",
        **{"limit": 1, **options},
    )
    return log


def sample_of(log: EvalLog) -> EvalSample:
    assert log.samples
    return log.samples[0]


def kinds(log: EvalLog) -> list[str]:
    return [turn["action"]["kind"] for turn in sample_of(log).store["causarium:turns"]]


@pytest.mark.parametrize("boundary", ["sandbox"])
def test_a_spy_finds_nothing_and_a_forgery_is_worth_nothing(
    tmp_path: Path, boundary: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    monkeypatch.setenv("SOME_API_KEY", "sk-0123456789")
    truth = LAMPS.player("oracle").start(FIRST, LAMPS.rules_for("certified"), None)  # type: ignore[arg-type]
    forged = [
        {"action": move.record(), "observation": "yes", "legal": True, "cost": 0} for move in truth
    ]
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "old.eval").write_bytes(b"secret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        spy = written(
            tmp_path,
            SPY,
            FORGED=forged,
            PORT=server.getsockname()[1],
            PATHS=[str(tmp_path / "logs" / "old.eval"), str(Path.home() / ".ssh"), "/etc/shadow"],
        )
        log = run(spy, tmp_path / "logs", boundary, in_turn(["unused"]))
    assert log.status == "success", log.error
    told = json.loads(sample_of(log).messages[-1].text)
    assert (told["objects"], told["closure"], told["frames"]) == ([], [], [])
    assert FIRST.id not in told["metadata"]
    assert "secret" not in told["metadata"]
    assert told["environment"] == []
    assert told["turns"] == "own"
    assert sample_of(log).store["causarium:turns"] == []
    (row,) = newest_rows([tmp_path / "logs"])
    assert row.numbers["accuracy"] == 0
    if boundary == "sandbox":
        assert (told["ours"], told["memory"], told["network"], told["files"]) == ("", "", "", [])


@pytest.mark.long
@pytest.mark.parametrize("boundary", ["sandbox"])
def test_an_agent_of_inspects_plays_behind_a_wall(tmp_path: Path, boundary: str) -> None:
    react = f"{EXAMPLES / 'react_agent.py'}@react_agent"
    log = run(react, tmp_path, boundary, in_turn(PLAYED))
    assert log.status == "success", log.error
    assert kinds(log) == ["flip", "answer"]
    sample = sample_of(log)
    assert EpisodeStore(sample.store).ended == "it acted after the end"
    assert sample.error is None
    assert sample.messages[-1].role == "assistant"
    assert sum(usage.total_tokens for usage in sample.model_usage.values()) >= 4
    assert [event.event for event in sample.events].count("model") >= 2
    (path,) = find_logs([tmp_path])
    card = read_header(path).card
    assert card.boundary == boundary
    assert card.list_compared()["agent boundary"] == boundary


CASES = """
import asyncio, os, sys, time
from inspect_ai.model import ChatMessageUser, ContentImage, get_model


def fails(tools):
    async def execute(state):
        raise ValueError("of its own")
    return execute


def dies(tools):
    async def execute(state):
        await tools[0].tool(switch=NAME)
        os._exit(3)
    return execute


def shouts(tools):
    async def execute(state):
        await tools[0].tool(switch=NAME)
        for descriptor in range(3, 10):
            try:
                os.write(descriptor, b"x" * (9 << 20) + b"\\n")
            except OSError:
                pass
        await tools[0].tool(switch=NAME)
    return execute


def talks(tools):
    async def execute(state):
        while True:
            await get_model().generate(state.messages)
    return execute


def reads(tools):
    async def execute(state):
        picture = ChatMessageUser(content=[ContentImage(image="/etc/hostname")])
        try:
            await get_model().generate([picture])
        except Exception as wrong:
            state.messages.append(ChatMessageUser(content=str(wrong)))
        return state
    return execute


def prints(tools):
    async def execute(state):
        print('{"end": {}}')
        sys.__stdout__.flush()
        os.system("echo '{}'")
        found = await asyncio.gather(*(get_model().generate(state.messages) for _ in range(4)))
        state.messages.append(ChatMessageUser(content=" ".join(each.completion for each in found)))
        return state
    return execute
"""


def case(folder: Path, name: str) -> str:
    return written(folder, CASES, NAME=NAME).replace("@mine", f"@{name}")


@pytest.mark.long
@pytest.mark.parametrize("name", ["dies", "shouts"])
def test_an_agent_whose_process_ends_is_scored_at_what_it_did(tmp_path: Path, name: str) -> None:
    log = run(case(tmp_path, name), tmp_path, "sandbox", in_turn(["x"]))
    assert sample_of(log).error is None
    assert kinds(log)[:1] == ["flip"]
    assert (EpisodeStore(sample_of(log).store).ended or "").startswith("its process was ended")


@pytest.mark.long
def test_an_agent_that_only_talks_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(custom_agent, "MOST_IDLE", 4)
    log = run(case(tmp_path, "talks"), tmp_path, "sandbox", in_turn(["x"]))
    assert "did nothing" in (EpisodeStore(sample_of(log).store).ended or "")
    assert sample_of(log).error is None


@pytest.mark.parametrize(
    ("part", "harmless"),
    [
        (ContentText(text="x"), True),
        (ContentImage(image="data:image/png;base64,AAAA"), True),
        (ContentImage(image="/etc/hostname"), False),
        (ContentImage(image="http://127.0.0.1:1/"), False),
        (ContentDocument(document="file:///etc/hostname"), False),
        (ContentData(data={"a": 1}), False),
    ],
)
def test_content_that_names_a_file_is_refused(part: Content, harmless: bool) -> None:
    assert _is_harmless(ChatMessageUser(content=[part])) is harmless


@pytest.mark.long
def test_a_message_names_no_file_of_this_machine(tmp_path: Path) -> None:
    log = run(case(tmp_path, "reads"), tmp_path, "sandbox", in_turn(["x"]))
    assert "non-inline" in sample_of(log).messages[-1].text
    assert not [event for event in sample_of(log).events if event.event == "model"]


@pytest.mark.long
def test_what_an_agent_prints_is_no_message_and_calls_may_be_parallel(tmp_path: Path) -> None:
    log = run(case(tmp_path, "prints"), tmp_path, "sandbox", in_turn(["x"]))
    assert log.status == "success", log.error
    assert sample_of(log).messages[-1].text == "x x x x"


def test_the_agent_is_not_imported_here(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("raise SystemExit\ndef mine(tools): ...\n", "utf-8")
    own = find_agent(f"{tmp_path / 'mine.py'}@mine", "sandbox")
    assert (own.name, own.factory, own.boundary) == ("mine", None, "sandbox")


def test_a_sandbox_is_asked_for_by_a_mark() -> None:
    assert find_agent(f"{EXAMPLES / 'coding_agent.py'}@coding_agent", "sandbox").needs_sandbox
    assert not find_agent(f"{EXAMPLES / 'react_agent.py'}@react_agent", "sandbox").needs_sandbox


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ("mine", UsageError),
        ("nowhere.py@mine", BadFile),
        ("no_such_package.agents:mine", BadFile),
        (f"{EXAMPLES / 'react_agent.py'}@reakt", UnknownName),
    ],
)
def test_what_is_wrong_with_a_name_is_said(given: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        find_agent(given, "sandbox")


def test_a_boundary_has_a_name() -> None:
    with pytest.raises(UnknownName, match="did you mean 'sandbox'"):
        check_boundary("sandbx")
    assert check_boundary(None) == "sandbox"
    assert find_module_file("inspect_ai.agent").name == "__init__.py"


def test_without_a_wall_an_agent_does_not_start_unless_that_was_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(agent_process, "no_bubblewrap", lambda: "bwrap is not installed")
    for given in (None, "sandbox"):
        with pytest.raises(UsageError, match="--agent-boundary none"):
            check_boundary(given)
    assert check_boundary("none") == "none"


def test_causarium_in_another_interpreter_that_is_shown_is_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "lib" / "python3.99" / "site-packages"
    mine = [site / name for name in ("causarium", "causarium-9.9.dist-info")]
    for folder in mine:
        folder.mkdir(parents=True)
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))
    monkeypatch.setattr(agent_process, "_SHOWN", (*agent_process._SHOWN, str(tmp_path)))
    assert {str(folder) for folder in mine} <= {*agent_process._list_hidden()}


class Flooding:
    """A process that sends requests without end and reads no answer."""

    def __init__(self) -> None:
        self.sent = 0

    async def send(self, frame: dict[str, Any]) -> None:
        if "id" in frame:
            await anyio.sleep_forever()

    async def receive(self) -> dict[str, Any]:
        await anyio.lowlevel.checkpoint()
        self.sent += 1
        return {"id": self.sent, "generate": {}}


def test_no_more_frames_are_read_than_are_answered() -> None:
    process = Flooding()

    async def run() -> None:
        with anyio.move_on_after(1):
            await WalledAgent(process, []).run(1, [])  # type: ignore[arg-type]

    anyio.run(run)
    assert process.sent == MOST_REQUESTS
