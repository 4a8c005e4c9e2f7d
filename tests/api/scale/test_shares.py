"""Certificates, audits and runs by shards: put together, they are those of one process."""

import json
import os
import re
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from causarium import families
from causarium.api.evaluate import run_with_workers
from causarium.api.plan_run import RunRequest, plan_run, share_plan
from causarium.api.read_run import read_run
from causarium.api.reporting import write_report
from causarium.api.rows import read_rows
from causarium.api.scale.audit_many import (
    CertificateCounts,
    audit_set,
    certify_set,
    flatten,
    holds_audit,
    merge_audit,
    write_share,
)
from causarium.api.scale.make_parts import write_parts
from causarium.api.scale.workers import HERE, Workers, run_tasks
from causarium.contract.shard import Shard
from causarium.engine.run.run_plan import run_plan
from causarium.errors import MissingExtra, RunError, UnknownName, UsageError
from causarium.players.audit_family import AuditTask

SHARDS = [Shard(number, 3) for number in (1, 2, 3)]


def lines(**how):
    return [json.dumps(flatten(one)) for one in certify_set("causallink", **how).stream]


def test_the_certificates_of_shards_in_order_are_those_of_the_whole():
    whole = lines(set="smoke")
    assert [line for shard in SHARDS for line in lines(set="smoke", shard=shard)] == whole
    assert lines(set="smoke", limit=2) == whole[:2]


def test_a_set_in_parts_gives_its_certificates_back(tmp_path):
    pytest.importorskip("pyarrow")
    from causarium.api.benchmark import load

    write_parts(load("causallink"), tmp_path / "set", "rung-3", size=5, seed=1, rows=2)
    kept = lines(file=tmp_path / "set")
    assert lines(file=tmp_path / "set", again=True) == kept
    assert [x for s in SHARDS for x in lines(file=tmp_path / "set", shard=s)] == kept
    bare = {"certify": False}
    write_parts(load("causallink"), tmp_path / "bare", "rung-3", size=5, seed=1, **bare)
    assert lines(file=tmp_path / "bare") == kept


def test_a_certificate_that_is_not_what_is_proved_is_an_error(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    from causarium.api.benchmark import load
    from causarium.players.direct_runner import certify_instance

    def lie(family, instance, rules):
        proved = certify_instance(family, instance, rules)
        return proved.model_copy(update={"optimum": proved.optimum + 1})

    monkeypatch.setattr("causarium.api.scale.make_parts.certify_instance", lie)
    write_parts(load("causallink"), tmp_path, "rung-3", size=2, seed=1)
    with pytest.raises(RunError, match="not the one that is proved now"):
        lines(file=tmp_path, again=True)


def test_counts_say_what_is_proved():
    counts = CertificateCounts()
    for certificate in certify_set("causallink", set="smoke").stream:
        counts.add(certificate)
    assert counts.failed == 0
    assert counts.lines()[0].startswith(f"{counts.total} of {counts.total} certified; optimum ")


@pytest.mark.slow
def test_the_shares_of_an_audit_are_the_audit(tmp_path):
    whole = audit_set(AuditTask("causallink", "smoke", 7))
    for shard in reversed(SHARDS):
        write_share(tmp_path, AuditTask("causallink", "smoke", 7, shard))
    assert holds_audit(tmp_path)
    assert merge_audit(tmp_path).model_dump_json() == whole.model_dump_json()
    (tmp_path / "audit-0002-of-0003.json").unlink()
    with pytest.raises(UsageError, match="lacks the shards 2/3"):
        merge_audit(tmp_path)


@pytest.mark.slow
def test_a_shard_of_an_audit_may_be_played_by_several_processes(tmp_path, monkeypatch):
    """What processes or Ray do is told by the workers' own tests; here each part is played here."""
    monkeypatch.setattr(
        "causarium.api.scale.audit_many.run_tasks", lambda play, tasks, _: map(play, tasks)
    )
    files = [
        write_share(tmp_path / name, AuditTask("causallink", "smoke", 7, shard), by)
        for name, by in (("alone", Workers()), ("shared", Workers(3)))
        for shard in SHARDS[:2]
    ]
    alone, shared = files[:2], files[2:]
    assert [file.read_bytes() for file in alone] == [file.read_bytes() for file in shared]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """One run whole and in two shards, of the first five instances."""
    folder = tmp_path_factory.mktemp("runs")
    given = {"player": "exact", "set": "smoke", "limit": 5}
    plan = plan_run(RunRequest("causallink", **given, log_dir=folder / "whole"))
    whole = run_plan(plan, progress=False)
    plan = replace(plan, log_dir=str(folder / "shards"))
    shards = [share_plan(plan, shard) for shard in Shard().split(2)]
    folders = [run_plan(shard, progress=False) for shard in shards]
    return folder, read_run([whole]), read_run(folders)


def test_a_run_in_shards_has_the_rows_of_the_whole(runs):
    _, whole, shards = runs
    assert whole.complete
    assert shards.complete
    assert shards.expected == 5
    assert [row.model_dump_json() for row in shards.rows] == [
        row.model_dump_json() for row in whole.rows
    ]
    assert {**shards.summary(), "log": ""} == {**whole.summary(), "log": ""}


def test_the_report_of_shards_is_the_report_of_the_whole(runs, tmp_path):
    folder, _, _ = runs
    reports = {
        name: write_report(folder / name, out=tmp_path / name, formats=("json", "md"))
        for name in ("whole", "shards")
    }
    assert not reports["shards"].missing_shards

    def read(name, file):
        # When a run was started is all that may differ.
        return re.sub(r"\d{4}-\d\d-\d\dT[0-9:+]+", "", (tmp_path / name / file).read_text())

    for file in ("rows.jsonl", "report.json", "report.md"):
        assert read("shards", file) == read("whole", file), file


def test_a_missing_shard_is_named(runs, tmp_path):
    folder, _, _ = runs
    (one,) = (folder / "shards").glob("*/*shard1of2*")
    report = write_report(one, out=None)
    assert "lacks the shards 2/2" in report.missing_shards[0]
    assert len(read_rows(one)) == 3


def test_shards_that_contradict_each_other_are_refused(runs):
    from dataclasses import replace

    from causarium.engine.logbook.log_book import LogBook, find_contradictions

    folder, _, _ = runs
    samples = LogBook.read([folder / "shards"]).samples
    one = samples[0]
    row = one.row.model_copy(update={"numbers": {**one.row.numbers, "accuracy": 0.5}})
    other = replace(one, row=row, header=replace(one.header, shard="1/3"))
    (told,) = find_contradictions([*samples, other]).values()
    assert "one verdict in" in told
    assert not find_contradictions([*samples, replace(other, row=one.row)])


def test_more_shards_than_instances_is_refused_before_anything_is_played(tmp_path):
    request = RunRequest("causallink", player="exact", set="smoke", limit=2, shard=Shard(3, 3))
    with pytest.raises(UsageError, match="more shards than instances"):
        plan_run(request)


def test_workers_are_checked_before_they_work():
    assert Workers.parse(1) == HERE
    assert Workers.parse(0).jobs >= 1
    with pytest.raises(UnknownName, match="pool"):
        Workers.parse(2, "poool")
    with pytest.raises(UsageError, match="number of processes"):
        Workers.parse(-1)


def test_ray_without_its_package_says_what_to_install(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"causarium\[ray\]"):
        Workers.parse(2, "ray")


def test_an_error_of_a_task_reaches_the_caller():
    with pytest.raises(ValueError, match="invalid literal"):
        list(run_tasks(int, ["1", "x", "3"]))


def _play(logs, workers):
    request = RunRequest("causallink", player="random", set="smoke", limit=4, log_dir=logs)
    run = run_with_workers(plan_run(request), workers, lambda _: None)
    assert run.complete
    return [row.model_dump_json() for row in run.rows]


@pytest.mark.long
def test_several_processes_play_as_one_does(tmp_path):
    assert _play(tmp_path / "a", HERE) == _play(tmp_path / "b", Workers(2))


@pytest.mark.long
def test_several_processes_certify_and_audit_as_one_does():
    two = Workers(2)
    assert lines(set="smoke", workers=two) == lines(set="smoke")
    audits = [audit_set(AuditTask("causallink", "smoke", 6), w) for w in (HERE, two)]
    assert audits[0].model_dump_json() == audits[1].model_dump_json()
    with pytest.raises(ValueError, match="invalid literal"):
        list(run_tasks(int, ["1", "x", "3"], two))


@pytest.mark.long
def test_ray_writes_the_same_bytes(tmp_path):
    ray = pytest.importorskip("ray", reason="the extra `ray` is not installed")
    pytest.importorskip("pyarrow")
    from causarium.api.benchmark import load

    link = load("causallink")
    write_parts(link, tmp_path / "here", "rung-3", size=6, seed=1, rows=2)
    try:
        workers = Workers.parse(2, "ray")
        write_parts(link, tmp_path / "ray", "rung-3", size=6, seed=1, rows=2, workers=workers)
        assert lines(set="smoke", workers=workers) == lines(set="smoke")
        audits = [audit_set(AuditTask("causallink", "smoke", 6), w) for w in (HERE, workers)]
        assert audits[0].model_dump_json() == audits[1].model_dump_json()
        played = [_play(tmp_path / name, w) for name, w in (("a", HERE), ("b", workers))]
        assert played[0] == played[1]
        with pytest.raises(ValueError, match="Expecting value"):
            list(run_tasks(json.loads, ["1", "x"], workers))
    finally:
        ray.shutdown()
    for path in (tmp_path / "here").iterdir():
        assert (tmp_path / "ray" / path.name).read_bytes() == path.read_bytes()


def die_once(mark: str) -> str:
    """Kill the process that works on this, if nobody was killed before."""
    if not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return Path(mark).name


@pytest.mark.slow
def test_a_killed_process_of_the_pool_is_named_and_the_next_run_ends_the_work(tmp_path):
    marks = [str(tmp_path / name) for name in "abc"]
    Path(marks[0]).touch()
    Path(marks[2]).touch()
    with pytest.raises(RunError, match="a process was killed"):
        list(run_tasks(die_once, marks, Workers(2)))
    assert list(run_tasks(die_once, marks, Workers(2))) == ["a", "b", "c"]


def wait_for(mark: str) -> str:
    """Return once there is such a file; at once where none is named."""
    end = time.monotonic() + 60
    while mark and not Path(mark).exists() and time.monotonic() < end:
        time.sleep(0.01)
    return mark


@pytest.mark.parametrize("engine", ["pool", pytest.param("ray", marks=pytest.mark.long)])
def test_a_long_task_keeps_no_process_waiting(engine, tmp_path):
    if engine == "ray":
        pytest.importorskip("ray", reason="the extra `ray` is not installed")
    mark, begun, ended = tmp_path / "go", 0, []

    def hand_out():
        nonlocal begun
        for task in [str(mark), "", "", "", ""]:
            begun += 1
            yield task

    for done in run_tasks(wait_for, hand_out(), Workers.parse(2, engine), in_order=False):
        ended.append(done)
        assert begun <= len(ended) + 1, "nothing is handed out before a process is free"
        if len(ended) == 4:
            mark.touch()
    assert ended == ["", "", "", "", str(mark)]


@pytest.mark.long
def test_a_killed_worker_of_ray_costs_nothing(tmp_path):
    ray = pytest.importorskip("ray", reason="the extra `ray` is not installed")
    marks = [str(tmp_path / name) for name in "abc"]
    try:
        assert list(run_tasks(die_once, marks, Workers.parse(2, "ray"))) == ["a", "b", "c"]
    finally:
        ray.shutdown()


def test_every_family_can_be_looked_up_by_a_worker():
    for name in families.FAMILIES:
        assert families.get(name).name == name
