"""Playing a published table again: what to run, what that takes, one's own numbers beside it."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from causarium import families
from causarium.api.benchmark import Benchmark, load
from causarium.api.evaluate import estimate_plan
from causarium.api.plan_run import RunRequest, plan_run
from causarium.api.read_run import Run, read_run
from causarium.api.rows import Rows
from causarium.contract.family import AnyInstance
from causarium.contract.release import ReleaseFolder
from causarium.contract.row import Row
from causarium.engine.run.run_plan import open_calls, run_plan
from causarium.errors import UsageError
from causarium.published import (
    Drawing,
    PlaySetting,
    PublishedRow,
    Table,
    find_table,
    play_settings,
    rows,
    tables,
)
from causarium.scoring.intervals import wilson_interval

if TYPE_CHECKING:
    from causarium.engine.run.estimate import Estimate

EDITION = "paper"
MODEL = "PROVIDER/MODEL"
TURN = "turn"
"""What a figure over turns is drawn by."""
_NOBODY = "mockllm/model"
"""Stands for a model where nothing but its prompts counts."""


@dataclass(frozen=True)
class Reproduction:
    """A table of a paper, and the runs that give its numbers anew."""

    table: Table
    settings: tuple[PlaySetting, ...]

    def commands(self, model: str = MODEL, request: RunRequest | None = None) -> list[str]:
        """Return what to type, one run a line, with what has to be typed before it.

        Args:
            model: Who plays.
            request: Names the release and the protocol, where there are any.
        """
        first = dict.fromkeys(line for setting in self.settings for line in setting.first)
        played = (
            self._command(setting, part, model, _choose_rules(setting, request))
            for setting in list_runs(self.settings)
            for part in self._list_parts(setting, request)
        )
        words = [] if request is None else _list_words(request)
        return [*first, *(" ".join([line, *words]) for line in played)]

    def _command(
        self, setting: PlaySetting, part: str, model: str, rules: Mapping[str, str]
    ) -> str:
        played = f"--file {setting.file}" if setting.file else f"--set {part}"
        words = ["causarium run", self.table.family, "--model", model, "--edition", EDITION, played]
        words += [f"--rule {name}={value}" for name, value in rules.items()]
        words += [f"--model-role {role}={MODEL}" for role in setting.roles]
        return " ".join(words)

    def list_drawn(self, request: RunRequest) -> list[str]:
        """Return the sets that are drawn anew, since no release at hand holds them."""
        released = self._open_release(request)
        held = released.sets if released else {}
        played = [
            part
            for setting in list_runs(self.settings)
            for part in self._list_parts(setting, request)
        ]
        return [part for part in dict.fromkeys(played) if part not in held]

    def estimate(self, request: RunRequest) -> "list[Estimate]":
        """Estimate what each run takes; nobody is asked, and a missing model or judge is assumed.

        Args:
            request: Who plays, prices, limit and options; family, edition, set and rules are ours.
        """
        nobody = request.model is None and request.player is None
        estimates = []
        for setting in list_runs(self.settings):
            assumed = dict.fromkeys(setting.roles, _NOBODY)
            roles = {**assumed, **request.options.get("model_roles", {})}
            for asked in self._list_requests(request, setting):
                assuming = replace(
                    asked,
                    model=_NOBODY if nobody else request.model,
                    options={**request.options, "model_roles": roles},
                )
                estimates.append(estimate_plan(plan_run(assuming)))
        return estimates

    def play(self, request: RunRequest) -> list[Run]:
        """Start the runs, or resume them, one after another; returns that of each setting.

        Args:
            request: Who plays, prices, limit, options, and where logs go.

        Raises:
            UsageError: Nobody is to play, the table is about no agent, or its file is not here.
        """
        if not self.settings:
            raise UsageError(
                f"{self.table.name} of {self.table.family} has no results of agents to reproduce"
            )
        asked = {
            setting.run: [
                self._ask_file(one, setting) for one in self._list_requests(request, setting)
            ]
            for setting in list_runs(self.settings)
        }
        played = {}
        for run, parts in asked.items():
            plans = [plan_run(one) for one in parts]
            with open_calls(plans, lambda _: None):
                played[run] = read_run([run_plan(plan) for plan in plans])
        return [played[setting.run] for setting in self.settings]

    def beside(self, runs: Sequence[Run]) -> list[PublishedRow]:
        """Return one's own numbers as rows of the table, where the runs tell its lines apart."""
        own: list[PublishedRow] = []
        for setting, run in zip(self.settings, runs, strict=True):
            own += measure(self.table, setting, run.rows)
            for drawing in self.table.draws:
                drawn_of = _follow_turns(run) if TURN in drawing.by else run.rows
                own += measure_drawing(self.table, setting, drawing, drawn_of)
        lines = {(*sorted(row.setting.items()), row.metric, row.agent): row for row in own}
        return list(lines.values())

    def count(
        self,
        limit: int | None = None,
        *,
        release: str | Path | None = None,
        release_anyway: bool = False,
    ) -> list[PublishedRow]:
        """Return the numbers of instances as rows of a table about instances.

        Args:
            limit: So many instances of a set at most.
            release: The release to count instances of, where it holds any; None: our own.
            release_anyway: Whether an unknown state of it will do.
        """
        family = load(
            self.table.family, edition=EDITION, release=release, release_anyway=release_anyway
        )
        own: list[PublishedRow] = []
        for setting in self.table.counts:
            parts = family.release.find_parts(setting.set) if family.release else []
            instances = [
                instance
                for part in parts or [setting.set]
                for instance in family.instances(part, limit=limit)
            ]
            own += measure(self.table, setting, Rows(_measure_instances(family, instances)))
        return own

    def _list_requests(self, request: RunRequest, setting: PlaySetting) -> list[RunRequest]:
        """Return what is run for a setting: one run, or one for each part that a release has."""
        asked = replace(
            request,
            family=self.table.family,
            edition=EDITION,
            rules={**_choose_rules(setting, request), **request.rules},
            prices=[price for price in request.prices if self._has_role(setting, price)],
        )
        return [replace(asked, set=part) for part in self._list_parts(setting, request)]

    def _list_parts(self, setting: PlaySetting, request: RunRequest | None) -> list[str]:
        released = None if request is None else self._open_release(request)
        return (released.find_parts(setting.set) if released else []) or [setting.set]

    def _open_release(self, request: RunRequest) -> ReleaseFolder | None:
        anyway = request.release_anyway or bool(request.rules.get("release_anyway"))
        return load(self.table.family, release=request.release, release_anyway=anyway).release

    def _has_role(self, setting: PlaySetting, price: str) -> bool:
        """Say whether a price is for a run; one that is for none of them stays, to be refused."""
        role, sign, _ = price.partition("=")
        others = {role for one in self.settings for role in one.roles} - set(setting.roles)
        return not sign or role not in others

    def _ask_file(self, request: RunRequest, setting: PlaySetting) -> RunRequest:
        if not setting.file:
            return request
        # Where there is no release, it is looked for here alone.
        for folder in (Path(request.release or ""), Path()):
            if (file := folder / setting.file).is_file():
                return replace(request, file=file)
        how = "; then ".join(setting.first)
        raise UsageError(f"the published instances are not in {setting.file}; get them: {how}")


def reproduce(family: str, table: str) -> Reproduction:
    """Return how a table of a paper is played again.

    Args:
        family: One of `published.families()`.
        table: As the paper calls it, with or without `Table`.

    Raises:
        UnknownName: There is no such family, or the paper has no such table.

    Example:
        >>> reproduce("causallink", "figure 3").commands("openai/gpt-5")
        ['causarium run causallink --model openai/gpt-5 --edition paper --set advanced']
    """
    published_table = find_table(family, table)
    return Reproduction(published_table, play_settings(published_table))


def reproduce_all(family: str) -> list[Reproduction]:
    """Return how every table and figure of a paper is played again.

    Of two runs that differ in a judge alone, the one that has it is played for both.
    """
    found = {table.name: play_settings(table) for table in tables(family)}
    roles: dict[tuple[object, ...], set[str]] = {}
    for setting in (setting for settings in found.values() for setting in settings):
        roles.setdefault(setting.play, set()).update(setting.roles)
    return [
        Reproduction(
            table,
            tuple(
                setting.model_copy(update={"roles": tuple(sorted(roles[setting.play]))})
                for setting in found[table.name]
            ),
        )
        for table in tables(family)
    ]


def list_runs(settings: Iterable[PlaySetting]) -> list[PlaySetting]:
    """Return one setting for each run that has to be played."""
    return list({setting.run: setting for setting in settings}.values())


def estimate_all(reproductions: Sequence[Reproduction], request: RunRequest) -> "list[Estimate]":
    """Estimate what several tables of one family take together, each run once."""
    settings = tuple(setting for one in reproductions for setting in one.settings)
    return Reproduction(reproductions[0].table, settings).estimate(request)


def _choose_rules(setting: PlaySetting, request: RunRequest | None) -> dict[str, str]:
    released = request is not None and request.release is not None
    return {**setting.rules, **(setting.released if released else {})}


def _list_words(request: RunRequest) -> list[str]:
    words = [] if request.release is None else [f"--release {quote(str(request.release))}"]
    words += ["--release-anyway"] if request.release_anyway else []
    return [*words, f"--protocol {request.protocol}"] if request.protocol else words


def _follow_turns(run: Run) -> Rows:
    """Return a row for each turn of each episode, with what the family measures after it."""
    found: list[Row] = []
    for sample in run.book.newest.values():
        family = families.get(sample.row.family, sample.row.edition)
        follow = family.publication.follow_turns
        if follow is None or sample.row.unscored is not None:
            continue
        courses = follow(*sample.record.rebuild(family), sample.turns)
        for turn in range(max(map(len, courses.values()), default=0)):
            numbers = {name: values[turn] for name, values in courses.items()}
            facets = {**sample.row.facets, TURN: turn + 1}
            found.append(sample.row.model_copy(update={"numbers": numbers, "facets": facets}))
    return Rows(found)


def _measure_instances(family: Benchmark, instances: Sequence[AnyInstance]) -> Iterator[Row]:
    measure_instance = family.family.publication.measure_instance
    if measure_instance is None:
        return
    for instance in instances:
        yield Row(
            family=family.name,
            version=family.family.card.version,
            edition=EDITION,
            set="",
            agent="instances",
            interface="",
            id=instance.id,
            facets=instance.facets,
            numbers=dict(measure_instance(instance)),
            turns=0,
        )


def measure(table: Table, setting: PlaySetting, played: Rows) -> Iterator[PublishedRow]:
    """Yield the numbers of a run for the lines of a table that it covers.

    A line is one's own where facets, labels or what is 0 or 1 of the episodes tell it from the
    others: what varies in the table and is none of these must not be all that sets two lines apart.
    """
    counted = _count_in(setting, played)
    covered = [row for row in rows(table.family, table.name) if _covers(setting, row)]
    lines = {tuple(sorted(row.setting.items())): row.setting for row in covered}
    wanted = {key: _choose_aspects(line, lines.values(), counted) for key, line in lines.items()}
    alike = Counter(tuple(sorted(found.items())) for found in wanted.values() if found is not None)
    for row in {(*sorted(row.setting.items()), row.metric): row for row in covered}.values():
        aspects = wanted[tuple(sorted(row.setting.items()))]
        if aspects is None or alike[tuple(sorted(aspects.items()))] > 1:
            continue
        line = [
            (episode, known)
            for episode, known in counted
            if all(known.get(name) == value for name, value in aspects.items())
        ]
        if (number := _measure_line(row.metric, line, counted, aspects, row.unit)) is not None:
            yield row.model_copy(update={"note": "", **number})


def measure_drawing(
    table: Table, setting: PlaySetting, drawing: Drawing, played: Rows
) -> Iterator[PublishedRow]:
    """Yield numbers of a run, or of its turns, that a figure draws and the paper does not print."""
    printed = [set(row.setting.items()) for row in rows(table.family, table.name)]
    fixed = {**dict(set.intersection(*printed) if printed else ()), **setting.covers}
    counted = [(row, {**setting.covers, **known}) for row, known in _count_in(setting, played)]
    lines: dict[tuple[str, ...], list[tuple[Row, dict[str, str]]]] = {}
    for row, known in counted:
        if all(name in known for name in drawing.by):
            lines.setdefault(tuple(known[name] for name in drawing.by), []).append((row, known))
    for values, line in sorted(lines.items(), key=lambda item: [_rank(value) for value in item[0]]):
        if (number := _measure_line(drawing.metric, line, counted, drawing.by, "mean")) is not None:
            yield PublishedRow(
                family=table.family,
                table=table.name,
                setting={**fixed, **dict(zip(drawing.by, values, strict=True))},
                metric=drawing.metric,
                unit="mean",
                **number,
            )


Known = tuple[Row, dict[str, str]]
"""An episode, and what lines can tell it by."""


def _count_in(setting: PlaySetting, played: Rows) -> list[Known]:
    known = [(row, _list_aspects(row)) for row in played]
    return [
        (row, aspects)
        for row, aspects in known
        if all(aspects.get(name) in values for name, values in setting.only.items())
    ]


def _list_aspects(row: Row) -> dict[str, str]:
    yes_or_no = {name: f"{value:g}" for name, value in row.numbers.items() if value in {0.0, 1.0}}
    # A label may explain itself: `A: complete collapse`.
    labels = {name: label.partition(":")[0] for name, label in row.labels.items()}
    facets = {name: _say(value) for name, value in row.facets.items()}
    # An id is the family, the level or the suite of a release, and a number.
    level = row.id.removeprefix(f"{row.family}-").rpartition("-")[0]
    return {"level": level, **yes_or_no, **labels, **facets}


def _measure_line(
    metric: str, line: Sequence[Known], counted: Sequence[Known], names: Collection[str], unit: str
) -> dict[str, Any] | None:
    """Return the mean of a metric over a line; None if it has none of it.

    What is no metric of the family is the share of a line that labels choose.
    """
    own = Rows(row for row, _ in line)
    if metric in own.metrics and unit == "count":
        total = sum(row.numbers.get(metric, 0.0) for row in own)
        return {"value": total, "low": None, "high": None, **_sign(own)}
    if metric in own.metrics:
        interval = own.mean(metric)
    else:
        labels = {name for row, _ in counted for name in row.labels}.intersection(names)
        whole = [row for row, _ in counted if labels and labels <= row.labels.keys()]
        if not whole or metric in families.get(whole[0].family, whole[0].edition).metrics:
            return None
        interval, own = wilson_interval(len(own), len(whole)), Rows(whole)
    if math.isnan(interval.value):
        return None
    ends = {name: round(getattr(interval, name), 4) for name in ("value", "low", "high")}
    told = {name: end for name, end in ends.items() if not math.isnan(end)}
    return {"low": None, "high": None, **told, **_sign(own)}


def _sign(own: Rows) -> dict[str, Any]:
    return {"agent": f"yours: {own[0].agent}", "n": len(own)}


def _rank(value: str) -> tuple[float, str]:
    return (float(value), "") if value.lstrip("-").isdigit() else (math.inf, value)


def _covers(setting: PlaySetting, row: PublishedRow) -> bool:
    asked = {"set": setting.set, **setting.covers}
    return all(row.setting.get(name, value) == value for name, value in asked.items())


def _choose_aspects(
    line: Mapping[str, str], lines: Iterable[Mapping[str, str]], counted: Sequence[Known]
) -> dict[str, str] | None:
    """Return what chooses a line's episodes; None if the run has none of them."""
    chosen: dict[str, str] = {}
    others = list(lines)
    for name, value in line.items():
        values = {known[name] for _, known in counted if name in known}
        # A label that no episode has is a share of nothing, not a line that was not played.
        if value in values or any(name in row.labels for row, _ in counted):
            chosen[name] = value
        elif values and len({other.get(name) for other in others}) > 1:
            return None
    return chosen


def _say(value: Any) -> str:  # noqa: ANN401
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
