"""The rungs of support above the original one: more worlds, the same held-out ones.

`extra` adds a few worlds that set one variable or none, chosen for the patterns they show.
`covered` goes on until every pattern on every window is shown. Worlds that do what a held-out
world does are never taken.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from random import Random

from causarium.families.replayscm.generation.published_problems import Problem, generate_original
from causarium.families.replayscm.mechanics.intervention_worlds import Panel, patterns_seen
from causarium.families.replayscm.model.config import FAMILY_NAME, Pool
from causarium.scm.dag import bits
from causarium.seeds import stream

EXTRA = 3
_FOURTH_GAIN = 3
"""A fourth world is added where it shows so many new patterns."""
_ENVIRONMENTS_TRIED = 16
_MULTIPLE_TRIED = 60
_MULTIPLE_COUNTS = {2: 30, 3: 40, 4: 30}


@lru_cache(maxsize=512)
def extra(pool: Pool, seed: int, index: int) -> Problem:
    """Return the problem at an address with three or four more worlds."""
    problem = generate_original(pool, seed, index)
    rng = stream(seed, FAMILY_NAME, "extra", pool, index)
    candidates = list(_single_worlds(problem, rng))
    added: list[Panel] = []
    for number in range(EXTRA + 1):
        best, gain = _most_new(problem.add_worlds(added), candidates)
        if number == EXTRA and gain < _FOURTH_GAIN:
            break
        added.append(best)
    return problem.add_worlds(added)


@lru_cache(maxsize=512)
def generate_covered(pool: Pool, seed: int, index: int) -> Problem:
    """Return the problem at an address with every pattern on every window shown."""
    problem = extra(pool, seed, index)
    rng = stream(seed, FAMILY_NAME, "covered", pool, index)
    while missing := _find_missing_patterns(problem):
        worlds = problem.lab.random_worlds(rng, _MULTIPLE_TRIED, _MULTIPLE_COUNTS)
        allowed = [panel for panel in worlds if panel.signature not in problem.reserved]
        best, gain = _most_new(problem, [*allowed, make_forced_world(problem, missing, rng)])
        if gain:
            problem = problem.add_worlds([best])
    return problem


def make_forced_world(problem: Problem, missing: dict[int, list[int]], rng: Random) -> Panel:
    """Return the world that shows the patterns missing for the variable that lacks most."""
    variable = max(missing, key=lambda i: (len(missing[i]), i))
    targets = problem.latent.windows[variable]
    others = [i for i in range(problem.latent.n) if i != variable and not targets >> i & 1]
    # Where a held-out world does the same, further variables are set along.
    while ("hard_assigned", targets, 0) in problem.reserved:
        targets |= 1 << others.pop(rng.randrange(len(others)))
    along = targets & ~problem.latent.windows[variable]
    values = [
        pattern | sum(rng.getrandbits(1) << i for i in bits(along)) for pattern in missing[variable]
    ]
    return problem.lab.force_values(targets, values, rng)


def _single_worlds(problem: Problem, rng: Random) -> Iterator[Panel]:
    """Yield worlds that set nothing or one variable, in several environments each."""
    for _ in range(_ENVIRONMENTS_TRIED):
        worlds = [problem.lab.world("none", 0, rng)]
        for i in range(problem.latent.n):
            worlds.append(problem.lab.world("hard_assigned", 1 << i, rng))
            worlds.append(problem.lab.world("hard_constant", 1 << i, rng))
        yield from (panel for panel in worlds if panel.signature not in problem.reserved)


def _most_new(problem: Problem, candidates: Sequence[Panel]) -> tuple[Panel, int]:
    seen = patterns_seen(problem.train, problem.latent.windows)
    gains = [_gain(panel, seen, problem.latent.windows) for panel in candidates]
    best = max(range(len(gains)), key=lambda c: (gains[c], -c))
    return candidates[best], gains[best]


def _gain(panel: Panel, seen: dict[int, set[int]], windows: dict[int, int]) -> int:
    new = 0
    for variable, window in windows.items():
        if not panel.targets >> variable & 1:
            new += len({row & window for row in panel.rows} - seen[variable])
    return new


def _find_missing_patterns(problem: Problem) -> dict[int, list[int]]:
    windows = problem.latent.windows
    seen = patterns_seen(problem.train, windows)
    lacking = {i: sorted(set(_patterns(window)) - seen[i]) for i, window in windows.items()}
    return {i: patterns for i, patterns in lacking.items() if patterns}


def _patterns(window: int) -> Iterable[int]:
    part = window
    while True:
        yield part
        if not part:
            return
        part = (part - 1) & window
