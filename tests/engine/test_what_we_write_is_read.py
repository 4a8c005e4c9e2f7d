"""No check on reading is stricter than what we write: every log that a run leaves is read."""

import itertools
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from causarium import families
from causarium.api.read_run import rescore_runs
from causarium.api.reporting import write_report
from causarium.api.verify import verify_logs
from causarium.contract.row import NOT_PLAYED
from causarium.engine.logbook.log_book import LogBook
from causarium.engine.play.bound_replies import (
    LEAST_REPLY,
    MOST_SAMPLE,
    bound_output,
    start_allowance,
)
from causarium.engine.record.episode_record import USAGE_LABEL
from tests.support.hostile_provider import hostile_model
from tests.support.inspect_runs import run_task, task_of

PLAYED = 3
MODEL = "mockllm/model"
PLAYED_BY = [("causallink", None), ("causallink", "tools"), ("recite", None), ("causalab", "tools")]


@pytest.mark.slow
@pytest.mark.parametrize(("family", "interface"), PLAYED_BY)
@settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32))
def test_whatever_a_provider_returns_the_log_is_read(
    family: str, interface: str | None, seed: int
) -> None:
    with TemporaryDirectory() as folder:
        task = task_of(families.get(family), interface=interface)
        # Where the provider raises, samples end in an error, and so does the run.
        eval(task, hostile_model(seed), log_dir=folder, limit=PLAYED, display="none")
        book = LogBook.read([Path(folder)])
        assert book.problems == ()
        assert len(book.rows) == PLAYED
        (run,) = verify_logs(folder)
        assert run.reasons.keys() <= {NOT_PLAYED}
        assert run.verified + sum(run.reasons.values()) == PLAYED
        assert not any(changed.changed for changed in rescore_runs(folder))
        report = write_report(folder, out=None)
        assert sum(row.agent == MODEL for row in report.rows) == PLAYED


def test_a_run_whose_provider_cannot_count_is_scored_and_told(tmp_path: Path) -> None:
    odd = ModelUsage(input_tokens=-8, output_tokens=1, total_tokens=1, input_tokens_cache_read=9)
    plain = ModelUsage(input_tokens=9, output_tokens=1, total_tokens=10)
    calls = itertools.count()

    def output(*_: object) -> ModelOutput:
        said = ModelOutput.from_content("m", "no reply that means anything")
        said.usage = plain if next(calls) % 3 else odd
        return said

    model = get_model(MODEL, custom_outputs=output, memoize=False)
    run_task(task_of(families.get("causallink")), tmp_path, model, limit=PLAYED)
    book = LogBook.read([tmp_path])
    assert book.problems == ()
    odd_rows = [row for row in book.rows if row.labels.get(USAGE_LABEL) == "cannot be"]
    assert odd_rows == [row for row in book.rows if row.usage is None] != []
    assert all(row.unscored is None for row in book.rows)
    (run,) = verify_logs(tmp_path)
    assert run.is_verified
    assert f"{len(odd_rows)} samples have no tokens or costs" in run.notes[0]


def test_large_replies_in_every_turn_leave_a_log_that_is_read(tmp_path: Path) -> None:
    said = "\0" * 5_000_000
    model = get_model(MODEL, custom_outputs=lambda *_: large_output(said), memoize=False)
    run_task(task_of(families.get("causalab")), tmp_path, model, limit=1)
    book = LogBook.read([tmp_path])
    assert book.problems == ()
    (sample,) = book.samples
    ends = {reply.text[250_000:] for reply in sample.transcript.replies}
    assert ends == {"\n[This reply was cut here; it had 5,000,000 characters.]"}
    (run,) = verify_logs(tmp_path)
    assert run.is_verified


def large_output(said: str) -> ModelOutput:
    output = ModelOutput.from_content("m", said)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return output


def test_the_replies_of_one_sample_are_bounded_together() -> None:
    start_allowance()
    kept = [bound_output(large_output("\0" * 300_000)) for _ in range(40)]
    sizes = [6 * len(output.completion) for output in kept]
    assert sizes[0] > LEAST_REPLY > sizes[-1] / 1.1
    assert sum(sizes) < 1.1 * MOST_SAMPLE
    start_allowance()
    assert 6 * len(bound_output(large_output("\0" * 300_000)).completion) == sizes[0]


@given(said=st.text(max_size=300), seed=st.integers(0, 2**32))
def test_what_is_small_is_kept_as_it_is(said: str, seed: int) -> None:
    output = ModelOutput.for_tool_call("m", "act", {"a": [said, seed]}, content=said)
    assert bound_output(output) == output
