"""Score a reply: `score.py INSTANCE.json REPLY`. It is copied into a task's tests."""

import json
import sys
from pathlib import Path

from causarium import families
from causarium.api.session import Session


def main() -> None:
    """Print the reward."""
    task, reply = (Path(word) for word in sys.argv[1:3])
    held = json.loads(task.read_text(encoding="utf-8"))
    family = families.get(held["family"], held["edition"])
    instance = family.read_instance(held["instance"])
    rules = family.rules.model_validate(held["rules"])
    session = Session(family, instance, rules, edition=held["edition"])
    if reply.is_file():
        session.step(reply.read_text(encoding="utf-8", errors="replace"))
    sys.stdout.write(f"{session.reward}\n")


if __name__ == "__main__":
    main()
