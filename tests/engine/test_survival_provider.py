"""A provider that fails: it recovers, or the sample is left incomplete and tried again later."""

import json
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log

from causarium.engine.run.options import RETRIES, read_options
from causarium.engine.run.run_plan import RunPlan
from tests.engine.test_survival import SIZE, begin, run_folder, uuids
from tests.support.bad_provider import kinds, provider
from tests.support.extras import needs_openai
from tests.support.logs import find_logs

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("survival")]
SILENCE_S = 8


@needs_openai
@pytest.mark.long
def test_failures_that_pass_are_waited_out(tmp_path: Path) -> None:
    scripts = [
        ["429"],
        ["429 in 1"],
        ["500"],
        ["garbage"],
        ["page"],
        ["other"],
        ["half"],
        ["hangup"],
        ["silence"],
        ["503", "half", "page"],
    ]
    with provider(faults=kinds(*scripts)) as asked:
        run = begin(tmp_path, asked, "--attempt-timeout", str(SILENCE_S))
        assert run.wait() == 0, run.err
    assert json.loads(run.out)["n"] == SIZE
    assert {"ok", *(kind for script in scripts for kind in script)} == asked.given.keys()
    assert asked.given["ok"] >= SIZE
    assert not any(asked.faults.values())
    log = read_eval_log(str(find_logs([tmp_path])[-1]))
    assert log.plan.config.max_retries == RETRIES["max_retries"]
    assert log.plan.config.attempt_timeout == SILENCE_S


@needs_openai
@pytest.mark.long
def test_failures_that_persist_leave_their_samples_incomplete(tmp_path: Path) -> None:
    lasting = ["429", "429 in 0", "500", "half"]
    with provider(faults=kinds(*([kind] * 1000 for kind in lasting))) as asked:
        run = begin(tmp_path, asked, "--max-retries", "0", "--retry-on-error=0")
        assert run.wait() == 3, run.err
        assert f"Incomplete: 4 unscored, 0 not run, of {SIZE}" in run.err
        assert "Run the same command to retry" in run.err
        assert "Traceback" not in run.err
        before, good = uuids(tmp_path), asked.given["ok"]
        assert len(before) == SIZE - len(lasting)
        asked.faults.clear()
        # How patient a run is makes it no other run.
        again = begin(tmp_path, asked)
        assert again.wait() == 0, again.err
    assert before < uuids(tmp_path)
    assert len(uuids(tmp_path)) == SIZE
    assert len(lasting) <= asked.given["ok"] - good <= len(lasting) * 3
    assert len(list(run_folder(tmp_path).glob("*.eval"))) == 1


@needs_openai
def test_silence_that_persists_leaves_its_sample_incomplete(tmp_path: Path) -> None:
    options = ("--max-retries", "0", "--retry-on-error=0", "--limit", "1")
    with provider(always="silence") as asked:
        run = begin(tmp_path, asked, *options, "--attempt-timeout", "1")
        assert run.wait() == 3, run.err
        assert "Incomplete: 1 unscored, 0 not run, of 1" in run.err
        asked.always = "ok"
        again = begin(tmp_path, asked, *options)
        assert again.wait() == 0, again.err


@needs_openai
def test_a_provider_that_is_not_there_leaves_everything_incomplete(tmp_path: Path) -> None:
    with provider() as asked:
        pass
    run = begin(tmp_path, asked, "--max-retries", "0", "--retry-on-error=0", "--limit", "2")
    assert run.wait() == 3, run.err
    assert "Incomplete: 2 unscored, 0 not run, of 2" in run.err
    assert "Traceback" not in run.err


def test_a_run_is_patient_unless_told_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in RETRIES:
        monkeypatch.delenv(f"INSPECT_EVAL_{name.upper()}", raising=False)

    def patience(**given: object) -> list[int]:
        arguments = read_options(given).arguments()
        return [arguments[name] for name in ("max_retries", "timeout", "attempt_timeout")]

    assert patience() == [6, 3600, 1200]
    assert patience(max_retries=3, timeout="5") == [3, 5, 1200]
    monkeypatch.setenv("INSPECT_EVAL_TIMEOUT", "7")
    assert patience() == [6, 7, 1200]
    settings = tmp_path / "settings.yaml"
    settings.write_text("max_retries: 1\nattempt_timeout: 9\n")
    assert patience(generate_config=str(settings)) == [1, 7, 9]


def test_patience_makes_no_other_run() -> None:
    def folder(**options: object) -> str:
        return RunPlan(
            "causallink",
            *("causarium/causallink", "1", "certified", "a"),
            model="a/b",
            options=read_options(options),
        ).name

    paced = folder(max_retries=9, timeout=3, attempt_timeout=1)
    assert folder() == paced == folder(max_connections=3, retry_on_error=5)
    assert folder() != folder(temperature=0.5)
