"""What tells two models apart: one variable is set, and the roots take all values there are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from causarium.families.replayscm.scoring.compile_answer import Executable
from causarium.scm.boolean.formula import value
from causarium.scm.boolean.truth_table import all_rows, column


@dataclass(frozen=True, slots=True)
class Separation:
    """How well an experiment tells two models apart."""

    experiment_valid: bool
    """Whether it sets exactly one variable, to 0 or to 1."""
    share: float
    """In which share of the combinations of root values the models differ under it."""
    best: float
    """The same for the best experiment there is on these two models."""
    witness: bool
    """Whether the models differ at the given values of the roots."""


def separation(
    ours: Executable,
    theirs: Executable,
    experiment: Mapping[str, int] | None,
    witness: Mapping[str, int] | None,
) -> Separation:
    """Say how well an experiment tells two models with the same roots apart."""
    roots = theirs.roots
    differing = differences(ours, theirs)
    contexts = 1 << len(roots)
    best = max(mask.bit_count() for mask in differing.values()) / contexts
    place = _only(experiment)
    if place not in differing:
        return Separation(experiment_valid=False, share=0.0, best=best, witness=False)
    mask = differing[place]
    return Separation(
        experiment_valid=True,
        share=mask.bit_count() / contexts,
        best=best,
        witness=_shows(mask, roots, witness),
    )


def differences(ours: Executable, theirs: Executable) -> dict[tuple[str, int], int]:
    """Return, for each variable and value it may be set to, the contexts in which models differ."""
    roots = theirs.roots
    names = [*roots, *theirs.written]
    return {
        (name, bit): _differ(ours, theirs, roots, name, bit) for name in names for bit in (0, 1)
    }


def best_experiment(ours: Executable, theirs: Executable) -> tuple[dict[str, int], dict[str, int]]:
    """Return the experiment that differs in most contexts, and one of these as a witness."""
    differing = differences(ours, theirs)
    (name, bit), mask = max(differing.items(), key=lambda found: found[1].bit_count())
    context = (mask & -mask).bit_length() - 1 if mask else 0
    return {name: bit}, {root: context >> j & 1 for j, root in enumerate(theirs.roots)}


def _only(experiment: Mapping[str, int] | None) -> tuple[str, int]:
    if experiment is None or len(experiment) != 1:
        return "", 0
    ((name, bit),) = experiment.items()
    return name, bit


def _shows(mask: int, roots: Sequence[str], witness: Mapping[str, int] | None) -> bool:
    """Tell whether the witness names every root and its context is one of `mask`."""
    if witness is None or witness.keys() != set(roots):
        return False
    if any(bit not in (0, 1) for bit in witness.values()):
        return False
    context = sum(witness[root] << j for j, root in enumerate(roots))
    return bool(mask >> context & 1)


def _differ(ours: Executable, theirs: Executable, roots: Sequence[str], name: str, bit: int) -> int:
    """Return the contexts in which the models differ when `name` is set to `bit`."""
    one, other = (outcome(model, roots, name, bit) for model in (ours, theirs))
    mask = 0
    for variable, seen in other.items():
        mask |= seen ^ one[variable]
    return mask


def outcome(model: Executable, roots: Sequence[str], name: str, bit: int) -> dict[str, int]:
    """Return every variable's values over all contexts when `name` is set to `bit`."""
    ones = all_rows(len(roots))
    held = ones if bit else 0
    columns = {root: column(j, len(roots)) for j, root in enumerate(roots)}
    if name in columns:
        columns[name] = held
    for variable, written in model.written.items():
        columns[variable] = held if variable == name else value(written.tree, columns, ones)
    return columns
