"""From formulas and simulated worlds to what is stored of a problem."""

from collections.abc import Iterable, Mapping, Sequence

from causarium.families.replayscm.mechanics.intervention_worlds import Panel
from causarium.families.replayscm.model.instance import (
    Mechanism,
    ReplayInstance,
    WorldRows,
    gold_formulas,
    true_roots,
)
from causarium.scm.boolean.formula import Formula, functional_parents, parse_formula, truth_table
from causarium.scm.boolean.model import BooleanScm


def true_model(instance: ReplayInstance) -> BooleanScm:
    """Return the true model of a problem of the paper edition."""
    variables = instance.public.variables
    formulas = {n: parse_formula(f, variables) for n, f in gold_formulas(instance).items()}
    return BooleanScm.of(variables, true_roots(instance), formulas)


def mechanism(formula: Formula, variables: Sequence[str]) -> Mechanism:
    """Return what is stored of a mechanism; parents that never matter are left out."""
    from causarium.scm.boolean.shortest_formulas import minimal_formula

    matter = set(functional_parents(formula))
    parents = tuple(name for name in variables if name in matter)
    idle = [name for name in formula.names if name not in matter]
    table = truth_table(formula, [*parents, *idle]) & ((1 << (1 << len(parents))) - 1)
    return Mechanism(
        parents=parents,
        table=f"{table:x}",
        formula=str(formula),
        minimal=str(minimal_formula(table, parents)) if parents else str(formula),
    )


def mechanisms(formulas: Mapping[str, Formula], variables: Sequence[str]) -> dict[str, Mechanism]:
    """Return what is stored of all mechanisms, in listing order."""
    return {name: mechanism(formulas[name], variables) for name in variables if name in formulas}


def write_worlds(
    panels: Iterable[Panel], letter: str, variables: Sequence[str]
) -> tuple[WorldRows, ...]:
    """Return worlds as they are stored, numbered in their order."""
    return tuple(panel.write_rows(f"{letter}{w:02d}", variables) for w, panel in enumerate(panels))
