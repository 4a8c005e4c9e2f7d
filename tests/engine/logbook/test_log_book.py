"""LogBook: what logs hold, from one header read and one pass over samples a log."""

import json
import os
import shutil
import zipfile
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from inspect_ai.log import EvalError, EvalLog

from causarium import families
from causarium.api.read_run import rescore_runs
from causarium.api.reporting import write_report
from causarium.engine.logbook import log_book, log_files
from causarium.engine.logbook.log_book import LogBook, name_missing_shards
from causarium.engine.logbook.log_files import find_logs
from causarium.engine.verify.rescore import rescore
from causarium.errors import BadFile, UsageError
from causarium.families.causallink.certified import FAMILY
from tests.support.inspect_runs import run_task, task_of
from tests.support.tampered_logs import tamper

PLAYERS = ("silent", "start_alone", "exact")
SIZE = 3


def play(folder: Path, player: str, *, epochs: int = 1) -> None:
    run_task(task_of(FAMILY, player=player), folder, limit=SIZE, epochs=epochs)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    for player in PLAYERS:
        play(folder / player, player, epochs=2 if player == "exact" else 1)
    return folder


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count header reads and passes over samples."""
    counts: Counter[str] = Counter()

    def count(module: object, name: str) -> None:
        real = getattr(module, name)

        def counting(*given: object, **named: object) -> object:
            counts[name] += 1
            return real(*given, **named)

        monkeypatch.setattr(module, name, counting)

    count(log_files, "read_eval_log")
    count(log_book, "read_samples")
    return counts


def test_a_report_says_which_rows_of_another_version_were_left_out(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached = "causarium.engine.logbook.reference_rows.cache_folder"
    monkeypatch.setattr(cached, lambda: tmp_path / "cache")
    book = LogBook.read([logs])

    def age(agents: set[str]) -> None:
        samples = [
            replace(one, row=one.row.model_copy(update={"version": "3-A"}))
            if one.row.agent in agents
            else one
            for one in book.samples
        ]
        mixed = LogBook(book.logs, samples)
        monkeypatch.setattr(LogBook, "read", lambda _places: mixed)

    age({"player/silent"})
    report = write_report(logs, out=None)
    (said,) = report.problems
    assert said.startswith(f"Left out: {SIZE} rows of causallink 3-A; each was recorded by")
    assert said.endswith("Install the release that has version 3-A.")
    assert said in report.data.notes
    assert {row.version for row in report.rows} == {FAMILY.card.version}
    age({row.agent for row in book.rows})
    with pytest.raises(UsageError, match="Every row was recorded by version 3-A of causallink"):
        write_report(logs, out=None)


def test_a_report_reads_each_header_and_each_sample_once(
    logs: Path, reads: Counter[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "causarium.engine.logbook.reference_rows.cache_folder", lambda: tmp_path / "cache"
    )
    report = write_report(logs, out=tmp_path / "out", against=logs / "silent")
    number = len(PLAYERS) + 1
    assert reads == {"read_eval_log": number, "read_samples": number}
    assert any(panel.family == FAMILY.name for panel in report.data.panels)
    reads.clear()
    assert not any(run.changed for run in rescore_runs(logs))
    assert reads == {"read_eval_log": len(PLAYERS), "read_samples": len(PLAYERS)}


def test_rows_records_and_episodes_agree(logs: Path) -> None:
    book = LogBook.read([logs])
    assert len(book.rows) == SIZE * (len(PLAYERS) + 1)
    assert [header.card.agent for header in book.logs] == [f"player/{name}" for name in PLAYERS]
    assert len(book.run_cards) == len(PLAYERS)
    assert book.problems == book.incomplete == ()
    for key, sample in book.newest.items():
        record = sample.record
        assert (record.family, record.instance["id"]) == (key.family, key.id)
        assert len(sample.turns) == sample.row.turns


def test_scoring_again_gives_what_the_logs_say(logs: Path) -> None:
    book = LogBook.read([logs])
    pairs = list(rescore(book.samples, families.get))
    assert len(pairs) == len(book.samples)
    assert all(pair.same for pair in pairs)


def test_of_a_sample_that_was_run_twice_the_newest_counts(logs: Path, tmp_path: Path) -> None:
    (path,) = find_logs([logs / "exact"])
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        shutil.copy(path, tmp_path / folder)
    book = LogBook.read([tmp_path])
    assert len(book.samples) == 2 * len(book.rows)
    assert len(book.run_cards) == 1


def test_what_stands_before_a_damaged_sample_counts(logs: Path, tmp_path: Path) -> None:
    (path,) = find_logs([logs / "exact"])
    damaged = tmp_path / path.name
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(damaged, "w") as copy:
        samples = [name for name in whole.namelist() if name.startswith("samples/")]
        for name in whole.namelist():
            content = whole.read(name)
            if name == samples[-1]:
                member = json.loads(content)
                member["store"]["causarium:turns"] = [{"legal": "perhaps"}]
                content = json.dumps(member).encode()
            copy.writestr(name, content)
    book = LogBook.read([damaged])
    assert len(book.samples) == len(samples) - 1
    (problem,) = book.problems
    assert problem.startswith(f"Skipped: {damaged} is cut off or damaged in sample")
    book.require_rows()
    with pytest.raises(BadFile, match="cut off or damaged"):
        book.require_whole()


def test_a_log_that_is_none_is_a_problem(logs: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.eval"
    bad.write_bytes(b"PK nothing")
    book = LogBook.read([bad])
    assert (len(book.logs), len(book.samples), len(book.problems)) == (0, 0, 1)
    with pytest.raises(BadFile, match="No readable logs"):
        book.require_rows()
    assert len(LogBook.read([bad, logs]).rows) == SIZE * (len(PLAYERS) + 1)
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=r"no \.eval log"):
        LogBook.read([tmp_path / "empty"])


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"shard": "9/2"}, "a shard must be K/N"),
        ({"shard": 7}, "damaged"),
        ({"shard": "1/2", "set_size": "many"}, "not 'many'"),
    ],
)
def test_a_false_share_is_a_problem_of_its_log_alone(
    logs: Path, tmp_path: Path, said: dict[str, object], why: str
) -> None:
    (path,) = find_logs([logs / "silent"])
    shutil.copy(path, tmp_path / path.name)
    (tmp_path / "gone.eval").symlink_to(tmp_path / "nothing")
    bad = tamper(path, lambda log: (log.eval.metadata or {}).update(said), tmp_path / "bad.eval")
    book = LogBook.read([tmp_path])
    assert len(book.rows) == SIZE
    (false,) = (problem for problem in book.problems if "gone.eval" not in problem)
    assert str(bad) in false
    assert why in false


def test_of_many_missing_shards_some_are_named(logs: Path) -> None:
    header = replace(LogBook.read([logs / "silent"]).logs[0], shard="1/30000000", set_size=24)
    (said,) = name_missing_shards([header])
    assert "2/30000000" in said
    assert "11/30000000, and 29999989 others (21 of 24 instances)" in said


def test_a_run_that_was_cut_off_is_incomplete(logs: Path, tmp_path: Path) -> None:
    (path,) = find_logs([logs / "silent"])
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(tmp_path / path.name, "w") as copy:
        for name in whole.namelist():
            content = whole.read(name)
            if name == "header.json":
                content = json.dumps({**json.loads(content), "status": "cancelled"}).encode()
            copy.writestr(name, content)
    book = LogBook.read([tmp_path])
    assert book.incomplete == (
        f"The run in {tmp_path.name} is incomplete (cancelled); run it again to resume.",
    )


def test_half_a_surrogate_pair_in_a_turn_is_kept(logs: Path, tmp_path: Path) -> None:
    (path,) = find_logs([logs / "silent"])
    turn = {"observation": "\ud800", "legal": False, "cost": 0}
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(tmp_path / path.name, "w") as copy:
        for name in whole.namelist():
            content = whole.read(name)
            if name.startswith("samples/"):
                member = json.loads(content)
                member["store"]["causarium:turns"] = [turn]
                content = json.dumps(member).encode()
            copy.writestr(name, content)
    book = LogBook.read([tmp_path])
    assert book.problems == ()
    assert [sample.turns[0].observation for sample in book.samples] == ["\ud800"] * SIZE


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, 93])
@pytest.mark.parametrize("member", ["header.json", "samples/more_epoch_1.json"])
def test_a_log_that_unpacks_to_gigabytes_is_left_out(
    logs: Path, tmp_path: Path, member: str, method: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("causarium.engine.logbook.log_members._MOST_BYTES", 8_000_000)
    monkeypatch.setattr("causarium.engine.logbook.log_members._MOST_HEADER", 8_000_000)
    log = Path(shutil.copy(find_logs([logs])[0], tmp_path / "bomb.eval"))
    with (
        zipfile.ZipFile(log, "a", method) as archive,
        pytest.warns(UserWarning, match="Duplicate name")
        if member in archive.namelist()
        else nullcontext(),
        archive.open(member, "w") as bomb,
    ):
        for _ in range(10):
            bomb.write(b" " * 1_000_000)
    # Inspect unpacks what there is, whatever size the archive's own list tells.
    content = bytearray(log.read_bytes())
    size = content.rfind(b"PK\x01\x02") + 24
    assert int.from_bytes(content[size : size + 4], "little") == 10_000_000
    book = LogBook.read([tmp_path, logs])
    assert len(book.problems) == 1
    assert f"bomb.eval is larger than a log can be: {member} unpacks to 8,00" in book.problems[0]
    assert len(book.logs) == len(PLAYERS) + (member != "header.json")
    content[size : size + 4] = (1000).to_bytes(4, "little")
    log.write_bytes(content)
    assert "Bad CRC-32" in LogBook.read([tmp_path]).problems[0]


def test_many_files_that_unpack_to_much_together_are_left_out(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("causarium.engine.logbook.log_members._MOST_BYTES", 8_000_000)
    monkeypatch.setattr("causarium.engine.logbook.log_members._MOST_TIMES", 200)
    log = Path(shutil.copy(find_logs([logs])[0], tmp_path / "bomb.eval"))
    with zipfile.ZipFile(log) as archive:
        sample = next(archive.read(n) for n in archive.namelist() if n.startswith("samples/"))
    with zipfile.ZipFile(log, "a", zipfile.ZIP_DEFLATED) as archive:
        for number in range(10):
            archive.writestr(f"samples/{number}_epoch_1.json", b" " * 6_000_000 + sample)
    assert "is larger than a log can be" in LogBook.read([tmp_path]).problems[0]


def test_a_sample_that_is_damaged_or_of_too_many_values_takes_no_other_with_it(
    logs: Path, tmp_path: Path
) -> None:
    log = Path(shutil.copy(find_logs([logs / "silent"])[0], tmp_path / "some.eval"))
    with zipfile.ZipFile(log, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("samples/a_epoch_1.json", '{"messages": [' + "{}," * 4_000_000 + "{}]}")
        archive.writestr("samples/b_epoch_1.json", '{"messages": ')
    book = LogBook.read([tmp_path])
    assert len(book.rows) == SIZE
    many, damaged = book.problems
    assert "samples/a_epoch_1.json holds more than 4,000,000 values" in many
    assert "cut off or damaged in sample samples/b_epoch_1.json" in damaged


def test_what_is_no_file_is_left_out_and_nobody_waits(logs: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.eval")
    (tmp_path / "loop.eval").symlink_to("loop.eval")
    (tmp_path / "folder.eval").mkdir()
    book = LogBook.read([*find_logs([tmp_path]), logs])
    assert len(book.logs) == len(PLAYERS)
    assert len(book.problems) == 2
    assert "pipe.eval is no file, and a log is; remove it" in " ".join(book.problems)


def test_a_header_may_not_name_more_instances_than_memory_holds(logs: Path, tmp_path: Path) -> None:
    log = tmp_path / "many.eval"
    with (
        zipfile.ZipFile(find_logs([logs])[0]) as old,
        zipfile.ZipFile(log, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        new.writestr("header.json", old.read("header.json") + b" " * 40_000_000)
    book = LogBook.read([log, logs])
    assert "this file of a log may have 40,000,000" in book.problems[0]
    assert len(book.logs) == len(PLAYERS)


def test_folders_within_folders_hide_no_log(
    logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(find_logs([logs])[0], tmp_path / "one.eval")
    monkeypatch.chdir(tmp_path)
    for _ in range(1_200):
        os.mkdir("a")  # noqa: PTH102
        os.chdir("a")
    found = find_logs([tmp_path])
    for _ in range(1_200):  # what is so deep the library cannot remove either
        os.chdir("..")
        os.rmdir("a")  # noqa: PTH106
    assert found == [tmp_path / "one.eval"]


def test_files_whose_names_are_no_text_do_not_take_the_report(logs: Path, tmp_path: Path) -> None:
    def change(content: EvalLog) -> None:
        content.eval.model, content.status = "some/model", "cancelled"
        content.eval.metadata = {**(content.eval.metadata or {}), "player": None}
        for sample in content.samples or ():
            sample.metadata["causarium"]["player"] = None

    odd = tmp_path / os.fsdecode(b"\xff\nx")
    tamper(find_logs([logs])[0], change, tmp_path / "model.eval")
    shutil.copytree(logs, odd)
    shutil.move(tmp_path / "model.eval", odd / os.fsdecode(b"9\xff\nx.eval"))
    (odd / os.fsdecode(b"\xfe.eval")).touch()
    report = write_report(odd, out=tmp_path / "out", formats=["json"])
    assert len(report.problems) == 1
    assert "\n" not in "".join(report.data.notes)
    assert "9\ufffd\ufffdx.eval" in (tmp_path / "out" / "report.json").read_text(encoding="utf-8")


def test_nobody_plays_or_draws_a_false_instance(logs: Path, tmp_path: Path) -> None:
    def change(content: EvalLog) -> None:
        for sample in content.samples or ():
            record = sample.metadata["causarium"]
            instance = json.loads(record["instance"])
            instance["public"]["objects"][1] = "none"
            record["instance"] = json.dumps(instance)
            sample.error = EvalError(message="", traceback="", traceback_ansi="")

    tamper(find_logs([logs])[0], change, tmp_path / "false.eval")
    report = write_report(tmp_path / "false.eval", out=None, unverified=True)
    assert {row.agent for row in report.rows} == {"player/silent"}


def test_a_name_that_no_report_can_hold_is_left_out_alone(logs: Path, tmp_path: Path) -> None:
    log = tmp_path / "odd.eval"
    with (
        zipfile.ZipFile(find_logs([logs])[0]) as old,
        zipfile.ZipFile(log, "w") as new,
    ):
        for name in old.namelist():
            new.writestr(name, old.read(name).replace(b'"set":"smoke"', b'"set":"\\ud800"'))
    made = write_report([log, logs], out=tmp_path / "out")
    assert len(made.problems) == 1
    assert "surrogates not allowed" in made.problems[0]
