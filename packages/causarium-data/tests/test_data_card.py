"""Data cards: what is stored is what is written, and a program reads the data by it."""

import hashlib
import json
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from causarium_data.data_card import croissant_of, describe_data, write_data_card
from causarium_data.export_data import export_data

from causarium import families
from causarium.api.benchmark import load
from causarium.errors import UsageError

CARDS = Path(__file__).parents[3] / "docs/data-cards"


@pytest.mark.parametrize("name", families.FAMILIES)
def test_the_stored_card_of_a_family_is_the_one_that_is_written(name: str) -> None:
    """`causarium data-card NAME --out docs/data-cards/NAME` writes it again."""
    card = families.card(name)
    stored = CARDS / name
    assert (stored / "README.md").read_text(encoding="utf-8") == describe_data(name, card)
    described = json.loads((stored / "croissant.json").read_text(encoding="utf-8"))
    assert described == croissant_of(name, card)


def test_the_file_of_a_set_has_the_digest_on_the_card(tmp_path: Path) -> None:
    family = families.get("causallink")
    write_data_card(family, tmp_path, ["certified-smoke"])
    digest = hashlib.sha256((tmp_path / "data/certified-smoke.jsonl").read_bytes()).hexdigest()
    described = json.loads((tmp_path / "croissant.json").read_text(encoding="utf-8"))
    sums = {file["name"]: file["sha256"] for file in described["distribution"]}
    assert sums["data/certified-smoke.jsonl"] == digest
    assert "MIT" in (tmp_path / "LICENSE").read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="certified-standard"):
        write_data_card(family, tmp_path, ["smoke"])


READER = """
import json, logging, sys
import mlcroissant
logging.disable(logging.WARNING)
for place, records in json.loads(sys.argv[1]):
    dataset = mlcroissant.Dataset(jsonld=place)
    issues = dataset.metadata.issues
    assert not issues.errors and not issues.warnings, issues.report()
    if records:
        assert len(list(dataset.records(records))) > 1
"""


@pytest.mark.long
def test_croissant_of_every_card_and_of_an_export_validates(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    write_data_card(families.get("causallink"), tmp_path / "sets", ["certified-standard"])
    export_data(load("causallink"), tmp_path / "demonstrations", form="hf", size=2)
    read = [
        (str(tmp_path / "sets/croissant.json"), "certified-standard"),
        (str(tmp_path / "demonstrations/croissant.json"), "default"),
        *((str(CARDS / name / "croissant.json"), "") for name in families.FAMILIES),
    ]
    tools = tmp_path / "tools"
    venv.create(tools, with_pip=False)
    python = tools / "bin/python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q"]
    got = subprocess.run(
        [*pip, "mlcroissant", "pyarrow"], capture_output=True, text=True, check=False
    )
    if got.returncode != 0:
        pytest.skip(f"mlcroissant cannot be installed: {got.stderr[-200:]}")
    done = subprocess.run(
        [str(python), "-c", READER, json.dumps(read)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
