"""Sweeps: bad plans are refused with their line, good ones are ordinary runs that resume."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import causarium as cm
from causarium.api.scale.workers import Workers
from causarium.api.sweep import find_line, read_sweep, run_sweep
from causarium.cli import app
from causarium.contract.shard import Shard
from causarium.engine.run.run_folder import RunTaken
from causarium.engine.run.run_plan import RunPlan, run_plan
from causarium.errors import BadFile, UsageError

GOOD = """\
log_dir = "{folder}/logs"

[[agents]]
player = "silent"

[[agents]]
player = "oracle"

[[sets]]
families = ["causallink"]
set = "smoke"
limit = 2
"""


def write_plan(folder: Path, text: str = GOOD) -> Path:
    path = folder / "plan.toml"
    path.write_text(text.replace("{folder}", str(folder)))
    return path


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('player = "silent"', 'player = "silnt"'), r"plan.toml:4: .*silnt"),
        (('player = "oracle"', 'model = "opnai/x"'), r"plan.toml:7: .*opnai"),
        (('"causallink"', '"causalink"'), r"plan.toml:10: .*causalink"),
        (('set = "smoke"', 'set = "smok"'), r"plan.toml:11: .*smok"),
        (("limit = 2", 'limit = "two"'), r"plan.toml:12: sets.0.limit"),
        (("limit = 2", "limt = 2"), r"plan.toml:12: sets.0.limt: there is no such key$"),
        (("limit = 2", "# limt\nlimt = 2"), r"plan.toml:13: sets.0.limt"),
        (
            ("limit = 2", 'limit = 2\n[[sets]]\nfamilies = ["causalink"]'),
            r"plan.toml:14: .*'causalink'",
        ),
        (
            ('player = "oracle"', 'model = "script/no.jsonl"'),
            r"plan.toml:7: script/no.jsonl cannot",
        ),
        (('"oracle"', '"oracle"\noptions = {max_samples = 0}'), r"plan.toml:8: --max-samples must"),
        (('player = "oracle"', 'player = "silent"'), "two cells are the same run"),
        (("[[sets]]", "[[sets]"), r"plan.toml:9: .*line 9"),
        (
            ("limit = 2", 'rules = { recheck = "perhaps" }'),
            r"plan.toml:12: .*recheck: Input should be a valid boolean",
        ),
        (
            ('player = "oracle"', 'model = "script/echo"\nagent = "no.py@x"'),
            r"plan.toml:8: there is no file .*no.py",
        ),
        (("limit = 2", 'file = "no.jsonl"'), r"plan.toml:12: .*no.jsonl"),
        (
            ('families = ["causallink"]', ""),
            r"plan.toml:9: sets.0.families: there is none; name one at least$",
        ),
        (("log_dir", "\nbudget = 0\nlog_dir"), r"plan.toml:2: budget"),
        (("log_dir", "budget = true\nlog_dir"), r"plan.toml:1: budget"),
        (("log_dir", "breaker = -1\nlog_dir"), r"plan.toml:1: breaker"),
        (('"{folder}/logs"', '"a\\u0000b"'), r"plan.toml:1: log_dir"),
        (('player = "oracle"', 'model = "recorded:a\\u0000b"'), r"plan.toml:7: agents.1.model"),
        (('player = "oracle"', 'agent = "a\\u0000b.py@x"'), r"plan.toml:7: agents.1.agent"),
        (("limit = 2", "epochs = 99999999999"), r"plan.toml:12: sets.0.epochs"),
        (('"{folder}/logs"', '"nope://x"'), r"plan.toml:1: unknown scheme"),
        (('"{folder}/logs"', '""'), r"plan.toml:1: log_dir"),
        (('["causallink"]', "[]"), r"plan.toml:10: sets.0.families: there is none; name one"),
        (('["causallink"]', '"causallink"'), r"plan.toml:10: .* a list, as in \['causallink'\]$"),
        (("[[sets]]", "[sets]"), r"plan.toml:9: sets: write \[\[sets\]\] above each of them$"),
        (("limit = 2", f"limit = {'9' * 5000}"), r"plan.toml: .*4300 digits"),
        (("limit = 2", f"limit = {'[' * 5000}"), r"plan.toml: it is nested too deep"),
        (("limit = 2", "limit = 0"), r"plan.toml:12: sets.0.limit"),
        (("limit = 2", "epochs = -1"), r"plan.toml:12: sets.0.epochs"),
        (('"oracle"', '"oracle"\noptions = {epochs = 0}'), r"plan.toml:8: --epochs"),
        (('"oracle"', '"oracle"\noptions = {temprature = 1}'), r"plan.toml:8: unknown option"),
        (('"oracle"', '"oracle"\noptions = {model_roles = 1}'), r"plan.toml:8: --model-role"),
        (
            ('[[sets]]\nfamilies = ["causallink"]', '[[ sets ]]\nfamilies = ["x"]'),
            r"toml:10: .*'x'",
        ),
    ],
)
def test_a_bad_plan_is_refused_with_its_line(
    change: tuple[str, str], said: str, tmp_path: Path
) -> None:
    plan = write_plan(tmp_path, GOOD.replace(*change))
    with pytest.raises((BadFile, UsageError), match=said):
        read_sweep(plan)
    assert [path.name for path in tmp_path.iterdir()] == ["plan.toml"]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (b"", "plan.toml:1: agents: there is none; write [[agents]] and below it what it is"),
        (b"# one\n# caf\xe9", "plan.toml:2: it is not UTF-8; save it with that encoding"),
    ],
)
def test_what_is_no_plan_at_all_is_refused(written: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_bytes(written)
    with pytest.raises(BadFile, match=re.escape(said)):
        read_sweep(tmp_path / "plan.toml")


def test_a_value_as_long_as_a_book_is_not_printed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"plan.toml:4: unknown .*players: always_no") as wrong:
        read_sweep(write_plan(tmp_path, GOOD.replace("silent", "s" * 1_000_000)))
    assert len(str(wrong.value)) < 1_000 + len(str(tmp_path))


def test_a_plan_may_begin_with_a_mark_of_utf_8(tmp_path: Path) -> None:
    plan = write_plan(tmp_path)
    plan.write_bytes(b"\xef\xbb\xbf" + plan.read_bytes())
    assert len(read_sweep(plan).cells) == 2


def test_a_set_file_of_ones_own_is_played_under_its_name(tmp_path: Path) -> None:
    mine = tmp_path / "mine.jsonl"
    cm.load("causallink").write_set(mine, "rung-3", size=3, seed=5)
    (first, _) = run_sweep(
        read_sweep(write_plan(tmp_path, GOOD.replace('set = "smoke"', f'file = "{mine}"'))),
        say=(said := []).append,
    )
    assert first.run is not None
    assert len(first.run.rows) == 2
    assert said[0] == "[1/2] causallink, mine, player/silent: complete"


PAID = """\
log_dir = "{folder}/logs"
budget = 0.0001

[[agents]]
model = "script/silent"
price = "1,1"
options = { max_samples = 1 }

[[sets]]
families = ["causallink", "replayscm"]
set = "smoke"
limit = 2
"""


def test_a_cell_says_that_the_budget_ran_out_in_it(tmp_path: Path) -> None:
    wordy = tmp_path / "wordy.jsonl"
    wordy.write_text(json.dumps("word " * 9000))
    text = PAID.replace("0.0001", "0.004").replace("script/silent", f"script/{wordy}")
    first, second = run_sweep(read_sweep(write_plan(tmp_path, text)), say=lambda _: None)
    assert "Incomplete" in first.why
    assert "The budget of $0.004 is spent" in first.why
    assert "--budget" not in first.why
    assert second.why.startswith("not started: The budget of $0.004 is spent")


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_a_budget_that_cannot_hold_the_plan_is_refused_with_its_line(
    more: list[str], tmp_path: Path
) -> None:
    done = CliRunner().invoke(app, ["sweep", str(write_plan(tmp_path, PAID)), *more])
    said = (
        r"plan.toml:2: the budget of \$0.0001 cannot hold this plan, which takes \$0.00\d+ at least"
    )
    assert re.search(said, str(done.exception))
    assert [path.name for path in tmp_path.iterdir()] == ["plan.toml"]


AGAIN = """\
[[agents]]
model = "script/silent"
price = "1,1"
rules = { constrained = true }

[[sets]]"""


def test_a_model_may_be_named_twice_at_one_price(tmp_path: Path) -> None:
    assert len(read_sweep(write_plan(tmp_path, PAID.replace("[[sets]]", AGAIN))).cells) == 4


def test_a_model_with_two_prices_is_refused_with_the_second_line(tmp_path: Path) -> None:
    plan = write_plan(tmp_path, PAID.replace("[[sets]]", AGAIN.replace("1,1", "1,2")))
    with pytest.raises(UsageError, match=r"plan.toml:11: script/silent has another price above"):
        read_sweep(plan)


@pytest.mark.parametrize("more", [["--shard", "1/2"], ["--shard", "1/2", "--dry-run"]])
def test_one_process_keeps_a_budget(more: list[str], tmp_path: Path) -> None:
    plan = write_plan(tmp_path, PAID)
    done = CliRunner().invoke(app, ["sweep", str(plan), *more])
    assert isinstance(done.exception, UsageError)
    assert "a budget needs a single process" in str(done.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["plan.toml"]


def test_a_cell_that_fails_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(cell: RunPlan, **_: object) -> str:
        raise {"player/silent": KeyError("slip"), "player/oracle": RunTaken("at it")}[cell.who]

    monkeypatch.setattr("causarium.api.sweep.run_plan", play)
    ends = run_sweep(read_sweep(write_plan(tmp_path)), say=lambda _: None)
    assert [end.why for end in ends] == ["failed: KeyError: 'slip'", "left: at it"]
    done = CliRunner().invoke(app, ["sweep", str(write_plan(tmp_path))])
    assert done.exit_code == 3
    assert done.stderr.endswith("2 of 2 cells are not complete, for the reasons above\n")


def test_ctrl_c_says_how_to_resume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("causarium.api.sweep.run_plan", stop)
    done = CliRunner().invoke(app, ["sweep", str(write_plan(tmp_path))])
    assert done.exit_code == 130
    assert "run the same command to resume" in done.stderr


def test_all_families_have_one_name(tmp_path: Path) -> None:
    planned = read_sweep(write_plan(tmp_path, GOOD.replace('["causallink"]', '["all"]')))
    assert {cell.family for cell in planned.cells} == set(cm.list_families())


def test_shards_deal_every_cell_once(tmp_path: Path) -> None:
    sweep = read_sweep(write_plan(tmp_path))
    dealt = [cell.name for k in (1, 2) for cell in sweep.deal(Shard.parse(f"{k}/2"))]
    assert sorted(dealt) == sorted(cell.name for cell in sweep.cells)
    with pytest.raises(UsageError, match="the share 3/3 has no cell: the plan has 2"):
        sweep.deal(Shard.parse("3/3"))


def test_a_dry_run_is_of_the_share_and_names_agents(tmp_path: Path) -> None:
    words = ["sweep", str(write_plan(tmp_path)), "--dry-run"]
    whole = CliRunner().invoke(app, words).stdout
    assert [line.split()[2] for line in whole.splitlines()[1:3]] == [
        "player/silent",
        "player/oracle",
    ]
    share = CliRunner().invoke(app, [*words, "--shard", "2/2", "--json"])
    assert [run["agent"] for run in json.loads(share.stdout)["runs"]] == ["player/oracle"]
    assert "K from 1 to N" in str(CliRunner().invoke(app, [*words, "--shard", "9/2"]).exception)


def test_cells_side_by_side_are_the_runs_that_one_process_finds_again(tmp_path: Path) -> None:
    sweep = read_sweep(write_plan(tmp_path))
    ends = run_sweep(sweep, workers=Workers(2), say=(said := []).append)
    assert [end.why for end in ends] == ["", ""]
    assert sorted(said) == [
        "[1/2] causallink, smoke, player/silent: complete",
        "[2/2] causallink, smoke, player/oracle: complete",
    ]
    logs = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.eval")}
    assert len(logs) == 2
    run_sweep(sweep, say=said.append)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.eval")} == logs


@pytest.mark.parametrize("jobs", [1, 2])
def test_one_breaker_holds_for_all_cells_that_call_a_model(jobs: int, tmp_path: Path) -> None:
    (tmp_path / "down.jsonl").write_text('{"fail": "the server is down"}')
    down = f'model = "script/{tmp_path}/down.jsonl"\noptions = {{ max_retries = 0 }}'
    text = GOOD.replace('player = "silent"', down).replace("log_dir", "breaker = 1\nlog_dir")
    others = "".join(f"{down[:-2]}, temperature = {n} }}\n[[agents]]\n" for n in range(5))
    text = text.replace('player = "oracle"', others + 'player = "oracle"')
    sweep = read_sweep(write_plan(tmp_path, text))
    ends = run_sweep(sweep, workers=Workers(jobs), say=lambda _: None)
    assert "1 times in a row (last: ProviderDown: the server is down)" in ends[0].why
    assert [end.why.startswith("not started: The provider failed") for end in ends[:6]] == [
        number >= jobs for number in range(6)
    ]
    assert ends[6].why == ""


def test_nothing_is_begun_for_finished_cells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = read_sweep(write_plan(tmp_path))
    run_sweep(sweep, say=lambda _: None)
    log = next(tmp_path.rglob("*silent*/*.eval"))
    log.write_bytes(log.read_bytes()[:-100])
    played = []

    def play(plan: RunPlan, **given: Any) -> str:
        played.append(plan.player)
        return run_plan(plan, **given)

    monkeypatch.setattr("causarium.api.sweep.run_plan", play)
    assert all(end.run and end.run.complete for end in run_sweep(sweep, say=lambda _: None))
    assert played == ["silent"], "a damaged log is mended, a whole one is left alone"


def test_a_report_that_cannot_be_written_is_said_before_anything_runs(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    words = ["sweep", str(write_plan(tmp_path)), "--out", str(tmp_path / "file" / "out")]
    assert "cannot write to" in str(CliRunner().invoke(app, words).exception)
    assert not (tmp_path / "logs").exists()


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_last_share_reports_all_of_them(tmp_path: Path, jobs: str) -> None:
    text = GOOD.replace('player = "oracle"', 'model = "script/echo"')
    plan = write_plan(tmp_path, text.replace('player = "silent"', 'model = "script/silent"'))
    words = ["sweep", str(plan), "--out", str(tmp_path / "out"), "--jobs", jobs, "--shard"]
    for share in ("1/2", "2/2"):
        assert CliRunner().invoke(app, [*words, share]).exit_code == 0
    (section,) = json.loads((tmp_path / "out" / "report.json").read_text())["sections"]
    assert {"script/silent", "script/echo"} <= {one["agent"] for one in section["agents"]}


def test_a_sweep_runs_its_cells_and_finds_them_again(tmp_path: Path) -> None:
    sweep, said = read_sweep(write_plan(tmp_path)), []
    first = run_sweep(sweep, say=said.append)
    assert [end.why for end in first] == ["", ""]
    assert said[-1] == "[2/2] causallink, smoke, player/oracle: complete"
    logs = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.eval")}
    run_sweep(sweep, say=said.append)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.eval")} == logs


def test_a_dry_run_says_what_it_would_take(tmp_path: Path) -> None:
    plan = write_plan(tmp_path, GOOD.replace('player = "oracle"', 'model = "script/silent"'))
    done = CliRunner().invoke(app, ["sweep", str(plan), "--dry-run", "--json"])
    assert done.exit_code == 0
    told = json.loads(done.stdout)
    assert len(told["runs"]) == 2
    assert 0 < told["total"]["seconds"][0] < told["total"]["seconds"][1]
    said = CliRunner().invoke(app, ["sweep", str(plan), "--dry-run"]).stderr
    assert re.search(r"Tokens in all: .* in, .* out. Time, roughly: 0:00:0\d to 0:0", said)
    assert not (tmp_path / "logs").exists()


def test_a_line_is_found_in_its_own_table() -> None:
    text = "[[sets]]\nset = 1\n[[sets]]\n\nset = 2"
    assert find_line(text, ["set"], ("sets", 1)) == 5
    assert find_line(text, ["limit"], ("sets", 1)) == 3


def test_a_sweep_ends_with_report_and_leaderboard(tmp_path: Path) -> None:
    models = "".join(
        f'[[agents]]\nmodel = "script/silent"\noptions = {{ temperature = {t} }}\n' for t in (0, 1)
    )
    text = GOOD.replace('[[agents]]\nplayer = "oracle"\n', models).replace("limit = 2\n", "")
    out = tmp_path / "out"
    words = ["sweep", str(write_plan(tmp_path, text)), "--out", str(out), "--json"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.stderr
    assert all(cell["complete"] for cell in json.loads(done.stdout))
    assert (out / "report.html").is_file()
    board = json.loads((out / "leaderboard" / "smoke" / "leaderboard.json").read_text())
    names = [entry["facts"]["name"] for entry in board["entries"]]
    assert names == ["script/silent (temperature=0.0)", "script/silent (temperature=1.0)"]
    assert all(f"left out: {said}" in done.stderr for said in board["left_out"])
