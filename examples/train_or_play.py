"""Train or play: step through episodes by hand, and learn from their scores.

    python examples/train_or_play.py

A session has `reset`, `step` and `score`. The learner here picks the fixed strategy with the best
mean score on generated instances; the test is a named set that it has not seen.
"""

from itertools import combinations, product
from typing import Any, NamedTuple

import causarium as cm


class Strategy(NamedTuple):
    """Start the asked object with others in turn, and answer by how often the target moves."""

    companions: int
    """How many others are started with it in each trial."""
    least: int
    """How often the target has to move for a yes."""


def play(benchmark: cm.Benchmark, item: Any, strategy: Strategy) -> float:
    """Play one episode; returns its score."""
    session = benchmark.open(item, interface="tools")
    session.reset()
    public = item.public
    others = [name for name in public.objects if name != public.asked]
    moved = 0
    for start in list(combinations(others, strategy.companions))[: public.trials]:
        moved += session.step({"kind": "trial", "start": [public.asked, *start]}).data["moved"]
    session.step({"kind": "answer", "answer": "yes" if moved >= strategy.least else "no"})
    return session.score().numbers["score"]


def main() -> None:
    """Train on generated instances, then test on a named set."""
    # %% One episode by hand: what an agent reads, and what it may do.
    link = cm.load("causallink")
    session = link.open(link.instance("smoke", 2), interface="tools")
    print(session.reset().splitlines()[0])
    print("tools:", ", ".join(tool["name"] for tool in session.tools()))

    # %% Train: no generated instance is in a named set, under any names.
    training = link.generate("rung-2", size=100)
    strategies = [Strategy(*parts) for parts in product((0, 1, 2, 3), (0, 1, 2))]
    rewards = {
        strategy: sum(play(link, item, strategy) for item in training) for strategy in strategies
    }
    best = max(strategies, key=lambda strategy: rewards[strategy])
    print(f"best of {len(strategies)} strategies: {best.companions} companions, {best.least} times")
    print(f"training score {rewards[best] / len(training):.2f}")

    # %% Test on a named set; the exact player shows what experiments can tell.
    test = [item for item in link.instances("smoke") if item.facets["rung"] == 2]
    print(f"exact player {link.play('exact', test).mean('score').value:.2f}")
    print(f"test score {sum(play(link, item, best) for item in test) / len(test):.2f}")


if __name__ == "__main__":
    main()
