"""The demo in half a minute: reference players on the smoke sets, and a recorded run of a model."""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from causarium import families
from causarium.api.demo.recorded_run import (
    FOLDER,
    SET,
    RecordedRun,
    list_recorded_logs,
    read_recorded,
    read_recorded_logs,
)
from causarium.contract.frozen import digest
from causarium.contract.row import Row
from causarium.contract.sets.instance_sets import generate_set

if TYPE_CHECKING:
    from causarium.api.reporting import Report
    from causarium.engine.logbook.log_book import LogBook
    from causarium.engine.logbook.reference_rows import Group


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
            self.notes.append("No run of a model is recorded here; the players play alone.")
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
    agent = recorded[0].agent.removeprefix("openai-api/")
    line = _summarize(recorded, agent, None)
    parts = families.card(line.family).separation
    ids, names = {row.id for row in recorded}, (parts.blind, parts.causal) if parts else ()
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
