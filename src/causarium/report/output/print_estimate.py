"""What runs would take, in a terminal or as data."""

import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from causarium.engine.gate import AGENT
from causarium.engine.run.estimate import (
    CHARS_A_TOKEN,
    HELPER_REPLY,
    NOTHING,
    WORDS_AROUND,
    Estimate,
    Range,
)

_TOKENS = ("input tokens", "cacheable", "output tokens")
"""Columns for a wide table; without them it fits 80 columns."""


def describe_estimates(estimates: Sequence[Estimate]) -> dict[str, Any]:
    """Return what runs would take as `run --dry-run --json` prints it, all together last."""
    runs = [{**run.model_dump(mode="json"), "samples": run.samples} for run in estimates]
    total = {"samples": sum(run.samples for run in estimates), **_add_up(estimates).model_dump()}
    costs = {"cost": _total_cost(estimates), "likely_cost": _total_likely(estimates)}
    return {"runs": runs, "total": {**total, **costs}}


def print_estimates(estimates: Sequence[Estimate], *, wide: bool = False) -> None:
    """Print what runs would take, all together last, and how that was found.

    Args:
        estimates: One for each run.
        wide: Whether to print tokens too.
    """
    table = Table(box=None, pad_edge=False)
    for name in ("run", "samples", "calls", *(_TOKENS if wide else ()), "US $", "likely US $"):
        table.add_column(name, justify="left" if name == "run" else "right", no_wrap=True)
    for run in estimates:
        for role, taken in run.taken.items():
            agent = role == AGENT
            name = f"{run.family}, {run.set}" if agent else f"  {role}"
            costs = (_format_cost(run.cost), _format_likely(run.likely_cost)) if agent else ("", "")
            table.add_row(
                name, f"{run.samples:,}" if agent else "", *_cells(taken, wide=wide), *costs
            )
        if not run.taken:
            nothing = ("0" for _ in table.columns[2:])
            table.add_row(f"{run.family}, {run.set}", f"{run.samples:,}", *nothing)
    if len(estimates) > 1:
        samples = sum(run.samples for run in estimates)
        costs = (_format_cost(_total_cost(estimates)), _format_likely(_total_likely(estimates)))
        table.add_row("total", f"{samples:,}", *_cells(_add_up(estimates), wide=wide), *costs)
    # A narrow terminal breaks the lines of a wide table itself, and no cell is cut short.
    Console(width=200).print(table)
    sys.stderr.write(f"{_explain(estimates)}\n")


def _add_up(estimates: Sequence[Estimate]) -> Range:
    return sum((taken for run in estimates for taken in run.taken.values()), NOTHING)


def _total_cost(estimates: Sequence[Estimate]) -> tuple[float, float] | None:
    costs = [run.cost for run in estimates if run.cost is not None]
    if len(costs) < len(estimates):
        return None
    return sum(cost[0] for cost in costs), sum(cost[1] for cost in costs)


def _total_likely(estimates: Sequence[Estimate]) -> float | None:
    costs = [run.likely_cost for run in estimates if run.likely_cost is not None]
    return sum(costs) if len(costs) == len(estimates) else None


def _cells(taken: Range, *, wide: bool) -> list[str]:
    names = ("calls", "input", "cached", "output") if wide else ("calls",)
    pairs = [(getattr(taken.low, name), getattr(taken.high, name)) for name in names]
    return [f"{_shorten(low)} – {_shorten(high)}" for low, high in pairs]


def _shorten(number: float) -> str:
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{unit}"
    return f"{number:.0f}"


def _format_cost(cost: tuple[float, float] | None) -> str:
    return f"{cost[0]:,.2f} – {cost[1]:,.2f}" if cost else "unknown"


def _format_likely(cost: float | None) -> str:
    return "unknown" if cost is None else f"{cost:,.2f}"


def _explain(estimates: Sequence[Estimate]) -> str:
    played = sum(run.played for run in estimates)
    lines = [
        "Least: the shortest episode of a reference player, with bare moves for replies.",
        "Most: an episode that goes on until the world ends it, with "
        f"{WORDS_AROUND} tokens of text around each move.",
        f"Likely: the causal reference player's episode, with {WORDS_AROUND} tokens around each "
        "move, and a provider's cache where it has one.",
        f"All use the real prompts and observations of {played} instances. Assumes "
        f"{CHARS_A_TOKEN} characters per token (rough) and {HELPER_REPLY} tokens per reply of a "
        "helper model.",
        "No model was called.",
    ]
    if missing := sorted({role for run in estimates for role in run.unpriced}):
        how = " ".join(f"--price {'' if role == AGENT else f'{role}='}IN,OUT" for role in missing)
        lines.append(f"Price unknown: give {how}, in US dollars per million tokens.")
    return "\n".join(lines)
