"""Drawing problems of the paper edition: the model, its worlds, and what its setting tells."""

from functools import lru_cache
from math import comb, log2

from causarium.contract.instance import Instance
from causarium.families.replayscm.evidence.boolean_view import admissible
from causarium.families.replayscm.generation.disclosure import admissible_of, disclose_setting
from causarium.families.replayscm.generation.fit_audit import audit_problem
from causarium.families.replayscm.generation.published_problems import Problem, generate_original
from causarium.families.replayscm.generation.second_model import find_second_model
from causarium.families.replayscm.generation.support_rungs import extra, generate_covered
from causarium.families.replayscm.generation.true_models import ROOTS
from causarium.families.replayscm.mechanics.problem_records import mechanisms, write_worlds
from causarium.families.replayscm.model.config import FAMILY_NAME, ReplayConfig
from causarium.families.replayscm.model.instance import (
    Limits,
    ReplayInstance,
    ReplayPublic,
    ReplaySecret,
    Source,
)
from causarium.seeds import stream


def generate_paper_problem(config: ReplayConfig, seed: int, index: int) -> ReplayInstance:
    """Draw problem `index` of a level of the paper edition."""
    problem = draw_problem(config, seed, index)
    instance = _instance(config, seed, index, problem)
    if config.setting.startswith("alternative"):
        return _alternative(instance, config, seed, index, problem)
    return instance


@lru_cache(maxsize=64)  # Levels of one index share a model, and tests ask for it several times.
def draw_problem(config: ReplayConfig, seed: int, index: int) -> Problem:
    """Return the model and the worlds of a level's support."""
    address = (config.pool, seed, index)
    if config.support == "original":
        return generate_original(*address)
    if config.support == "extra":
        return extra(*address)
    problem = generate_covered(*address)
    rng = stream(seed, FAMILY_NAME, "audit", config.setting, config.pool, index)
    return audit_problem(problem, admissible_of(config.setting, problem.latent), rng)


def _instance(config: ReplayConfig, seed: int, index: int, problem: Problem) -> ReplayInstance:
    latent = problem.latent
    tells = disclose_setting(config.setting, latent, config.pool, seed, index)
    named = {latent.variables[i]: formula for i, formula in latent.formulas.items()}
    public = ReplayPublic(
        setting=config.setting,
        variables=latent.variables,
        roots=tells.roots,
        n_roots=ROOTS,
        order=tells.order,
        blocks=tells.blocks,
        limits=Limits(),
        train=write_worlds(problem.train, "t", latent.variables),
    )
    secret = ReplaySecret(
        gold=mechanisms(named, latent.variables),
        heldout=write_worlds(problem.heldout, "h", latent.variables),
        latent=latent.address,
    )
    return Instance[ReplayPublic, ReplaySecret](
        id=f"{FAMILY_NAME}-{config.level}-{f's{seed}-' if seed else ''}{index:04d}",
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
    rng = stream(seed, FAMILY_NAME, "second", config.setting, config.pool, index)
    second = find_second_model(problem, admissible_of(config.setting, problem.latent), rng)
    gives_gold = rng.random() < 0.5 or _is_told(gold, second.formulas)
    reference, other = (gold, second.formulas) if gives_gold else (second.formulas, gold)
    differing = {name: text for name, text in other.items() if reference[name] != text}
    source = Source(
        reference="gold" if gives_gold else "alternative",
        other=differing,
        found_by=second.found_by,
        experiment=second.experiment,
        witness=second.witness,
        disagreement=second.disagreement,
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
