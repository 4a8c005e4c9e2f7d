"""Inspect's own suite for sandbox providers, run on ours."""

import inspect
from collections.abc import Awaitable, Callable, Iterator
from types import SimpleNamespace

import anyio
import pytest
from inspect_ai.util import SandboxUserUnsupportedError
from inspect_ai.util._sandbox import self_check

from causarium.engine.sandbox.bubblewrap import Bubblewrap
from tests.engine.sandbox import needs_bubblewrap

pytestmark = needs_bubblewrap

PORTABLE = {
    name: check
    for name, check in vars(self_check).items()
    if name.startswith("test_") and inspect.iscoroutinefunction(check)
}
ANOTHER_USER = "test_exec_as_user"


@pytest.fixture
def sandbox() -> Iterator[Bubblewrap]:
    made = Bubblewrap()
    yield made
    made.close()


@pytest.mark.parametrize("name", sorted(set(PORTABLE) - {ANOTHER_USER}))
def test_inspect_finds_nothing_wrong(
    name: str, sandbox: Bubblewrap, monkeypatch: pytest.MonkeyPatch
) -> None:
    check: Callable[[Bubblewrap], Awaitable[None]] = PORTABLE[name]
    # Two checks wait five seconds for a killed process to be gone; ours are gone at once.
    impatient = SimpleNamespace(sleep=lambda seconds: anyio.sleep(seconds / 50))
    monkeypatch.setattr(self_check, "anyio", impatient)
    anyio.run(check, sandbox)


def test_nothing_runs_as_another_user(sandbox: Bubblewrap) -> None:
    with pytest.raises(SandboxUserUnsupportedError, match="one user, agent"):
        anyio.run(lambda: sandbox.exec(["id"], user="root"))
