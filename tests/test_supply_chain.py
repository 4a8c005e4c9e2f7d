"""What is installed: versions and hashes agree, and what was not checked does not pass."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[1]
PIN = re.compile(r"^([a-z0-9._-]+==[^\s\\]+)", re.MULTILINE)


def pins(name: str) -> list[str]:
    return PIN.findall((ROOT / name).read_text(encoding="utf-8"))


def test_the_lock_has_the_versions_of_the_constraints() -> None:
    assert pins("requirements.lock") == pins("constraints.txt")
    assert len(pins("constraints.txt")) > 100


@pytest.mark.parametrize("name", ["constraints.txt", "requirements.lock"])
def test_no_file_of_versions_holds_an_address(name: str) -> None:
    assert "://" not in (ROOT / name).read_text(encoding="utf-8")


def test_every_package_of_the_lock_has_hashes() -> None:
    parts = re.split(r"\n(?=[a-z0-9])", (ROOT / "requirements.lock").read_text(encoding="utf-8"))
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", part) for part in parts)


@pytest.fixture
def audit() -> ModuleType:
    spec = importlib.util.spec_from_file_location("audit", ROOT / ".ci" / "audit.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GOOD = {"name": "good", "version": "1", "vulns": []}
BAD = {"name": "bad", "version": "2", "vulns": [{"id": "PYSEC-1"}]}
UNKNOWN = {"name": "unknown", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("packages", "code", "words"),
    [
        ([GOOD], 0, "No known holes in 1 packages"),
        ([GOOD, BAD], 1, "bad 2: PYSEC-1"),
        ([GOOD, UNKNOWN], 3, "NOT CHECKED: the advisory database does not know 1 of 2"),
        ([], 3, "NOT CHECKED"),
        (None, 3, "NOT CHECKED: the advisory database cannot be reached"),
    ],
)
def test_what_was_not_checked_does_not_pass(
    packages: list[dict[str, object]] | None, code: int, words: str, audit: ModuleType
) -> None:
    report = None if packages is None else {"dependencies": packages}
    found, said = audit.judge(report)
    assert found == code
    assert words in said
