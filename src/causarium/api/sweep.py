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
import secrets
import socket
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError
from pydantic_core import ErrorDetails

from causarium import families
from causarium.api.evaluate import estimate_plan
from causarium.api.plan_run import RunRequest, plan_run
from causarium.api.read_run import Run, read_run
from causarium.api.scale.workers import HERE, Workers, run_tasks
from causarium.contract.frozen import Frozen
from causarium.contract.places import Place
from causarium.contract.shard import WHOLE, Shard
from causarium.engine.gate import Price, carry_failures, count_failures, why_closed
from causarium.engine.logbook.log_files import fetch_logs, find_logs, local_copy
from causarium.engine.run.estimate import Estimate
from causarium.engine.run.options import PAIRS
from causarium.engine.run.run_folder import RunTaken, find_damage, lock_run_folder
from causarium.engine.run.run_plan import RunPlan, find_obstacle, is_complete, open_calls, run_plan
from causarium.errors import BadFile, CausariumError, RunError, UsageError

_TABLES = ("agents", "sets")
_LONGEST = 1_000
"""So many letters of what is wrong are shown."""
TAKEN = ".causarium-machine"
"""The file on an object store that names the machine that plays a cell."""
_ONE_PROCESS = (
    "a budget needs a single process; leave out --shard and --jobs, or divide the plan "
    "into files, each with its part of the budget and a log_dir of its own"
)


_Text = Annotated[str, Field(pattern=r"^[^\x00]+$")]
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
    file: _Text | None = None
    """A set file of one's own in place of a named set."""
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
            line = find_line(_read_text(self.file), ["budget"])
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

    def list_logged(self) -> Iterator[str]:
        """Yield the folders of the cells that have logs, whoever played them."""
        for cell in self.cells:
            with suppress(UsageError):
                find_logs([fetch_logs(cell.folder)])
                yield cell.folder.url


def read_sweep(file: Path) -> Sweep:
    """Read a plan and find all that its cells need.

    Raises:
        BadFile: It is no TOML, or not a plan; the message begins with the file and the line.
        UsageError: A model, family, set, rule or option does not exist; with the line too.
    """
    text = _read_text(file)
    try:
        plan = SweepPlan.model_validate(tomllib.loads(text))
    except ValidationError as wrong:
        first = wrong.errors()[0]
        place = first["loc"]
        keys = [str(key) for key in reversed(place) if isinstance(key, str)]
        numbers = [key for key in place if isinstance(key, int)]
        line = find_line(text, keys, *([(keys[-1], numbers[0])] if numbers else []))
        said = _shorten(f"{'.'.join(map(str, place))}: {_say_fault(first)}")
        raise BadFile(f"{file}:{line}: {said}") from wrong
    except RecursionError as wrong:
        raise BadFile(f"{file}: it is nested too deep for a plan") from wrong
    except ValueError as wrong:
        at = re.search(r"at line (\d+)", str(wrong))
        raise BadFile(f"{file}{f':{at[1]}' if at else ''}: {wrong}") from wrong
    beside = tuple(dict.fromkeys(name for one in plan.sets for name in one.families))
    # All tables first: a cell is planned with the families of the others beside it.
    for what, sets in enumerate(plan.sets):
        try:
            tuple(map(families.get, sets.families))
        except UsageError as wrong:
            line = find_line(text, _list_words(str(wrong)), ("sets", what))
            raise UsageError(f"{file}:{line}: {_shorten(str(wrong))}") from wrong
    cells: list[RunPlan] = []
    prices: dict[str, Price] = {}
    for who, agent in enumerate(plan.agents):
        for what, sets in enumerate(plan.sets):
            cells += _plan_cells(file, text, plan, (who, agent), (what, sets), beside)
        if doubly_priced := _find_doubly_priced(cells, prices):
            line = find_line(text, ["price"], ("agents", who))
            raise UsageError(f"{file}:{line}: {doubly_priced} has another price above")
    times = Counter(cell.name for cell in cells)
    if doubled := [name for name, count in times.items() if count > 1]:
        raise UsageError(f"{file}: two cells are the same run: {doubled[0]}; leave one out")
    return Sweep(file, plan, tuple(cells))


def _read_text(file: Path) -> str:
    try:
        # Some editors put a mark of UTF-8 before it.
        return file.read_text(encoding="utf-8-sig")
    except OSError as wrong:
        raise BadFile(f"{file}: {wrong.strerror or wrong}") from wrong
    except UnicodeDecodeError as wrong:
        line = wrong.object.count(b"\n", 0, wrong.start) + 1
        raise BadFile(f"{file}:{line}: it is not UTF-8; save it with that encoding") from wrong


def _shorten(message: str) -> str:
    """Return a message without the middle of a value that is as long as a book."""
    return message if len(message) <= _LONGEST else f"{message[:400]} … {message[-400:]}"


def _say_fault(fault: ErrorDetails) -> str:
    key, given = fault["loc"][-1], fault["input"]
    if fault["type"] in ("missing", "too_short"):
        how = f"write [[{key}]] and below it what it is" if key in _TABLES else "name one at least"
        return f"there is none; {how}"
    if fault["type"] == "extra_forbidden":
        return "there is no such key"
    if fault["type"] == "tuple_type" and key in _TABLES:
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
            file=sets.file,
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
            raise UsageError(f"{file}:{line}: {_shorten(str(wrong))}") from wrong


def _find_doubly_priced(cells: Sequence[RunPlan], prices: dict[str, Price]) -> str:
    """Return a model with two prices, for Inspect counts by one; adds those that are new."""
    for cell in cells:
        for role in cell.own_prices:
            for model in cell.models[role]:
                if prices.setdefault(model, cell.prices[role]) != cell.prices[role]:
                    return model
    return ""


def _list_words(message: str) -> list[str]:
    """Return what a message quotes, the keys that stand for options it names, and its own keys."""
    names = {word: name for name, word in PAIRS.items()}
    options = re.findall(r"(?<!\S)--?[A-Za-z][\w-]*", message)
    keys = [names.get(word, word.lstrip("-").replace("-", "_")) for word in options]
    # A rule that has no such value stands before a colon; a path may be named in full.
    ours = [key for key in ("agent", "file") if key in message.split()]
    rules = re.findall(r"(?<!\S)(\w+): ", message)
    return [*re.findall(r"'([^']+)'", message), *keys, *reversed(rules), *ours]


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
        workers: Who plays: this process one cell after another, or several at once.
        say: Gets a line on how each cell came out.

    Raises:
        UsageError: The share has no cell, or a budget cannot be kept: it is too small, or several
            processes would have to.
    """
    mine = sweep.deal(shard)
    if sweep.plan.budget is not None:
        if workers != HERE:
            raise UsageError(_ONE_PROCESS)
        sweep.estimate()
    numbered = [(f"[{number}/{len(mine)}] ", cell) for number, cell in enumerate(mine, 1)]
    ends: dict[str, CellEnd] = {}

    def end_cell(place: str, cell: RunPlan, why: str = "") -> None:
        ends[place] = end = CellEnd(cell, None, why) if why else _read_end(cell)
        say(f"{place}{cell.family}, {cell.played}, {cell.who}: {end.why or 'complete'}")

    # Nothing is begun for these: no weights are loaded and no key is asked for.
    for place, cell in numbered:
        if _is_finished(cell):
            end_cell(place, cell)
    left = [one for one in numbered if one[0] not in ends]
    # Cells of one model come one after another, so that a model of this machine is loaded once.
    with open_calls(sweep.cells, say, serve=False):
        for local, group in groupby(left, key=lambda one: one[1].local):
            with local.serve_to_inspect(say) if local else nullcontext():
                _run_cells(dict(group), workers, end_cell)
    return [ends[place] for place, _ in numbered]


def _is_finished(cell: RunPlan) -> bool:
    """Whether a cell is complete and its logs are whole."""
    # What cannot be read is played, which mends it or says why not.
    with suppress(Exception):
        return is_complete(cell) and not any(map(find_damage, find_logs([fetch_logs(cell.folder)])))
    return False


def _run_cells(
    left: dict[str, RunPlan], workers: Workers, end_cell: Callable[[str, RunPlan, str], None]
) -> None:
    """Run cells one after another here, or several at once by processes of their own."""

    def hand_out() -> Iterator[tuple[str, RunPlan]]:
        for place, cell in list(left.items()):
            if why := _find_why_left(cell):
                end_cell(place, left.pop(place), why)
            else:
                yield place, cell

    play = _play_cell if workers == HERE else _play_cell_apart
    try:
        for place, why, failed in run_tasks(play, hand_out(), workers, in_order=False):
            carry_failures(*failed)
            end_cell(place, left.pop(place), why)
    except RunError as wrong:
        # Of the processes one was killed; what they had is not known to be over.
        for place, cell in left.items():
            end_cell(place, cell, _describe_fault(wrong))


def _find_why_left(cell: RunPlan) -> str:
    try:
        if reason := find_obstacle(cell):
            return f"not started: {reason}"
        _take_cell(cell)
    except Exception as wrong:  # noqa: BLE001 - the other cells are played all the same
        return _describe_fault(wrong)
    return ""


def _play_cell(
    task: tuple[str, RunPlan], *, progress: bool = True
) -> tuple[str, str, tuple[int, str]]:
    """Play a cell or resume it; returns its place, why not, and the failures in a row."""
    place, cell = task
    why = ""
    try:
        run_plan(cell, progress=progress, place=place)
    except Exception as wrong:  # noqa: BLE001 - the other cells are played all the same
        why = _describe_fault(wrong)
    return place, why, count_failures()


def _play_cell_apart(task: tuple[str, RunPlan]) -> tuple[str, str, tuple[int, str]]:
    """Play a cell in a process that plays nothing else; it shows no line of progress."""
    # A server of the first process is reached by all; what is read from a place each loads itself.
    place, cell = task[0], replace(task[1], local=None)
    with open_calls([cell], lambda _: None):
        return _play_cell((place, cell), progress=False)


def _read_end(cell: RunPlan) -> CellEnd:
    try:
        run = read_run([cell.folder.url])
    except Exception as wrong:  # noqa: BLE001 - as above
        return CellEnd(cell, None, _describe_fault(wrong))
    missing = " ".join(filter(None, (run.describe_missing(), why_closed())))
    return CellEnd(cell, run, "" if run.complete else missing)


def _describe_fault(wrong: Exception) -> str:
    if isinstance(wrong, RunTaken):
        return f"left: {wrong}"
    kind = "" if isinstance(wrong, CausariumError) else f"{type(wrong).__name__}: "
    return f"failed: {kind}{wrong}"


def _take_cell(cell: RunPlan) -> None:
    """Take a cell on an object store for this machine; elsewhere the folder's lock decides.

    The lock of its copy here parts this machine's processes, and a number beside that lock parts
    machines: containers may share a host name.

    Raises:
        RunTaken: Another machine has it, or another process of this one plays it.
    """
    if cell.folder.path is not None or is_complete(cell):
        return
    file, copy = cell.folder / TAKEN, local_copy(cell.folder)
    with lock_run_folder(copy, lambda _: None):
        number = copy / TAKEN
        if not number.exists():
            Place.parse(number).write_bytes(secrets.token_hex(8).encode())
        mine = f"{socket.gethostname()} ({number.read_text(encoding='ascii')})"
    if (holder := file.claim(mine)) != mine:
        raise RunTaken(
            f"machine {holder} took it; delete {file} if that machine, or its cache folder, is gone"
        )


def summarize_ends(ends: Sequence[CellEnd]) -> list[Mapping[str, Any]]:
    """Return how cells came out as data."""
    return [
        {
            "family": end.cell.family,
            "set": end.cell.played,
            "agent": end.cell.who,
            "folder": end.cell.folder.url,
            "complete": end.run is not None and end.run.complete,
            "why": end.why,
        }
        for end in ends
    ]
