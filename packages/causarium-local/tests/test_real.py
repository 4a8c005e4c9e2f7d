"""The real model, served by llama.cpp, plays through the command line.

Nothing is fetched here: `causarium local-model --fetch` does that, and CI calls it.
"""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from causarium_local.weights import has_weights
from tests.support.logs import find_logs, read_rows

pytestmark = [
    pytest.mark.long,
    pytest.mark.xdist_group("local model"),
    pytest.mark.skipif(
        importlib.util.find_spec("xllamacpp") is None, reason="the extra `local` is not installed"
    ),
    pytest.mark.skipif(
        not has_weights(), reason="no weights here; `causarium local-model --fetch` gets them"
    ),
]

MAIN = "from causarium.cli import main; main()"


def play(logs: Path, *rules: str) -> dict[str, object]:
    words = ["run", "causallink", "--model", "local", "--set", "smoke", "--limit", "1"]
    words += ["--max-tokens", "80", "--max-connections", "1", "--rule", "context=2000"]
    words += ["--message-limit", "8"]
    words += [word for rule in rules for word in ("--rule", rule)]
    # A process each: Inspect keeps a model, and where it was served, as long as the process lives.
    command = [sys.executable, "-c", "from causarium.cli import main; main()", *words]
    done = subprocess.run(
        [*command, "--log-dir", str(logs), "--json"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout.splitlines()[-1]))


def test_held_to_its_schema_the_model_plays_by_actions_that_can_be_read(tmp_path: Path) -> None:
    said = play(tmp_path)
    assert said["agent"] == "openai-api/local/smollm2-135m-instruct"
    assert said["n"] == 1
    (row,) = read_rows(find_logs([tmp_path])[-1])
    assert row.labels["error"] != "invalid format"
    assert row.turns > 1
    assert row.usage is not None
    assert row.usage.agent.output > row.turns


def test_left_free_the_model_writes_what_it_likes_and_that_is_a_score_too(tmp_path: Path) -> None:
    assert play(tmp_path, "constrained=false")["n"] == 1
    (row,) = read_rows(find_logs([tmp_path])[-1])
    assert row.unscored is None
    assert row.labels["error"]
