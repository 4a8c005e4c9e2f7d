"""The demo: in half a minute without a model, or with logs and a model of one's own.

Reference players play every family, beside a recorded run of a model where the package has one.
What a model plays of each family, and the players beside it, is planned here and run as any other
run is.
"""

import math
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import ValidationError

from causarium import families
from causarium.contract.frozen import Frozen, digest
from causarium.contract.row import Row
from causarium.contract.sets.instance_sets import generate_set
from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import BadFile
from causarium.report.data.summaries import name_agent

if TYPE_CHECKING:
    from causarium.api.reporting import Report
    from causarium.engine.logbook.log_book import LogBook
    from causarium.engine.logbook.reference_rows import Group
    from causarium.engine.run.run_plan import RunPlan


FOLDER = Path(__file__).parent / "recorded"
ABOUT = "about.toml"
SET = "smoke"
"""What was played."""


class RecordedRun(Frozen):
    """Which model played, how and when."""

    model: str
    licence: str
    """Of the model's weights."""
    weights: str
    """The file of the weights: its form and its digest."""
    server: str
    """What answered the calls, and where it ran."""
    made: str
    """The day."""
    command: str
    sets: dict[str, str]
    """By family, the digest of the set that was played."""

    @property
    def sentence(self) -> str:
        """All of it in words."""
        return (
            f"Recorded: {self.model} (weights under {self.licence}), run by {self.server}, played "
            f"cases of {', '.join(self.sets)} on {self.made} by `{self.command}`. The logs came "
            "with this package; no model is called now."
        )

    def list_outdated(self) -> tuple[str, ...]:
        """Return the families whose set is no longer the one that was played."""
        return tuple(
            name
            for name, digest in self.sets.items()
            if name not in families.names()
            or families.card(name).sets["certified"][SET].digest != digest
        )


def read_recorded(folder: Path = FOLDER) -> RecordedRun | None:
    """Return what a folder says of its recorded run; None if it holds none.

    Raises:
        BadFile: It cannot be read.
    """
    path = folder / ABOUT
    if not path.is_file():
        return None
    try:
        return RecordedRun.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as wrong:
        raise BadFile(f"{path} is not TOML: {wrong}") from wrong
    except ValidationError as wrong:
        raise BadFile(f"{path} says too little: {describe_validation_error(wrong)}") from wrong


def list_recorded_logs(run: RecordedRun, folder: Path = FOLDER) -> tuple[list[Path], list[str]]:
    """Return the logs that can be shown, and a sentence on each that cannot.

    Args:
        run: What the folder says of its run.
        folder: Where the logs are.

    Raises:
        BadFile: A log is damaged.
    """
    from causarium.engine.logbook.log_files import read_header

    outdated = run.list_outdated()
    problems = [
        f"The recorded run of {name} was made on another version of its {SET} set and is left out."
        for name in outdated
    ]
    logs = [
        path
        for path in sorted(folder.rglob("*.eval"))
        if (name := read_header(path).card.family) in run.sets and name not in outdated
    ]
    return logs, problems


def read_recorded_logs(logs: list[Path]) -> "LogBook":
    """Return all that the logs of a recorded run say."""
    from causarium.engine.logbook.log_book import LogBook

    return LogBook.read(logs)


@dataclass(frozen=True, slots=True)
class DemoLine:
    """What one player, or the recorded model, scored in one family."""

    family: str
    agent: str
    cases: int
    metric: str
    score: float
    seconds: float | None = None
    """None for what was recorded."""
    set_size: int = 0
    """How many cases the whole set has, where only some were played."""
    beside: str = ""
    """What reference players scored on the very same cases."""

    def __str__(self) -> str:
        played = f"{self.cases} of {self.set_size}" if self.set_size else f"{self.cases}"
        noun = "case " if self.cases == 1 and not self.set_size else "cases"
        took = "recorded" if self.seconds is None else f"{self.seconds:.1f} s"
        score = f"{self.metric} {self.score:.3f}"
        return (
            f"{self.family:<11} {self.agent:<24} {played:>8} {noun}  {score:<20} {took}"
            f"{f'; on the same: {self.beside}' if self.beside else ''}"
        )


@dataclass
class QuickDemo:
    """One demo: players play group by group, then the report is written."""

    folder: Path = FOLDER
    """Where the recorded run lies."""
    recorded: RecordedRun | None = None
    notes: list[str] = field(default_factory=list)
    """What has to be said, such as what was left out."""
    rows: list[Row] = field(default_factory=list)
    _logs: list[Path] = field(default_factory=list)
    _book: "LogBook | None" = None

    def open_recording(self) -> None:
        """Read the recorded run, if there is one."""
        self.recorded = read_recorded(self.folder)
        if self.recorded is None:
            return
        self._logs, problems = list_recorded_logs(self.recorded, self.folder)
        self.notes += problems
        if self._logs:
            self._book = read_recorded_logs(self._logs)

    def play(self) -> Iterator[DemoLine]:
        """Let every reference player play the smoke sets; yields a line when one is done."""
        from causarium.engine.logbook.reference_rows import list_reference_players, play_group

        played: set[tuple[str, ...]] = set()
        for name in families.read_cards().cards:
            recorded, whole = self._recorded_rows(name), list[Row]()
            for group in self._list_groups(name):
                for player in list_reference_players(group.family):
                    began = time.monotonic()
                    rows = play_group(group, player, played)
                    whole += rows
                    if rows:
                        yield _summarize(rows, player, time.monotonic() - began)
            self.rows += [*whole, *recorded]
            if recorded:
                yield _summarize_recorded(recorded, whole)

    def _recorded_rows(self, family: str) -> list[Row]:
        return [row for row in self._book.rows if row.family == family] if self._book else []

    def _list_groups(self, name: str) -> "list[Group]":
        """Return what is played of a family: its smoke set, by the rules the model played by."""
        from causarium.engine.logbook.reference_rows import Group

        family = families.get(name)
        instances = generate_set(family, "certified", SET)
        named = {digest(instance.line()): instance for instance in instances}
        played = {
            (rules := sample.record.rebuild(family)[1]).model_dump_json(): rules
            for sample in (self._book.samples if self._book else ())
            if sample.row.family == name
        }
        all_rules = list(played.values()) or [family.rules_for("certified")]
        return [Group(family, "certified", SET, rules, named) for rules in all_rules]

    def write_report(self, out: Path) -> "Report":
        """Write the report: of the recorded logs where they hold every family, else of all rows."""
        from causarium.api.reporting import write_report
        from causarium.api.rows import Rows

        commands = ["causarium demo"]
        if self._book and {row.family for row in self._book.rows} == set(families.names()):
            return write_report(list(self._logs), out=out, commands=commands)
        rows = [row for row in self.rows if self._is_comparable(row)]
        return write_report(Rows(rows, problems=self.notes), out=out, commands=commands)

    def _is_comparable(self, row: Row) -> bool:
        """Say whether a row is of a case that the model played too, where it played the family."""
        ids = {mine.id for mine in self._recorded_rows(row.family)}
        return not ids or row.id in ids


def _summarize(rows: Sequence[Row], agent: str, seconds: float | None) -> DemoLine:
    family = rows[0].family
    metric = families.card(family).headline[rows[0].edition]
    return DemoLine(family, agent, len(rows), metric, _mean_score(rows, metric), seconds)


def _summarize_recorded(recorded: Sequence[Row], whole: Sequence[Row]) -> DemoLine:
    """Set the recorded model beside who guesses and who infers, on the cases that it played."""
    line = _summarize(recorded, name_agent(recorded[0].agent), None)
    card = families.card(line.family)
    ids = {row.id for row in recorded}
    names = ((*card.blind, "silent")[0], card.reference or "oracle")
    scores = {
        name: _mean_score(
            [r for r in whole if r.agent == f"player/{name}" and r.id in ids], line.metric
        )
        for name in names
    }
    beside = ", ".join(
        f"{name} {score:.3f}" for name, score in scores.items() if not math.isnan(score)
    )
    size = len({row.id for row in whole})
    return replace(line, set_size=size if size > line.cases else 0, beside=beside)


def _mean_score(rows: Sequence[Row], metric: str) -> float:
    scores = [row.numbers[metric] for row in rows if row.unscored is None and metric in row.numbers]
    numbers = [score for score in scores if not math.isnan(score)]
    return fmean(numbers) if numbers else math.nan


class Slice(NamedTuple):
    """A few instances of a set, as a model plays them."""

    set: str
    limit: int
    rules: dict[str, Any] = {}  # noqa: RUF012 - nobody changes it
    local_rules: dict[str, Any] = {}  # noqa: RUF012
    """What a local model plays by, beside these, where it would take dozens of turns."""
    local_options: dict[str, Any] = {}  # noqa: RUF012


SLICES = {
    "causallink": Slice("smoke", 4),
    "causalab": Slice("smoke", 2, local_rules={"max_turns": 4}),
    # Without programs, which need a sandbox: a tour must not.
    "causalgame": Slice(
        "smoke",
        2,
        rules={"analysis": False},
        local_rules={"max_turns": 2, "calls_per_turn": 1, "claims": False},
        # What makes no sense costs no turn there, and the same is tried again and again.
        local_options={"message_limit": 14},
    ),
    "replayscm": Slice("smoke", 2),
    "recite": Slice("smoke", 2),
}
"""What a model plays of each family: as much as a small one does in ten minutes on two cores."""
OTHER_SLICE = Slice("smoke", 2)
LOCAL_OPTIONS = {"max_tokens": 250, "seed": 1}
"""Short replies: a local model that has begun to repeat itself goes on to the limit."""


def plan_player_runs(log_dir: str, *, sliced: bool) -> "list[RunPlan]":
    """Plan the players' runs: the standard set of each family, or what a model plays of it.

    Args:
        log_dir: The folder of logs.
        sliced: Whether they play what a model plays.
    """
    from causarium.api.plan_run import RunRequest, plan_run

    plans = []
    for name in families.read_cards().cards:
        part = SLICES.get(name, OTHER_SLICE)
        played = {"set": part.set, "limit": part.limit} if sliced else {"set": "standard"}
        plans += [
            plan_run(RunRequest(name, player=player, log_dir=log_dir, **played))
            for player in families.card(name).tour
        ]
    return plans


def plan_model_runs(model: str, log_dir: str) -> "list[RunPlan]":
    """Plan the model's runs: a part of each family.

    Args:
        model: PROVIDER/MODEL, `local` or `local:FILE.gguf`.
        log_dir: The folder of logs.
    """
    from causarium.api.plan_run import RunRequest, plan_run
    from causarium.engine.run.models import is_local

    plans, local = [], is_local(model)
    for name in families.read_cards().cards:
        part = SLICES.get(name, OTHER_SLICE)
        plans.append(
            plan_run(
                RunRequest(
                    name,
                    model=model,
                    set=part.set,
                    rules={**part.rules, **(part.local_rules if local else {})},
                    options={**LOCAL_OPTIONS, **part.local_options} if local else {},
                    limit=part.limit,
                    log_dir=log_dir,
                )
            )
        )
    return plans
