"""The Python of the training pages runs as it stands, where its framework is installed."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
TEXT = "".join((DOCS / page).read_text() for page in ("training.md", "ways/train.md"))
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS)
def test_the_python_of_the_page_runs(code: str) -> None:
    for needed in re.findall(r"^(?:import|from) (\w+)", code, flags=re.MULTILINE):
        if find_spec(needed) is None:
            pytest.skip(f"{needed} is not installed here")
    names: dict[str, object] = {}
    exec(compile(code, "the page", "exec"), names)
    assert names.keys() > {"__builtins__"}
