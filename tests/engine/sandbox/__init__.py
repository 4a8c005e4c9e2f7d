"""Sandboxes: what they allow, and what they keep in."""

import pytest

from causarium.engine.sandbox.bubblewrap import no_bubblewrap

needs_bubblewrap = pytest.mark.skipif(
    no_bubblewrap() is not None, reason=f"no bubblewrap here: {no_bubblewrap()}"
)
