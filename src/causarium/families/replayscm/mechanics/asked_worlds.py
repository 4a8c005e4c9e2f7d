"""Worlds that are asked for: what can be asked, and what follows from it."""

from collections.abc import Mapping

from causarium.families.replayscm.instance import (
    ReplayInstance,
    ReplayPublic,
    WorldRows,
    gold_formulas,
    true_roots,
)
from causarium.families.replayscm.mechanics.intervention_worlds import Panel
from causarium.scm.boolean.formula import parse_formula
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.dag import mask_of


def true_model(instance: ReplayInstance) -> BooleanScm:
    """Return the true model of a problem."""
    variables = instance.public.variables
    formulas = {n: parse_formula(f, variables) for n, f in gold_formulas(instance).items()}
    return BooleanScm.of(variables, true_roots(instance), formulas)


def explain_refused_question(setting: Mapping[str, str], public: ReplayPublic) -> str | None:
    """Say why a world cannot be made, or return None."""
    units = len(public.train[0].units)
    if not setting:
        return "nothing is set in it, and that world is the first one"
    if unknown := [name for name in setting if name not in public.variables]:
        return f"there is no variable {unknown[0][:40]!r}"
    if len(setting) > public.max_targets:
        return f"{len(setting)} variables are to be set, and at most {public.max_targets} can be"
    for name, digits in setting.items():
        if len(digits) not in {1, units}:
            return f"{name} needs one digit or {units}, one for each unit, and has {len(digits)}"
        if not set(digits) <= {"0", "1"}:
            return f"{name} can be set to the digits 0 and 1 only"
    return None


def make_asked_world(
    public: ReplayPublic, scm: BooleanScm, setting: Mapping[str, str], number: int
) -> WorldRows:
    """Return what an asked-for world shows: it follows from the model and the question.

    Args:
        public: The problem.
        scm: The model that says what follows.
        setting: For each variable that is set, a digit for each unit, or one for all.
        number: The how many-eth question it is.
    """
    first = Panel.read(public.train[0], public.variables)
    place = {name: i for i, name in enumerate(public.variables)}
    targets = mask_of(place[name] for name in setting)
    rows = []
    for u, row in enumerate(first.rows):
        values = mask_of(
            place[name]
            for name, digits in setting.items()
            if digits[u if len(digits) > 1 else 0] == "1"
        )
        rows.append(scm.run(row & ~targets | values, targets))
    constant = all(len(set(digits)) == 1 for digits in setting.values())
    panel = Panel("hard_constant" if constant else "hard_assigned", targets, tuple(rows))
    return panel.write_rows(f"a{number:02d}", public.variables)
