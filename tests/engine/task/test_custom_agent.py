"""Agents of a user's own: found, run with the world's tools, ended, and named in rows."""

import re
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog, EvalSample

from causarium.contract.sets.instance_sets import generate_set
from causarium.engine.inspect_private import PrerequisiteError
from causarium.engine.logbook.log_files import read_story
from causarium.engine.record.episode_record import EpisodeStore, read_record
from causarium.engine.task import custom_agent
from causarium.engine.task.custom_agent import (
    agent_name,
    find_agent,
    resolve_agent_path,
)
from causarium.errors import BadFile, UnknownName, UsageError
from causarium.families.causallink.task import causallink
from tests.support.inspect_runs import task_of
from tests.support.lamps import FAMILY as LAMPS
from tests.support.logs import find_logs, newest_rows, read_header, rescore
from tests.support.scripted import Say, in_turn, scripted_model

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
REACT = f"{EXAMPLES / 'react_agent.py'}@react_agent"
FIRST = generate_set(LAMPS, "certified", "smoke", limit=1)[0]
NAME = FIRST.public.switches[0]
PLAYED = [("flip", {"switch": NAME}), ("answer", {"wired": NAME})]


def written(folder: Path, code: str) -> str:
    path = folder / "mine.py"
    path.write_text(f"from inspect_ai.agent import AgentState, agent, react\n{code}", "utf-8")
    return f"{path}@mine"


def run(
    agent: str, folder: Path, say: Say, *, limit: int = 1, boundary: str = "none", **rules: Any
) -> EvalLog:
    (log,) = eval(
        task_of(LAMPS, agent=agent, agent_boundary=boundary, **rules),
        model=scripted_model(say),
        limit=limit,
        log_dir=str(folder),
        display="log",
    )
    return log


def sample_of(log: EvalLog) -> EvalSample:
    assert log.samples
    return log.samples[0]


def kinds(log: EvalLog) -> list[str]:
    return [turn["action"]["kind"] for turn in sample_of(log).store["causarium:turns"]]


def test_inspect_s_own_react_plays_and_stands_in_rows_under_both_names(tmp_path: Path) -> None:
    log = run(REACT, tmp_path, in_turn(PLAYED))
    assert log.status == "success", log.error
    assert kinds(log) == ["flip", "answer"]
    (row,) = newest_rows([tmp_path])
    assert (row.agent, row.interface) == ("react_agent (mockllm/model)", "tools")
    (path,) = find_logs([tmp_path])
    assert read_header(path).about.endswith("react_agent (mockllm/model)")
    assert all(pair.same for pair in rescore(path, lambda name: LAMPS))


def test_a_call_after_the_end_ends_the_agent_and_the_world_hears_nothing(tmp_path: Path) -> None:
    log = run(REACT, tmp_path, in_turn(PLAYED))
    sample = sample_of(log)
    assert EpisodeStore(sample.store).ended == "it acted after the end"
    assert len(sample.store["causarium:turns"]) == 2
    assert sample.error is None
    assert sample.messages[-1].role == "assistant"


def test_an_agent_that_only_talks_is_ended_and_scored_at_what_it_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(custom_agent, "MOST_IDLE", 4)
    mine = written(tmp_path, "def mine(tools): return react(prompt=None, tools=tools)\n")
    log = run(mine, tmp_path, in_turn([PLAYED[0], "Let me think about it."]))
    assert kinds(log) == ["flip"]
    assert "did nothing" in (EpisodeStore(sample_of(log).store).ended or "")
    (row,) = newest_rows([tmp_path])
    assert row.unscored is None
    assert row.numbers["accuracy"] == 0


@pytest.mark.parametrize("boundary", ["sandbox", "none"])
def test_a_provider_that_fails_after_the_end_undoes_nothing(tmp_path: Path, boundary: str) -> None:
    """An agent could have it fail, and play again what it now knows."""
    left = iter(PLAYED)

    def say(_: object) -> Any:
        if (call := next(left, None)) is None:
            raise RuntimeError("no connection")
        return call

    mine = written(
        tmp_path,
        """
from inspect_ai.model import get_model
from inspect_ai.model import execute_tools

@agent
def mine(tools):
    async def execute(state):
        while True:
            state.output = await get_model().generate(state.messages, tools=tools)
            state.messages.append(state.output.message)
            state.messages += (await execute_tools(state.messages, tools)).messages
    return execute
""",
    )
    log = run(mine, tmp_path, say, boundary=boundary)
    assert sample_of(log).error is None
    assert kinds(log) == ["flip", "answer"]


def test_an_agent_that_stops_by_itself_has_said_all(tmp_path: Path) -> None:
    mine = written(
        tmp_path,
        """
from inspect_ai.model import get_model

@agent
def mine(tools):
    async def execute(state):
        state.output = await get_model().generate(state.messages, tools=tools)
        state.messages.append(state.output.message)
        return state
    return execute
""",
    )
    log = run(mine, tmp_path, in_turn(["I give up."]))
    assert sample_of(log).store["causarium:turns"] == []
    assert sample_of(log).messages[-1].text == "I give up."
    assert EpisodeStore(sample_of(log).store).ended is None


def test_tools_may_be_called_as_functions_and_bad_arguments_are_moves(tmp_path: Path) -> None:
    mine = written(
        tmp_path,
        """
def mine(tools):
    by_name = {tool.name: tool.tool for tool in tools}
    async def execute(state):
        print(await by_name["flip"](swotch=1))
        print(await by_name["answer"](wired=state.messages[-1].text))
    return execute
""",
    )
    log = run(mine, tmp_path, in_turn(["unused"]))
    turns = sample_of(log).store["causarium:turns"]
    assert turns[0]["unparsed"]["mode"] == "invalid action"
    assert turns[1]["action"]["kind"] == "answer"


@pytest.mark.parametrize("boundary", ["sandbox", "none"])
def test_an_agent_that_raises_is_scored_on_its_turns(tmp_path: Path, boundary: str) -> None:
    code = f"""
def mine(tools):
    async def execute(state):
        if {NAME!r} in state.messages[-1].text:
            raise RuntimeError("broken")
        return state
    return execute
"""
    log = run(written(tmp_path, code), tmp_path, in_turn(["unused"]), limit=3, boundary=boundary)
    assert not [sample.error for sample in log.samples or () if sample.error]
    ended = [sample.store.get("causarium:ended") for sample in log.samples or ()]
    raised = [why for why in ended if why == "it raised RuntimeError: broken"]
    assert 0 < len(raised) < 3
    rows = newest_rows([tmp_path])
    assert len(rows) == 3
    assert all(row.unscored is None for row in rows)
    assert sum(row.labels.get("agent") == "raised" for row in rows) == len(raised)


@pytest.mark.parametrize("boundary", ["sandbox", "none"])
def test_a_factory_that_raises_is_scored_as_well(tmp_path: Path, boundary: str) -> None:
    code = "def mine(tools): raise RuntimeError('broken')\n"
    log = run(written(tmp_path, code), tmp_path, in_turn(["unused"]), boundary=boundary)
    assert sample_of(log).error is None
    assert sample_of(log).store["causarium:ended"] == "it raised RuntimeError: broken"


def test_an_agent_that_ends_its_process_is_scored_as_well(tmp_path: Path) -> None:
    code = "import os\ndef mine(tools): os._exit(3)\n"
    run(written(tmp_path, code), tmp_path, in_turn(["unused"]), boundary="sandbox")
    (row,) = newest_rows([tmp_path])
    assert row.unscored is None
    assert row.labels["agent"] == "raised"


def test_an_agent_that_cannot_be_loaded_is_an_error(tmp_path: Path) -> None:
    code = "def mine(tools): ...\nimport nothing_of_the_kind\n"
    log = run(written(tmp_path, code), tmp_path, in_turn(["unused"]), boundary="sandbox")
    error = sample_of(log).error
    assert error is not None
    assert "the agent cannot be loaded: ModuleNotFoundError" in error.message


def test_the_check_before_an_answer_holds_for_them_too(tmp_path: Path) -> None:
    log = run(REACT, tmp_path, in_turn([PLAYED[1]]), recheck="true")
    assert kinds(log) == ["answer"]
    assert sample_of(log).store["causarium:recheck"]["changed"] is False


def test_an_installed_agent_is_named_by_its_module() -> None:
    assert find_agent("inspect_ai.agent:react", "none").name == "react"
    assert agent_name("inspect_ai.agent:react") == "react"
    assert agent_name("some/file.py@mine") == "mine"
    assert resolve_agent_path("inspect_ai.agent:react") == "inspect_ai.agent:react"
    assert resolve_agent_path("mine.py@it") == f"{Path('mine.py').resolve()}@it"


def test_a_changed_file_has_another_digest(tmp_path: Path) -> None:
    before = find_agent(written(tmp_path, "def mine(tools): return 1\n"), "none")
    after = find_agent(written(tmp_path, "def mine(tools): return 2\n"), "none")
    assert before.digest != after.digest
    assert [made.factory([]) for made in (before, after)] == list[object]([1, 2])


def test_a_file_may_import_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_mine.py").write_text("def there(tools): return 3\n", "utf-8")
    given = written(tmp_path, "from neighbour_of_mine import there as mine\n")
    made: object = find_agent(given, "none").factory([])
    assert made == 3


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ("mine", UsageError, "path/to/file.py@name or package.module:name"),
        ("mine.py", UsageError, "is neither"),
        ("nowhere.py@mine", BadFile, "there is no file nowhere.py"),
        ("no_such_package.agents:mine", BadFile, "No module named 'no_such_package'"),
        (REACT.replace("@react_agent", "@reakt"), UnknownName, "did you mean 'react_agent'"),
    ],
)
def test_what_is_wrong_with_a_name_is_said(given: str, error: type, message: str) -> None:
    with pytest.raises(error, match=re.escape(message)):
        find_agent(given, "none")


def test_a_file_that_does_not_import_says_why(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be imported: ZeroDivisionError"):
        find_agent(written(tmp_path, "mine = 1 / 0\n"), "none")


def test_an_agent_plays_by_tools_alone() -> None:
    with pytest.raises(PrerequisiteError, match="acts through interface=tools"):
        task_of(LAMPS, agent=REACT, agent_boundary="none", interface="json")


def test_the_task_takes_an_agent_by_name_and_no_player_beside_it() -> None:
    made = causallink(agent=REACT, set="smoke")
    assert {read_record(sample.metadata or {}).agent for sample in made.dataset} == {"react_agent"}
    with pytest.raises(PrerequisiteError, match="leave one of them out"):
        causallink(agent=REACT, player="silent")
    with pytest.raises(PrerequisiteError, match="is neither"):
        causallink(agent="mine.py")


def test_a_replay_has_the_words_before_a_move_with_it(tmp_path: Path) -> None:
    code = """
from inspect_ai.model import execute_tools, get_model

def mine(tools):
    async def execute(state):
        while True:
            state.output = await get_model().generate(state.messages, tools=tools)
            state.messages.append(state.output.message)
            state.messages.extend((await execute_tools(state.messages, tools)).messages)
    return execute
"""
    log = run(written(tmp_path, code), tmp_path, in_turn(["Well.", PLAYED[0], "So.", PLAYED[1]]))
    (path,) = find_logs([tmp_path])
    assert read_story(path, str(sample_of(log).id)).said == ["Well.", "So."]
