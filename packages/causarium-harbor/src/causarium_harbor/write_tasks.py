"""`causarium-harbor FAMILY [--level L] [--size N] --out FOLDER`: write Harbor tasks."""

import argparse
import json
from importlib.resources import files
from pathlib import Path

from causarium.api.session import Session, open_session
from causarium.contract.episode import start_player
from causarium.contract.sets.splits import CANARY
from causarium.errors import CausariumError, UsageError

ANSWER = "/app/answer.txt"
_IMAGE = "FROM python:3.12-slim\nWORKDIR /app\n"
_TEST = """#!/bin/sh
# CAUSARIUM names another source than the package index.
pip install --quiet "${CAUSARIUM:-causarium}"
python "$(dirname "$0")/score.py" "$(dirname "$0")/instance.json" "${ANSWER:-/app/answer.txt}" \\
    > "${REWARD:-/logs/verifier/reward.txt}"
"""
_SOLVE = """#!/bin/sh
cp "$(dirname "$0")/answer.txt" "${ANSWER:-/app/answer.txt}"
"""


def write_task(session: Session, folder: Path) -> None:
    """Write one instance, not yet played, as a task.

    Raises:
        UsageError: The world answers more than the one reply that a task can hold.
    """
    if len(session.offered) != 1:
        raise UsageError(
            f"{session.instance.id} is played by {', '.join(kind.kind for kind in session.offered)}"
            "; a task holds one reply, as in recite"
        )
    solution = session.says(next(start_player(session.episode, "oracle")))
    held = {
        "family": session.family.name,
        "edition": session.edition,
        "instance": session.instance.model_dump(mode="json"),
        "rules": session.rules.model_dump(mode="json"),
        "canary": CANARY,
    }
    about = f"\n\nWrite your reply to {ANSWER}, and nothing else.\n"
    name = f"causarium/{session.instance.id}"
    config = {
        "task": {"name": name, "description": session.family.card.about},
        "metadata": {"family": session.family.name, "canary": CANARY},
    }
    parts = {
        "task.toml": _write_toml(config),
        "instruction.md": session.opening + about,
        "environment/Dockerfile": _IMAGE,
        "solution/solve.sh": _SOLVE,
        "solution/answer.txt": solution,
        "tests/test.sh": _TEST,
        "tests/score.py": files(__package__).joinpath("score.py").read_text(encoding="utf-8"),
        "tests/instance.json": json.dumps(held),
    }
    for place, text in parts.items():
        file = folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755 if file.suffix == ".sh" else 0o644)


def _write_toml(config: dict[str, dict[str, str]]) -> str:
    """Return tables of texts as TOML, in which JSON's texts are texts too."""
    lines = ['schema_version = "1.4"\n']
    for table, fields in config.items():
        lines.append(f"\n[{table}]\n")
        lines += [f"{name} = {json.dumps(text)}\n" for name, text in fields.items()]
    return "".join(lines)


def main() -> None:
    """Write the tasks of a level."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("family")
    options.add_argument("--level")
    options.add_argument("--split", default="train")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--size", type=int, default=10)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    if given.size < 1:
        options.error(f"--size is a number of tasks, 1 or more, not {given.size}")
    place = {"level": given.level, "split": given.split, "seed": given.seed}
    try:
        for index in range(given.size):
            session = open_session(given.family, index=index, **place)
            write_task(session, given.out / session.instance.id)
    except CausariumError as wrong:
        options.error(str(wrong))


if __name__ == "__main__":
    main()
