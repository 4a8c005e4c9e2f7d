"""`docs/adding-a-family.md` is true: its code is lamps, and its commands run."""

import re
from pathlib import Path

import pytest

from causarium.contract.checks.documents import readme_commands
from causarium.scaffold import write_family
from tests.support.lamps import FAMILY as LAMPS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "adding-a-family.md"


@pytest.mark.long
def test_the_commands_of_the_page_run_in_order(checkout):
    first, *rest = readme_commands(PAGE)
    done = checkout.causarium(*first[1:])
    assert (first, done.returncode) == (["causarium", "new-family", "lamps"], 0), done.stderr
    checkout.register_lamps()
    assert len(rest) >= 4
    for command in rest:
        done = checkout.causarium(*command[1:])
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


def test_the_code_on_the_page_is_that_of_lamps():
    code = "\n".join(path.read_text() for path in sorted(LAMPS.folder.glob("*.py")))
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 6
    for block in blocks:
        assert block in code


def test_the_page_names_every_file_of_the_folder(tmp_path):
    write_family("lamps", tmp_path)
    for path in (tmp_path / "src/causarium/families/lamps").iterdir():
        assert f"`{path.name}" in PAGE.read_text()
