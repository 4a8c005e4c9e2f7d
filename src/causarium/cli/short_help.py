"""The first screen of help: how to start, and what most people need; the rest with --help-all."""

from collections.abc import Mapping
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

GROUPS: Mapping[str, Mapping[str, str]] = {
    "Evaluate": {
        "demo": "Five families with a recorded model; no key, about a minute",
        "run": "Run a model, an agent or a baseline on a set; repeat to resume",
        "report": "Write one page from logs: scores, outcomes, failures",
        "web": "Browse runs, replay them step by step, or play yourself",
    },
    "Explore": {
        "list": "Families; or the sets, levels and baselines of one",
        "show": "One instance as a model sees it, or a family's rules and proofs",
        "generate": "New instances of any size and seed",
        "export": "Demonstrations of a baseline, to train on",
    },
    "Check": {
        "score": "Score logs again, without a model",
        "verify": "Recompute every score and look up every instance",
        "audit": "What heuristics reach, against their bounds",
        "attack": "Try to win with a function of your own",
    },
    "Share": {
        "submit": "Pack logs for the leaderboard",
        "leaderboard": "Write the leaderboard page",
    },
}
RUN_GROUPS: Mapping[str, Mapping[str, str]] = {
    "Who plays": {
        "--model NAME": "Provider and model, as in openai/gpt-5; or local",
        "--endpoint URL": "Server with OpenAI's API (http://127.0.0.1:8000/v1)",
        "--agent FILE@NAME": "Your own agent",
        "--baseline NAME": "Reference solver or heuristic; no model is called",
    },
    "What": {
        "--set NAME": "smoke, standard (default) or another: causarium list FAMILY",
        "--limit N": "Only N instances",
        "--rule NAME=VALUE": "Change a rule, as in constrained=true or interface=tools",
    },
    "Limits": {
        "--dry-run": "Estimate calls, tokens and cost; nothing is called",
        "--budget USD": "Stop when this much is spent",
        "--log-dir FOLDER": "Where logs go (default: logs)",
        "--json": "Print JSON and nothing else",
    },
}


def _write_groups(groups: Mapping[str, Mapping[str, str]], width: int) -> list[str]:
    lines = []
    for name, entries in groups.items():
        lines += ["", name, *(f"  {entry:{width}}{about}" for entry, about in entries.items())]
    return lines


class ShortGroup(TyperGroup):
    """All commands; help names those that most people need."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002
        """Write the first screen."""
        lines = [
            "Benchmarks of causal reasoning: run a model, see where it fails, check the score.",
            "",
            "Usage: causarium COMMAND [OPTIONS]",
            *_write_groups(GROUPS, 13),
            "",
            "Start: causarium demo",
            f"All {len(self.commands)} commands: causarium --help-all      "
            "One command: causarium run --help",
        ]
        formatter.write("\n".join([*lines, ""]))


class ShortRun(TyperCommand):
    """The command that runs; help names the options that most people need."""

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002
        """Write the first screen."""
        shown = {entry.split()[0] for entries in RUN_GROUPS.values() for entry in entries}
        options = [param for param in self.params if param.param_type_name == "option"]
        rest = [option for option in options if not shown & set(option.opts)]
        lines = [
            "Run a model, an agent or a baseline on a set. Repeat the command to resume.",
            "",
            "Usage: causarium run FAMILY|all [OPTIONS]",
            *_write_groups(RUN_GROUPS, 19),
            "",
            "Options of Inspect work too: --temperature 0.6, --epochs 3, --max-tokens 2000",
            f"{len(rest) - 1} more (paper edition, shards, prices, keys): causarium run --help-all",
        ]
        formatter.write("\n".join([*lines, ""]))


def print_whole_help(ctx: typer.Context, *, wanted: bool) -> None:
    """Print every command, or every option of the command that is asked about, and end."""
    if wanted:
        command = ctx.command
        whole = TyperGroup if isinstance(command, TyperGroup) else TyperCommand
        whole.format_help(command, ctx, ctx.make_formatter())  # type: ignore[arg-type]
        raise typer.Exit
