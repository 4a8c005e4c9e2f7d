"""Certified edition: examine an answer, and return its model or its row, or what is wrong with it.

An answer that cannot be read or is no model over the variables goes back to the agent once, with a
sentence that names the fault; the second time it scores 0. Spelling never counts, and what is said
of traits and hands is a diagnosis and no reason to refuse a model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from causarium.contract.texts.replies import excerpt
from causarium.scm.boolean.formula import Formula, FormulaError, parse_formula, tabulate
from causarium.scm.boolean.read_formula import fold_name, read_formula
from causarium.scm.dag import bits
from ..model.actions import Explain, Predict
from ..model.instance import ReplayPublic
from .examine_answer import find_cycle

Fault = Literal["incomplete", "unknown variable", "twice", "formula", "causes", "cycle", "row"]
"""What may be wrong with an answer."""
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class AnswerFault:
    """Why an answer counts as nothing, with the place."""

    fault: Fault
    detail: str


@dataclass(frozen=True, slots=True)
class UnitAnswer:
    """A model that was handed in, over all variables and the trait after them."""

    parents: tuple[int, ...]
    """For each variable the mask of what its formula depends on."""
    tables: tuple[int, ...]
    traits: str | None
    touched: tuple[frozenset[str], ...] | None
    """For each world but the first what is said to be set in it."""
    slips: int
    """How much of it had to be forgiven its form."""


def examine_model(public: ReplayPublic, answer: Explain) -> UnitAnswer | AnswerFault:
    """Read the model that was handed in."""
    texts = match_names(public.variables, answer.mechanisms)
    if isinstance(texts, AnswerFault):
        return texts
    # What is said of a root is left out: its values are given.
    needed = [name for name in public.variables if name not in (public.roots or ())]
    if missing := [name for name in needed if not texts.get(name, "").strip()]:
        return AnswerFault("incomplete", f"there is no formula for {', '.join(missing)}")
    names = (*public.variables, *public.traits)
    read = _read_formulas(public, texts, needed, names)
    if isinstance(read, AnswerFault):
        return read
    parents, tables, slips = read
    pairs = zip(public.variables, parents, strict=True)
    if cycle := find_cycle({name: {names[u] for u in bits(mask)} for name, mask in pairs}):
        return AnswerFault("cycle", f"a cycle: {' -> '.join(cycle)}")
    traits, touched, left_out = _read_beside(public, answer)
    return UnitAnswer(tuple(parents), tuple(tables), traits, touched, slips + left_out)


def _read_formulas(
    public: ReplayPublic, texts: Mapping[str, str], needed: Sequence[str], names: Sequence[str]
) -> tuple[list[int], list[int], int] | AnswerFault:
    """Return the causes and the table of each variable, and how many formulas were forgiven."""
    parents, tables, slips = [0] * len(public.variables), [0] * len(public.variables), 0
    most = public.limits.max_parents
    for name in needed:
        try:
            formula, slip = _read_text(texts[name], names, name)
        except FormulaError as wrong:
            return AnswerFault("formula", f"{name}: {excerpt(str(wrong))}")
        place = public.variables.index(name)
        parents[place], tables[place] = tabulate(formula, names)
        slips += slip
        if (count := parents[place].bit_count()) > most:
            detail = f"{name} has {count} causes, and at most {most} are possible"
            return AnswerFault("causes", detail)
    return parents, tables, slips


def examine_row(public: ReplayPublic, answer: Predict) -> tuple[int, ...] | AnswerFault:
    """Return the values that were handed in, in listing order; what is said of traits is not."""
    traits = set(map(fold_name, public.traits))
    row = {name: bit for name, bit in answer.row.items() if fold_name(name) not in traits}
    given = match_names(public.variables, row)
    if isinstance(given, AnswerFault):
        return given
    if missing := [name for name in public.variables if name not in given]:
        return AnswerFault("incomplete", f"there is no value for {', '.join(missing)}")
    if wrong := [name for name, bit in given.items() if bit not in (0, 1)]:
        return AnswerFault("row", f"{wrong[0]} is {excerpt(str(given[wrong[0]]))}, and not 0 or 1")
    return tuple(given[name] for name in public.variables)


def match_names(
    variables: Sequence[str], given: Mapping[str, Value]
) -> dict[str, Value] | AnswerFault:
    """Return what was said of each variable, however its name is spelt."""
    known = {fold_name(name): name for name in variables}
    found: dict[str, Value] = {}
    for key, value in given.items():
        name = known.get(fold_name(key))
        if name is None:
            detail = f"there is no variable {excerpt(key)!r}; variables: {', '.join(variables)}"
            return AnswerFault("unknown variable", detail)
        if found.setdefault(name, value) != value:
            return AnswerFault("twice", f"{name} stands there twice, and not with the same")
    return found


def _read_text(text: str, names: Sequence[str], of: str) -> tuple[Formula, bool]:
    try:
        return parse_formula(text, names), False
    except FormulaError:
        return read_formula(text, names, of=of), True


def _read_beside(
    public: ReplayPublic, answer: Explain
) -> tuple[str | None, tuple[frozenset[str], ...] | None, int]:
    """Read what is said of traits and hands, and count what makes no sense and is left out."""
    traits, slips = None, 0
    if public.traits and answer.hidden is not None:
        digits = "".join(answer.hidden.replace(",", "").split())
        is_read = len(digits) == len(public.train[0].units) and set(digits) <= {"0", "1"}
        traits, slips = (digits, 0) if is_read else (None, 1)
    if public.task is None or not public.task.touched or answer.touched is None:
        return traits, None, slips
    known = {fold_name(name): name for name in public.variables}
    said = {world.id: frozenset[str]() for world in public.train[1:]}
    for place, given in answer.touched.items():
        world, names = place.strip().lower(), [known.get(fold_name(name)) for name in given]
        slips += world not in said or None in names
        if world in said:
            said[world] = frozenset(name for name in names if name is not None)
    return traits, tuple(said.values()), slips
