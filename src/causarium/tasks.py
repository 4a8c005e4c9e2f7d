"""Inspect's way in: importing this module registers every family's task.

`inspect eval causarium/causallink --model ...` finds it through the package's entry point.
"""

from causarium.families.causalab.task import causalab
from causarium.families.causalgame.task import causalgame
from causarium.families.causallink.task import causallink
from causarium.families.recite.task import recite
from causarium.families.replayscm.task import replayscm

__all__ = ["causalab", "causalgame", "causallink", "recite", "replayscm"]
