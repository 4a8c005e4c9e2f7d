"""Hold a hypothesis against every reading an agent has, using nothing that it has not seen.

Two things can be held against data: the frequency's equation against each reading's frequency, and
the graph against what moved when a property was put to a value.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from causarium.families.causalab.evidence.infer_mechanism import Sight, list_moves
from causarium.families.causalab.mechanics.resolve_hypothesis import ResolvedHypothesis
from causarium.families.causalab.mechanics.shown_values import decimals
from causarium.families.causalab.model.instance import LabPublic, join_named
from causarium.scm.dag import bits

EXPLAINED_HZ = 0.1
"""A reading is explained when the equation comes this close to its frequency."""
_ROWS_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Check:
    """How a hypothesis stands against the readings."""

    predicted: tuple[float | None, ...]
    errors: tuple[float, ...]
    """Absolute errors of the readings for which there is a prediction."""
    contradictions: tuple[str, ...]
    """What moved, or stayed, against the graph."""

    @property
    def explained(self) -> int:
        """How many readings the equation explains."""
        return sum(error <= EXPLAINED_HZ for error in self.errors)

    @property
    def mean_error(self) -> float | None:
        """The mean absolute error; None when nothing could be predicted."""
        return sum(self.errors) / len(self.errors) if self.errors else None


def check(resolved: ResolvedHypothesis, seen: Sequence[Sight], public: LabPublic) -> Check:
    """Hold a hypothesis against readings."""
    predicted = tuple(
        resolved.frequency(dict(zip(public.names, s.values[:-1], strict=True))) for s in seen
    )
    held = [(p, s) for p, s in zip(predicted, seen, strict=True) if p is not None]
    errors = tuple(abs(p - s.values[-1]) for p, s in held)
    return Check(predicted, errors, tuple(_contradictions(resolved, seen, public)))


def _contradictions(
    resolved: ResolvedHypothesis, seen: Sequence[Sight], public: LabPublic
) -> list[str]:
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


def report(result: Check, seen: Sequence[Sight], public: LabPublic) -> str:
    """Say in words how a hypothesis stands against the readings."""
    lines = []
    for row, predicted in list(zip(seen, result.predicted, strict=True))[:_ROWS_SHOWN]:
        said = "no prediction" if predicted is None else f"predicted {decimals(predicted)}"
        lines.append(f"{row.label}: {said}, measured {decimals(row.values[-1])}")
    lines.append(
        f"The equation explains {result.explained} of {len(seen)} readings "
        f"(within {EXPLAINED_HZ} Hz{_describe_widening(public)})."
    )
    if result.mean_error is not None:
        lines.append(f"Mean absolute error: {result.mean_error:.2f} Hz.")
    lines += [f"Against your graph: {what}." for what in result.contradictions]
    if not result.contradictions:
        lines.append("Nothing moved against your graph.")
    return "\n".join(lines)


def _describe_widening(public: LabPublic) -> str:
    if public.hidden is None or not public.hidden.frequency:
        return ""
    return "; after an intervention a disturbance of the frequency may add to the error"
