"""The Python of the training pages runs as it stands, where its framework is installed."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[1] / "docs"
TEXT = "".join((DOCS / page).read_text() for page in ("training.md", "ways/train.md"))
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)


@pytest.mark.parametrize("code", BLOCKS)
def test_the_python_of_the_page_runs(code: str) -> None:
    names: dict[str, object] = {}
    try:
        exec(compile(code, "the page", "exec"), names)
    except ModuleNotFoundError as missing:
        if str(missing.name).startswith("causarium."):
            raise
        pytest.skip(f"{missing.name} is not installed here")
    assert names.keys() > {"__builtins__"}
