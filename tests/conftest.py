"""What all tests share: the repository on the path, Ctrl-C, how property tests search."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
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
from tests.web.browsing import open_browser  # noqa: E402

if is_bare():
    hide_what_is_optional()

# A shell that starts the tests in the background has them ignore Ctrl-C, and all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

collect_ignore = ["support"]
"""No tests are there, and Debian's own `sitecustomize` is in the way of ours."""

WHOLE = (
    *("packages/", "tests/test_docs.py", "tests/test_examples.py", "tests/test_results.py"),
    *("tests/test_house.py", "tests/api/scale/", "tests/api/test_leaderboard.py"),
    *("tests/api/test_sweep.py", "tests/cli/test_commands.py", "tests/cli/test_real_models.py"),
    *("tests/engine/logbook/", "tests/engine/sandbox/", "tests/engine/verify/", "tests/scaffold/"),
    *("tests/engine/task/test_custom_agent.py", "tests/engine/test_causalgame_programs.py"),
    *("tests/engine/test_coding_agents.py", "tests/engine/test_gate.py"),
    *("tests/engine/play/", "tests/engine/test_causallink_task.py", "tests/contract/sets/"),
    *("tests/report/test_one_truth.py", "tests/contract/test_check_catches.py"),
    *("tests/families/causallink/paper/proofs/", "tests/families/causallink/certified/"),
    *("tests/families/causallink/paper/test_players.py",),
    *("tests/families/replayscm/paper/generation/", "tests/web/"),
)
"""Where tests play whole runs, start servers and processes, or open other frameworks: more than
half of the time for a tenth of the tests. CI runs them, and `./run test --whole` does."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser, for tests that look at pages."""
    with open_browser() as browser:
        yield browser


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what a quick look leaves out."""
    for item in items:
        if item.nodeid.startswith(WHOLE):
            item.add_marker("whole")
