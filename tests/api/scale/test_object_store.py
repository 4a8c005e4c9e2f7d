"""Sets and logs on a real S3 server on this machine: kill, resume, report, score."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from causarium.api.sweep import TAKEN, read_sweep, run_sweep
from causarium.cli import app
from causarium.errors import RunError
from tests.support.object_store import BUCKET, needs_object_store, object_store

pytestmark = [pytest.mark.slow, needs_object_store, pytest.mark.xdist_group("object store")]


@pytest.fixture(scope="module")
def store():
    with object_store() as environment:
        yield environment


@pytest.fixture
def place(store, monkeypatch, tmp_path):
    for name, value in store.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return f"s3://{BUCKET}/{tmp_path.name}"


def write(out, **how):
    from causarium.api.benchmark import load
    from causarium.api.scale.make_parts import write_parts

    return write_parts(load("causallink"), out, "rung-3", size=7, seed=3, rows=3, **how)


def test_a_set_on_the_store_has_the_bytes_of_one_on_a_disk(place, tmp_path):
    from causarium import families
    from causarium.api.verify import verify_parts
    from causarium.contract.places import Place
    from causarium.contract.sets.instance_sets import read_set
    from causarium.contract.shard import Shard

    write(tmp_path / "here")
    for number in (2, 1):
        write(f"{place}/set", shard=Shard(number, 2))
    folder = Place.parse(f"{place}/set")
    names = [path.name for path in sorted((tmp_path / "here").iterdir())]
    assert folder.list_names() == names
    for name in names:
        assert (folder / name).read_bytes() == (tmp_path / "here" / name).read_bytes()
    assert verify_parts(folder.url).is_verified
    assert len(read_set(f"{place}/set/manifest.json", families.get("causallink"))[1]) == 7


def test_a_part_without_its_mark_is_made_again(place):
    from causarium.contract.places import Place

    whole = write(f"{place}/set").manifest
    folder = Place.parse(f"{place}/set")
    filesystem = folder._filesystem
    # As if it had been killed between the two PUTs of part 1.
    for name in ("part-000001.json", "manifest.json"):
        filesystem.rm_file(f"{folder._key}/{name}")
    again = write(f"{place}/set")
    assert again.made == (1,)
    assert again.manifest == whole


def test_a_bucket_that_is_not_there_is_an_error_and_is_not_made(store, place):
    from causarium.contract.places import Place
    from causarium.errors import BadFile

    with pytest.raises(BadFile, match="does not exist"):
        write("s3://no-such-bucket/set")
    assert not Place.parse("s3://no-such-bucket").exists()


def test_a_run_on_the_store_is_resumed_reported_and_scored(place, tmp_path):
    from causarium.api.evaluate import evaluate
    from causarium.api.read_run import rescore_runs
    from causarium.api.reporting import write_report
    from causarium.api.rows import read_rows
    from causarium.contract.places import Place

    asked = {"player": "exact", "set": "smoke", "limit": 3, "progress": False}
    run = evaluate("causallink", log_dir=f"{place}/logs", **asked)
    assert run.complete
    again = evaluate("causallink", log_dir=f"{place}/logs", **asked)
    assert [row.id for row in again.rows] == [row.id for row in run.rows]
    logs = Place.parse(f"{place}/logs").find_files(".eval")
    assert len(logs) == 1
    assert len(read_rows(f"{place}/logs")) == 3
    assert len(write_report(f"{place}/logs", out=tmp_path / "report").rows) > 3
    (scored,) = rescore_runs(f"{place}/logs")
    assert not scored.changed
    (log, _) = next(iter(logs.values()))
    assert len(read_rows(log.url)) == 3


def test_a_set_and_its_logs_on_the_store_are_verified_as_from_a_disk(place, tmp_path):
    from causarium.api.evaluate import evaluate
    from causarium.api.reporting import write_report
    from causarium.api.rows import rescore
    from causarium.api.verify import verify_logs

    rows = {}
    for where in (place, str(tmp_path / "disk")):
        write(f"{where}/set")
        asked = {"player": "exact", "file": f"{where}/set/manifest.json", "progress": False}
        assert evaluate("causallink", log_dir=f"{where}/logs", **asked).complete
        (run,) = verify_logs(f"{where}/logs")
        assert (run.verified, run.reasons, run.problems) == (7, {}, ())
        assert write_report(f"{where}/logs", out=tmp_path / "report").rows
        rows[where] = [row.model_dump_json(exclude={"usage"}) for row in rescore(f"{where}/logs")]
    assert rows[place] == rows[str(tmp_path / "disk")]


def test_a_cell_of_a_sweep_is_played_by_one_machine(place, tmp_path, monkeypatch):
    plan = tmp_path / "plan.toml"
    plan.write_text(
        f'log_dir = "{place}/sweep"\n[[agents]]\nplayer = "silent"\n'
        '[[sets]]\nfamilies = ["causallink"]\nset = "smoke"\nlimit = 2\n'
    )
    sweep = read_sweep(plan)
    claim = sweep.cells[0].folder / TAKEN
    # Containers may share a name; the folders of their copies part them.
    monkeypatch.setattr("socket.gethostname", lambda: "worker")

    def play_on(machine):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / machine))
        (end,) = run_sweep(sweep, say=lambda _: None)
        return end.run is not None and end.run.complete, end.why

    def lose_power(*_, **__):
        raise RunError("no power")

    with monkeypatch.context() as patch:
        patch.setattr("causarium.api.sweep.run_plan", lose_power)
        assert play_on("one") == (False, "failed: no power")
    complete, why = play_on("two")
    assert not complete
    assert re.search(rf"machine worker \(\w+\) took it; delete {re.escape(str(claim))}", why)
    assert play_on("one") == (True, "")
    # What a machine has finished is complete for all of them.
    assert play_on("two") == (True, "")


def test_a_sweep_on_the_store_ends_with_its_leaderboard(place, tmp_path):
    plan, out = tmp_path / "plan.toml", tmp_path / "out"
    plan.write_text(
        f'log_dir = "{place}/sweep"\n[[agents]]\nmodel = "script/silent"\n'
        '[[sets]]\nfamilies = ["causallink"]\nset = "smoke"\n'
    )
    done = CliRunner().invoke(app, ["sweep", str(plan), "--out", str(out)])
    assert done.exit_code == 0, done.stderr
    assert (out / "leaderboard" / "smoke" / "index.html").is_file()


def start(*words):
    """Start the command line in a process group of its own, which can be killed whole."""
    return subprocess.Popen(
        [sys.executable, "-c", "from causarium.cli import main; main()", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def kill(process):
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


@pytest.mark.long
def test_five_kills_of_generate_on_the_store_lose_at_most_a_part_a_worker(place, tmp_path):
    from causarium.contract.places import Place
    from causarium.contract.sets.part_files import list_parts
    from tests.support.object_store import run_causarium

    words = ("generate", "causalab", "--level", "rung-3", "--size", "60", "--rows", "4")
    folder = Place.parse(f"{place}/killed")
    for number in range(5):
        before = set(list_parts(folder))
        process = start(*words, "--jobs", "2", "--out", folder.url)
        said = process.stderr.readline()
        time.sleep(0.1 * number)
        kill(process)
        there = set(list_parts(folder))
        files = [name for name in folder.list_names() if name.endswith(".parquet")]
        # What counted, and what was said to be made, is there; one a worker may lack its mark.
        assert before <= there
        assert not said.startswith("part ") or int(said.split()[1].rstrip(":")) in there
        assert len(files) - len(there) <= 2
    done = run_causarium(*words, "--jobs", "2", "--out", folder.url)
    assert done.returncode == 0, done.stderr
    assert run_causarium(*words, "--out", str(tmp_path / "calm")).returncode == 0
    calm = {path.name: path.read_bytes() for path in (tmp_path / "calm").iterdir()}
    assert {name: (folder / name).read_bytes() for name in folder.list_names()} == calm


@pytest.mark.long
def test_five_kills_of_a_run_on_the_store_leave_the_rows_of_a_calm_one(place, tmp_path):
    from causarium.api.rows import read_rows
    from tests.support.object_store import run_causarium

    words = ("run", "causallink", "--player", "exact", "--set", "core", "--json", "--log-dir")
    for number in range(5):
        process = start(*words, f"{place}/logs")
        time.sleep(3 + number)
        kill(process)
    done = run_causarium(*words, f"{place}/logs")
    assert done.returncode == 0, done.stderr
    assert run_causarium(*words, str(tmp_path / "calm")).returncode == 0

    def rows(logs):
        return sorted(row.model_dump_json() for row in read_rows(logs))

    assert rows(f"{place}/logs") == rows(tmp_path / "calm")
    assert run_causarium("verify", f"{place}/logs").returncode == 0
