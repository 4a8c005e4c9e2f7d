"""From an answer to a model that can be run: each stage of the way, and why an answer stops at it.

Schema, keys, parse, legality, acyclicity, in that order; an answer is valid when it passes all.
Legality and acyclicity look at what is written in a formula, whether it matters there or not.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from causarium.contract.replies import excerpt
from causarium.families.replayscm.instance import Extracted, ReplayPublic, Submit
from causarium.scm.boolean.formula import (
    OPERATORS,
    Fault,
    Formula,
    FormulaError,
    Limits,
    Tree,
    parse_formula,
)

Stage = Literal["extraction", "schema", "keys", "parse", "legality", "acyclicity"]
STAGES: tuple[Stage, ...] = ("extraction", "schema", "keys", "parse", "legality", "acyclicity")
"""What an answer has to pass, in order."""
KEPT_CHARS = 400
"""Formulas up to this length are remembered once read."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Where an answer stops, and why."""

    stage: Stage
    fault: str
    detail: str
    position: int | None = None
    """How many characters of the formula stand before the place; None if there is no one place."""


class Written(NamedTuple):
    """A formula that was read."""

    tree: Tree
    names: frozenset[str]


class Executable(NamedTuple):
    """An answer that can be run."""

    roots: tuple[str, ...]
    written: dict[str, Written]
    """By variable, causes before effects."""

    @property
    def size(self) -> int:
        """How many operators and names its formulas have together."""
        return sum(Formula(written.tree).size for written in self.written.values())


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

    @classmethod
    def of(cls, public: ReplayPublic) -> "Disclosure":
        """Return the disclosure of a problem."""
        limits = Limits(nodes=public.limits.max_nodes, depth=public.limits.max_depth)
        return cls(
            variables=frozenset(public.variables),
            listing=public.variables,
            roots=public.roots,
            n_roots=public.n_roots,
            admissible=_admissible(public),
            limits=limits,
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


def chosen(
    answer: Submit, disclosure: Disclosure
) -> tuple[Submit, Executable] | tuple[Submit, Refusal]:
    """Return the first candidate of an answer that can be executed, or why the first cannot."""
    first = examine(answer, disclosure)
    if isinstance(first, Executable):
        return answer, first
    for other in answer.others if isinstance(answer, Extracted) else ():
        found = examine(other, disclosure)
        if isinstance(found, Executable):
            return other, found
    return answer, first


def examine(answer: Submit, disclosure: Disclosure) -> Executable | Refusal:
    """Take an answer through all stages."""
    roots = disclosure.roots
    if roots is None:
        if answer.roots is None:
            return Refusal("schema", "no roots", 'the answer has no "roots", which are asked for')
        roots = answer.roots
        if refusal := _wrong_roots(roots, disclosure):
            return refusal
    if refusal := _wrong_keys(answer.mechanisms, roots, disclosure):
        return refusal
    written = _read_all(answer.mechanisms, disclosure)
    if isinstance(written, Refusal):
        return written
    if refusal := _illegal(written, answer.mechanisms, disclosure):
        return refusal
    return _ordered(written, roots)


def _wrong_roots(roots: Sequence[str], disclosure: Disclosure) -> Refusal | None:
    if unknown := [root for root in roots if root not in disclosure.variables]:
        return Refusal("keys", "unknown root", f"unknown roots: {_listed(unknown)}")
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
        return Refusal("keys", "missing key", f"no mechanism for {_listed(sorted(missing))}")
    extra = [name for name in mechanisms if name not in needed]
    if extra[0] in disclosure.variables:
        return Refusal("keys", "mechanism for a root", f"{extra[0]} is a root and has a mechanism")
    return Refusal("keys", "unknown key", f"mechanisms for what is no variable: {_listed(extra)}")


def _read_all(
    mechanisms: Mapping[str, str], disclosure: Disclosure
) -> dict[str, Written] | Refusal:
    """Read every formula; an unknown name is a matter of legality, so other faults come first."""
    found: dict[str, Written] = {}
    illegal: Refusal | None = None
    for name in disclosure.listing:
        if name not in mechanisms:
            continue
        try:
            found[name] = _read(mechanisms[name], disclosure.variables, disclosure.limits)
        except FormulaError as wrong:
            stage, fault = _called(wrong.fault)
            refusal = Refusal(stage, fault, f"{name}: {excerpt(str(wrong))}", wrong.position)
            if stage == "parse":
                return refusal
            illegal = illegal or refusal
    return illegal or found


def _called(fault: Fault) -> tuple[Stage, str]:
    return ("legality", "unknown name") if fault == "name" else ("parse", fault)


def _read(text: str, variables: frozenset[str], limits: Limits) -> Written:
    if len(text) <= KEPT_CHARS:
        return _kept(text, variables, limits.nodes, limits.depth)
    return _written(text, variables, limits)


@lru_cache(maxsize=8192)
def _kept(text: str, variables: frozenset[str], nodes: int, depth: int) -> Written:
    return _written(text, variables, Limits(nodes=nodes, depth=depth))


def _written(text: str, variables: frozenset[str], limits: Limits) -> Written:
    tree = parse_formula(text, variables, limits).tree
    # From the text and not from the tree: walking it again takes longer than reading it.
    if _tell_apart(variables):
        return Written(tree, frozenset(filter(text.__contains__, variables)))
    words = text.replace("(", " ").replace(")", " ").split()
    return Written(tree, variables.intersection(words))


@lru_cache(maxsize=256)
def _tell_apart(variables: frozenset[str]) -> bool:
    """Say whether a name can be looked for in a text without meeting it within another word."""
    others = (*variables, *OPERATORS)
    return not any(name in other for name in variables for other in others if name != other)


def _illegal(
    written: Mapping[str, Written], texts: Mapping[str, str], disclosure: Disclosure
) -> Refusal | None:
    admissible = disclosure.admissible
    for name, formula in written.items():
        if name in formula.names:
            detail = f"{name} stands in its own mechanism"
            return Refusal("legality", "self-reference", detail, _place({name}, texts[name]))
        if admissible is None or admissible[name].issuperset(formula.names):
            continue
        late = formula.names - admissible[name]
        listed = _listed(sorted(late))
        detail = f"{name} may not depend on {listed}, which the disclosed order puts later"
        return Refusal("legality", "later variable", detail, _place(late, texts[name]))
    return None


def _place(names: Collection[str], text: str) -> int:
    """Return where the first of some names that stand in a formula does."""
    return next(word.start() for word in re.finditer(r"[^\s()]+", text) if word.group() in names)


def _ordered(written: Mapping[str, Written], roots: Sequence[str]) -> Executable | Refusal:
    done = set(roots)
    found: dict[str, Written] = {}
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
            cycle = _cycle(dict(waiting))
            return Refusal("acyclicity", "cycle", f"a cycle: {' -> '.join(cycle)}")
        left = waiting
    return Executable(tuple(roots), found)


def _cycle(left: Mapping[str, Written]) -> list[str]:
    """Return one cycle among variables of which each depends on another of them."""
    path: list[str] = [next(iter(left))]
    while True:
        cause = min(left[path[-1]].names & left.keys())
        if cause in path:
            return [cause, *reversed(path[path.index(cause) :])]
        path.append(cause)


def _listed(names: Iterable[str]) -> str:
    return excerpt(", ".join(map(str, names)))
