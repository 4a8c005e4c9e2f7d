"""Hides optional packages from every Python that a bare test starts: they cannot be imported."""

import os
import sys

for _name in os.environ.get("CAUSARIUM_BARE_WITHOUT", "").split():
    sys.modules[_name] = None  # type: ignore[assignment]
