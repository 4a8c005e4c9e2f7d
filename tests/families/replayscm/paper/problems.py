"""Small problems made by hand or drawn by hypothesis, for tests that must not need a generator."""

from collections.abc import Mapping, Sequence
from random import Random

from causarium.contract.instance import Instance
from causarium.contract.turn import Turn
from causarium.families.replayscm.paper.model.actions import Submit
from causarium.families.replayscm.paper.model.instance import (
    Mechanism,
    ReplayInstance,
    ReplayPublic,
    ReplaySecret,
    Source,
    WorldRows,
)
from causarium.scm.boolean.formula import Formula, Tree, parse_formula, tabulate
from causarium.scm.boolean.model import BooleanScm

NAMES = ("X1", "X2", "X3", "X4", "X5", "X6")
FORMULAS = {"X4": "(and X1 X2)", "X5": "(xor X4 X3)", "X6": "(or (not X5) X1)"}
"""Roots X1, X2 and X3; every parent matters."""


def simulate(
    scm: BooleanScm, names: Sequence[str], id_: str, targets: Sequence[str], rows: Sequence[int]
) -> WorldRows:
    """Return the world in which `targets` and the roots have the values they have in `rows`."""
    mask = sum(1 << names.index(name) for name in targets)
    done = [scm.run(row, mask) for row in rows]
    return WorldRows(
        id=id_,
        mode="hard_assigned" if targets else "none",
        targets=tuple(targets),
        units=tuple(f"u{u:02d}" for u in range(len(rows))),
        columns={name: "".join(str(row >> i & 1) for row in done) for i, name in enumerate(names)},
    )


def problem(
    formulas: Mapping[str, str] = FORMULAS,
    *,
    names: Sequence[str] = NAMES,
    train: Sequence[Sequence[str]] = ((), ("X4",), ("X5", "X1")),
    heldout: Sequence[Sequence[str]] = (("X5",), ("X4", "X2")),
    n_rows: int = 8,
    seed: int = 0,
    **public: object,
) -> ReplayInstance:
    """Return a problem whose worlds have these targets; hidden order unless said otherwise."""
    rng = Random(seed)
    parsed = {name: parse_formula(text, names) for name, text in formulas.items()}
    roots = tuple(name for name in names if name not in formulas)
    scm = BooleanScm.of(names, roots, parsed)

    def worlds(kind: str, groups: Sequence[Sequence[str]]) -> tuple[WorldRows, ...]:
        return tuple(
            simulate(
                scm,
                names,
                f"{kind}{w}",
                group,
                [rng.randrange(1 << len(names)) for _ in range(n_rows)],
            )
            for w, group in enumerate(groups)
        )

    given = {"setting": "hidden_order", "roots": roots, **public}
    return Instance[ReplayPublic, ReplaySecret](
        id="replayscm-made-0000",
        public=ReplayPublic(
            variables=tuple(names), n_roots=len(roots), train=worlds("t", train), **given
        ),
        secret=ReplaySecret(
            gold={name: mechanism(formula, names) for name, formula in parsed.items()},
            heldout=worlds("h", heldout),
            latent="made",
        ),
    )


def mechanism(formula: Formula, names: Sequence[str]) -> Mechanism:
    """Return the record of a true mechanism."""
    mask, table = tabulate(formula, names)
    parents, text = [name for i, name in enumerate(names) if mask >> i & 1], str(formula)
    return Mechanism(parents=tuple(parents), table=f"{table:x}", formula=text, minimal=text)


def alternative_problem() -> ReplayInstance:
    """Return a problem that gives X5 as X1 and X4, where no world shows X1 without X4."""
    names = ("X1", "X2", "X3", "X4", "X5")
    instance = problem(
        {"X4": "(or X1 X2)", "X5": "(and X1 X4)"},
        names=names,
        train=((), ("X3",)),
        heldout=(("X4",),),
    )
    reference = {name: one.formula for name, one in instance.secret.gold.items()}
    return instance.model_copy(
        update={
            "public": instance.public.model_copy(
                update={"setting": "alternative_hidden", "reference": reference}
            ),
            "secret": instance.secret.model_copy(
                update={
                    "gold": {},
                    "source": Source(
                        reference="gold",
                        other={},
                        found_by=(),
                        experiment={},
                        witness={},
                        disagreement=0.5,
                    ),
                }
            ),
        }
    )


def turn(move: Submit) -> Turn:
    """Return the turn in which an answer was handed in."""
    return Turn(action=move.record(), observation="Your answer is recorded.", legal=True, cost=0)


def random_tree(rng: Random, names: Sequence[str], depth: int = 3) -> Tree:
    """Return a random formula over `names`."""
    if depth == 0 or rng.random() < 0.25:
        return rng.choice(names)
    op = rng.choice(("not", "and", "or", "xor", "iff"))
    width = 1 if op == "not" else rng.choice((2, 2, 3))
    return (op, *(random_tree(rng, names, depth - 1) for _ in range(width)))


def random_mechanisms(rng: Random, names: Sequence[str], n_roots: int) -> dict[str, str]:
    """Return random mechanisms of an acyclic model whose first `n_roots` names are the roots."""
    return {
        name: str(Formula(random_tree(rng, names[:place])))
        for place, name in enumerate(names)
        if place >= n_roots
    }
