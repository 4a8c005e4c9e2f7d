"""`causarium-nemo-gym FAMILY [--level L] [--size N] --out FILE.jsonl`: write a dataset's rows."""

import argparse
from pathlib import Path

from causarium.errors import CausariumError
from causarium_nemo_gym.app import write_row


def main() -> None:
    """Write rows that hold a prompt, tools and the address of an instance."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("family")
    options.add_argument("--level")
    options.add_argument("--split", default="train")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--size", type=int, default=100)
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    place = {name: getattr(given, name) for name in ("family", "level", "split", "seed")}
    try:
        lines = [write_row({**place, "index": index}) for index in range(given.size)]
    except CausariumError as wrong:
        options.error(str(wrong))
    given.out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
