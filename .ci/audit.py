"""Asks the advisory database about every package of requirements.lock, and says what was not asked.

pip-audit counts a package that its database does not know, as behind a mirror, among those without
a known hole. Here only what was really looked up counts.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

LOCK = Path(__file__).resolve().parents[1] / "requirements.lock"
CLEAN, HOLES, NOT_CHECKED = 0, 1, 3


def judge(report: dict | None, complaint: str = "") -> tuple[int, str]:
    """Return the exit code and the words for what pip-audit reported; None: it reported nothing."""
    if report is None:
        return NOT_CHECKED, f"NOT CHECKED: the advisory database cannot be reached. {complaint}"
    packages = report["dependencies"]
    holes = [
        f"{package['name']} {package['version']}: {hole['id']}"
        for package in packages
        for hole in package.get("vulns", ())
    ]
    if holes:
        return HOLES, "\n".join(["Known holes:", *holes])
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    if skipped or not packages:
        share = f"{len(skipped)} of {len(packages)} packages"
        return NOT_CHECKED, f"NOT CHECKED: the advisory database does not know {share}."
    return CLEAN, f"No known holes in {len(packages)} packages."


def main() -> int:
    """Run pip-audit on the lock."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "report.json")
        command = [sys.executable, "-m", "pip_audit", "-r", str(LOCK), "--require-hashes"]
        command += ["--disable-pip", "--progress-spinner", "off", "-f", "json", "-o", str(path)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        last = ran.stderr.strip().splitlines()[-1:]
        report = json.loads(path.read_text()) if path.is_file() and path.stat().st_size else None
    code, words = judge(report, "".join(last))
    sys.stdout.write(f"{words}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
