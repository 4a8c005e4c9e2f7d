"""Write rows for NeMo Gym: `write_rows.py FAMILY [--level L] [--set S] [--size N] --out FILE`."""

import argparse
import json
from pathlib import Path
from typing import Any

from causarium.api.session import open_session
from causarium.errors import CausariumError

AGENT = {"type": "responses_api_agents", "name": "causarium_gymnasium_agent"}


def make_row(**address: Any) -> dict[str, Any]:
    """Return the row of an instance: its opening, and its address for `open_session` as JSON."""
    messages = open_session(**address).messages
    return {"responses_create_params": {"input": messages}, "address": address, "agent_ref": AGENT}


def main() -> None:
    """Write the first rows of a split or of a named set."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("family")
    options.add_argument("--edition", default="certified")
    place = options.add_mutually_exclusive_group()
    place.add_argument("--level")
    place.add_argument("--set")
    options.add_argument("--split", default="train")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--size", type=int, default=5)
    options.add_argument("--out", type=Path, required=True)
    given = vars(options.parse_args())
    out, size = given.pop("out"), given.pop("size")
    address = {name: value for name, value in given.items() if value is not None}
    try:
        rows = [make_row(**address, index=index) for index in range(size)]
    except CausariumError as wrong:
        options.error(str(wrong))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
