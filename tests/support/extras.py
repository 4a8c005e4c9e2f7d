"""Marks for tests that need an optional package, or a part of a machine that not all have."""

import importlib.util
from importlib.metadata import entry_points

import pytest

needs_local = pytest.mark.skipif(
    not entry_points(group="causarium.models"), reason="causarium-local is not installed"
)
needs_recite_lab = pytest.mark.skipif(
    not entry_points(group="causarium.commands", name="recite"),
    reason="causarium-recite-lab is not installed",
)
needs_openai = pytest.mark.skipif(
    importlib.util.find_spec("openai") is None, reason="the extra `openai` is not installed"
)
needs_discoveryworld = pytest.mark.skipif(
    importlib.util.find_spec("discoveryworld") is None,
    reason="the extra `discoveryworld` is not installed",
)
