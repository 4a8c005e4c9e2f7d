"""Draw problems, which means a model, its worlds, and what its setting tells."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import comb, log2
from random import Random
from typing import Any

from causarium.contract.instance import Instance
from causarium.errors import ContractError
from causarium.scm.boolean.certify_model import (
    Experiment,
    find_best_alternative,
    find_best_experiment,
    find_simplest_known,
)
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import Admissible, ModelFacts
from causarium.scm.boolean.shortest_formulas import cheapest, minimal_formula
from causarium.scm.boolean.truth_table import spread
from causarium.scm.dag import bits
from causarium.seeds import stream
from ..levels import ReplayConfig
from ..mechanics import Panel, admissible, mechanisms, panel_evidence, patterns_seen, write_worlds
from ..model.instance import (
    FAMILY_NAME,
    Limits,
    ReplayInstance,
    ReplayPublic,
    ReplaySecret,
    Setting,
    Source,
)
from .published_problems import Problem, generate_original
from .true_models import POOL, ROOTS, Latent


def disclose_setting(setting: Setting, latent: Latent, seed: int, index: int) -> dict[str, Any]:
    """Return the fields that a setting tells of a model's structure; always the same of one."""
    if setting == "hidden_roots":
        return {"roots": None}
    roots = _names(latent, latent.order[:ROOTS])
    if setting.endswith("ordered"):
        return {"roots": roots, "order": tuple(latent.variables[i] for i in latent.order)}
    if setting == "block_order":
        rng = stream(seed, FAMILY_NAME, "blocks", POOL, index)
        return {"roots": roots, "blocks": (roots, *_blocks(latent, rng))}
    return {"roots": roots}


def admissible_of(setting: Setting, latent: Latent) -> Admissible:
    """Return the models that a setting with a full order or with none admits."""
    if setting.endswith("ordered"):
        return Admissible.from_order(latent.n, latent.scm.roots, latent.endogenous)
    return Admissible.from_roots(latent.n, latent.scm.roots)


def _blocks(latent: Latent, rng: Random) -> list[tuple[str, ...]]:
    """Cut the order of the variables with mechanisms into two or three runs of similar length."""
    rest = latent.endogenous
    count = min(rng.choice((2, 3)), len(rest))
    cuts = [round(part * len(rest) / count) for part in range(count + 1)]
    return [_names(latent, rest[a:b]) for a, b in pairwise(cuts)]


def _names(latent: Latent, members: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(latent.variables[i] for i in sorted(members))


EXTRA = 3
_FOURTH_GAIN = 3
"""A fourth world is added where it shows so many new patterns."""
_ENVIRONMENTS_TRIED = 16
_MULTIPLE_TRIED = 60
_MULTIPLE_COUNTS = {2: 30, 3: 40, 4: 30}


def extra(seed: int, index: int) -> Problem:
    """Return the problem at an address with three or four more worlds."""
    problem = generate_original(seed, index)
    rng = stream(seed, FAMILY_NAME, "extra", POOL, index)
    candidates = list(_single_worlds(problem, rng))
    added: list[Panel] = []
    for number in range(EXTRA + 1):
        best, gain = _most_new(problem.add_worlds(added), candidates)
        if number == EXTRA and gain < _FOURTH_GAIN:
            break
        added.append(best)
    return problem.add_worlds(added)


def generate_covered(seed: int, index: int) -> Problem:
    """Return the problem at an address with every pattern on every window shown."""
    problem = extra(seed, index)
    rng = stream(seed, FAMILY_NAME, "covered", POOL, index)
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
    every = {i: {spread(p, w) for p in range(1 << w.bit_count())} for i, w in windows.items()}
    return {i: sorted(shown - seen[i]) for i, shown in every.items() if shown - seen[i]}


SWEEPS = 50
_LARGER_SET = 0.2
"""How often a sweep takes a parent set that is larger than it need be."""
_TRIED = 60
_COUNTS = {1: 10, 2: 30, 3: 40, 4: 20}


def audit_problem(problem: Problem, admissible: Admissible, rng: Random) -> Problem:
    """Return the problem with worlds that tell every model that the search finds from the truth."""
    while True:
        known = ModelFacts.of(panel_evidence(problem.train, problem.latent.n), admissible)
        found = find_other_models(known, problem.latent.scm, rng)
        if not found:
            return problem
        problem = problem.add_worlds(separating(problem, found, rng))


def find_other_models(known: ModelFacts, truth: BooleanScm, rng: Random) -> list[BooleanScm]:
    """Return the models that the search finds and that are not the truth, each once."""
    models = propose_models(known, rng)
    found = {(scm.roots, scm.parents, scm.tables): scm for _, scm in models}
    found.pop((truth.roots, truth.parents, truth.tables), None)
    return list(found.values())


def propose_models(known: ModelFacts, rng: Random) -> list[tuple[str, BooleanScm]]:
    """Return the simplest model that fits, and others put together at random; who finds each."""
    simplest = find_simplest_known(known)
    finds = [("simplest", simplest)] if simplest else []
    return finds + [("sweep", sweep_model(known, rng)) for _ in range(SWEEPS)]


def sweep_model(known: ModelFacts, rng: Random) -> BooleanScm:
    """Put a model that fits together at random, of small parent sets and shortest formulas."""
    n = known.admissible.n
    roots = placed = rng.choice(known.feasible_roots)
    parents, tables = [0] * n, [0] * n
    while placed != (1 << n) - 1:
        variable = rng.choice(list(bits(int(known.ready[placed]) & ~placed)))
        mask = _small_set(known, variable, placed, rng)
        fit = cheapest(*known.facts(variable, mask), mask.bit_count())
        parents[variable], tables[variable] = mask, fit[1] if fit else 0
        placed |= 1 << variable
    return BooleanScm(n, roots, tuple(parents), tuple(tables))


def _small_set(known: ModelFacts, variable: int, placed: int, rng: Random) -> int:
    masks = known.admissible.layout.parents[variable, known.minimal[variable]].tolist()
    within = [mask for mask in masks if not mask & ~placed]
    least = min(mask.bit_count() for mask in within)
    smallest = [mask for mask in within if mask.bit_count() == least]
    return int(rng.choice(within if rng.random() < _LARGER_SET else smallest))


def separating(problem: Problem, models: Sequence[BooleanScm], rng: Random) -> list[Panel]:
    """Return worlds that together tell each model from the truth."""
    left, added = list(models), list[Panel]()
    counts = dict(_COUNTS)
    while left:
        worlds = problem.lab.random_worlds(rng, _TRIED, counts)
        candidates = [panel for panel in worlds if panel.signature not in problem.reserved]
        told = [[_tells(panel, scm) for scm in left] for panel in candidates]
        best = max(range(len(candidates)), key=lambda c: (sum(told[c]), -c))
        if any(told[best]):
            added.append(candidates[best])
            left = [scm for scm, is_told in zip(left, told[best], strict=True) if not is_told]
        else:
            # What few settings do not bring about, more of them do.
            counts[max(counts) + 1] = 100
    return added


def _tells(panel: Panel, scm: BooleanScm) -> bool:
    return any(scm.run(row, panel.targets) != row for row in panel.rows)


def find_second_model(
    problem: Problem, admissible: Admissible, rng: Random
) -> tuple[BooleanScm, list[str], Experiment]:
    """Return a second model that fits all training worlds, who finds it, and what tells it apart.

    Raises:
        ContractError: There is none that one experiment tells apart.
    """
    truth, n = problem.latent.scm, problem.latent.n
    train = panel_evidence(problem.train, n)
    finds = propose_models(ModelFacts.of(train, admissible), rng)
    for _, scm in finds:
        if scm != truth and (best := find_best_experiment(truth, scm)):
            found_by = dict.fromkeys(name for name, found in finds if found == scm)
            return scm, list(found_by), best
    exact = find_best_alternative(truth, train, admissible)
    if exact is None or not (best := find_best_experiment(truth, exact)):
        raise ContractError(f"no second model fits the worlds of {problem.latent.address}")
    return exact, ["exact"], best


def generate_problem(config: ReplayConfig, seed: int, index: int) -> ReplayInstance:
    """Draw problem `index` of a level."""
    problem = draw_problem(config, seed, index)
    instance = _instance(config, seed, index, problem)
    if config.setting.startswith("alternative"):
        return _alternative(instance, config, seed, index, problem)
    return instance


def draw_problem(config: ReplayConfig, seed: int, index: int) -> Problem:
    """Return the model and the worlds of a level's support."""
    address = (seed, index)
    if config.support == "original":
        return generate_original(*address)
    if config.support == "extra":
        return extra(*address)
    problem = generate_covered(*address)
    rng = stream(seed, FAMILY_NAME, "audit", config.setting, POOL, index)
    return audit_problem(problem, admissible_of(config.setting, problem.latent), rng)


def _instance(config: ReplayConfig, seed: int, index: int, problem: Problem) -> ReplayInstance:
    latent = problem.latent
    tells = disclose_setting(config.setting, latent, seed, index)
    named = {latent.variables[i]: formula for i, formula in latent.formulas.items()}
    public = ReplayPublic(
        setting=config.setting,
        variables=latent.variables,
        n_roots=ROOTS,
        **tells,
        limits=Limits(),
        train=write_worlds(problem.train, "t", latent.variables),
    )
    secret = ReplaySecret(
        gold=mechanisms(named, latent.variables),
        heldout=write_worlds(problem.heldout, "h", latent.variables),
        latent=latent.address,
    )
    return Instance[ReplayPublic, ReplaySecret](
        id=config.name_problem(seed, index),
        public=public,
        secret=secret,
        facets={
            "setting": config.setting,
            "support": config.support,
            "variables": latent.n,
            "mechanism": latent.address,
            "search": search_size(public),
            "use": "graded",
        },
    )


def search_size(public: ReplayPublic) -> int:
    """Return the logarithm of how many sets of parents there are to look at, all told."""
    limits = admissible(public)
    roots = limits.root_sets[0]
    sets = sum(
        comb(allowed.bit_count(), size)
        for v, allowed in enumerate(limits.allowed)
        for size in range(limits.max_parents + 1)
        if not roots >> v & 1
    )
    return round(log2(sets * len(limits.root_sets)))


def _alternative(
    instance: ReplayInstance, config: ReplayConfig, seed: int, index: int, problem: Problem
) -> ReplayInstance:
    """Return the problem as one that gives a model away and asks for another."""
    gold = {name: one.minimal for name, one in instance.secret.gold.items()}
    rng = stream(seed, FAMILY_NAME, "second", config.setting, POOL, index)
    limits = admissible_of(config.setting, problem.latent)
    scm, found_by, (variable, value, contexts) = find_second_model(problem, limits, rng)
    names = problem.latent.variables
    second = {
        names[i]: str(minimal_formula(scm.tables[i], [names[u] for u in bits(scm.parents[i])]))
        for i in sorted(scm.order)
    }
    gives_gold = rng.random() < 0.5 or _is_told(gold, second)
    reference, other = (gold, second) if gives_gold else (second, gold)
    differing = {name: text for name, text in other.items() if reference[name] != text}
    source = Source(
        reference="gold" if gives_gold else "alternative",
        other=differing,
        found_by=tuple(found_by),
        experiment={names[variable]: value},
        witness={names[root]: contexts[0] >> root & 1 for root in bits(scm.roots)},
        disagreement=len(contexts) / (1 << scm.roots.bit_count()),
    )
    kept = {n: one for n, one in instance.secret.gold.items() if not gives_gold and n in differing}
    return instance.model_copy(
        update={
            "public": instance.public.model_copy(update={"reference": reference}),
            "secret": instance.secret.model_copy(update={"gold": kept, "source": source}),
            "facets": {**instance.facets, "reference": source.reference},
        }
    )


def _is_told(hidden: dict[str, str], given: dict[str, str]) -> bool:
    """Say whether a mechanism that is to be hidden can be read in one that is given."""
    differing = [text for name, text in hidden.items() if given[name] != text]
    return any(text in shown for text in differing for shown in given.values())
