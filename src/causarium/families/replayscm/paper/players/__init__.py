"""The scripted players of the published problems.

Some choose a model that fits (`choose`), and a second one where that is wanted. Others show what is
earned without inference: by constants, by chance, by silence.
"""

from random import Random

from causarium.contract.player import SILENT, Moves, Player
from causarium.contract.rules import Rules
from ..model.actions import Submit
from ..model.instance import ReplayInstance, ReplayPublic, ReplaySecret, gold_formulas, true_roots
from .choose import choose_answer


def _choose_simplest(public: ReplayPublic, _rules: Rules, _rng: Random) -> Moves:
    yield choose_answer(public)


def _search_stages(public: ReplayPublic, _rules: Rules, _rng: Random) -> Moves:
    yield choose_answer(public, staged=True)


def _observe(public: ReplayPublic, _rules: Rules, _rng: Random) -> Moves:
    """Fit the worlds in which nothing was set, and those alone."""
    untouched = tuple(world for world in public.train if not world.targets)
    yield choose_answer(public.model_copy(update={"train": untouched}))


def _say_constants(public: ReplayPublic, _rules: Rules, _rng: Random) -> Moves:
    """Say that every mechanism is 0, whatever is shown."""
    roots = public.roots or public.variables[: public.n_roots]
    nothing = f"(and {roots[0]} (not {roots[0]}))"
    mechanisms = {name: nothing for name in public.variables if name not in roots}
    yield _hand_in(public, roots, mechanisms, {public.variables[0]: 0}, dict.fromkeys(roots, 0))


def _hand_in(
    public: ReplayPublic,
    roots: tuple[str, ...],
    mechanisms: dict[str, str],
    experiment: dict[str, int],
    witness: dict[str, int],
) -> Submit:
    """Return an answer with what is asked for and no more."""
    return Submit(
        mechanisms=mechanisms,
        roots=roots if public.roots is None else None,
        experiment=experiment if public.alternative else None,
        witness=witness if public.alternative else None,
    )


def _random_plan(public: ReplayPublic, _rules: Rules, rng: Random) -> Moves:
    """Write random formulas over what may be used, in a random order where none is given."""
    names = list(public.variables)
    roots = public.roots or tuple(rng.sample(names, public.n_roots))
    rest = [name for name in public.order or _shuffle_names(public, rng) if name not in roots]
    before = list(roots)
    mechanisms = {}
    for name in rest:
        mechanisms[name] = _random_formula(before, public.limits.max_parents, rng)
        before.append(name)
    bit = rng.randrange(2)
    experiment, witness = {rng.choice(names): bit}, {root: rng.randrange(2) for root in roots}
    yield _hand_in(public, roots, mechanisms, experiment, witness)


def _shuffle_names(public: ReplayPublic, rng: Random) -> list[str]:
    blocks = public.blocks or (public.variables,)
    return [name for block in blocks for name in rng.sample(block, len(block))]


def _random_formula(names: list[str], most: int, rng: Random) -> str:
    parents = rng.sample(names, min(rng.randint(2, max(most, 2)), len(names)))
    parts = [f"(not {name})" if rng.random() < 0.3 else name for name in parents]
    while len(parts) > 1:
        op = rng.choice(("and", "or", "xor", "iff"))
        width = min(rng.choice((2, 2, 3)), len(parts))
        parts = [*parts[width:], f"({op} {' '.join(parts[:width])})"]
    return parts[0]


def _oracle_plan(instance: ReplayInstance, _rules: Rules, _rng: Random) -> Moves:
    """Hand in the truth, or the model that is not given."""
    public, secret = instance.public, instance.secret
    if public.reference is not None and secret.source is not None:
        source = secret.source
        mechanisms = {**public.reference, **source.other}
        yield Submit(mechanisms=mechanisms, experiment=source.experiment, witness=source.witness)
        return
    shortest = {name: one.minimal for name, one in secret.gold.items()}
    yield Submit(
        mechanisms={**gold_formulas(instance), **shortest},
        roots=true_roots(instance) if public.roots is None else None,
    )


PLAYERS: dict[str, Player[ReplayPublic, ReplaySecret]] = {
    "oracle": Player(about="Knows the true model and hands it in.", moves_from_truth=_oracle_plan),
    "simplest": Player(
        about="Finds the exact simplest model that fits: fewest parents, then shortest formulas.",
        moves=_choose_simplest,
    ),
    # The same moves under the name of the family's reference.
    "exact": Player(
        about="Finds the exact simplest model that fits: fewest parents, then shortest formulas.",
        moves=_choose_simplest,
    ),
    "symbolic": Player(
        about="Takes the first model that fits in an exact search under the published staged "
        "budgets.",
        moves=_search_stages,
    ),
    "observer": Player(
        about="Fits the simplest model to what happens where nothing is set.",
        moves=_observe,
    ),
    "constant": Player(
        about="Says that every mechanism is 0, whatever is shown.",
        moves=_say_constants,
        ignores_input=True,
    ),
    "random": Player(
        about="Writes random formulas over the variables that may be used.",
        moves=_random_plan,
        ignores_input=True,
    ),
    "silent": SILENT,
}
"""All players, by name."""
