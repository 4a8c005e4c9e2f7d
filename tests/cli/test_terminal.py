"""Nothing in a log reaches a terminal as something that it would obey."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalError, EvalLog
from rich.console import Console

from causarium.api.rows import read_rows
from causarium.cli.shared import print_json, print_note
from causarium.engine.record.episode_record import METADATA_KEY
from causarium.report.data.build_report import build_report
from causarium.report.output.print_tables import print_report
from tests.support.tampered_logs import play_log, samples_of, tamper

NASTY = "a\x1b[31m\x1b]0;title\x07\x9b31m\x9d\x08\x7f\u202eb"
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
COMMANDS = (
    ["score"],
    ["score", "--json"],
    ["score", "--card"],
    ["score", "--card", "--json"],
    ["verify"],
    ["verify", "--json"],
    ["report"],
)


def spoil(value: Any, keys: frozenset[str]) -> Any:
    """Return a value with every text in it made nasty, but for some keys."""
    if isinstance(value, dict):
        return {k: v if k in keys else spoil(v, keys) for k, v in value.items()}
    if isinstance(value, list):
        return [spoil(item, keys) for item in value]
    return NASTY if isinstance(value, str) else value


def spoil_names(log: EvalLog) -> None:
    log.eval.model = NASTY
    log.eval.metadata = {**(log.eval.metadata or {}), "player": NASTY, "set": NASTY}
    log.eval.model_args = {NASTY: NASTY, "device": NASTY}
    log.eval.model_base_url = f"http://{NASTY}/"
    for sample in samples_of(log):
        sample.id = f"{sample.id}{NASTY}"
        record = sample.metadata[METADATA_KEY]
        record |= {"player": NASTY, "set": NASTY}
    samples_of(log)[0].error = EvalError(message=NASTY, traceback=NASTY, traceback_ansi=NASTY)


def spoil_verdicts(log: EvalLog) -> None:
    for sample in samples_of(log):
        for score in (sample.scores or {}).values():
            score.value = {NASTY: 1.0}
            score.metadata = {"labels": {NASTY: NASTY}}
            score.explanation = score.answer = NASTY
        sample.store = spoil(sample.store, frozenset())


def spoil_everything(log: EvalLog) -> None:
    spoil_names(log)
    spoil_verdicts(log)
    log.eval.task = NASTY
    log.eval.task_version = NASTY
    log.eval.metadata = spoil(log.eval.metadata, frozenset())
    for sample in samples_of(log):
        sample.metadata = spoil(sample.metadata, frozenset({"edition"}))


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_log(tmp_path_factory.mktemp("honest"), "causalab", "random", limit=2)


@pytest.mark.parametrize("change", [spoil_names, spoil_verdicts, spoil_everything])
def test_no_command_prints_a_control_character(
    honest: Path,
    tmp_path: Path,
    change: Callable[[EvalLog], None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from causarium.cli import main

    log = Path(shutil.copy(honest, tmp_path / honest.name))
    tamper(log, change)
    monkeypatch.setenv("NO_COLOR", "1")
    for command in COMMANDS:
        out = ["--out", str(tmp_path / "out")] if command == ["report"] else []
        monkeypatch.setattr("sys.argv", ["causarium", *command, str(log), *out])
        with pytest.raises(SystemExit):
            main()
        said = capsys.readouterr()
        assert said.out + said.err
        assert not OBEYED.search(said.out + said.err), command


def test_no_name_passes_for_a_line_of_its_own(
    honest: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from causarium.cli import main

    def change(log: EvalLog) -> None:
        log.eval.metadata = {**(log.eval.metadata or {}), "set": "a\nverified: b.eval"}

    tamper(honest, change, tmp_path / "c\nverified: d.eval")
    monkeypatch.setattr("sys.argv", ["causarium", "verify", str(tmp_path)])
    with pytest.raises(SystemExit):
        main()
    said = capsys.readouterr()
    assert said.out.startswith("NOT VERIFIED: ")
    assert "\nverified" not in said.out + said.err


def test_a_table_shows_none_either(honest: Path, tmp_path: Path) -> None:
    log = Path(shutil.copy(honest, tmp_path / honest.name))
    tamper(log, spoil_names)
    with (tmp_path / "said").open("w+", encoding="utf-8") as file:
        print_report(build_report(read_rows(log)), Console(file=file, width=200))
        file.seek(0)
        text = file.read()
    assert "title" in text
    assert not OBEYED.search(text)


def test_notes_and_json_are_harmless(capsys: pytest.CaptureFixture[str]) -> None:
    import json

    print_note(f"one\n{NASTY}")
    print_json({NASTY: NASTY})
    said = capsys.readouterr()
    assert said.err.startswith("one\n")
    assert not OBEYED.search(said.err + said.out)
    assert json.loads(said.out) == {NASTY: NASTY}
