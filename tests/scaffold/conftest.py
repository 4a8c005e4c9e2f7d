"""A checkout of one's own, to add a family to."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import causarium


@dataclass
class Checkout:
    """A copy of the package, in which commands run as if it were installed."""

    root: Path

    def run(self, *args):
        return subprocess.run(
            [sys.executable, *args],
            cwd=self.root,
            env={
                **os.environ,
                "PYTHONPATH": str(self.root / "src"),
                "PYTHONDONTWRITEBYTECODE": "1",
                "NO_COLOR": "1",
            },
            capture_output=True,
            text=True,
            check=False,
        )

    def causarium(self, *args):
        return self.run("-c", "from causarium.cli import main; main()", *args)

    def register_lamps(self):
        listed = self.root / "src/causarium/families/__init__.py"
        text = listed.read_text()
        assert "FAMILIES = (" in text
        listed.write_text(text.replace("FAMILIES = (", 'FAMILIES = ("lamps", ', 1))


@pytest.fixture
def checkout(tmp_path):
    source = Path(causarium.__file__).parent
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(source, tmp_path / "src" / "causarium", ignore=ignored)
    return Checkout(tmp_path)
