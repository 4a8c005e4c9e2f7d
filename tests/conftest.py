"""What all tests share: the repository on the path, and no property test with a clock."""

import sys
from pathlib import Path

from hypothesis import settings

# Machines are noisy: a test fails for what is wrong, never for how long it took.
settings.register_profile("no clock", deadline=None)
settings.load_profile("no clock")

ROOT = str(Path(__file__).resolve().parents[1])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)
