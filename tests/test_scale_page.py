"""The commands of `docs/scale.md`, here and against an object store, and what they leave."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

pytest.importorskip("pyarrow")

from tests.support.object_store import BUCKET, needs_object_store, object_store, run_causarium

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs/scale.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, flags=re.DOTALL)
COMMANDS = [
    line
    for kind, block in BLOCKS
    if kind == "sh" and "#SBATCH" not in block
    for line in block.splitlines()
]
SINGLE = "causarium report logs/whole --out reports/whole"
pytestmark = pytest.mark.long


def follow(commands, folder, environment):
    for command in commands:
        words = shlex.split(command)
        assert words[0] == "causarium"
        done = run_causarium(*words[1:], environment=environment, cwd=folder)
        assert done.returncode == 0, f"{command}\n{done.stderr}"


def without_times(folder):
    return {
        name: re.sub(r"\d{4}-\d\d-\d\dT[0-9:+]+", "", (folder / name).read_text())
        for name in ("rows.jsonl", "report.json", "report.md")
    }


def test_the_page_makes_one_set_and_one_report_that_equal_the_single_ones(tmp_path):
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    follow([*COMMANDS, SINGLE], tmp_path, environment)
    whole, shared = tmp_path / "sets/whole", tmp_path / "sets/shared"
    assert {p.name: p.read_bytes() for p in whole.iterdir()} == {
        p.name: p.read_bytes() for p in shared.iterdir()
    }
    reports = tmp_path / "reports"
    # The set is named in the report, and both runs play the same one.
    assert without_times(reports / "whole") == without_times(reports / "shared")


@needs_object_store
def test_the_page_against_an_object_store(tmp_path):
    here = f"s3://{BUCKET}/"
    moved = [re.sub(r"(?<= )(sets|logs|audits)/", rf"{here}\1/", c) for c in [*COMMANDS, SINGLE]]
    with object_store() as environment:
        mine = {**environment, "XDG_CACHE_HOME": str(tmp_path / "cache")}
        follow(moved, tmp_path, mine)
        done = run_causarium("verify", f"{here}sets/shared", "--json", environment=mine)
        assert done.returncode == 0, done.stderr
        assert "test-secret" not in done.stdout + done.stderr
    assert without_times(tmp_path / "reports/whole") == without_times(tmp_path / "reports/shared")
    assert not (tmp_path / "s3:").exists()


def run_script(script, folder, **variables):
    """Run a scheduler's shell lines with small numbers."""
    small = script.replace("1000000", "6 --rows 2").replace("/64", "/2")
    small = small.replace("s3://bucket/linear-4", str(folder)).replace("linear-4 ", "linear-3 ")
    shim = folder.parent / "bin" / "causarium"
    shim.parent.mkdir(exist_ok=True)
    code = "from causarium.cli import main; main()"
    shim.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{code}" "$@"\n')
    shim.chmod(0o755)
    path = f"{shim.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-c", small],
        env={**os.environ, "PATH": path, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_lines_for_slurm_and_kubernetes_make_the_same_set(tmp_path):
    slurm = next(block for kind, block in BLOCKS if "#SBATCH" in block)
    job = yaml.safe_load(next(block for kind, block in BLOCKS if kind == "yaml"))
    (line,) = job["spec"]["template"]["spec"]["containers"][0]["args"]
    assert job["spec"]["completions"] == 64
    assert "--array=1-64" in slurm
    for number in ("1", "2"):
        run_script(slurm, tmp_path / "slurm", SLURM_ARRAY_TASK_ID=number)
        run_script(line, tmp_path / "kubernetes", JOB_COMPLETION_INDEX=str(int(number) - 1))
    made = {p.name: p.read_bytes() for p in (tmp_path / "slurm").iterdir()}
    assert "manifest.json" in made
    assert made == {p.name: p.read_bytes() for p in (tmp_path / "kubernetes").iterdir()}
