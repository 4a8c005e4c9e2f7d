"""The numbers of a verdict, declared in a file."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from causarium.contract.verdict import SLIPS_METRIC, Metric, read_metrics


def test_numbers_are_read_in_order(tmp_path: Path) -> None:
    file = tmp_path / "metrics.toml"
    file.write_text(
        '[a]\nright = { about = "1 if right.", better = "higher", share = true }\nslips = {}\n'
        '[b]\nturns = { about = "Turns taken.", least = 1.0 }\n',
        encoding="utf-8",
    )
    tables = read_metrics(file)
    assert tables == {
        "a": {"right": Metric("1 if right.", "higher", share=True), "slips": SLIPS_METRIC},
        "b": {"turns": Metric("Turns taken.", least=1.0)},
    }
    assert list(tables["a"]) == ["right", "slips"]


@pytest.mark.parametrize("fields", ['better = "more"', "shares = true", 'least = "none"'])
def test_a_number_that_is_declared_wrong_is_refused(tmp_path: Path, fields: str) -> None:
    file = tmp_path / "metrics.toml"
    file.write_text(f'[a]\nright = {{ about = "1 if right.", {fields} }}\n', encoding="utf-8")
    with pytest.raises(ValidationError, match="right"):
        read_metrics(file)
