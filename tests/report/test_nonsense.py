"""A model that answers nonsense is told that its form failed, in every family, and nothing else."""

from pathlib import Path

import pytest
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from causarium import families
from causarium.engine.logbook.log_book import LogBook
from causarium.report.data.build_report import build_report
from causarium.report.data.outcomes import find_outcome
from tests.support.inspect_runs import run_task, task_of

NONSENSE = {
    "braces": ("{}", "stop"),
    "prose": ("I would rather think about this for a while.", "stop"),
    "two objects": ('{"colour": "red"} and then {"colour": "blue"}', "stop"),
    "nothing": ("", "stop"),
    "cut": ('{"action": "answer", "answers": "one, tw', "max_tokens"),
}


@pytest.mark.parametrize("said", NONSENSE)
def test_nonsense_fails_on_format(said: str, tmp_path: Path) -> None:
    text, stop = NONSENSE[said]

    def answer(*_: object) -> ModelOutput:
        output = ModelOutput.from_content("mockllm/model", text, stop_reason=stop)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    for name in families.FAMILIES:
        model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
        run_task(task_of(families.get(name)), tmp_path / name, model, limit=4)
    book = LogBook.read([tmp_path])
    outcomes = [find_outcome(row) for row in book.rows]
    failed = [one for one in outcomes if one.ending in {"malformed", "limit"}]
    assert len(failed) >= 0.95 * len(outcomes), outcomes
    summary = build_report(book.rows, cards=book.run_cards).summary
    form = "cut short" if said == "cut" else "failed on format"
    assert summary.title.startswith(f"mockllm/model: {form}, ")
    assert "No sign of skill" not in summary.line
    wanted = "--max-tokens" if said == "cut" else "--rule constrained=true"
    assert wanted in summary.next
