"""The table of programs: how far everybody comes that is no model and does not see the truth."""

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import CodeType, FunctionType
from typing import Any

from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.frozen import Frozen
from causarium.contract.player import Player, Sight
from causarium.contract.row import find_cluster
from causarium.contract.rungs import RUNG, name_rung
from causarium.scoring.intervals import summarize
from causarium.scoring.reach import RungMean, find_reach

_HALF = 0.5
"""A program has a rung where its mean there is above this."""


class ProgramReach(Frozen):
    """How far a program comes: its reach, or its mean score where a family has no rungs."""

    value: float
    low: float
    high: float
    open: bool = False
    """Whether the last rung played was not its last."""
    rungs: tuple[RungMean, ...] = ()
    """Its mean on each rung; empty where the value is the mean of all instances."""

    @property
    def in_words(self) -> str:
        """The value and its interval, in digits, as in `>= 5.61 [4.98, 6.20]`."""
        return f"{'>= ' if self.open else ''}{self.value:.2f} [{self.low:.2f}, {self.high:.2f}]"


class _Named(Frozen):
    """What is known of a program before it has played."""

    name: str
    about: str
    sees: Sight
    lines: int
    """Of its own code; 0 where there is no source."""


class Played(_Named):
    """A program and what it earned."""

    scores: tuple[float, ...]
    """On each instance."""

    @classmethod
    def of(cls, name: str, player: Player[Any, Any], scores: Iterable[float]) -> "Played":
        """Return what a player earned."""
        return cls(
            name=name,
            about=player.about,
            sees=player.sees,
            lines=count_lines(player.moves),
            scores=tuple(scores),
        )


class Program(_Named):
    """One line of the table."""

    reach: ProgramReach
    level: str = ""
    """The highest rung with a mean above a half; empty where there is none."""
    reference: bool = False
    """Whether the card names it as the player that infers all that can be inferred."""
    n: int
    version: str
    """Of the family."""


def describe_program(
    family: AnyFamily, instances: Sequence[AnyInstance], played: Played
) -> Program:
    """Return the line of one program.

    Args:
        family: The family that was played.
        instances: What it played.
        played: Who it is, and its score on each of them.
    """
    reach = measure_reach(family, instances, played.scores)
    held = [one.rung for one in reach.rungs if one.mean > _HALF]
    return Program(
        **played.model_dump(exclude={"scores"}),
        reference=played.name == family.card.reference,
        reach=reach,
        level=name_rung(max(held)) if held else "",
        n=len(instances),
        version=family.card.version,
    )


def measure_reach(
    family: AnyFamily, instances: Sequence[AnyInstance], scores: Sequence[float]
) -> ProgramReach:
    """Return the reach of scores, or their mean where not every instance has a rung."""
    clusters = [find_cluster(one) for one in instances]
    if instances and all(RUNG in one.facets for one in instances):
        rungs = [int(one.facets[RUNG]) for one in instances]
        reach = find_reach(zip(rungs, scores, clusters, strict=True))
        return ProgramReach(
            value=reach.value, low=reach.low, high=reach.high, open=reach.open, rungs=reach.rungs
        )
    share = family.metrics[family.card.headline["certified"]].share
    found = summarize(scores, clusters=clusters, share=share)
    return ProgramReach(value=found.value, low=found.low, high=found.high)


def sort_programs(programs: Iterable[Program]) -> tuple[Program, ...]:
    """Return programs with the strongest first; those without a number stand last."""

    def rank(program: Program) -> tuple[bool, float]:
        value = program.reach.value
        return math.isnan(value), -value

    return tuple(sorted(programs, key=rank))


def count_lines(function: Callable[..., Any] | None) -> int:
    """Return the size of a player's own code in lines that are not empty.

    Counted are the function, those that it was made from, and what of their modules they call.
    """
    lines: set[tuple[str, int]] = set()
    for found in _find_code(function):
        try:
            source, start = inspect.getsourcelines(found)
        except (OSError, TypeError):
            continue
        file = inspect.getfile(found)
        lines.update((file, start + n) for n, line in enumerate(source) if line.strip())
    return len(lines)


def _find_code(function: object) -> Iterator[Callable[..., Any]]:
    """Yield a player's functions, and the classes of their modules that they use."""
    waiting, met = [function], set()
    while waiting:
        one = waiting.pop()
        if isinstance(one, partial):
            waiting += [one.func, *one.args, *one.keywords.values()]
        elif isinstance(one, FunctionType | type) and id(one) not in met:
            met.add(id(one))
            yield one
            if isinstance(one, type):
                waiting += [each for each in vars(one).values() if isinstance(each, FunctionType)]
            else:
                waiting += _list_used(one)


def _list_used(function: FunctionType) -> Iterator[object]:
    """Yield what a function was made from, and what it calls in its own module."""
    for cell in function.__closure__ or ():
        value = cell.cell_contents
        if isinstance(value, FunctionType | partial):
            yield value
    for name in _list_names(function.__code__):
        value = function.__globals__.get(name)
        if getattr(value, "__module__", None) == function.__module__:
            yield value


def _list_names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _list_names(part)


def find_players(family: AnyFamily) -> Mapping[str, Player[Any, Any]]:
    """Return the players of a family that do not see the truth."""
    return {name: one for name, one in family.players.items() if not one.sees_truth}
