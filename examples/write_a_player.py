"""A player of your own against ours, on the same instances, with no model.

    python examples/write_a_player.py

A player is a generator: it yields actions and receives the observation of each. This one holds the
cause and checks whether the effect stops, which is right only if nothing else keeps it moving.
"""

from collections.abc import Generator
from random import Random
from typing import Any

import causarium as cm


def hold_and_look(public: Any, rules: Any, rng: Random) -> Generator[dict[str, str], Any, None]:
    """Hold the cause; say yes if the effect is then at rest."""
    seen = yield {"kind": "intervene", "shape": public.cause, "action": "hold"}
    yield {"kind": "answer", "answer": "no" if public.effect in seen.data["moving"] else "yes"}


def main() -> None:
    """Play the set `practice` and print both accuracies and their difference."""
    link = cm.load("causallink")
    tools = link.rules(interface="tools")
    mine = link.play(hold_and_look, "practice", rules=tools, name="mine")
    exact = link.play("exact", "practice", rules=tools)
    for name, rows in {"mine": mine, "exact": exact}.items():
        mean = rows.mean("accuracy")
        print(f"{name:>8}: {mean.value:.3f} [{mean.low:.3f}, {mean.high:.3f}]")
    lead = exact.compare(mine, "accuracy")
    print(f"exact leads by {lead.value:.3f} [{lead.low:.3f}, {lead.high:.3f}]")


if __name__ == "__main__":
    main()
