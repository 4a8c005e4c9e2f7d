"""Inspect's way in: importing this module registers every family's task, and the model `script`.

`inspect eval causarium/causallink --model ...` finds it through the package's entry point.
Each task stands in its family's `task.py`, where `inspect list tasks` sees it.
"""

from importlib import import_module

from causarium.engine.play.providers import script
from causarium.families import FAMILIES

__all__ = ["script"]

for _name in FAMILIES:
    globals()[_name] = getattr(import_module(f"causarium.families.{_name}.task"), _name)
