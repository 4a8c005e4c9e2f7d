"""The five private names of Inspect's: they are there, they work, and no others are used."""

import re
from pathlib import Path

import pytest

import causarium
from causarium.engine import inspect_private

SOURCES = Path(causarium.__file__).parent
PRIVATE = re.compile(r"^\s*(?:from|import) inspect_ai(?:\.\w+)*\.?_\w+|inspect_ai\.\w*\._", re.M)


@pytest.mark.parametrize("name", inspect_private.REASONS)
def test_a_private_name_is_still_there(name: str) -> None:
    reason = inspect_private.REASONS[name]
    assert callable(getattr(inspect_private, name, None)), (
        f"this version of Inspect has no {name}, which is {reason}: see engine/inspect_private.py"
    )


def test_there_are_five_and_they_stand_in_one_file() -> None:
    assert len(inspect_private.REASONS) == 5
    assert set(inspect_private.__all__) == {*inspect_private.REASONS, "REASONS"}
    users = [path for path in SOURCES.rglob("*.py") if PRIVATE.search(path.read_text())]
    assert users == [Path(inspect_private.__file__)]


def test_an_error_of_inspects_has_a_message() -> None:
    wrong = inspect_private.PrerequisiteError("no key")
    assert wrong.message == "no key", "Inspect's errors for bad input have lost their message"


def test_providers_can_be_listed() -> None:
    found = inspect_private.registry_find(lambda info: info.type == "modelapi")
    assert found, "Inspect's registry no longer lists model providers"


def test_the_price_of_a_model_is_known_without_its_key() -> None:
    assert inspect_private.get_model_info_without_key("nobody/nothing") is None, (
        "asking for a model's price no longer works without its provider"
    )


def test_buffers_of_a_log_that_has_none_can_be_cleaned_up(tmp_path: Path) -> None:
    inspect_private.cleanup_sample_buffers_for_log(str(tmp_path / "none.eval"))
    assert not list(tmp_path.iterdir())
