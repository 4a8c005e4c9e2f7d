"""Who plays ReplaySCM without a model.

Most players are a way to choose a model that fits: where worlds can be asked for they all ask in
the same way (`inquiry`), and where a second model is wanted they all look for one in the same way
(`submission`). What differs is the choice, and that is what their scores show.
"""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from causarium.contract.player import Plan, Player
from causarium.contract.rules import Rules
from causarium.families.replayscm import bnlearn
from causarium.families.replayscm.instance import (
    Ask,
    ReplayInstance,
    ReplayPublic,
    ReplaySecret,
    Submit,
    gold_formulas,
    true_roots,
)
from causarium.players.simple import SILENT

if TYPE_CHECKING:
    from causarium.scm.boolean.known import Known
    from causarium.scm.boolean.model import BooleanScm
    from causarium.scm.boolean.seen import Evidence

Choice = Callable[["Evidence", "Known", Random], "BooleanScm | None"]
"""From what was seen, and what it leaves open, to a model; None if none was found."""


def simplest(_: "Evidence", known: "Known", rng: Random) -> "BooleanScm | None":  # noqa: ARG001
    """Take the model with the fewest parents, then the shortest formulas."""
    from causarium.scm.boolean.solve import simplest_known

    found = simplest_known(known)
    return found.scm if found else None


def symbolic(_: "Evidence", known: "Known", rng: Random) -> "BooleanScm | None":  # noqa: ARG001
    """Take the first model that the staged search finds."""
    from causarium.families.replayscm.staged import staged_search

    return staged_search(known)


def structure(evidence: "Evidence", known: "Known", rng: Random) -> "BooleanScm | None":
    """Let a structure search propose parents, and fit rules to them."""
    from causarium.families.replayscm.structure import structured

    return structured(evidence, known, rng)


def bnlearn_structure(evidence: "Evidence", known: "Known", rng: Random) -> "BooleanScm | None":
    """Let bnlearn propose parents, and fit rules to them."""
    from causarium.families.replayscm.structure import structured

    return structured(evidence, known, rng, bnlearn.propose)


def uniform(_: "Evidence", known: "Known", rng: Random) -> "BooleanScm | None":
    """Draw one of all models that fit, each with the same probability."""
    from causarium.scm.boolean.count import Count

    count = Count(known)
    return count.draw(rng) if count.total else None


def _chooser(about: str, choice: Choice) -> Player[ReplayPublic, ReplaySecret]:
    def plan(public: ReplayPublic, _rules: Rules, rng: Random) -> Plan:
        from causarium.families.replayscm.evidence import admissible
        from causarium.families.replayscm.inquiry import inquire
        from causarium.families.replayscm.submission import second, written
        from causarium.scm.boolean.known import Known

        evidence = yield from inquire(public, rng)
        known = Known.of(evidence, admissible(public))
        found = choice(evidence, known, rng)
        if public.reference is not None:
            yield second(public, evidence, known.admissible, found)
        else:
            yield written(public, found)

    return Player(about=about, plan=plan)


def _random_plan(public: ReplayPublic, _rules: Rules, rng: Random) -> Plan:
    """Write random formulas over what may be used, in a random order where none is told."""
    names = list(public.variables)
    roots = public.roots or tuple(rng.sample(names, public.n_roots))
    rest = [name for name in public.order or _shuffled(public, rng) if name not in roots]
    before = list(roots)
    mechanisms = {}
    for name in rest:
        mechanisms[name] = _random_formula(before, public.limits.max_parents, rng)
        before.append(name)
    bit = rng.randrange(2)
    alternative = public.reference is not None
    yield Submit(
        mechanisms=mechanisms,
        roots=roots if public.roots is None else None,
        experiment={rng.choice(names): bit} if alternative else None,
        witness={root: rng.randrange(2) for root in roots} if alternative else None,
    )


def _shuffled(public: ReplayPublic, rng: Random) -> list[str]:
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


def _oracle_plan(instance: ReplayInstance, _rules: Rules, _rng: Random) -> Plan:
    """Ask what the proven plan asks, then hand in the truth, or the model that is not given."""
    public, secret = instance.public, instance.secret
    for asked in secret.plan or ():
        yield Ask(constant=asked.constant, assigned=asked.assigned)
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
    "oracle": Player(about="Knows the true model and hands it in.", sighted_plan=_oracle_plan),
    "simplest": _chooser(
        "Finds, exactly, the model that fits with the fewest parents and shortest formulas.",
        simplest,
    ),
    "symbolic": _chooser(
        "Takes the first model that fits in an exact search under the published staged budgets.",
        symbolic,
    ),
    "structure": _chooser(
        "Lets causal-learn's BOSS propose parents by an interventional BDe score, then fits rules.",
        structure,
    ),
    **(
        {
            "bnlearn": _chooser(
                "Lets bnlearn in R propose parents by mbde and tabu search, then fits rules.",
                bnlearn_structure,
            )
        }
        if bnlearn.at_hand()
        else {}
    ),
    "uniform": _chooser(
        "Draws one of all models that fit the worlds, each with the same probability.", uniform
    ),
    "random": Player(about="Writes random formulas over what may be used.", plan=_random_plan),
    "silent": SILENT,
}
"""All players, by name; `bnlearn` is there where R and its package are."""
