"""Running through Inspect, and estimating what a run would take.

This is the only place of the API that starts runs.
"""

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from causarium.api.prepare_run import PreparedRuns, RunRequest, prepare_runs
from causarium.api.rows import Rows
from causarium.api.run_summary import summarize_run
from causarium.api.typed_options import Roles, to_word, to_words
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.places import Place
from causarium.contract.rules import check_edition
from causarium.contract.sets.instance_sets import find_set, generate_one, name_set, read_set
from causarium.errors import UsageError

if TYPE_CHECKING:
    from causarium.engine.logbook.log_book import LogBook
    from causarium.engine.run.estimate import Estimate
    from causarium.engine.run.inspect_options import Options
    from causarium.engine.run.prices import Price
    from causarium.engine.run.start_run import RunSpec


@dataclass(frozen=True)
class Run:
    """How a run came out."""

    folder: Path
    log: Path
    """The run's newest log."""
    rows: Rows
    complete: bool
    """Whether every instance has a score; if not, the same call tries the others again."""
    metrics: Mapping[str, Mapping[str, float | None]]
    """By name: `value`, `low` and `high`; None where nothing is known."""
    expected: int
    """How many episodes the run has, epochs included."""
    book: "LogBook" = field(repr=False, compare=False)
    """All that was read of the log."""
    places: tuple[str, ...] = ()
    """Where the run's logs are, as one names them: folders, or URLs."""

    @property
    def unscored(self) -> int:
        """How many episodes have no score."""
        return sum(row.unscored is not None for row in self.rows)

    @property
    def missing(self) -> int:
        """How many episodes were not run."""
        return max(0, self.expected - len(self.rows))

    def describe_missing(self) -> str:
        """Return in words how much has no score."""
        return (
            f"Incomplete: {self.unscored} unscored, {self.missing} not run, of {self.expected}. "
            "Run the same command to retry."
        )

    def summary(self) -> dict[str, Any]:
        """Return the run as `causarium run --json` prints it."""
        return summarize_run(self.rows, self.log)


def evaluate(  # noqa: PLR0913
    family: str,
    *,
    model: str | None = None,
    player: str | None = None,
    agent: str | Callable[..., object] | None = None,
    agent_boundary: str | None = None,
    edition: str = "certified",
    set: str = "standard",
    file: str | Path | None = None,
    rules: Mapping[str, Any] | None = None,
    roles: Roles | None = None,
    limit: int | None = None,
    price: str | Sequence[str] = (),
    budget: float | None = None,
    breaker: int | None = None,
    log_dir: str | Path = "logs",
    progress: bool = True,
    **inspect_options: Any,  # noqa: ANN401
) -> Run:
    """Run a model or a reference player through Inspect.

    The same call resumes an interrupted run, and returns a finished one without running it again.

    Args:
        family: One of `list_families()`.
        model: PROVIDER/MODEL, `local` or `local:FILE.gguf`. Give this or `player`.
        player: The name of a reference player.
        agent: Your own agent: FILE.py@NAME, PACKAGE.MODULE:NAME, or the function itself.
        agent_boundary: Where it runs: `sandbox`, `process` or `none`; by default behind the best
            wall that this machine has.
        edition: `certified` or `paper`.
        set: The name of a set.
        file: A set file (.jsonl) in place of a named set.
        rules: Changes to the rules of the edition.
        roles: Models for roles, as in `{"judge": "openai/gpt-5"}`.
        limit: Run only the first so many instances.
        price: US dollars per million tokens: IN,OUT or ROLE=IN,OUT; several as a list.
        budget: US dollars that the run may spend, helpers included; the calls that are under way
            when it is reached are paid beside it.
        breaker: So many failures of the provider in a row end the run; 10 if not given, 0: never.
        log_dir: The folder of logs.
        progress: Whether to show on stderr how the run goes.
        inspect_options: Any option of Inspect's `eval_set`: `epochs=3`, `temperature=0.6`, …

    Raises:
        UsageError: Something that was asked for cannot work, such as both model and player.
        RunError: The run failed beyond single instances.
    """
    request = _make_request(
        family,
        model=model,
        player=player,
        agent=None if agent is None else _name_agent(agent),
        agent_boundary=agent_boundary,
        edition=edition,
        set=set,
        file=file,
        rules=rules,
        limit=limit,
        prices=price,
        budget=budget,
        breaker=breaker,
        options=to_words(roles or {}, inspect_options),
    )
    prepared = prepare_runs(request)
    say = _say if progress else _say_nothing
    with prepared.gate(log_dir), prepared.model.open_connection(say):
        return start(prepared.specs[0], log_dir, progress=progress)


def estimate(  # noqa: PLR0913
    family: str,
    *,
    model: str | None = None,
    player: str | None = None,
    agent: str | Callable[..., object] | None = None,
    edition: str = "certified",
    set: str = "standard",
    file: str | Path | None = None,
    rules: Mapping[str, Any] | None = None,
    roles: Roles | None = None,
    limit: int | None = None,
    price: str | Sequence[str] = (),
    **inspect_options: Any,  # noqa: ANN401
) -> "Estimate":
    """Estimate calls, tokens and cost of a run; no model is called.

    Args:
        family: As in `evaluate`, and so are all others.
        model: PROVIDER/MODEL.
        player: The name of a reference player.
        agent: Your own agent.
        edition: `certified` or `paper`.
        set: The name of a set.
        file: A set file in place of a named set.
        rules: Changes to the rules of the edition.
        roles: Models for roles.
        limit: Only the first so many instances.
        price: US dollars per million tokens.
        inspect_options: Any option of Inspect's `eval_set`.

    Raises:
        UsageError: Something that was asked for cannot work.
    """
    request = _make_request(
        family,
        model=model,
        player=player,
        agent=None if agent is None else _name_agent(agent),
        edition=edition,
        set=set,
        file=file,
        rules=rules,
        limit=limit,
        prices=price,
        options=to_words(roles or {}, inspect_options),
    )
    return estimate_runs(prepare_runs(request, register=False))[0]


def _make_request(
    family: str,
    *,
    file: str | Path | None,
    rules: Mapping[str, Any] | None,
    prices: str | Sequence[str],
    **same: Any,  # noqa: ANN401
) -> RunRequest:
    return RunRequest(
        families=(family,),
        file=file,
        rules={name: to_word(value) for name, value in (rules or {}).items() if value is not None},
        prices=(prices,) if isinstance(prices, str) else tuple(prices),
        **same,
    )


def _name_agent(agent: str | Callable[..., object]) -> str:
    """Return how a run finds an agent again: where it is defined, and its name."""
    if isinstance(agent, str):
        return agent
    name = getattr(agent, "__qualname__", "")
    module = getattr(agent, "__module__", "__main__")
    if not name.isidentifier():
        raise UsageError(
            f"{name or agent!r} cannot be found again by its name; give a function that is defined "
            "at the top of a file"
        )
    if module != "__main__":
        return f"{module}:{name}"
    try:
        file = inspect.getsourcefile(agent)
    except TypeError:
        file = None
    if file is None or not Path(file).is_file():
        raise UsageError(f"{name} is not in a file; write it to one and give FILE.py@{name}")
    return f"{file}@{name}"


def start(spec: "RunSpec", log_dir: str | Path, *, progress: bool = True, place: str = "") -> Run:
    """Start a prepared run, or resume it.

    Args:
        spec: What to run.
        log_dir: The folder of logs, on this machine or at a URL.
        progress: Whether to show on stderr how it goes.
        place: What the line of progress begins with.

    Raises:
        UsageError: Inspect refuses an option, or a key is missing.
        RunError: The run failed beyond single instances.
    """
    return gather_run([run_spec(spec, log_dir, progress=progress, place=place)])


def gather_run(folders: Sequence[str]) -> Run:
    """Return how a run came out whose shards have left logs in these folders.

    Raises:
        UsageError: A folder has no log, or a damaged one.
    """
    from causarium.engine.logbook.fetch_logs import fetch_logs
    from causarium.engine.logbook.log_book import LogBook
    from causarium.engine.logbook.log_files import find_logs

    here = [fetch_logs(folder) for folder in folders]
    newest = [find_logs([folder])[-1] for folder in here]
    book = LogBook.read(newest)
    book.require_whole()
    rows = Rows(book.rows)
    unscored = sum(row.unscored is not None for row in rows)
    expected = sum(header.expected for header in book.logs)
    ended = all(header.status == "success" for header in book.logs)
    complete = ended and not unscored and len(rows) >= expected
    metrics = summarize_run(rows, newest[-1])["metrics"]
    return Run(here[-1], newest[-1], rows, complete, metrics, expected, book, tuple(folders))


def run_spec(spec: "RunSpec", log_dir: str | Path, *, progress: bool, place: str = "") -> str:
    """Run, and leave the run's card in its folder, however the run ends; returns the folder.

    Args:
        spec: What to run.
        log_dir: The folder of logs, on this machine or at a URL.
        progress: Whether to show on stderr how it goes.
        place: What the line of progress begins with.
    """
    from causarium.engine.gate import note_spending
    from causarium.engine.logbook.fetch_logs import local_copy
    from causarium.engine.logbook.log_files import write_run_card
    from causarium.engine.run.progress import show_progress
    from causarium.engine.run.start_run import redirect_stdout_to_stderr
    from causarium.engine.run.start_run import run as run_inspect

    folder = Place.parse(log_dir) / spec.folder
    here = local_copy(folder) if folder.path is None else folder.path
    line = f"{place}{spec.task.rpartition('/')[2]}, {spec.agent}"
    with redirect_stdout_to_stderr(), note_spending(here):
        try:
            if any(word.partition("=")[0] == "--display" for word in spec.options):
                return run_inspect(spec, log_dir).url
            with show_progress(line, here) if progress else nullcontext():
                return run_inspect(spec, log_dir, display="none").url
        finally:
            write_run_card(folder)


def estimate_runs(prepared: PreparedRuns) -> "list[Estimate]":
    """Estimate what prepared runs would take, one after another."""
    pairs = zip(prepared.families, prepared.specs, strict=True)
    return [
        _estimate(family, spec, prepared.options, prepared.prices, limit=prepared.limit)
        for family, spec in pairs
    ]


def _estimate(
    family: AnyFamily,
    spec: "RunSpec",
    options: "Options",
    prices: "Mapping[str, Price]",
    *,
    limit: int | None,
) -> "Estimate":
    from causarium.engine.run import estimate
    from causarium.engine.run.prices import AGENT

    arguments = spec.arguments
    edition = check_edition(arguments["edition"])
    changes = {name: arguments[name] for name in family.rules.model_fields if name in arguments}
    rules = family.rules_for(edition, **changes)
    instances, size = _pick_instances(family, arguments, limit, options)
    given = estimate.Circumstances(
        epochs=options.epochs,
        roles=tuple((role, len(models)) for role, models in options.roles.items()),
        max_tokens=options.given.get("max_tokens"),
        reasoning_tokens=options.given.get("reasoning_tokens"),
    )
    taken = estimate.estimate_run(family, instances, rules, given, count=size)
    if arguments.get("player"):
        taken.pop(AGENT)
    cost, unpriced = estimate.in_dollars(taken, prices)
    return estimate.Estimate(
        family=family.name,
        edition=edition,
        set=arguments.get("set") or name_set(arguments["file"]),
        agent=spec.agent,
        interface=rules.interface,
        instances=size,
        epochs=options.epochs,
        played=len(instances),
        taken=taken,
        cost=cost,
        likely_cost=estimate.likely_dollars(taken, prices),
        unpriced=unpriced,
    )


def _pick_instances(
    family: AnyFamily, arguments: Mapping[str, str], limit: int | None, options: "Options"
) -> tuple[list[AnyInstance], int]:
    """Return some of the instances that would be played, and how many there are."""
    from causarium.engine.run.estimate import spread_evenly

    edition = check_edition(arguments["edition"])
    if "file" in arguments:
        everything = read_set(arguments["file"], family)[1]
        size = min(len(everything), limit or len(everything))
        some = [everything[index] for index in spread_evenly(size)]
    else:
        whole = find_set(family, edition, arguments["set"]).size
        size = min(whole, limit or whole)
        some = [
            generate_one(family, edition, arguments["set"], index) for index in spread_evenly(size)
        ]
    if chosen := options.given.get("sample_id"):
        size = min(size, len(str(chosen).split(",")))
    return some, size


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _say_nothing(text: str) -> None:
    """Say nothing; a run without progress is quiet."""
