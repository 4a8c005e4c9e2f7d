"""Finding the commands in a README."""

import pytest

from causarium.contract.checks.documents import readme_commands
from tests.support.lamps import FAMILY as LAMPS

TEXT = """
```sh
causarium list   # all of them
causarium run lamps \\
  --player "the optimal one"
pip install causarium
```

```console
$ causarium check lamps
causarium is only output here? no: a line like this one is read too
```

```python
causarium = "not a command"
```
"""


def test_commands_of_shell_blocks_are_split_into_words(tmp_path):
    (tmp_path / "README.md").write_text(TEXT)
    assert readme_commands(tmp_path / "README.md")[:3] == [
        ["causarium", "list"],
        ["causarium", "run", "lamps", "--player", "the optimal one"],
        ["causarium", "check", "lamps"],
    ]


def test_an_open_quotation_is_an_error(tmp_path):
    (tmp_path / "README.md").write_text('```sh\ncausarium show "lamps\n```\n')
    with pytest.raises(ValueError, match="quotation"):
        readme_commands(tmp_path / "README.md")


def test_the_commands_of_lamps_are_found():
    commands = readme_commands(LAMPS.folder / "README.md")
    assert ["causarium", "check", "lamps"] in commands
