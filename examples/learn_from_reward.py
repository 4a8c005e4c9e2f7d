"""A small policy learns a CausalLink level from reward alone, in minutes and without a GPU.

    python examples/learn_from_reward.py --seeds 3 --page docs/training.md

The policy sees how many trials it made, how often the target moved, and its last act, and chooses
among five acts: start the asked object with the next other one, that other one alone, all but that
one, or answer. Nobody tells it which act is right: it is paid once, at the end, by
`Session.reward`. One hidden layer, policy gradient, and as baseline the mean of the other attempts
on the same instance. It trains on the train split and is tested on the tables of a named set; none
of them, under any names, can be in that split.
"""

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import causarium as cm
from causarium.charts.axes import Frame, draw_x_axis, draw_y_axis
from causarium.charts.svg import line, text
from causarium.contract.family_card import Part
from causarium.contract.sets.instance_sets import generate_instances

LEVEL, TEST = "rung-2", 48
HIDDEN, ATTEMPTS, INSTANCES = 32, 8, 8
EVERY = 40
ENTROPY, RATE = 0.05, 0.01
MARK = "<!-- learning curve -->"
ACTS = ("start pair", "start one", "start all but one")
ANSWERS = ("yes", "no")
Array = np.ndarray[Any, np.dtype[np.float64]]


class Result(NamedTuple):
    """One training run."""

    curve: list[tuple[int, float]]
    """Episodes seen, and the reward on what it is tested on."""
    seconds: float


class Policy:
    """One hidden layer, and Adam."""

    def __init__(self, inputs: int, outputs: int, rng: np.random.Generator) -> None:
        self.weights = [
            rng.normal(0, 0.3, (inputs + 1, HIDDEN)),
            rng.normal(0, 0.1, (HIDDEN + 1, outputs)),
        ]
        self._means = [np.zeros_like(w) for w in self.weights]
        self._squares = [np.zeros_like(w) for w in self.weights]
        self._updates = 0

    def forward(self, facts: Array) -> Array:
        """Return the chances of the acts."""
        hidden = np.tanh(facts @ self.weights[0][:-1] + self.weights[0][-1])
        scores = hidden @ self.weights[1][:-1] + self.weights[1][-1]
        powers = np.exp(scores - scores.max())
        chances: Array = powers / powers.sum()
        return chances

    def gradient(self, steps: list[tuple[Array, int, float]], entropy: float) -> list[Array]:
        """Return the direction in which each act, after what was seen, is likelier by a weight."""
        seen, acts, weights = zip(*steps, strict=True)
        facts = np.column_stack([np.array(seen), np.ones(len(steps))])
        inner = np.tanh(facts @ self.weights[0])
        hidden = np.column_stack([inner, np.ones(len(steps))])
        scores = hidden @ self.weights[1]
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        logs = np.log(chances + 1e-12)
        at_scores = np.array(weights)[:, None] * (np.eye(chances.shape[1])[list(acts)] - chances)
        at_scores -= entropy * chances * (logs - (chances * logs).sum(axis=1, keepdims=True))
        at_hidden = (at_scores @ self.weights[1][:-1].T) * (1 - inner**2)
        return [facts.T @ at_hidden, hidden.T @ at_scores]

    def update(self, gradients: list[Array], rate: float) -> None:
        """Take one step up."""
        self._updates += 1
        for place, gradient in enumerate(gradients):
            self._means[place] = 0.9 * self._means[place] + 0.1 * gradient
            self._squares[place] = 0.99 * self._squares[place] + 0.01 * gradient**2
            mean = self._means[place] / (1 - 0.9**self._updates)
            square = self._squares[place] / (1 - 0.99**self._updates)
            self.weights[place] += rate * mean / (np.sqrt(square) + 1e-8)


def see(used: int, moves: int, last: int, *, moved: bool, trials: int) -> Array:
    """Return what the policy sees: no names, only counts."""
    acts = np.zeros(len(ACTS) + 1)
    acts[last] = 1.0
    return np.array([used / trials, used == trials, moves / trials, moved, *acts], dtype=float)


def play(
    session: cm.Session, policy: Policy, rng: np.random.Generator, *, greedy: bool = False
) -> tuple[list[tuple[Array, int]], float]:
    """Play one episode; returns what was seen and done, and the reward."""
    session.reset()
    public: Any = session.instance.public
    others = [name for name in public.objects if name != public.asked]
    used, moves, moved, last, taken = 0, 0, False, len(ACTS), []
    while True:
        facts = see(used, moves, last, moved=moved, trials=public.trials)
        chances = policy.forward(facts)
        act = int(chances.argmax()) if greedy else int(rng.choice(len(chances), p=chances))
        taken.append((facts, act))
        if act >= len(ACTS) or used == public.trials:
            answer = ANSWERS[act - len(ACTS)] if act >= len(ACTS) else "no"
            return taken, session.step({"kind": "answer", "answer": answer}).reward
        one = others[used % len(others)]
        start = {"start pair": [public.asked, one], "start one": [one]}.get(
            ACTS[act], [name for name in public.objects if name != one]
        )
        moved = session.step({"kind": "trial", "start": start, "hold": []}).data["moved"]
        used, moves, last = used + 1, moves + moved, act


def draw_test(link: cm.Benchmark) -> list[Any]:
    """Return the tables of the level in the set `large`."""
    return list(generate_instances(link.family, [Part(level=LEVEL, size=TEST)]))


def train(seed: int, updates: int, pool: int, *, validate: bool = False) -> Result:
    """Train one policy; what it is tested on is looked at for the curve alone."""
    link = cm.load("causallink")
    items = link.generate(LEVEL, size=pool, seed=seed)
    sessions = [link.open(item, interface="tools") for item in items]
    held_out = link.generate(LEVEL, size=100, split="validation") if validate else draw_test(link)
    tests = [link.open(item, interface="tools") for item in held_out]
    rng = np.random.default_rng(seed)
    policy = Policy(4 + len(ACTS) + 1, len(ACTS) + len(ANSWERS), rng)
    start, curve, testing = time.process_time(), [], 0.0
    for update in range(updates + 1):
        if update % EVERY == 0:
            begin = time.process_time()
            rewards = [play(test, policy, rng, greedy=True)[1] for test in tests]
            curve.append((update * ATTEMPTS * INSTANCES, float(np.mean(rewards))))
            testing += time.process_time() - begin
        entropy = ENTROPY * (1 - update / (updates + 1))
        steps: list[tuple[Array, int, float]] = []
        for place in rng.integers(len(sessions), size=INSTANCES):
            attempts = [play(sessions[place], policy, rng) for _ in range(ATTEMPTS)]
            rewards = [reward for _, reward in attempts]
            for taken, reward in attempts:
                weight = (reward - (sum(rewards) - reward) / (ATTEMPTS - 1)) / len(rewards)
                steps += [(facts, act, weight / INSTANCES) for facts, act in taken]
        policy.update(policy.gradient(steps, entropy / (ATTEMPTS * INSTANCES)), RATE)
    return Result(curve, time.process_time() - start - testing)


def draw(results: list[Result], references: list[tuple[float, str]]) -> str:
    """Draw the learning curves, one line a seed, with reference players as lines across."""
    last = results[0].curve[-1][0]
    frame = Frame(60, 20, 560, 260, x_range=(0, last), y_range=(-0.25, 1))
    lines = [
        f'<polyline fill="none" stroke="#0072b2" stroke-width="1.5" points="'
        f'{" ".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in result.curve)}"/>'
        for result in results
    ]
    across = "".join(
        line((frame.left, frame.y(value)), (frame.right, frame.y(value)), dash="2 3")
        + text((frame.right + 6, frame.y(value) + 4), name)
        for value, name in references
    )
    ticks = [round(last * part / 4) for part in range(5)]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 340" role="img" '
        'font-family="sans-serif"><title>Learning curve</title>'
        f"<desc>Reward on the test set against episodes seen, {len(results)} seeds.</desc>"
        '<rect width="720" height="340" fill="white"/>'
        f"{draw_x_axis(frame, ticks, title='episodes')}"
        f"{draw_y_axis(frame, [-0.25, 0, 0.25, 0.5, 0.75, 1], title='reward')}"
        f"{across}{''.join(lines)}</svg>\n"
    )


def write_page(page: Path, table: str, svg: str) -> None:
    """Put the table into the page, between its marks, and the picture beside it."""
    picture = page.parent / "images" / "learning-curve.svg"
    picture.write_text(svg, encoding="utf-8")
    head, _, rest = page.read_text(encoding="utf-8").partition(MARK)
    _, _, tail = rest.partition(MARK)
    link = f"![Learning curve](images/{picture.name})"
    page.write_text(f"{head}{MARK}\n\n{link}\n\n{table}\n{MARK}{tail}", encoding="utf-8")


def main() -> None:
    """Train, test, and write what came out."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    options.add_argument("--seeds", type=int, default=1)
    options.add_argument("--first", type=int, default=0, help="the first seed")
    options.add_argument("--validate", action="store_true", help="test on the validation split")
    options.add_argument("--updates", type=int, default=480)
    options.add_argument("--pool", type=int, default=200)
    options.add_argument("--page", type=Path)
    given = options.parse_args()
    link = cm.load("causallink")
    names = ("always_no", "random_trials", "exact")
    test = draw_test(link)
    references = [(link.play(name, test).mean("score").value, name) for name in names]
    seeds = range(given.first, given.first + given.seeds)
    results = [train(n, given.updates, given.pool, validate=given.validate) for n in seeds]
    lines = [
        "| seed | before | after | best player but the exact | CPU s |",
        "|---|---|---|---|---|",
    ]
    best = max(value for value, name in references if name != "exact")
    for seed, result in zip(seeds, results, strict=True):
        first, last = result.curve[0][1], result.curve[-1][1]
        lines.append(f"| {seed} | {first:.3f} | {last:.3f} | {best:.3f} | {result.seconds:.0f} |")
    table = "\n".join(lines)
    print(table)
    print(", ".join(f"{name} {value:.3f}" for value, name in references))
    if given.page:
        write_page(given.page, table, draw(results, references))


if __name__ == "__main__":
    main()
