"""Train or play: step through episodes by hand, and learn from their scores.

    python examples/train_or_play.py

A session has `reset`, `step` and `score`. The learner here picks the fixed strategy with the best
mean score on generated instances; the test is a named set that it has not seen.
"""

from itertools import product
from typing import Any, NamedTuple

import causarium as cm


class Strategy(NamedTuple):
    """Act once on something, and answer by whether the effect then moves."""

    target: str
    """`cause` or `effect`: what to act on."""
    action: str
    """`move` or `hold`."""
    if_moving: str
    """The answer where the effect moves; the other one where it does not."""


def play(benchmark: cm.Benchmark, item: Any, strategy: Strategy) -> float:
    """Play one episode; returns its accuracy."""
    session = benchmark.open(item, interface="tools")
    session.reset()
    shape = getattr(item.public, strategy.target)
    step = session.step({"kind": "intervene", "shape": shape, "action": strategy.action})
    moves = item.public.effect in step.data["moving"]
    other = "no" if strategy.if_moving == "yes" else "yes"
    session.step({"kind": "answer", "answer": strategy.if_moving if moves else other})
    return session.score().numbers["accuracy"]


def main() -> None:
    """Train on generated instances, then test on a named set."""
    # %% One episode by hand: what an agent reads, and what it may do.
    link = cm.load("causallink")
    session = link.open(link.instance("smoke", 0), interface="tools")
    print(session.reset().splitlines()[0])
    print("tools:", ", ".join(tool["name"] for tool in session.tools()))

    # %% Train: no generated instance is in a named set, under any names.
    training = link.generate("rung-2", size=100)
    strategies = [
        Strategy(*parts) for parts in product(("cause", "effect"), ("move", "hold"), ("yes", "no"))
    ]
    rewards = {
        strategy: sum(play(link, item, strategy) for item in training) for strategy in strategies
    }
    best = max(strategies, key=lambda strategy: rewards[strategy])
    print(f"best of {len(strategies)} strategies: {best.action} the {best.target}")
    print(f"training accuracy {rewards[best] / len(training):.2f}")

    # %% Test on a named set; the exact player shows what experiments can tell.
    test = link.instances("practice")
    print(f"exact player {link.play('exact', test).mean('accuracy').value:.2f}")
    print(f"test accuracy {sum(play(link, item, best) for item in test) / len(test):.2f}")


if __name__ == "__main__":
    main()
