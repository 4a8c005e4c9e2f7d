"""Examine an answer, stage by stage, and say at which stage it fails, and why.

Schema, keys, parse, legality, acyclicity, in that order; an answer that passes all can be run.
Legality and acyclicity look at what is written in a formula, whether it matters there or not.

A formula that is wrong in its form alone is read all the same where only one thing can be meant,
and counted. Under the published rules it is refused; these read `(X2)` as the variable, refuse tabs
and line breaks, and have no limits but the number of characters.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from causarium.contract.texts.replies import excerpt
from causarium.scm.boolean.formula import (
    FormulaError,
    Limits,
    find_word,
    free_lone_names,
    parse_formula,
    split_words,
)
from causarium.scm.boolean.read_formula import read_formula as read_any_spelling
from ..model.actions import Extracted, Submit
from ..model.instance import ReplayPublic

Stage = Literal["extraction", "schema", "keys", "parse", "legality", "acyclicity"]
STAGES: tuple[Stage, ...] = ("extraction", "schema", "keys", "parse", "legality", "acyclicity")
"""What an answer has to pass, in order."""
_FORGIVEN = frozenset({"syntax", "operator", "arity", "name"})
"""Faults that may be a matter of form."""
_BREAKS = "\t\r\n\v\f"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Where an answer stops, and why."""

    stage: Stage
    fault: str
    detail: str
    position: int | None = None
    """How many characters of the formula stand before the place; None if there is no one place."""


Reader: TypeAlias = Callable[[str, str], "FormulaText"]
"""From a variable and a text to the formula that was read; raises a FormulaError if it is none."""


class PlainAnswer(NamedTuple):
    """An answer that is mechanisms, and perhaps roots, and nothing else."""

    mechanisms: dict[str, str]
    roots: tuple[str, ...] | None = None
    experiment: None = None
    witness: None = None


Answer: TypeAlias = Submit | PlainAnswer
"""What is looked at: formulas, and what else is asked for."""


class FormulaText(NamedTuple):
    """A formula that was read."""

    words: tuple[str, ...]
    """Its brackets and words, as they should have been written."""
    names: frozenset[str]
    size: int
    """How many operators and names it has."""
    slip: bool = False
    """Whether its form had to be forgiven."""


class Executable(NamedTuple):
    """An answer that can be run."""

    roots: tuple[str, ...]
    written: dict[str, FormulaText]
    """By variable, causes before effects."""

    @property
    def size(self) -> int:
        """How many operators and names its formulas have together."""
        return sum(written.size for written in self.written.values())

    @property
    def slips(self) -> int:
        """How many of its formulas had to be forgiven their form."""
        return sum(written.slip for written in self.written.values())


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What a problem says about a model's shape, in the form in which answers are checked."""

    variables: frozenset[str]
    listing: tuple[str, ...]
    roots: tuple[str, ...] | None
    """None where they are to be found."""
    n_roots: int
    admissible: Mapping[str, frozenset[str]] | None
    """For each variable what may stand in its formula; None if everything but itself."""
    limits: Limits
    strict: bool
    """Whether formulas are read as published: nothing is forgiven, and nothing is limited."""

    @classmethod
    def of(cls, public: ReplayPublic, *, strict: bool = False) -> "Disclosure":
        """Return the disclosure of a problem."""
        limits = Limits(nodes=public.limits.max_nodes, depth=public.limits.max_depth)
        if strict:
            limits = Limits(nodes=limits.chars, depth=limits.chars)
        return cls(
            variables=frozenset(public.variables),
            listing=public.variables,
            roots=public.roots,
            n_roots=public.n_roots,
            admissible=_admissible(public),
            limits=limits,
            strict=strict,
        )


def _admissible(public: ReplayPublic) -> dict[str, frozenset[str]] | None:
    if public.order is not None:
        order = public.order
        return {name: frozenset(order[:place]) for place, name in enumerate(order)}
    if public.blocks is not None:
        found: dict[str, frozenset[str]] = {}
        before: frozenset[str] = frozenset()
        for block in public.blocks:
            found |= {name: before | frozenset(block) - {name} for name in block}
            before |= frozenset(block)
        return found
    return None


def list_other_answers(answer: Answer) -> tuple[Submit, ...]:
    """Return the further answers of the same reply."""
    return answer.others if isinstance(answer, Extracted) else ()


def examine_answer(
    answer: Answer, disclosure: Disclosure, read: Reader | None = None
) -> Executable | Refusal:
    """Take an answer through all stages.

    Args:
        answer: The answer.
        disclosure: What the problem says about a model's shape.
        read: Reads the formula of a variable, where that is not to be done anew.
    """
    roots = disclosure.roots
    if roots is None:
        if answer.roots is None:
            return Refusal("schema", "no roots", 'the answer has no "roots", which are asked for')
        roots = answer.roots
        if refusal := _wrong_roots(roots, disclosure):
            return refusal
    if refusal := _wrong_keys(answer.mechanisms, roots, disclosure):
        return refusal
    reader = read or (lambda _, text: read_formula(text, disclosure))
    written = _read_all(answer.mechanisms, disclosure, reader)
    if isinstance(written, Refusal):
        return written
    if refusal := _find_illegal(written, answer.mechanisms, disclosure):
        return refusal
    return _order_mechanisms(written, roots)


def _wrong_roots(roots: Sequence[str], disclosure: Disclosure) -> Refusal | None:
    if unknown := [root for root in roots if root not in disclosure.variables]:
        return Refusal("keys", "unknown root", f"unknown roots: {_list_names(unknown)}")
    if len(set(roots)) != len(roots) or len(roots) != disclosure.n_roots:
        detail = f"{len(set(roots))} different roots; there are {disclosure.n_roots}"
        return Refusal("keys", "root count", detail)
    return None


def _wrong_keys(
    mechanisms: Mapping[str, str], roots: Sequence[str], disclosure: Disclosure
) -> Refusal | None:
    needed = disclosure.variables.difference(roots)
    if mechanisms.keys() == needed:
        return None
    if missing := needed - mechanisms.keys():
        return Refusal("keys", "missing key", f"no mechanism for {_list_names(sorted(missing))}")
    extra = [name for name in mechanisms if name not in needed]
    if extra[0] in disclosure.variables:
        return Refusal("keys", "mechanism for a root", f"{extra[0]} is a root and has a mechanism")
    return Refusal(
        "keys", "unknown key", f"mechanisms for what is no variable: {_list_names(extra)}"
    )


def _read_all(
    mechanisms: Mapping[str, str], disclosure: Disclosure, read: Reader
) -> dict[str, FormulaText] | Refusal:
    """Read every formula; an unknown name is a matter of legality, so other faults come first."""
    found: dict[str, FormulaText] = {}
    illegal: Refusal | None = None
    for name in disclosure.listing:
        if name not in mechanisms:
            continue
        try:
            found[name] = read(name, mechanisms[name])
        except FormulaError as wrong:
            detail = f"{name}: {excerpt(str(wrong))}"
            if wrong.fault != "name":
                return Refusal("parse", wrong.fault, detail, wrong.position)
            illegal = illegal or Refusal("legality", "unknown name", detail, wrong.position)
    return illegal or found


def read_formula(text: str, disclosure: Disclosure) -> FormulaText:
    """Read one formula as the rules of a problem say.

    Raises:
        FormulaError: It is none.
    """
    variables, limits = disclosure.variables, disclosure.limits
    if disclosure.strict:
        if broken := [text.index(mark) for mark in _BREAKS if mark in text]:
            place = min(broken)
            raise FormulaError("syntax", place, f"a tab or a line break at character {place}")
        text = free_lone_names(text)
        parse_formula(text, variables, limits)
        return _split(text, variables)
    try:
        parse_formula(text, variables, limits)
    except FormulaError as wrong:
        if wrong.fault not in _FORGIVEN:
            raise
        try:
            meant = str(read_any_spelling(text, variables, limits))
            parse_formula(meant, variables, limits)
        except FormulaError as unread:
            # The strict reader's words say what is expected, but it takes any sign for a name.
            raise (unread if wrong.fault == "name" else wrong) from None
        return _split(meant, variables)._replace(slip=True)
    return _split(text, variables)


def _split(text: str, variables: frozenset[str]) -> FormulaText:
    words = tuple(split_words(text))
    return FormulaText(words, variables.intersection(words), len(words) - 2 * words.count("("))


def _find_illegal(
    written: Mapping[str, FormulaText], texts: Mapping[str, str], disclosure: Disclosure
) -> Refusal | None:
    admissible = disclosure.admissible
    for name, formula in written.items():
        if name in formula.names:
            detail = f"{name} stands in its own mechanism"
            return Refusal("legality", "self-reference", detail, find_word({name}, texts[name]))
        if admissible is None or admissible[name].issuperset(formula.names):
            continue
        late = formula.names - admissible[name]
        listed = _list_names(sorted(late))
        detail = f"{name} may not depend on {listed}, which the disclosed order puts later"
        return Refusal("legality", "later variable", detail, find_word(late, texts[name]))
    return None


def _order_mechanisms(
    written: Mapping[str, FormulaText], roots: Sequence[str]
) -> Executable | Refusal:
    done = set(roots)
    found: dict[str, FormulaText] = {}
    left = list(written.items())
    while left:
        waiting = []
        for name, formula in left:
            if formula.names <= done:
                found[name] = formula
                done.add(name)
            else:
                waiting.append((name, formula))
        if len(waiting) == len(left):
            cycle = find_cycle({name: formula.names for name, formula in waiting})
            return Refusal("acyclicity", "cycle", f"a cycle: {' -> '.join(cycle)}")
        left = waiting
    return Executable(tuple(roots), found)


def find_cycle(causes: Mapping[str, AbstractSet[str]]) -> list[str]:
    """Return one cycle among variables, given what each depends on; nothing if there is none."""
    left = dict(causes)
    while ready := [name for name, above in left.items() if not above & left.keys()]:
        for name in ready:
            del left[name]
    path = list(left)[:1]
    while path:
        cause = min(left[path[-1]] & left.keys())
        if cause in path:
            return [cause, *reversed(path[path.index(cause) :])]
        path.append(cause)
    return []


def _list_names(names: Iterable[str]) -> str:
    return excerpt(", ".join(map(str, names)))
