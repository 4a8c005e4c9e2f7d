"""Units that can be recognised: rows as masks, the true model, and what a question shows."""

from collections.abc import Mapping, Sequence

from causarium.families.replayscm.model.instance import ReplayInstance, ReplayPublic, WorldRows
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.dag import bits, mask_of


def pack_rows(world: WorldRows, variables: Sequence[str]) -> tuple[int, ...]:
    """Return the rows of a world, variable `i` at bit `i`."""
    return tuple(
        mask_of(i for i, name in enumerate(variables) if world.columns[name][u] == "1")
        for u in range(len(world.units))
    )


def mask_names(names: Sequence[str], variables: Sequence[str]) -> int:
    """Return the mask of some variables."""
    return mask_of(variables.index(name) for name in names)


def true_unit_model(instance: ReplayInstance) -> tuple[BooleanScm, tuple[int, ...]]:
    """Return the true model, its trait last, and for each unit its roots and its trait."""
    public, secret = instance.public, instance.secret
    names = (*public.variables, "H")
    n = len(public.variables)
    parents, tables = [0] * (n + 1), [0] * (n + 1)
    for name, one in secret.gold.items():
        place = names.index(name)
        parents[place], tables[place] = mask_names(one.parents, names), int(one.table, 16)
    roots = mask_names(public.roots or (), names)
    scm = BooleanScm(n + 1, roots | 1 << n, tuple(parents), tuple(tables))
    traits = secret.traits or "0" * len(public.train[0].units)
    first = pack_rows(public.train[0], public.variables)
    starts = (row & roots | int(h) << n for row, h in zip(first, traits, strict=True))
    return scm, tuple(starts)


def run_question(
    public: ReplayPublic,
    scm: BooleanScm,
    starts: Sequence[int],
    question: Mapping[str, int],
    number: int,
) -> WorldRows:
    """Return what a question shows.

    Args:
        public: The problem.
        scm: The model that says what follows.
        starts: For each unit its roots and its trait.
        question: What is set, in all units alike.
        number: The how many-eth question it is.
    """
    names = public.variables
    targets = mask_names(tuple(question), names)
    values = mask_of(names.index(name) for name, value in question.items() if value)
    rows = [scm.run(start & ~targets | values, targets) for start in starts]
    return WorldRows(
        id=f"a{number}",
        mode="hard_constant",
        targets=tuple(names[v] for v in bits(targets)),
        units=public.train[0].units,
        columns={name: "".join(str(row >> i & 1) for row in rows) for i, name in enumerate(names)},
    )
