"""The tests of the lab use those of the family: the repository's root is on the path."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
