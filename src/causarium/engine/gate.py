"""The gate that every call of a model passes: a budget for the whole run, and a breaker.

Once the budget is spent, or a provider has failed many times without one answer in between, no
further call is made. Samples that meet the closed gate end in an error, and so the same command
plays them again. Inspect's hooks see the calls of everybody: the agent, an agent of one's own,
judges and other helpers.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

from inspect_ai.hooks import BeforeModelGenerate, Hooks, ModelUsageData
from inspect_ai.log import read_eval_log_sample_summaries
from inspect_ai.util import LimitExceededError

from causarium.engine.inspect_hooks import register_hook
from causarium.errors import RunError

BREAKER = 10
"""So many failures of a provider in a row end a run, where nobody says otherwise."""

LEDGER = ".causarium-spent"
"""In a run's folder: what each session spent, in US dollars, one line for each."""

AnswerT = TypeVar("AnswerT")


class Halted(RunError):
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

    @property
    def reason(self) -> str | None:
        """Why no call is made any more; None while calls are made."""
        if self.budget is not None and self.spent >= self.budget:
            return (
                f"The budget of ${self.budget:g} is spent (${self.spent:.4g}). "
                "The same command with a larger --budget resumes the run."
            )
        if self.breaker and self.failures >= self.breaker:
            return (
                f"The provider failed {self.failures} times in a row. "
                "The same command resumes the run."
            )
        return None

    def check(self) -> None:
        """Let a call pass.

        Raises:
            Halted: None may.
        """
        if self.reason is not None:
            raise Halted(self.reason)


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
            _current.spent += data.usage.total_cost or 0.0


@cache
def _register_hook() -> None:
    register_hook(_Watch, "gate", "Keeps causarium's budget and breaker.")


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
    _register_hook()
    spent = sum(map(read_spending, folders)) if budget is not None else 0.0
    before, _current = _current, Gate(budget, breaker, spent)
    try:
        yield _current
    finally:
        _current = before


def current_gate() -> Gate | None:
    """Return the gate that is kept now, if one is."""
    return _current


async def pass_gate(ask: Callable[[], Awaitable[AnswerT]]) -> AnswerT:
    """Return what `ask` returns, which calls a model.

    Raises:
        Halted: No call is made any more.
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
    except Exception:
        gate.failures += 1
        raise


@contextmanager
def note_spending(folder: Path) -> Iterator[None]:
    """Write down in a run's folder what is spent while the block lasts.

    A log forgets what samples cost that failed and were played again.
    """
    gate = _current
    before = gate.spent if gate is not None else 0.0
    try:
        yield
    finally:
        if gate is not None and gate.spent > before and folder.is_dir():
            with (folder / LEDGER).open("a", encoding="utf-8") as file:
                file.write(f"{gate.spent - before!r}\n")


def read_spending(folder: Path) -> float:
    """Return the US dollars that earlier sessions of a run spent.

    A session that was killed wrote nothing down; its samples in the logs are counted then.
    """
    try:
        noted = sum(map(float, (folder / LEDGER).read_text(encoding="utf-8").split()))
    except (OSError, ValueError):
        noted = 0.0
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
