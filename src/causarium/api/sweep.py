"""A sweep: models x sets in one file, each cell an ordinary run, under one budget and one breaker.

    log_dir = "logs/sweep"
    budget = 5.0

    [[agents]]
    model = "openai/gpt-5"
    price = "1.25,10"
    rules = { constrained = true }

    [[sets]]
    families = ["causallink", "causalab"]
    set = "smoke"

Every agent plays every set. The plan is checked as a whole before anything runs, and what is wrong
is said with its line. A cell that is finished is not played again, and one that another process
plays is left to it, so that several machines may work off one plan without a budget: on a shared
folder by the lock of the run's folder, on an object store by a file that names the machine that
took the cell.
"""

import re
import socket
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError
from pydantic_core import ErrorDetails

from causarium import families
from causarium.api.evaluate import estimate_plan, run_with_workers, split_plan
from causarium.api.plan_run import RunRequest, plan_run
from causarium.api.read_run import Run
from causarium.api.scale.workers import HERE, Workers
from causarium.contract.frozen import Frozen
from causarium.contract.places import Place
from causarium.contract.shard import WHOLE, Shard
from causarium.engine.gate import Price, why_closed
from causarium.engine.logbook.log_files import fetch_logs, find_logs
from causarium.engine.run.estimate import Estimate
from causarium.engine.run.options import PAIRS
from causarium.engine.run.run_folder import RunTaken
from causarium.engine.run.run_plan import RunPlan, find_obstacle, open_calls
from causarium.errors import BadFile, CausariumError, UsageError

TAKEN = ".causarium-machine"
"""The file on an object store that names the machine that plays a cell."""
_ONE_PROCESS = (
    "a budget needs a single process; leave out --shard and --jobs, or divide the plan "
    "into files, each with its part of the budget and a log_dir of its own"
)


_Text = Annotated[str, Field(pattern=r"^[^\x00]*$")]
"""A text that may hold the name of a file."""


class SweepAgent(Frozen):
    """One who plays every set: a model, or a reference player."""

    model: _Text | None = None
    player: str | None = None
    agent: _Text | None = None
    price: str | tuple[str, ...] = ()
    rules: dict[str, Any] = Field(default_factory=dict)
    options: dict[str, Any] = Field(default_factory=dict)
    """Options of Inspect's: temperature, max_tokens, model_roles and so on."""


_Number = Annotated[int, Field(ge=1, le=1_000_000, strict=True)]


def _name_all(given: tuple[str, ...]) -> tuple[str, ...]:
    return families.names() if given == ("all",) else given


class SweepSets(Frozen):
    """Sets that every agent plays: one name, of one or several families, or of "all"."""

    families: Annotated[tuple[str, ...], AfterValidator(_name_all)] = Field(min_length=1)
    set: str = "standard"
    edition: str = "certified"
    limit: _Number | None = None
    epochs: _Number | None = None
    rules: dict[str, Any] = Field(default_factory=dict)


class SweepPlan(Frozen):
    """What the file says."""

    agents: tuple[SweepAgent, ...] = Field(min_length=1)
    sets: tuple[SweepSets, ...] = Field(min_length=1)
    log_dir: _Text = "logs/sweep"
    budget: float | None = Field(default=None, gt=0, strict=True, allow_inf_nan=False)
    breaker: int | None = Field(default=None, ge=0, strict=True)


@dataclass(frozen=True)
class Sweep:
    """A plan that was read and checked: its cells can be run."""

    file: Path
    plan: SweepPlan
    cells: tuple[RunPlan, ...]

    def estimate(self, shard: Shard = WHOLE) -> list[Estimate]:
        """Return what each cell of a share would take; no model is called.

        Raises:
            UsageError: The budget is below the least that they take; with the line.
        """
        estimates = [estimate_plan(cell) for cell in self.deal(shard)]
        least = sum(one.cost[0] for one in estimates if one.cost)
        if self.plan.budget is not None and self.plan.budget < least:
            line = find_line(self.file.read_text(encoding="utf-8"), ["budget"])
            raise UsageError(
                f"{self.file}:{line}: the budget of ${self.plan.budget:g} cannot hold this plan, "
                f"which takes ${least:.2g} at least; raise it, or leave out agents or sets"
            )
        return estimates

    def deal(self, shard: Shard) -> tuple[RunPlan, ...]:
        """Return the cells of one share.

        Raises:
            UsageError: It has none, or a budget is given, which only one process can keep.
        """
        if self.plan.budget is not None and not shard.is_whole:
            raise UsageError(_ONE_PROCESS)
        if not (mine := tuple(shard.deal(self.cells))):
            raise UsageError(f"the share {shard} has no cell: the plan has {len(self.cells)}")
        return mine

    def list_logged(self, workers: Workers = HERE) -> Iterator[str]:
        """Yield the folders of the cells that have logs, whoever played them by such workers."""
        for cell in self.cells:
            for part in split_plan(cell, workers):
                with suppress(UsageError):
                    find_logs([fetch_logs(part.folder)])
                    yield part.folder.url


def read_sweep(file: Path) -> Sweep:
    """Read a plan and find all that its cells need.

    Raises:
        BadFile: It is no TOML, or not a plan; the message begins with the file and the line.
        UsageError: A model, family, set, rule or option does not exist; with the line too.
    """
    try:
        text = file.read_text(encoding="utf-8")
        plan = SweepPlan.model_validate(tomllib.loads(text))
    except ValidationError as wrong:
        first = wrong.errors()[0]
        place = first["loc"]
        keys = [str(key) for key in reversed(place) if isinstance(key, str)]
        numbers = [key for key in place if isinstance(key, int)]
        line = find_line(text, keys, *([(keys[-1], numbers[0])] if numbers else []))
        raise BadFile(f"{file}:{line}: {'.'.join(map(str, place))}: {_say_fault(first)}") from wrong
    except RecursionError as wrong:
        raise BadFile(f"{file}: it is nested too deep for a plan") from wrong
    except (OSError, ValueError) as wrong:
        raise BadFile(f"{file}: {wrong}") from wrong
    beside = tuple(dict.fromkeys(name for one in plan.sets for name in one.families))
    # All tables first: a cell is planned with the families of the others beside it.
    for what, sets in enumerate(plan.sets):
        try:
            tuple(map(families.get, sets.families))
        except UsageError as wrong:
            line = find_line(text, _list_words(str(wrong)), ("sets", what))
            raise UsageError(f"{file}:{line}: {wrong}") from wrong
    cells: list[RunPlan] = []
    prices: dict[str, Price] = {}
    for who, agent in enumerate(plan.agents):
        for what, sets in enumerate(plan.sets):
            cells += _plan_cells(file, text, plan, (who, agent), (what, sets), beside)
        if doubly_priced := _find_doubly_priced(cells, prices):
            line = find_line(text, ["price"], ("agents", who))
            raise UsageError(f"{file}:{line}: {doubly_priced} has another price above")
    doubled = [cell.name for cell in cells if sum(cell.name == c.name for c in cells) > 1]
    if doubled:
        raise UsageError(f"{file}: two cells are the same run: {doubled[0]}; leave one out")
    return Sweep(file, plan, tuple(cells))


def _say_fault(fault: ErrorDetails) -> str:
    key, given = fault["loc"][-1], fault["input"]
    if fault["type"] == "extra_forbidden":
        return "there is no such key"
    if fault["type"] == "tuple_type" and key in ("agents", "sets"):
        return f"write [[{key}]] above each of them"
    if fault["type"] == "tuple_type":
        return f"Input should be a list, as in [{given!r}]"
    return fault["msg"] + ("" if isinstance(given, dict) else f", not {given!r}")


def _plan_cells(
    file: Path,
    text: str,
    plan: SweepPlan,
    numbered_agent: tuple[int, SweepAgent],
    numbered_sets: tuple[int, SweepSets],
    beside: tuple[str, ...],
) -> Iterator[RunPlan]:
    (who, agent), (what, sets) = numbered_agent, numbered_sets
    options = dict(agent.options)
    if sets.epochs is not None:
        options["epochs"] = sets.epochs
    for family in sets.families:
        request = RunRequest(
            family,
            *(agent.model, agent.player, agent.agent, sets.edition, sets.set),
            rules={**agent.rules, **sets.rules},
            limit=sets.limit,
            prices=(agent.price,) if isinstance(agent.price, str) else agent.price,
            budget=plan.budget,
            breaker=plan.breaker,
            options=options,
            log_dir=plan.log_dir,
            beside=beside,
        )
        try:
            Place.parse(plan.log_dir)
            yield plan_run(request)
        except UsageError as wrong:
            line = find_line(text, _list_words(str(wrong)), ("agents", who), ("sets", what))
            raise UsageError(f"{file}:{line}: {wrong}") from wrong


def _find_doubly_priced(cells: Sequence[RunPlan], prices: dict[str, Price]) -> str:
    """Return a model with two prices, for Inspect counts by one; adds those that are new."""
    for cell in cells:
        for role in cell.own_prices:
            for model in cell.models[role]:
                if prices.setdefault(model, cell.prices[role]) != cell.prices[role]:
                    return model
    return ""


def _list_words(message: str) -> list[str]:
    """Return what a message quotes, and the keys of a plan that stand for options it names."""
    names = {word: name for name, word in PAIRS.items()}
    options = re.findall(r"(?<!\S)--?[A-Za-z][\w-]*", message)
    keys = [names.get(word, word.lstrip("-").replace("-", "_")) for word in options]
    return [*re.findall(r"'([^']+)'", message), *keys]


def find_line(text: str, words: Sequence[str], *tables: tuple[str, int]) -> int:
    r"""Return the line of a TOML text that an error is about.

    Args:
        text: The whole text.
        words: What the error names; the first that stands in a table decides.
        tables: Where to look, and then before all tables: names of tables, each with its number
            among those of its name.

    Example:
        >>> find_line('budget = 1\n[[agents]]\nmodle = "x"', ["modle"], ("agents", 0))
        3
    """
    # What stands behind a # is no key; a value that holds one may be cut, never its key.
    lines = [line.partition("#")[0] for line in text.splitlines()]
    heads = {
        at: head[1]
        for at, line in enumerate(lines)
        if (head := re.match(r"\s*\[\[\s*(\w+)\s*\]\]", line))
    }
    found: list[int] = []
    for name, number in tables:
        mine = [at for at, named in heads.items() if named == name]
        begin = mine[number] if number < len(mine) else 0
        end = min((at for at in heads if at > begin), default=len(lines))
        found += range(begin, end)
    for word in words:
        for at in [*found, *range(min(heads, default=0))] if found else range(len(lines)):
            if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", lines[at]):
                return at + 1
    return found[0] + 1 if found else 1


@dataclass(frozen=True)
class CellEnd:
    """How a cell came out."""

    cell: RunPlan
    run: Run | None
    """None where it was not played here."""
    why: str = ""
    """Why it was not, or what is missing; empty where it is complete."""


def run_sweep(
    sweep: Sweep, *, shard: Shard = WHOLE, workers: Workers = HERE, say: Callable[[str], None]
) -> list[CellEnd]:
    """Run the cells of a share, or resume them; one that fails holds up no other.

    Args:
        sweep: The plan.
        shard: Which cells: every N-th, from the K-th.
        workers: Who plays the instances of a cell.
        say: Gets a line on how each cell came out.

    Raises:
        UsageError: The share has no cell, or a budget cannot be kept: it is too small, or several
            processes would have to.
    """
    mine, ends = sweep.deal(shard), []
    if sweep.plan.budget is not None:
        if workers != HERE:
            raise UsageError(_ONE_PROCESS)
        sweep.estimate()
    # Cells of one model come one after another, so that a model of this machine is loaded once.
    with open_calls(sweep.cells, say, serve=False):
        for _, group in groupby(enumerate(mine, 1), key=lambda one: (one[1].model, one[1].local)):
            cells = list(group)
            local = cells[0][1].local
            with local.serve_to_inspect(say) if local else nullcontext():
                for number, cell in cells:
                    end = _run_cell(cell, f"[{number}/{len(mine)}] ", workers)
                    say(
                        f"[{number}/{len(mine)}] {cell.family}, {cell.set}, {cell.who}: "
                        f"{end.why or 'complete'}"
                    )
                    ends.append(end)
    return ends


def _run_cell(cell: RunPlan, place: str, workers: Workers) -> CellEnd:
    try:
        if reason := find_obstacle(cell):
            return CellEnd(cell, None, f"not started: {reason}")
        _take_cell(cell)
        run = run_with_workers(cell, workers, lambda _: None, place=place)
    except RunTaken as wrong:
        return CellEnd(cell, None, f"left: {wrong}")
    except CausariumError as wrong:
        return CellEnd(cell, None, f"failed: {wrong}")
    except Exception as wrong:  # noqa: BLE001 - the other cells are played all the same
        return CellEnd(cell, None, f"failed: {type(wrong).__name__}: {wrong}")
    missing = " ".join(filter(None, (run.describe_missing(), why_closed())))
    return CellEnd(cell, run, "" if run.complete else missing)


def _take_cell(cell: RunPlan) -> None:
    """Take a cell on an object store for this machine; elsewhere the folder's lock decides.

    Raises:
        RunTaken: Another machine has it.
    """
    if cell.folder.path is not None:
        return
    file, mine = cell.folder / TAKEN, socket.gethostname()
    if (holder := file.claim(mine)) != mine:
        raise RunTaken(f"machine {holder} took it; delete {file} if that machine is gone")


def summarize_ends(ends: Sequence[CellEnd]) -> list[Mapping[str, Any]]:
    """Return how cells came out as data."""
    return [
        {
            "family": end.cell.family,
            "set": end.cell.set,
            "agent": end.cell.who,
            "folder": end.cell.folder.url,
            "complete": end.run is not None and end.run.complete,
            "why": end.why,
        }
        for end in ends
    ]
