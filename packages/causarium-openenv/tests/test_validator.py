"""OpenEnv's own validator, run for real on this package, with a plain process for a container."""

import os
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

pytest.importorskip(
    "openenv.validation", reason="openenv cannot be installed beside causarium[mcp]"
)

from openenv.validation import Level, run_validation
from openenv.validation.providers import ExecResult, StartupError
from openenv.validation.types import CheckStatus

PACKAGE = Path(__file__).parents[1]
PORT = 8931
PASSED = {
    "static.manifest",
    "runtime.startup",
    "runtime.observation_schema",
    "runtime.reward_well_formed",
    "runtime.state_contract",
}
pytestmark = pytest.mark.filterwarnings("default")  # those of the framework are not ours


class Process:
    """The server as a process of this machine."""

    base_url = f"http://127.0.0.1:{PORT}"

    def __init__(self) -> None:
        words = [sys.executable, "-m", "causarium_openenv.server", "causallink"]
        words += ["--level", "rung-3", "--port", str(PORT)]
        self.process = subprocess.Popen(words, env=dict(os.environ))
        while self.process.poll() is None:  # A busy machine takes its time.
            try:
                urllib.request.urlopen(f"{self.base_url}/health", timeout=1)
                return
            except OSError:
                time.sleep(0.2)
        self.stop()
        raise StartupError("the server did not start")

    def inspect(self) -> dict:
        return {}

    def logs(self, max_bytes: int = 65536) -> str:
        return ""

    def exec(self, argv: list[str], timeout_s: float) -> ExecResult:
        raise NotImplementedError

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


class Provider:
    """Starts processes in place of containers: what hangs on a container stays unproven."""

    name = "process"
    supported_network_modes = frozenset({"public", "no-network", "allowlist"})

    def __init__(self) -> None:
        from openenv.validation.types import ProviderCapability

        self.capabilities = frozenset({ProviderCapability.IMAGE_BUILD})

    def build(self, root: Path, execution: object) -> str:
        return f"sha256:{'0' * 64}"

    def start(self, spec: object) -> Process:
        return Process()


def test_what_the_validator_can_grade_passes() -> None:
    report = run_validation(PACKAGE, max_level=Level.SEMANTIC, provider=Provider())
    statuses = {result.check_id: result.status for result in report.results}
    for result in report.results:
        print(result.status.value, result.check_id, "; ".join(result.evidence)[:90])
    print("verdict", report.verdict.value)
    assert {name for name, status in statuses.items() if status is CheckStatus.PASS} == PASSED
    rest = {status for name, status in statuses.items() if name not in PASSED}
    assert rest == {CheckStatus.SKIP}
