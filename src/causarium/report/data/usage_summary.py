"""What agents took: tokens, how they grow from reply to reply, time, money, unusable replies."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from causarium.contract.frozen import Frozen
from causarium.contract.row import Row, Tokens, Usage

TOGETHER = "together"


class Spending(Frozen):
    """What an agent's episodes took; means are over the episodes whose model was asked."""

    input: float
    """Mean tokens read an episode."""
    cached: float
    """The share of them that came from the provider's cache."""
    output: float
    """Mean tokens written an episode."""
    per_turn: float
    """Mean tokens, read and written, a turn."""
    replies: float
    """Mean replies an episode; nan where a log does not tell."""
    first: float
    """Mean tokens read for the first reply of an episode."""
    last: float
    """Mean tokens read for the last one: how far the conversation grew."""
    seconds: float
    """Mean seconds an episode."""
    helpers: float
    """Mean tokens an episode that judges and other helpers read and wrote."""
    cost: float
    """All episodes together, helpers included, in US dollars; nan where no price is known."""


class Bill(Frozen):
    """What one agent took on one set, or on all together."""

    agent: str
    run: str
    """The family and set, or `together`."""
    episodes: int
    input: int
    cached: int
    output: int
    helpers: int
    """Tokens that judges and other helpers read and wrote."""
    seconds: float
    cost: float
    """In US dollars; nan where no price is known."""
    faults: int
    """Unusable replies."""
    unscored: int


class FaultTable(Frozen):
    """Unusable replies, by agent and kind."""

    kinds: tuple[str, ...]
    lines: tuple[tuple[str, int, tuple[int, ...]], ...]
    """Of each agent: its name, all its turns, and how many replies were of each kind."""


def summarize_spending(rows: Sequence[Row]) -> Spending | None:
    """Return what episodes took; None where no model was asked."""
    taken = [(row.usage, row.turns) for row in rows if row.usage is not None]
    if not taken:
        return None
    read = sum(usage.agent.input for usage, _ in taken)
    written = sum(usage.agent.output for usage, _ in taken)
    turns = sum(turns for _, turns in taken)
    helpers = [tokens for usage, _ in taken for tokens in usage.helpers.values()]
    told = [usage.replies for usage, _ in taken if usage.replies]
    return Spending(
        input=read / len(taken),
        cached=sum(usage.agent.cached for usage, _ in taken) / read if read else math.nan,
        output=written / len(taken),
        per_turn=(read + written) / turns if turns else math.nan,
        replies=_mean(len(replies) for replies in told),
        first=_mean(replies[0][0] for replies in told),
        last=_mean(replies[-1][0] for replies in told),
        seconds=_mean(usage.seconds for usage, _ in taken if usage.seconds is not None),
        helpers=sum(tokens.input + tokens.output for tokens in helpers) / len(taken),
        cost=_cost([usage for usage, _ in taken]),
    )


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return fmean(numbers) if numbers else math.nan


def _cost(usages: Iterable[Usage]) -> float:
    everyone: list[Tokens] = []
    for usage in usages:
        everyone += [usage.agent, *usage.helpers.values()]
    costs = [tokens.cost for tokens in everyone if tokens.cost is not None]
    return sum(costs) if costs else math.nan


def make_bill(agent: str, run: str, rows: Sequence[Row]) -> Bill | None:
    """Return what an agent took on a set; None where no model was asked."""
    usages = [row.usage for row in rows if row.usage is not None]
    if not usages:
        return None
    helpers = [tokens for usage in usages for tokens in usage.helpers.values()]
    return Bill(
        agent=agent,
        run=run,
        episodes=len(rows),
        input=sum(usage.agent.input for usage in usages),
        cached=sum(usage.agent.cached for usage in usages),
        output=sum(usage.agent.output for usage in usages),
        helpers=sum(tokens.input + tokens.output for tokens in helpers),
        seconds=sum(usage.seconds or 0.0 for usage in usages),
        cost=_cost(usages),
        faults=sum(sum(row.faults.values()) for row in rows),
        unscored=sum(row.unscored is not None for row in rows),
    )


def total_bills(bills: Sequence[Bill]) -> tuple[Bill, ...]:
    """Return bills by agent, each agent's total behind its own where it has several."""
    by_agent: dict[str, list[Bill]] = {}
    for bill in bills:
        by_agent.setdefault(bill.agent, []).append(bill)
    listed: list[Bill] = []
    for agent, several in by_agent.items():
        listed += several
        if len(several) > 1:
            listed.append(_total(agent, several))
    return tuple(listed)


def _total(agent: str, bills: Sequence[Bill]) -> Bill:
    priced = [bill.cost for bill in bills if not math.isnan(bill.cost)]
    return Bill(
        agent=agent,
        run=TOGETHER,
        episodes=sum(bill.episodes for bill in bills),
        input=sum(bill.input for bill in bills),
        cached=sum(bill.cached for bill in bills),
        output=sum(bill.output for bill in bills),
        helpers=sum(bill.helpers for bill in bills),
        seconds=sum(bill.seconds for bill in bills),
        # A sum that leaves something out would pass for the whole.
        cost=sum(priced) if len(priced) == len(bills) else math.nan,
        faults=sum(bill.faults for bill in bills),
        unscored=sum(bill.unscored for bill in bills),
    )


def count_faults(grouped: Mapping[str, Sequence[Row]]) -> FaultTable | None:
    """Count the unusable replies, by agent; None if there is none."""
    counted = {agent: _sum_faults(rows) for agent, rows in grouped.items()}
    every: Counter[str] = sum(counted.values(), Counter())
    if not every:
        return None
    kinds = tuple(kind for kind, _ in every.most_common())
    lines = [
        (agent, sum(row.turns for row in grouped[agent]), tuple(faults[kind] for kind in kinds))
        for agent, faults in counted.items()
        if faults
    ]
    return FaultTable(kinds=kinds, lines=tuple(lines))


def _sum_faults(rows: Iterable[Row]) -> Counter[str]:
    faults: Counter[str] = Counter()
    for row in rows:
        faults.update(row.faults)
    return faults
