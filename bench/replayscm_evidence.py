"""How few worlds prove a model, how fast they are found, and whether they give the roots away.

Models are drawn fresh, given worlds by version 1's greedy choice and by ours, and proved to be the
only ones that fit, by closure and by count, with neither roots nor order told.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from random import Random
from statistics import fmean

from bench.measure import Measurement
from causarium.contract.sets.instance_sets import find_set, generate_set
from causarium.families.replayscm import FAMILY
from causarium.families.replayscm.certify import certify
from causarium.families.replayscm.generation.true_models import ROOTS, draw_latent
from causarium.families.replayscm.instance import ReplayInstance, true_roots
from causarium.scm.boolean.certify_model import is_unique
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.propose_worlds import Design, World, observe
from causarium.scm.boolean.row_evidence import Admissible, Evidence
from causarium.scm.boolean.select_worlds import Goal, select_worlds
from causarium.scm.boolean.short_evidence import few_worlds
from causarium.scm.dag import bits
from causarium.seeds import stream

MODELS, UNITS, SEED = 100, 12, 23
"""A seed that nothing was tuned on."""
DRAWN = 60
LEAKED = 400
"""Models whose roots are guessed: of a hundred, the AUC has a standard error of 0.02."""
RESAMPLES = 400
Choice = Callable[[Goal, Sequence[World], Design, Random], tuple[World, ...] | None]


def measure_evidence() -> Iterator[Measurement]:
    """Yield worlds, speed and leaks of both ways to choose, on the same models."""
    ours, our_rate = _choose_all(few_worlds, MODELS)
    greedy, greedy_rate = _choose_all(select_worlds, MODELS)
    models = [draw_latent("core", SEED, index, 0).scm for index in range(MODELS)]
    yield Measurement(
        f"worlds that prove a model, mean of {MODELS} fresh ones, against version 1's greedy",
        "worlds",
        fmean(map(len, ours)),
        fmean(map(len, greedy)),
        "<= 0.9x",
    )
    yield Measurement(
        "the same, each size as often as in `matched`",
        "worlds",
        _mean_at_sizes_of_matched(models, ours),
        _mean_at_sizes_of_matched(models, greedy),
        "<= 10.5",
    )
    yield Measurement(
        "models drawn, given worlds and proved unique twice, against version 1's greedy",
        "models/CPU s",
        our_rate,
        greedy_rate,
        ">= 30 and >= 0.9x",
    )
    yield Measurement(
        "telling roots by how seldom they are set, against version 1's greedy",
        "AUC",
        _auc(_compare_roots(models, ours)),
        _auc(_compare_roots(models, greedy)),
        "<= 0.58",
    )
    yield _measure_leak()
    yield from _measure_matched()
    yield _measure_generation()


def _mean_at_sizes_of_matched(
    models: Sequence[BooleanScm], chosen: Sequence[Sequence[World]]
) -> float:
    """Return the mean number of worlds, with sizes of models weighted as `matched` has them."""
    drawn = range(find_set(FAMILY, "certified", "hid-roots").size)
    sizes = Counter(draw_latent("core", 0, index, 0).scm.n for index in drawn)
    by_size: dict[int, list[int]] = defaultdict(list)
    for scm, worlds in zip(models, chosen, strict=True):
        by_size[scm.n].append(len(worlds))
    return sum(sizes[n] * fmean(by_size[n]) for n in sizes) / len(drawn)


def _choose_all(choose: Choice, count: int) -> tuple[list[list[World]], float]:
    found = []
    begun = time.process_time()
    for index in range(count):
        scm = draw_latent("core", SEED, index, 0).scm
        rng = stream(SEED, FAMILY.name, "bench", "certify", index)
        design = Design.draw(ROOTS, UNITS, rng)
        hidden = Admissible.hidden_roots(scm.n, ROOTS)
        first = observe(scm, design)
        chosen = choose(Goal.for_whole_model(scm, hidden), [first], design, rng)
        if chosen is None or not is_unique(scm, _evidence(scm.n, [first, *chosen]), hidden):
            raise AssertionError(f"no worlds make model {index} unique")
        found.append([first, *chosen])
    return found, count / (time.process_time() - begun)


def _evidence(n: int, worlds: Sequence[World]) -> Evidence:
    rows = [(row, world.targets) for world in worlds for row in world.rows]
    return Evidence.of(n, (row for row, _ in rows), (targets for _, targets in rows))


def _compare_roots(
    models: Sequence[BooleanScm], chosen: Sequence[Sequence[World]]
) -> list[list[float]]:
    """Return for each model, pair by pair, whether a root is set less often than another."""
    compared = []
    for scm, worlds in zip(models, chosen, strict=True):
        counts = [sum(world.targets >> v & 1 for world in worlds) for v in range(scm.n)]
        compared.append(
            [_is_less(counts[root], counts[v]) for root in bits(scm.roots) for v in scm.order]
        )
    return compared


def _auc(compared: Sequence[Sequence[float]]) -> float:
    return fmean(chain.from_iterable(compared))


def _measure_leak() -> Measurement:
    """Return the same for more models, with the interval that holds it in 95 of 100 samples."""
    models = [draw_latent("core", SEED, index, 0).scm for index in range(LEAKED)]
    compared = _compare_roots(models, _choose_all(few_worlds, LEAKED)[0])
    rng = Random(SEED)
    resampled = sorted(_auc(rng.choices(compared, k=LEAKED)) for _ in range(RESAMPLES))
    low, high = resampled[RESAMPLES // 40], resampled[-RESAMPLES // 40]
    return Measurement(
        f"the same of {LEAKED} fresh models (95 % interval {low:.3f} to {high:.3f})",
        "AUC",
        _auc(compared),
        None,
        "<= 0.58",
    )


def _is_less(one: int, other: int) -> float:
    return (one < other) + 0.5 * (one == other)


def _measure_matched() -> Iterator[Measurement]:
    problems: list[ReplayInstance] = generate_set(FAMILY, "certified", "matched")[300:]
    found = [certify(problem).extra for problem in problems]
    yield Measurement(
        "worlds of `matched`, against the least that any choice from the same pool needs",
        "worlds",
        fmean(one["worlds"] for one in found),
        fmean(one["at_least"] for one in found),
        "<= 10.5",
    )
    pairs = []
    for problem in problems:
        worlds, roots = problem.public.train, true_roots(problem)
        counts = {n: sum(n in w.targets for w in worlds) for n in problem.public.variables}
        others = [name for name in problem.public.variables if name not in roots]
        pairs += [_is_less(counts[root], counts[name]) for root in roots for name in others]
    yield Measurement(
        "telling roots of `matched` by how seldom they are set",
        "AUC",
        fmean(pairs),
        None,
        "<= 0.58",
    )


def _measure_generation() -> Measurement:
    begun = time.process_time()
    for index in range(DRAWN):
        FAMILY.generate(FAMILY.level("roots"), SEED, index)
    rate = DRAWN / (time.process_time() - begun)
    return Measurement(
        "certified problems generated whole", "problems/CPU s", rate, None, ">= 30 on a free core"
    )
