"""The same worlds played by players, by text and by tool calls, through Inspect."""

import math
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai.log import EvalLog, read_eval_log

from causarium.contract.row import Row
from causarium.contract.sets.instance_sets import generate_set
from causarium.engine.record.episode_record import read_record
from causarium.players.direct_runner import play_all
from tests.support.inspect_runs import run_task, task_of
from tests.support.lamps import FAMILY as LAMPS
from tests.support.logs import find_logs, newest_rows, read_rows, rescore
from tests.support.scripted import Say, in_turn, scripted_model


def run(task: Task, folder: Path, say: Say | None = None) -> EvalLog:
    return run_task(task, folder, scripted_model(say) if say else "none/none")


def comparable(row: Row) -> dict[str, Any]:
    numbers = {k: None if math.isnan(v) else v for k, v in row.numbers.items()}
    return {**row.model_dump(exclude={"proof"}), "numbers": numbers}


@pytest.mark.parametrize("player", ["oracle", "optimal", "random", "silent"])
def test_the_engine_gives_the_rows_of_the_direct_runner(player: str, tmp_path: Path) -> None:
    run(task_of(LAMPS, player=player), tmp_path)
    (path,) = find_logs([tmp_path])
    direct = play_all(
        LAMPS,
        generate_set(LAMPS, "certified", "smoke"),
        player,
        edition="certified",
        set_name="smoke",
    )
    assert sorted(map(str, map(comparable, read_rows(path)))) == sorted(
        map(str, map(comparable, direct))
    )


def test_a_model_plays_by_text_and_the_verdict_is_in_the_log(tmp_path: Path) -> None:
    log = run(task_of(LAMPS), tmp_path, in_turn(['{"switch": "no such"}', "I give up", "never"]))
    assert log.results is not None
    (scored,) = log.results.scores
    assert {name: one.value for name, one in scored.metrics.items()} == {
        "score": 0,
        "stderr": 0,
        "refused": 1,
        "malformed": 1,
    }
    rows = newest_rows([tmp_path])
    assert [row.turns for row in rows] == [3] * len(rows)
    assert {row.agent for row in rows} == {"mockllm/model"}


def test_a_model_plays_by_tool_calls(tmp_path: Path) -> None:
    instances = generate_set(LAMPS, "certified", "smoke")
    name = instances[0].public.switches[0]
    says = [("flip", {"switch": name}), ("answer", {"wired": name})]
    log = run(task_of(LAMPS, interface="tools"), tmp_path, in_turn(says))
    assert log.samples is not None
    first = next(sample for sample in log.samples if sample.id == instances[0].id)
    kinds = [turn["action"]["kind"] for turn in first.store["causarium:turns"]]
    assert kinds == ["flip", "answer"]
    assert {row.interface for row in newest_rows([tmp_path])} == {"tools"}


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param("prose and no call", id="no-call"),
        pytest.param(("flip", {"swotch": "tin"}), id="wrong-argument"),
        pytest.param(("flip", {"switch": 7}), id="wrong-type"),
        pytest.param(("explode", {}), id="unknown-tool"),
    ],
)
def test_a_bad_call_is_a_turn_that_counts(bad: Any, tmp_path: Path) -> None:
    run(task_of(LAMPS, interface="tools"), tmp_path, in_turn([bad]))
    rows = newest_rows([tmp_path])
    assert rows
    assert all(row.turns == 3 and row.numbers["accuracy"] == 0 for row in rows)
    assert all(row.unscored is None for row in rows)


def test_scoring_again_needs_no_model_and_changes_nothing(tmp_path: Path) -> None:
    run(task_of(LAMPS, player="optimal"), tmp_path)
    (path,) = find_logs([tmp_path])
    again = list(rescore(path, lambda name: LAMPS))
    assert len(again) == 6
    assert all(pair.same for pair in again)


def test_facets_are_columns_of_the_log(tmp_path: Path) -> None:
    log = run(task_of(LAMPS, player="silent"), tmp_path)
    assert log.samples is not None
    assert {sample.metadata["size"] for sample in log.samples} == {3}


def test_the_prompt_of_a_sample_holds_nothing_of_its_metadata() -> None:
    for sample in task_of(LAMPS).dataset:
        shown = "\n".join(message.text for message in sample.input)
        assert str(read_record(sample.metadata).instance["secret"]["fuse_ohm"]) not in shown


@pytest.mark.parametrize("interface", ["json", "tools"])
def test_half_a_character_in_a_reply_does_not_end_the_run(interface: str, tmp_path: Path) -> None:
    half = "\ud83d"
    says = {
        "json": [f'so {half} {{"switch": "{half}"}}', '{"wired": "tin"}'],
        "tools": [("flip", {"switch": half}), ("answer", {"wired": half})],
    }
    run(task_of(LAMPS, interface=interface), tmp_path, in_turn(says[interface]))
    assert all(row.turns >= 2 for row in newest_rows([tmp_path]))


def test_a_player_draws_anew_in_every_epoch(tmp_path: Path) -> None:
    task = task_of(LAMPS, player="random", set="standard")
    run_task(task, tmp_path, epochs=2)
    flips: dict[int, list[str]] = {1: [], 2: []}
    (log,) = find_logs([tmp_path])
    for sample in sorted(read_eval_log(str(log)).samples or [], key=lambda one: str(one.id)):
        flips[sample.epoch].append(str(sample.store["causarium:turns"]))
    assert len(flips[1]) == len(flips[2]) == 40
    assert flips[1] != flips[2]
