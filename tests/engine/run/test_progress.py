"""The line that says how a run goes: what it counts, and what it shows."""

import io
import json
import time
import zipfile
from pathlib import Path

import pytest

from causarium.engine.run import run_plan
from causarium.engine.run.run_plan import (
    ProgressCounts,
    error_kind,
    list_completed_samples,
    show_progress,
)
from tests.support.inspect_runs import run_task, task_of
from tests.support.lamps import FAMILY as LAMPS
from tests.support.scripted import in_turn, scripted_model

ASKED = {"epoch": 1, "input": "", "target": "", "completed": True}


def play(folder: Path, size: int) -> None:
    run_task(task_of(LAMPS), folder, scripted_model(in_turn(["no move at all"])), limit=size)


def test_a_run_is_counted_and_one_that_goes_on_counts_what_was_done(tmp_path: Path) -> None:
    shown = io.StringIO()
    with show_progress("lamps, m", tmp_path, stream=shown) as counts:
        play(tmp_path, 2)
    assert (counts.total, counts.done, len(counts.before)) == (2, 2, 0)
    assert counts.calls == counts.input == counts.output == counts.replies.total() >= 2
    (line,) = shown.getvalue().splitlines()
    assert line.startswith("lamps, m: 2/2")
    assert f"{counts.calls} calls" in line
    assert "refused:" in line

    # Inspect plays these again, which does not make them more.
    with show_progress("lamps, m", tmp_path, stream=shown) as again:
        play(tmp_path, 3)
    assert (again.total, again.done, len(again.before)) == (3, 3, 2)
    assert "lamps, m: 3/3 (2 before)" in shown.getvalue()


def test_nothing_is_counted_when_nobody_watches(tmp_path: Path) -> None:
    with show_progress("x", tmp_path, stream=io.StringIO()) as counts:
        pass
    assert not run_plan._Count().enabled()
    assert counts.calls == 0


def test_the_line_has_rate_time_tokens_cost_and_errors_by_kind(tmp_path: Path) -> None:
    counts = ProgressCounts("x", tmp_path, total=10, started=100.0)
    counts.before = {("a", 1), ("b", 1)}
    counts.finished = {("c", 1), ("d", 1)}
    counts.calls, counts.input, counts.output, counts.cost = 30, 1_234_567, 4_500, 1.5
    counts.retries.update({"429 RateLimitError": 3, "500 ServerError": 1})
    counts.failures.update(["ConnectionError"])
    counts.replies.update({"invalid format": 4, "a": 1, "b": 1, "c": 2})
    assert counts.line(104.0) == (
        "x: 4/10 (2 before) · 30.0/min · 0:00:12 left · 30 calls · 1.23M tokens in, 4.5k out · "
        "$1.50 · retried: 3 429 RateLimitError, 1 500 ServerError · failed: 1 ConnectionError "
        "· refused: 4 invalid format, 2 c, 1 a, 1 other"
    )


def test_a_line_is_printed_now_and_then_where_none_can_be_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_plan, "EVERY_S", 0.001)
    shown = io.StringIO()
    with show_progress("x", tmp_path, stream=shown):
        for _ in range(6_000):
            if shown.getvalue().count("\n") > 3:
                break
            time.sleep(0.01)
    assert len(shown.getvalue().splitlines()) > 3
    assert set(shown.getvalue().splitlines()) == {"x: 0/?"}


def test_a_run_with_nothing_left_to_do_says_so_and_one_that_never_began_says_nothing(
    tmp_path: Path,
) -> None:
    shown = io.StringIO()
    with show_progress("x", tmp_path, stream=shown):
        pass
    assert shown.getvalue() == ""
    with zipfile.ZipFile(tmp_path / "whole.eval", "w") as log:
        log.writestr("summaries.json", json.dumps([{**ASKED, "id": "a"}]))
    with show_progress("x", tmp_path, stream=shown):
        pass
    assert shown.getvalue() == "x: 1/1 (1 before)\n"


def test_on_a_terminal_one_line_is_drawn_over(tmp_path: Path) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    shown = Terminal()
    with show_progress("x", tmp_path, stream=shown):
        pass
    assert "x: 0/?" in shown.getvalue()
    assert "\x1b[2K" in shown.getvalue()


def test_an_error_is_named_by_its_kind() -> None:
    assert error_kind("APITimeoutError: too late") == "APITimeoutError"


def test_a_damaged_log_has_nothing_finished(tmp_path: Path) -> None:
    (tmp_path / "broken.eval").write_text("no log")
    with zipfile.ZipFile(tmp_path / "cut.eval", "w") as log:
        log.writestr(
            "_journal/summaries/1.json",
            json.dumps([{**ASKED, "id": "a"}, {**ASKED, "id": "b", "error": "down"}]),
        )
    assert list_completed_samples(tmp_path) == {("a", 1)}
    assert list_completed_samples(tmp_path / "nowhere") == set()


def test_a_warning_is_given_once_where_most_replies_are_refused(tmp_path: Path) -> None:
    shown = io.StringIO()
    with show_progress("lamps, m", tmp_path, stream=shown) as counts:
        play(tmp_path, 12)
    (warning,) = [line for line in shown.getvalue().splitlines() if "warning" in line]
    assert " replies refused (" in warning
    assert "--rule constrained=true" in warning
    counts.turns, counts.refusals["x"] = 1000, 700
    assert counts.tell_refused() == ""
