"""The command line as a stranger types it: every verb, and what it says to mistakes."""

import json
from pathlib import Path

import pytest
from inspect_ai.model import ModelAPI, ModelOutput, modelapi

from causarium.contract.texts.prompt_texts import split_parts
from causarium.families import get
from tests.support.extras import needs_openai
from tests.support.typed import Command


def test_list_says_what_there_is_in_the_promised_form(causarium: Command) -> None:
    done = causarium("list", "--json")
    assert done.returncode == 0, done.stderr
    (link, *_) = json.loads(done.stdout)["families"]
    assert link["name"] == "causallink"
    assert {"version", "editions", "levels", "sets", "players"} <= link.keys()
    assert {"smoke", "standard", "paper"} <= set(link["sets"])
    assert link["digests"]["certified"]["standard"]["size"] == 96
    assert {"oracle", "random", "silent"} <= set(link["players"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "causalink", "--player", "exact"], "did you mean 'causallink'"),
        (["run", "causallink", "--player", "exakt"], "did you mean 'exact'"),
        (["run", "causallink", "--player", "exact", "--set", "smok"], "did you mean 'smoke'"),
        (["run", "causallink", "--player", "exact", "--edition", "papr"], "did you mean 'paper'"),
        (["run", "causallink", "--model", "opnai/gpt-5"], "did you mean 'openai'"),
        (["run", "causallink", "--model", "gpt-5"], "provider/model"),
        (["run", "causallink"], "--model PROVIDER/MODEL or --player NAME"),
        (["run", "causallink", "--player", "random", "--rule", "interfase=x"], "'interface'"),
        (["run", "causallink", "--player", "random", "--rule", "strategy"], "NAME=VALUE"),
        (["run", "causallink", "--player", "random", "--", "--log-dir", "x"], "before any --"),
        (["run", "causallink", "--model", "none/none"], "--player"),
        (["run", "causallink", "--plyer", "exact"], "--player"),
        (["runn", "causallink"], "run"),
        (["show", "causallink", "nothing"], "a number from 0 to"),
        (["generate", "causallink", "--level", "rong-2", "--size", "3", "--out", "x"], "'rung-2'"),
        (["generate", "causallink", "--level", "rung-2", "--size", "0", "--out", "x"], "--size"),
        (["score", "no-such-log"], "there is no file or folder no-such-log"),
        (["report", "no-such-log"], "there is no file or folder no-such-log"),
        (["report", __file__], "logs are .eval files"),
        (["submit", __file__], "logs are .eval files"),
        (["paper"], "Missing argument 'LOGDIR...'"),
        (["leaderboard", "no-such-folder", "--out", "x"], "there is no file or folder"),
        (["run", "causallink", "--player", "silent", "--file", __file__], "header of a set file"),
        (["published", "causallink", "--table", "Table 44"], "did you mean 'Table 4'"),
    ],
)
def test_a_mistake_exits_2_and_says_what_would_work(
    words: list[str], said: str, causarium: Command, tmp_path: Path
) -> None:
    done = causarium(*words)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_generate_writes_a_set_that_certify_proves(causarium: Command, tmp_path: Path) -> None:
    file = tmp_path / "core.jsonl"
    drawn = causarium(
        "generate", "causallink", "--level", "rung-3", "--size", "6", "--out", str(file)
    )
    assert drawn.returncode == 0, drawn.stderr
    proven = causarium("certify", "causallink", "--file", str(file), "--json")
    assert proven.returncode == 0, proven.stderr
    lines = [json.loads(line) for line in proven.stdout.splitlines()]
    assert len(lines) == 6
    for line in lines:
        assert {"id", "certified", "optimum", "floor", "ceiling", "proofs"} <= line.keys()
        assert line["certified"] is True
        assert (line["floor"], line["ceiling"]) == (0, 1)


def test_a_changed_set_file_is_refused_by_its_digest(causarium: Command, tmp_path: Path) -> None:
    file = tmp_path / "core.jsonl"
    causarium("generate", "causallink", "--level", "rung-3", "--size", "3", "--out", str(file))
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('"truth":true', '"truth":false', 1), encoding="utf-8")
    if text == file.read_text(encoding="utf-8"):
        file.write_text(text.replace('"truth":false', '"truth":true', 1), encoding="utf-8")
    done = causarium("certify", "causallink", "--file", str(file))
    assert done.returncode == 2
    assert "digest" in done.stderr
    assert "draw it again" in done.stderr


def test_run_score_and_report_from_end_to_end(causarium: Command, tmp_path: Path) -> None:
    words = ["run", "causallink", "--player", "exact", "--set", "smoke", "--json"]
    ran = causarium(*words)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert {*found} == {
        *("family", "edition", "set", "agent", "reach", "n", "unscored", "metrics", "log")
    }
    assert (found["n"], found["unscored"]) == (6, 0)
    assert found["metrics"]["score"]["value"] == 1

    again = causarium(*words)
    assert json.loads(again.stdout) == found

    scored = causarium("score", found["log"], "--json")
    assert scored.returncode == 0, scored.stderr
    checked = {"verified": 6, "not_verified": {}, "problems": []}
    assert json.loads(scored.stdout) == {**found, "changed": [], **checked}

    written = causarium("report", "logs", "--out", "out")
    assert written.returncode == 0, written.stderr
    assert "player/exact" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_a_truncated_log_is_named_with_what_to_do(causarium: Command, tmp_path: Path) -> None:
    words = ["run", "causallink", "--player", "silent", "--set", "smoke", "--limit", "2", "--json"]
    log = Path(json.loads(causarium(*words).stdout)["log"])
    whole = (tmp_path / log).read_bytes()
    (tmp_path / "cut.eval").write_bytes(whole[: len(whole) // 2])
    done = causarium("score", "cut.eval")
    assert done.returncode == 2
    assert "cut.eval cannot be read as a log" in done.stderr
    assert "run it again to resume" in done.stderr


@needs_openai
def test_a_missing_key_is_asked_for_and_nothing_is_left_behind(
    causarium: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    words = ["run", "causallink", "--model", "openai/gpt-5", "--set", "smoke"]
    done = causarium(*words)
    assert done.returncode == 2
    assert "OPENAI_API_KEY" in done.stderr
    assert not list(tmp_path.rglob("*.eval"))


def test_a_released_file_is_played_as_the_paper_edition(causarium: Command, tmp_path: Path) -> None:
    words = ["generate", "causalab", "--level", "paper-linear-4", "--size", "3", "--released"]
    assert causarium(*words, "--out", "suite.jsonl").returncode == 0
    words = ["run", "causalab", "--player", "oracle", "--file", "suite.jsonl", "--json"]
    wrong = causarium(*words)
    assert wrong.returncode == 2
    assert "run it with edition=paper" in " ".join(wrong.stderr.split())
    done = causarium(*words, "--edition", "paper")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["n"] == 3
    (tmp_path / "suite.jsonl").write_text('{"graph_id": 7}\n', encoding="utf-8")
    broken = causarium(*words, "--edition", "paper")
    assert broken.returncode == 2
    assert "line 1" in broken.stderr


def test_a_family_without_a_released_format_says_so(causarium: Command) -> None:
    words = ["generate", "causallink", "--level", "rung-2", "--size", "3", "--released"]
    done = causarium(*words, "--out", "x.jsonl")
    assert done.returncode == 2
    assert "no released format" in done.stderr


def test_prompts_of_ones_own_are_played_and_not_needed_to_score_again(
    causarium: Command, tmp_path: Path
) -> None:
    words = ["run", "causallink", "--player", "exact", "--set", "smoke", "--limit", "2", "--json"]
    words += ["--rule", "prompts=mine"]
    (tmp_path / "mine").mkdir()
    missing = causarium(*words)
    assert missing.returncode == 2
    assert "lacks" in missing.stderr
    for path in (get("causallink").folder / "certified" / "prompts").iterdir():
        for name, text in split_parts("", path.read_text(encoding="utf-8")).items():
            mine = tmp_path / "mine" / f"{name}.md"
            mine.write_text(f"Mine. {text.template}", encoding="utf-8")
    first = json.loads(causarium(*words).stdout)
    again = json.loads(causarium(*words).stdout)
    assert again["log"] == first["log"]
    changed = tmp_path / "mine" / "rules.md"
    changed.write_text(f"New. {changed.read_text()}", encoding="utf-8")
    other = json.loads(causarium(*words).stdout)
    assert other["log"] != first["log"]
    for path in (tmp_path / "mine").iterdir():
        path.unlink()
    scored = json.loads(causarium("score", first["log"], "--json").stdout)
    assert scored["changed"] == []
    assert causarium("report", "logs", "--out", "out").returncode == 0


@modelapi(name="failing")
class FailingProvider(ModelAPI):
    """A provider that is down."""

    async def generate(self, *arguments: object, **named: object) -> ModelOutput:
        raise ConnectionError("nobody answers")


def test_a_failing_provider_leaves_an_incomplete_run_and_says_so(causarium: Command) -> None:
    words = ["run", "causallink", "--model", "failing/model", "--set", "smoke", "--limit", "2"]
    done = causarium(*words, "--json")
    assert done.returncode == 3
    assert json.loads(done.stdout)["unscored"] == 2
    assert "Incomplete: 2 unscored, 0 not run, of 2" in done.stderr


def test_a_table_is_found_without_its_family(causarium: Command) -> None:
    done = causarium("published", "--table", "Table 8")
    assert done.returncode == 0
    assert "causalab, Table 8" in done.stdout


def test_a_report_of_nothing_readable_is_refused(causarium: Command, tmp_path: Path) -> None:
    (tmp_path / "broken.eval").write_text("no log")
    done = causarium("report", "broken.eval", "--out", "out")
    assert done.returncode == 2
    assert "No readable logs" in done.stderr
    assert not (tmp_path / "out").exists()


def test_an_incomplete_run_is_named_in_the_report(causarium: Command, tmp_path: Path) -> None:
    words = ["run", "causallink", "--model", "failing/model", "--set", "smoke", "--limit", "1"]
    causarium(*words)
    assert causarium("report", "logs", "--out", "out", "--format", "md").returncode == 0
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "is incomplete (error)" in text


def test_what_the_released_format_cannot_hold_is_refused(
    causarium: Command, tmp_path: Path
) -> None:
    words = ["--size", "1", "--released", "--out", "x.jsonl"]
    done = causarium("generate", "causalab", "--level", "rung-2", *words)
    assert done.returncode == 2
    assert "has no released format" in done.stderr
    assert not (tmp_path / "x.jsonl").exists()
