"""`import causarium`: light, complete, and in nobody's way."""

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import causarium


def test_importing_it_loads_nothing_heavy() -> None:
    code = (
        "import sys; import causarium; "
        "heavy = {'inspect_ai', 'pydantic', 'numpy', 'rich', 'typer'} & sys.modules.keys(); "
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_no_public_name_hides_a_subpackage() -> None:
    modules = {module.name for module in pkgutil.iter_modules(causarium.__path__)}
    assert not modules & set(causarium.__all__)
    assert importlib.import_module("causarium.families").names()


def test_every_public_name_is_there_and_documented() -> None:
    assert dir(causarium) == sorted(causarium.__all__)
    for name in causarium.__all__:
        value = getattr(causarium, name)
        assert name == "__version__" or value.__doc__, name


def test_type_checkers_are_told_the_same_homes() -> None:
    stub = Path(causarium.__path__[0]) / "__init__.pyi"
    told = {
        alias.name: node.module
        for node in ast.parse(stub.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert told == causarium._HOMES
    assert {*told, "__version__"} == set(causarium.__all__)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        causarium.evalute  # type: ignore[attr-defined]  # noqa: B018


def test_the_module_is_the_command_line() -> None:
    words = [sys.executable, "-m", "causarium", "--version"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == f"causarium {causarium.__version__}\n"
