"""What all tests share: the repository on the path, Ctrl-C, how property tests search."""

import os
import signal
import sys
from pathlib import Path

from hypothesis import settings

# Machines are noisy: a test fails for what is wrong, never for how long it took, and the same
# code passes or fails every time. CAUSARIUM_EXPLORE=1 has property tests try new cases instead.
settings.register_profile("same cases", deadline=None, derandomize=True)
settings.register_profile("new cases", deadline=None)
settings.load_profile("new cases" if os.environ.get("CAUSARIUM_EXPLORE") else "same cases")

ROOT = str(Path(__file__).resolve().parents[1])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from tests.support.bare_machine import hide_what_is_optional, is_bare  # noqa: E402

if is_bare():
    hide_what_is_optional()

# A shell that starts the tests in the background has them ignore Ctrl-C, and all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

collect_ignore = ["support"]
"""No tests are there, and Debian's own `sitecustomize` is in the way of ours."""
