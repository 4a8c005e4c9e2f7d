"""Inspect's way in: importing this module registers every family's task, and the model `script`.

`inspect eval causarium/causallink --model ...` finds it through the package's entry point.
Each task stands in its family's `task.py`, where `inspect list tasks` sees it. Families that other
packages bring need none.
"""

from contextlib import suppress
from importlib import import_module

from causarium.engine.play.providers import script
from causarium.engine.task.family_task import offer_task
from causarium.errors import CausariumError
from causarium.families import FAMILIES, get, names

__all__ = ["script"]

for _name in FAMILIES:
    globals()[_name] = getattr(import_module(f"causarium.families.{_name}.task"), _name)
for _name in names()[len(FAMILIES) :]:
    with suppress(CausariumError):  # `causarium list` says what is wrong with it
        globals()[_name] = offer_task(get(_name))
