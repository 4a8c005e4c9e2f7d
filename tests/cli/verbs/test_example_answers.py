"""The example files of answers fit the problems of today, and are all right."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from causarium.cli import app

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "replayscm"
FILES = [
    ("answers.jsonl", ("--set", "smoke", "--partial"), 6, "score"),
    ("predictions.jsonl", ("--instances", str(FOLDER / "released.yaml")), 2, "heldout_exact"),
]


@pytest.mark.parametrize(("name", "words", "count", "metric"), FILES)
def test_the_example_answers_are_right(
    name: str, words: tuple[str, ...], count: int, metric: str
) -> None:
    done = CliRunner().invoke(app, ["score-answers", str(FOLDER / name), *words, "--json"])
    assert done.exit_code == 0, done.output
    (model,) = json.loads(done.stdout)["models"]
    assert model["answered"] == count
    assert model["metrics"][metric]["value"] == 1
