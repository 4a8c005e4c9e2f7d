"""`causarium run --dry-run`: what a run would take, with nobody asked."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from causarium.cli.shared import print_json, talk
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.instance_sets import find_set, generate_one, read_set
from causarium.contract.rules import check_edition

if TYPE_CHECKING:
    from causarium.engine.run.estimate import Estimate, Range
    from causarium.engine.run.inspect_options import Options
    from causarium.engine.run.prices import Price
    from causarium.engine.run.start_run import RunSpec


def estimate(
    family: AnyFamily,
    spec: "RunSpec",
    options: "Options",
    prices: "Mapping[str, Price]",
    *,
    limit: int | None,
) -> "Estimate":
    """Work out what a run would take."""
    from causarium.engine.run import estimate
    from causarium.engine.run.prices import AGENT

    arguments = spec.arguments
    edition = check_edition(arguments["edition"])
    named = {name: arguments[name] for name in family.rules.model_fields if name in arguments}
    rules = family.rules_for(edition, **named)
    played, size = _played(family, arguments, limit, options)
    given = estimate.Circumstances(
        epochs=options.epochs,
        roles=tuple((role, len(models)) for role, models in options.roles.items()),
        max_tokens=options.given.get("max_tokens"),
        reasoning_tokens=options.given.get("reasoning_tokens"),
    )
    taken = estimate.estimate_run(family, played, rules, given, count=size)
    if arguments.get("player"):
        taken.pop(AGENT)
    cost, unpriced = estimate.in_dollars(taken, prices)
    return estimate.Estimate(
        family=family.name,
        edition=edition,
        set=arguments.get("set") or Path(arguments["file"]).stem,
        agent=spec.agent,
        interface=rules.interface,
        instances=size,
        epochs=options.epochs,
        played=len(played),
        taken=taken,
        cost=cost,
        unpriced=unpriced,
    )


def _played(
    family: AnyFamily, arguments: Mapping[str, str], limit: int | None, options: "Options"
) -> tuple[list[AnyInstance], int]:
    """Return some of the instances that would be played, and how many there are."""
    from causarium.engine.run.estimate import evenly

    edition = check_edition(arguments["edition"])
    if "file" in arguments:
        everything = read_set(Path(arguments["file"]), family)[1]
        size = min(len(everything), limit or len(everything))
        some = [everything[at] for at in evenly(size)]
    else:
        whole = find_set(family, edition, arguments["set"]).size
        size = min(whole, limit or whole)
        some = [generate_one(family, edition, arguments["set"], at) for at in evenly(size)]
    if chosen := options.given.get("sample_id"):
        size = min(size, len(str(chosen).split(",")))
    return some, size


def print_estimates(found: "Sequence[Estimate]", *, json: bool) -> None:
    """Print what runs would take, all together last."""
    from causarium.engine.run.estimate import NOTHING

    total = sum((one for each in found for one in each.taken.values()), NOTHING)
    costs = [one.cost for one in found if one.cost is not None]
    low, high = sum(cost[0] for cost in costs), sum(cost[1] for cost in costs)
    whole = (low, high) if len(costs) == len(found) else None
    samples = sum(one.samples for one in found)
    if json:
        together = {"samples": samples, **total.model_dump(), "cost": whole}
        print_json({"runs": [_flat(one) for one in found], "total": together})
        return
    _print_table(found, total, whole, samples)
    _explain(found)


def _flat(one: "Estimate") -> dict[str, object]:
    return {**one.model_dump(mode="json"), "samples": one.samples}


def _print_table(
    found: "Sequence[Estimate]",
    total: "Range",
    whole: tuple[float, float] | None,
    samples: int,
) -> None:
    from rich.console import Console
    from rich.table import Table

    from causarium.engine.run.prices import AGENT

    table = Table(box=None, pad_edge=False)
    for name in ("run", "samples", "calls", "tokens read", "of it cacheable", "written", "US $"):
        table.add_column(name, justify="left" if name == "run" else "right", no_wrap=True)
    for one in found:
        for role, taken in one.taken.items():
            agent = role == AGENT
            name = f"{one.family}, {one.set}" if agent else f"  {role}"
            cost = _span(one.cost) if agent and one.cost else "unknown" if agent else ""
            table.add_row(name, f"{one.samples:,}" if agent else "", *_cells(taken), cost)
        if not one.taken:
            table.add_row(f"{one.family}, {one.set}", f"{one.samples:,}", "0", "0", "0", "0", "0")
    if len(found) > 1:
        cost = _span(whole) if whole else "unknown"
        table.add_row("together", f"{samples:,}", *_cells(total), cost)
    # A narrow terminal breaks the lines itself, and no cell is cut short.
    Console(width=200).print(table)


def _cells(taken: "Range") -> list[str]:
    pairs = [
        (getattr(taken.low, name), getattr(taken.high, name))
        for name in ("calls", "input", "cached", "output")
    ]
    return [f"{_short(low)} – {_short(high)}" for low, high in pairs]


def _short(number: float) -> str:
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{unit}"
    return f"{number:.0f}"


def _span(cost: tuple[float, float]) -> str:
    return f"{cost[0]:,.2f} – {cost[1]:,.2f}"


def _explain(found: "Sequence[Estimate]") -> None:
    from causarium.engine.run.estimate import CHARS_A_TOKEN, HELPER_REPLY, WORDS_AROUND
    from causarium.engine.run.prices import AGENT

    played = sum(one.played for one in found)
    talk(
        "Least: the shortest game of a reference player, bare moves for replies. Most: a game that "
        f"goes on until the\nworld ends it, {WORDS_AROUND} tokens of words around each move. Real "
        f"prompts and observations of {played} instances, played to\nfind out; a token is taken to "
        f"be {CHARS_A_TOKEN} characters, which is rough; a helper to write {HELPER_REPLY} tokens. "
        "Nobody was asked."
    )
    if missing := sorted({role for one in found for role in one.unpriced}):
        how = " ".join(f"--price {'' if role == AGENT else f'{role}='}IN,OUT" for role in missing)
        talk(f"price unknown: give {how}, in US dollars for a million tokens")
