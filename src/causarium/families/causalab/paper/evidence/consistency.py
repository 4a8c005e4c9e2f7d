"""Paper edition: compare a hypothesis with every reading that the agent has, and with nothing else.

Two things can be compared with data: the frequency's equation with each reading's frequency, and
the graph with what moved when a property was put to a value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from causarium.scm.dag import bits
from ..mechanics.resolve_hypothesis import ResolvedHypothesis
from ..mechanics.shown_values import decimals
from ..model.instance import LabPublic, join_named
from .infer_mechanism import Sight, list_moves

EXPLAINED_HZ = 0.1
"""A reading is explained when the equation comes this close to its frequency."""
_ROWS_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Check:
    """How a hypothesis stands against the readings."""

    predicted: list[float | None]
    misses: list[float]
    """How far the equation is from each reading, in Hz; infinite without a prediction."""

    @property
    def explained(self) -> int:
        """How many readings the equation explains."""
        return sum(miss <= EXPLAINED_HZ for miss in self.misses)

    @property
    def mean_error(self) -> float | None:
        """The mean absolute error; None when nothing, or nothing on any scale, was predicted."""
        known = [miss for miss in self.misses if miss < inf]
        return sum(known) / len(known) if known and sum(known) < inf else None


def check(held: ResolvedHypothesis | None, seen: Sequence[Sight], names: Sequence[str]) -> Check:
    """Hold a hypothesis, if there is one, against readings of the properties with these names."""
    shown = [dict(zip(names, sight.values[:-1], strict=True)) for sight in seen]
    predicted = [None if held is None else held.frequency(values) for values in shown]
    both = zip(predicted, seen, strict=True)
    return Check(predicted, [inf if p is None else abs(p - s.values[-1]) for p, s in both])


def find_contradictions(
    resolved: ResolvedHypothesis, seen: Sequence[Sight], public: LabPublic
) -> list[str]:
    """Say what moved, or stayed, against the graph."""
    graph = join_named(public.nodes, resolved.edges)
    # A hidden disturbance moves things by itself, so what moves proves nothing then.
    if public.hidden is not None or graph is None:
        return []
    against = [
        f"{public.nodes[node]} moved with {public.nodes[target]}, which has no path to it"
        for target, moved in list_moves(seen)
        for node in bits(moved & ~graph.descendants[target])
    ]
    return list(dict.fromkeys(against))


def report(resolved: ResolvedHypothesis, seen: Sequence[Sight], public: LabPublic) -> str:
    """Say in words how a hypothesis stands against the readings."""
    result, lines = check(resolved, seen, public.names), []
    for row, predicted in list(zip(seen, result.predicted, strict=True))[:_ROWS_SHOWN]:
        said = "no prediction" if predicted is None else f"predicted {decimals(predicted)}"
        lines.append(f"{row.label}: {said}, measured {decimals(row.values[-1])}")
    lines.append(
        f"The equation explains {result.explained} of {len(seen)} readings "
        f"(within {EXPLAINED_HZ} Hz{_describe_widening(public)})."
    )
    if result.mean_error is not None:
        lines.append(f"Mean absolute error: {result.mean_error:.2f} Hz.")
    against = find_contradictions(resolved, seen, public)
    lines += [f"Against your graph: {what}." for what in against]
    if not against:
        lines.append("Nothing moved against your graph.")
    return "\n".join(lines)


def _describe_widening(public: LabPublic) -> str:
    if public.hidden is None or not public.hidden.frequency:
        return ""
    return "; after an intervention a disturbance of the frequency may add to the error"
