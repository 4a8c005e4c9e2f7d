"""Inspect's way in: importing this module registers every family's task.

`inspect eval causarium/causallink --model ...` finds it through the package's entry point.
"""

from causarium.families.causallink.task import causallink, causallink_verdict

__all__ = ["causallink", "causallink_verdict"]
