"""What is refused before a run starts."""

from pathlib import Path

import pytest

from causarium.engine.run.start_run import RunSpec, run
from causarium.errors import UsageError


def test_a_stand_in_that_needs_a_network_is_refused_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiktoken = pytest.importorskip("tiktoken")

    def fail(name: str) -> None:
        raise ConnectionError(name)

    monkeypatch.setattr(tiktoken, "get_encoding", fail)
    arguments = {"edition": "certified", "set": "smoke"}
    spec = RunSpec("causarium/causallink", "2-A", "sha256:0", arguments, model="mockllm/model")
    with pytest.raises(UsageError, match="script/silent needs no network"):
        run(spec, tmp_path)
    assert not list(tmp_path.iterdir())
