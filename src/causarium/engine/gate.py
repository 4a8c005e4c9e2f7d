"""Stops a run when its budget is spent or when a provider fails too often in a row.

Every model call passes through here, helpers included: Inspect's hooks see the calls of everybody.
Samples that meet the closed gate end in an error, and so the same command plays them again. What a
call costs is counted at the prices that a user gives, or that Inspect knows.
"""

import math
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from inspect_ai.hooks import BeforeModelGenerate, Hooks, ModelUsageData, hooks
from inspect_ai.log import read_eval_log_sample_summaries
from inspect_ai.model import ModelCost, ModelInfo, set_model_info
from inspect_ai.util import LimitExceededError
from pydantic import Field

from causarium.contract.frozen import Frozen, put_in_one_line
from causarium.engine.inspect_private import (
    PrerequisiteError,
    get_model_info_without_key,
    init_hooks,
    registry_find,
)
from causarium.errors import RunError, UsageError


def register_hook(kind: type[Hooks], name: str, about: str) -> None:
    """Have Inspect tell a hook what happens, once; it is not announced to the user.

    Raises:
        UsageError: Inspect requires hooks that are not there.
    """
    if registry_find(lambda info: info.type == "hooks" and info.name == f"causarium/{name}"):
        return  # One that is registered twice would be called twice.
    try:
        # Inspect announces the hooks that there are when it starts; ours is no news to anybody.
        init_hooks()
    except PrerequisiteError as wrong:
        raise UsageError(str(wrong.message)) from wrong
    hooks(name=name, description=about)(kind)


BREAKER = 10
"""So many failures of a provider in a row end a run, where nobody says otherwise."""

_LONGEST_FAULT = 300
"""So many letters of what a provider's last failure says are shown."""

LEDGER = ".causarium-spent"
"""In a run's folder: what each call cost, in US dollars, one line for each."""

AnswerT = TypeVar("AnswerT")


class CallRefused(RunError):
    """No further call is made in this run."""


class Gate:
    """Counts what calls cost and how many failed in a row."""

    def __init__(self, budget: float | None, breaker: int, spent: float = 0.0) -> None:
        self.budget = budget
        """US dollars; None: no limit."""
        self.breaker = breaker
        """How many failures in a row are too many; 0: none are."""
        self.spent = spent
        """US dollars, those of earlier sessions of the same run included."""
        self.failures = 0
        """How many calls have failed since the last answer."""
        self.fault = ""
        """How the last of them failed."""
        self.ledger: Path | None = None
        """Where costs are written down."""

    def pay(self, cost: float) -> None:
        """Count what a call cost, and write it down at once: a process may be killed any time."""
        self.spent += cost
        # On a full disk the run itself says so.
        if self.ledger is not None and cost:
            with suppress(OSError), self.ledger.open("a", encoding="utf-8") as file:
                file.write(f"{cost!r}\n")

    @property
    def reason(self) -> str | None:
        """Why no call is made any more; None while calls are made."""
        if self.budget is not None and self.spent >= self.budget:
            return (
                f"The budget of ${self.budget:g} is spent (${self.spent:.4g}). "
                "The same command with a larger budget resumes the run."
            )
        if self.breaker and self.failures >= self.breaker:
            return (
                f"The provider failed {self.failures} times in a row"
                f"{f' (last: {self.fault})' if self.fault else ''}. "
                "The same command resumes the run."
            )
        return None

    def check(self) -> None:
        """Let a call pass.

        Raises:
            CallRefused: None may.
        """
        if self.reason is not None:
            raise CallRefused(self.reason)


_current: Gate | None = None


class _Watch(Hooks):
    """Stops calls at a closed gate, and counts what the others cost."""

    def enabled(self) -> bool:
        return _current is not None

    async def on_before_model_generate(self, data: BeforeModelGenerate) -> None:  # noqa: ARG002
        if _current is not None and _current.reason is not None:
            # Of a hook's exceptions Inspect lets only this one through.
            budget = _current.budget or 0.0
            raise LimitExceededError(
                "custom", value=_current.spent, limit=budget, message=_current.reason
            )

    async def on_model_usage(self, data: ModelUsageData) -> None:
        if _current is not None:
            _current.failures = 0
            # What nobody can owe, as less than nothing, is not counted.
            cost = data.usage.total_cost or 0.0
            _current.pay(cost if 0.0 <= cost < math.inf else 0.0)


@contextmanager
def open_gate(
    budget: float | None = None, breaker: int = BREAKER, folders: Iterable[Path] = ()
) -> Iterator[Gate]:
    """Keep a budget and a breaker over all calls of this process while the block lasts.

    Args:
        budget: US dollars; None: no limit.
        breaker: How many failures in a row end the run; 0: no number does.
        folders: The folders of the runs; what earlier sessions spent there counts.
    """
    global _current  # noqa: PLW0603 - Inspect has one instance of a hook for a whole process
    register_hook(_Watch, "gate", "Keeps causarium's budget and breaker.")
    spent = sum(map(read_spending, folders)) if budget is not None else 0.0
    before, _current = _current, Gate(budget, breaker, spent)
    try:
        yield _current
    finally:
        _current = before


def why_closed() -> str | None:
    """Say why no call is made any more; None while calls are made."""
    return None if _current is None else _current.reason


def count_failures() -> tuple[int, str]:
    """Return how many calls have failed in a row, up to now, and how the last one did."""
    return (0, "") if _current is None else (_current.failures, _current.fault)


def carry_failures(count: int, fault: str = "") -> None:
    """Go on with the failures in a row that another process counted; what is closed stays so."""
    if _current is not None and _current.reason is None:
        _current.failures, _current.fault = count, fault


async def pass_gate(ask: Callable[[], Awaitable[AnswerT]]) -> AnswerT:
    """Return what `ask` returns, which calls a model.

    Raises:
        CallRefused: No call is made any more.
    """
    gate = _current
    if gate is None:
        return await ask()
    gate.check()
    try:
        return await ask()
    except LimitExceededError:
        gate.check()
        raise
    except Exception as wrong:
        # A closed gate keeps its reason, so that all samples that meet it say the same.
        if gate.reason is None:
            # Whoever gave up retrying says only that, and not why.
            last = wrong.__cause__ if type(wrong).__name__ == "RetryError" else wrong
            fault = put_in_one_line(f"{type(last).__name__}: {last}")
            gate.failures, gate.fault = gate.failures + 1, fault[:_LONGEST_FAULT]
        raise


@contextmanager
def note_spending(folder: Path) -> Iterator[None]:
    """Write down in a run's folder what is spent while the block lasts.

    A log forgets what samples cost that failed and were played again.
    """
    if _current is not None:
        _current.ledger = folder / LEDGER
    try:
        yield
    finally:
        if _current is not None:
            _current.ledger = None


def read_spending(folder: Path) -> float:
    """Return the US dollars that earlier sessions of a run spent.

    What another machine wrote down on a disk of its own is not here; its logs tell the least.
    """
    noted = 0.0
    with suppress(OSError):
        for line in (folder / LEDGER).read_text(encoding="utf-8", errors="replace").splitlines():
            with suppress(ValueError):  # a power cut may leave half a line
                noted += float(line)
    return max(noted, _sum_spent_in_logs(folder))


def _sum_spent_in_logs(folder: Path) -> float:
    costs: dict[str, float] = {}
    for path in sorted(folder.glob("*.eval")):
        with suppress(Exception):  # a damaged log is put aside later, and that is said then
            for summary in read_eval_log_sample_summaries(str(path)):
                key = summary.uuid or f"{summary.id} {summary.epoch}"
                used = summary.model_usage.values()
                costs[key] = sum(usage.total_cost or 0.0 for usage in used)
    return sum(costs.values())


AGENT = "agent"
"""In the place of a role: the model under test."""


class Price(Frozen):
    """US dollars for a million tokens."""

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)
    cached: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """For those read from a provider's cache; None: as for any others."""


def read_prices(given: Sequence[str]) -> dict[str, Price]:
    """Read prices as they are typed, `IN,OUT` or `IN,OUT,CACHED`, one of a role after its name.

    Raises:
        UsageError: One cannot be read.

    Example:
        >>> read_prices(["2,8", "judge=0.5,2"])["judge"].output
        2.0
    """
    prices = {}
    for text in given:
        role, sign, numbers = text.rpartition("=")
        try:
            parts = [float(part) for part in numbers.split(",")]
            names = ("input", "output", "cached")[: len(parts)]
            prices[role if sign else AGENT] = Price(**dict(zip(names, parts, strict=True)))
        except ValueError as wrong:
            raise UsageError(
                f"--price must be IN,OUT or IN,OUT,CACHED in US dollars per million tokens, "
                f"such as 2,8 or judge=0.5,2, not {text!r}"
            ) from wrong
    return prices


def find_prices(
    models: Mapping[str, Sequence[str]], costs: Mapping[str, ModelCost]
) -> dict[str, Price]:
    """Return the prices that Inspect knows, by role; that of a role's first model counts.

    Args:
        models: The models of each role, by role.
        costs: What Inspect's --model-cost-config says, by model.
    """
    prices = {}
    for role, model in ((role, names[0]) for role, names in models.items() if names):
        # The public way would open the provider, for which a key or weights are needed.
        info = get_model_info_without_key(model)
        cost = costs.get(model) or (info.cost if info else None)
        if cost is not None:
            prices[role] = Price(input=cost.input, output=cost.output, cached=cost.input_cache_read)
    return prices


def register_prices(prices: Mapping[str, Price], models: Mapping[str, Sequence[str]]) -> None:
    """Tell Inspect prices, so that it counts the cost of each call and keeps limits on it."""
    for role, price in prices.items():
        cached = price.input if price.cached is None else price.cached
        cost = ModelCost(
            input=price.input,
            output=price.output,
            input_cache_write=price.input,
            input_cache_read=cached,
        )
        for model in models.get(role, ()):
            info = get_model_info_without_key(model) or ModelInfo()
            set_model_info(model, info.model_copy(update={"cost": cost}))
