"""A player of your own against ours, on the same instances, with no model.

    python examples/write_a_player.py

A player is a generator: it yields actions and receives the observation of each. This one starts the
asked object with each other one in turn, and says yes if the target moves, which is wrong where
something else makes it move.
"""

from collections.abc import Generator
from random import Random
from typing import Any

import causarium as cm


def start_pairs(public: Any, rules: Any, rng: Random) -> Generator[dict[str, Any], Any, None]:
    """Start the asked object with each other one; say yes if the target moves once."""
    others, moved = [name for name in public.objects if name != public.asked], False
    for name in others[: public.trials]:
        seen = yield {"kind": "trial", "start": [public.asked, name], "hold": []}
        moved = moved or seen.data["moved"]
    yield {"kind": "answer", "answer": "yes" if moved else "no"}


def main() -> None:
    """Play both on fresh tables of rung 3, and print both scores and their difference."""
    link = cm.load("causallink")
    tools = link.rules(interface="tools")
    items = link.generate("rung-3", size=100)
    mine = link.play(start_pairs, items, rules=tools, name="mine")
    exact = link.play("exact", items, rules=tools)
    for name, rows in {"mine": mine, "exact": exact}.items():
        mean = rows.mean("score")
        print(f"{name:>8}: {mean.value:.3f} [{mean.low:.3f}, {mean.high:.3f}]")
    lead = exact.compare(mine, "score")
    print(f"exact leads by {lead.value:.3f} [{lead.low:.3f}, {lead.high:.3f}]")


if __name__ == "__main__":
    main()
