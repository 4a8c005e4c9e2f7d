"""The Python of `docs/training.md` runs as it stands, where its framework is installed."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs/training.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS)
def test_the_python_of_the_page_runs(code: str) -> None:
    for needed in re.findall(r"^(?:import|from) (\w+)", code, flags=re.MULTILINE):
        if find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed here")
    exec(compile(code, "docs/training.md", "exec"), {})
