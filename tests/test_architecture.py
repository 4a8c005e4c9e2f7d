"""The page on the architecture is true."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CONTRACTS = {
    contract["name"]: contract
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "importlinter"
    ]["contracts"]
}
NAMES = {
    "whole": "Imports point one way",
    "engine": "Inside the engine",
    "report": "Inside the report",
    "family": "Inside a family",
    "wing": "Inside a wing",
}


def test_the_layers_on_the_page_are_those_that_are_kept() -> None:
    for word, name in NAMES.items():
        (line,) = re.findall(rf"^- {word}: (.*)$", PAGE, flags=re.MULTILINE)
        kept = next(contract for title, contract in CONTRACTS.items() if title.startswith(name))
        layers = [re.sub(r"[()]|causarium\.", "", one) for one in kept["layers"]]
        assert line.replace("`", "").split(" > ") == layers


def test_every_file_on_the_page_exists() -> None:
    for path in re.findall(r"`((?:families|engine|contract)/[\w/]+\.py)`", PAGE):
        assert (ROOT / "src" / "causarium" / path).is_file(), path


def test_every_folder_of_the_package_is_on_the_map() -> None:
    tree = PAGE.split("```")[1]
    for folder in (ROOT / "src" / "causarium").iterdir():
        if (folder / "__init__.py").exists():
            assert f"{folder.name}/" in tree


def test_every_room_of_the_engine_is_on_the_map() -> None:
    tree = PAGE.split("```")[1]
    for path in (ROOT / "src" / "causarium" / "engine").iterdir():
        if not path.name.startswith("__"):
            assert re.search(rf"\b{path.name}(/| )", tree), path.name


def test_the_page_is_short() -> None:
    assert len(PAGE.splitlines()) <= 120
