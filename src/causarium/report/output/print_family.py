"""Families in a terminal: the list, one family's offers, its card, rules and instances."""

from collections.abc import Mapping, Sequence
from difflib import unified_diff
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from causarium.contract.family import AnyInstance, Prompt
from causarium.contract.release import PUBLISHED, UNKNOWN, ReleaseCard, ReleaseFolder


def print_release(family: str, card: ReleaseCard) -> None:
    """Print where a release is to be had, its known states, what is used, and the protocol."""
    width = max(len(file.path) for file in card.files)
    protocol = card.protocol
    settings = [
        *(f"rule {name} = {value}" for name, value in protocol.rules.items()),
        *(
            f"rule {name} = {value}, for models with {' or '.join(one.named)} in their names"
            for one in protocol.models
            for name, value in one.rules.items()
        ),
        *(f"{name} = {value}" for name, value in protocol.settings.items()),
    ]
    parts = {
        "": [f"{card.name}: {card.url}", f"licence: {card.licence}"],
        "Known states": [f"{commit}  {date}" for commit, date in card.commits.items()]
        or [f"none: {UNKNOWN}"],
        "Used from it": [
            f"{file.path:<{width}}  {file.role}: {file.says}{' (if there)' * file.optional}"
            for file in card.files
        ],
        "What it lacks": list(card.lacks),
        f"--protocol {PUBLISHED}": [protocol.says, *settings],
    }
    _print_parts(parts)
    _print_parts({"": [f"Check a clone: causarium release {family} FOLDER"]})


def print_release_folder(found: ReleaseFolder) -> None:
    """Print which state of a release a folder holds, file by file."""
    width = max(map(len, found.states))
    _print_parts(
        {
            found.describe(): [f"{path:<{width}}  {state}" for path, state in found.states.items()],
            "What it lacks": list(found.card.lacks),
        }
    )


def _print_parts(parts: dict[str, list[str]]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for title, lines in parts.items():
        if lines:
            indent = "  " if title else ""
            texts = [*([title] if title else []), *(f"{indent}{line}" for line in lines)]
            console.print(Text("\n".join(texts)))


Facts = Mapping[str, Any]
"""Facts as `causarium list --json` prints them."""


def print_families(families: Sequence[Facts]) -> None:
    """Print one short block a family, so that all of them fit one screen."""
    console = _make_console()
    for facts in families:
        sets = facts["digests"].get("certified", {})
        sizes = ", ".join(
            f"{name} ({sets[name]['size']})" for name in ("smoke", "standard") if name in sets
        )
        console.print(f"[bold]{escape(facts['name'])}[/] {facts['version']}  {facts['about']}")
        console.print(
            f"  {len(facts['sets'])} sets: {sizes}, …; {len(facts['levels'])} levels; "
            f"{len(facts['players'])} players"
        )
    console.print("Details: causarium list FAMILY")


PARTS = ("levels", "baselines", "metrics", "rules")
"""What a family has more of than fits one screen."""
_WIDTH = 88


def print_family(facts: Facts) -> None:
    """Print one screen on a family: what is asked, its sets, its rungs, who plays it."""
    console = _make_console()
    console.print(f"[bold]{escape(facts['title'])} {facts['version']}[/]   {facts['short']}")
    paper = facts["paper"]
    headline = facts["headline"].get("certified", "")
    about = facts["metrics"].get(headline, {}).get("about", "").partition(". ")[0].rstrip(".")
    console.print(Text(_cut(f"Score: {about}.")))
    console.print(Text(f"Paper: {paper['venue']} {paper['year']}"))
    console.print("\n[bold]Sets[/]")
    for name, spec in facts["sets"].get("certified", {}).items():
        console.print(Text(_cut(f"  {name:<12}{spec['size']:>6}   {spec['about']}")))
    published = facts["sets"].get("paper", {})
    if published:
        sizes = [spec["size"] for spec in published.values()]
        span = f"{min(sizes):,} to {max(sizes):,} instances"
        console.print(f"  paper edition: {len(published)} sets, {span}   --edition paper")
    if rungs := facts["rungs"]:
        console.print(f"\n[bold]Rungs 1 to {rungs['top']}[/]   what turns")
        width = max(map(len, rungs["dials"]), default=0)
        for name, why in rungs["dials"].items():
            console.print(Text(_cut(f"  {name:<{width}}  {why}")))
    console.print("\n[bold]Baselines[/]")
    shown = [name for name in facts["shown_players"] if name in facts["players"]]
    width = max(map(len, shown), default=0)
    for name in shown:
        console.print(Text(_cut(f"  {name:<{width}}  {_describe_player(facts['players'][name])}")))
    name = facts["name"]
    console.print(f"\nTry it:  causarium run {name} --model openai/gpt-5 --set smoke")
    console.print(f"         causarium show {name} 0")
    counts = {"baselines": "players"}
    more = "  ".join(f"--{part} ({len(facts[counts.get(part, part)])})" for part in PARTS)
    console.print(f"More: {more}  --json")


def _cut(line: str) -> str:
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1].rsplit(' ', 1)[0]} …"


def print_family_part(facts: Facts, part: str) -> None:
    """Print all levels, baselines, metrics or rules of a family, a line each."""
    console = _make_console()
    lines = {
        "levels": {name: f"{v['edition']}  {v['about']}" for name, v in facts["levels"].items()},
        "baselines": {name: _describe_player(v) for name, v in facts["players"].items()},
        "metrics": _metric_lines(facts),
        "rules": {name: f"{v['type']}  {v['about']}" for name, v in facts["rules"].items()},
    }[part]
    width = max(map(len, lines), default=0)
    for name, line in lines.items():
        console.print(Text(f"{name:<{width}}  {line}".rstrip()))


def print_rules(rules: Facts) -> None:
    """Print every rule: its type, its default in each edition, and what it does."""
    console = _make_console()
    for name, rule in rules.items():
        defaults = ", ".join(f"{edition}: {value}" for edition, value in rule["default"].items())
        console.print(f"[bold]{escape(name)}[/]  {escape(rule['type'])}  ({escape(defaults)})")
        console.print(Text(f"    {rule['about']}"))


def print_instance(instance: AnyInstance, prompt: Prompt, *, secret: bool) -> None:
    """Print an instance as the agent sees it, and the hidden answer if it is wanted."""
    console = _make_console()
    parts = [instance.id, f"--- system ---\n{prompt.system}", f"--- user ---\n{prompt.user}"]
    if secret:
        parts.append(f"--- hidden answer ---\n{instance.secret.model_dump_json(indent=2)}")
    console.print(Text("\n\n".join(parts)))


def print_difference(ours: Prompt, released: Prompt) -> None:
    """Print the words that open an instance, ours and a release's, as a difference of lines."""
    console = _make_console()
    for name in ("system", "user"):
        lines = unified_diff(
            getattr(ours, name).splitlines(),
            getattr(released, name).splitlines(),
            f"ours/{name}",
            f"released/{name}",
            lineterm="",
            n=10_000,
        )
        console.print(Text("\n".join(lines) or f"{name}: the same words"))


def _metric_lines(facts: Facts) -> dict[str, str]:
    metrics = facts["metrics"].items()
    headlines = set(facts["headline"].values())
    return {f"{name}{'*' if name in headlines else ''}": spec["about"] for name, spec in metrics}


def _describe_player(player: Facts) -> str:
    return f"{player['about']}{' (sees the truth)' if player['sees_truth'] else ''}"


def _make_console() -> Console:
    return Console(highlight=False, soft_wrap=True)
