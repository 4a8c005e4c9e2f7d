"""What is refused before a run starts."""

from pathlib import Path

import pytest

from causarium.engine.run.run_plan import RunPlan, run_plan
from causarium.errors import UsageError


def test_a_stand_in_that_needs_a_network_is_refused_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiktoken = pytest.importorskip("tiktoken")

    def fail(name: str) -> None:
        raise ConnectionError(name)

    monkeypatch.setattr(tiktoken, "get_encoding", fail)
    plan = RunPlan(
        "causallink",
        *("causarium/causallink", "2-A", "certified", "sha256:0"),
        model="mockllm/model",
        log_dir=str(tmp_path),
    )
    with pytest.raises(UsageError, match="script/silent needs no network"):
        run_plan(plan)
    assert not list(tmp_path.iterdir())
