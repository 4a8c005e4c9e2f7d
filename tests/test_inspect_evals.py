"""The entries for the register of Inspect Evals say what our cards and task files say."""

import ast
import re
from pathlib import Path

import pytest
import yaml

from causarium import families

ROOT = Path(__file__).resolve().parents[1]
ENTRIES = ROOT / "docs/inspect-evals"


def test_there_is_one_entry_for_each_family() -> None:
    assert {path.parent.name for path in ENTRIES.glob("*/eval.yaml")} == set(families.FAMILIES)


@pytest.mark.parametrize("name", families.FAMILIES)
def test_an_entry_agrees_with_the_card(name: str) -> None:
    entry = yaml.safe_load((ENTRIES / name / "eval.yaml").read_text(encoding="utf-8"))
    card = families.card(name)
    assert entry["common_title"] == card.title
    assert entry["paper_title"] == card.paper.title
    address = f"https://arxiv.org/abs/{card.paper.arxiv}" if card.paper.arxiv else card.paper.url
    assert entry.get("arxiv", "") == address
    assert entry["metadata"]["extras"]["task_version"] == card.version
    assert re.fullmatch("[0-9a-f]{40}", entry["source"]["repository_commit"])
    (task,) = entry["tasks"]
    assert task["dataset_samples"] == card.sets["certified"]["standard"].size
    tree = ast.parse((ROOT / task["task_path"]).read_text(encoding="utf-8"))
    assert task["name"] in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
