"""Marks for tests that need an optional package, or a part of a machine that not all have."""

import importlib.util
from importlib.metadata import entry_points

import pytest

from causarium.families import COMMAND_PACKAGES

needs_local = pytest.mark.skipif(
    not entry_points(group="causarium.models"), reason="causarium-local is not installed"
)


def needs_command(name: str) -> pytest.MarkDecorator:
    """Skip where the package is not installed that brings a command, if one does."""
    package = COMMAND_PACKAGES.get(name)
    missing = bool(package) and not entry_points(group="causarium.commands", name=name)
    return pytest.mark.skipif(missing, reason=f"{package} is not installed")


needs_openai = pytest.mark.skipif(
    importlib.util.find_spec("openai") is None, reason="the extra `openai` is not installed"
)
needs_discoveryworld = pytest.mark.skipif(
    importlib.util.find_spec("discoveryworld") is None,
    reason="the extra `discoveryworld` is not installed",
)
