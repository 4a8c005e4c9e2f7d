"""Runs one after another: none holds up another, and the worst decides the exit code."""

from collections.abc import Callable

import pytest
import typer

from causarium.cli.verbs.runs import run_all
from causarium.errors import RunError, UsageError


def ends(value: bool | BaseException, done: list[bool] | None = None) -> Callable[[], bool]:
    def run() -> bool:
        if done is not None:
            done.append(True)
        if isinstance(value, BaseException):
            raise value
        return value

    return run


@pytest.mark.parametrize(
    ("first", "code"),
    [
        (False, 3),
        (RunError("the disk is gone"), 1),
        (UsageError("no key"), 2),
        (KeyError("a slip of ours"), 1),
    ],
)
def test_the_others_run_whatever_becomes_of_one(
    first: bool | BaseException, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    done: list[bool] = []
    with pytest.raises(typer.Exit) as stop:
        run_all({"one": ends(first), "two": ends(True, done)})
    assert stop.value.exit_code == code
    assert done
    said = capsys.readouterr().err
    assert "two: complete" in said
    assert ("one: incomplete" if first is False else f"one: failed: {first}") in said


def test_all_complete_is_no_exit_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    run_all({"one": ends(True), "two": ends(True)})
    assert capsys.readouterr().err == "one: complete\ntwo: complete\n"


def test_the_worst_decides() -> None:
    with pytest.raises(typer.Exit) as stop:
        run_all({"one": ends(False), "two": ends(RunError("gone"))})
    assert stop.value.exit_code == 1


def test_a_single_run_fails_as_it_is() -> None:
    with pytest.raises(RunError, match="gone"):
        run_all({"one": ends(RunError("gone"))})


def test_ctrl_c_stops_all(capsys: pytest.CaptureFixture[str]) -> None:
    done: list[bool] = []
    with pytest.raises(typer.Exit) as stop:
        run_all({"one": ends(KeyboardInterrupt()), "two": ends(True, done)})
    assert stop.value.exit_code == 130
    assert not done
    assert "run the same command to resume" in capsys.readouterr().err
