"""The demo in half a minute: reference players on the smoke sets, and a recorded run of a model."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
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

    def __str__(self) -> str:
        took = "recorded" if self.seconds is None else f"{self.seconds:.1f} s"
        score = f"{self.metric} {self.score:.3f}"
        return f"{self.family:<11} {self.agent:<28} {self.cases:>3} cases  {score:<22} {took}"


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
        for name in families.names():
            recorded = self._recorded_rows(name)
            for group in self._list_groups(name):
                for player in list_reference_players(group.family):
                    began = time.monotonic()
                    rows = play_group(group, player, played)
                    self.rows += rows
                    if rows:
                        yield _summarize(rows, player, time.monotonic() - began)
            self.rows += recorded
            if recorded:
                yield _summarize(recorded, recorded[0].agent, None)

    def _recorded_rows(self, family: str) -> list[Row]:
        return [row for row in self._book.rows if row.family == family] if self._book else []

    def _list_groups(self, name: str) -> "list[Group]":
        """Return what is played of a family: what the model played, or the whole smoke set."""
        from causarium.engine.logbook.reference_rows import Group

        family = families.get(name)
        groups: dict[str, Group] = {}
        for sample in self._book.samples if self._book else ():
            if sample.row.family != name:
                continue
            instance, rules = sample.record.rebuild(family)
            fresh = Group(family, sample.row.edition, sample.row.set, rules, {})
            group = groups.setdefault(rules.model_dump_json(), fresh)
            group.instances[digest(instance.line())] = instance
        if not groups:
            instances = generate_set(family, "certified", SET)
            named = {digest(instance.line()): instance for instance in instances}
            groups[""] = Group(family, "certified", SET, family.rules_for("certified"), named)
        return list(groups.values())

    def write_report(self, out: Path) -> "Report":
        """Write the report: of the recorded logs where they hold every family, else of all rows."""
        from causarium.api.reporting import write_report
        from causarium.api.rows import Rows

        commands = ["causarium demo"]
        if self._book and {row.family for row in self._book.rows} == set(families.names()):
            return write_report(list(self._logs), out=out, commands=commands)
        return write_report(Rows(self.rows, problems=self.notes), out=out, commands=commands)


def _summarize(rows: Sequence[Row], agent: str, seconds: float | None) -> DemoLine:
    family = rows[0].family
    metric = families.card(family).headline[0]
    scores = [row.numbers[metric] for row in rows if row.unscored is None and metric in row.numbers]
    known = [score for score in scores if score == score]  # noqa: PLR0124 - nan differs from itself
    score = fmean(known) if known else float("nan")
    return DemoLine(family, agent, len(rows), metric, score, seconds)
