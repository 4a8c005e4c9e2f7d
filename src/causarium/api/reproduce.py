"""Playing a published table again: what to run, what that takes, one's own numbers beside it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from causarium.api.benchmark import load
from causarium.api.evaluate import estimate_plan
from causarium.api.plan_run import RunRequest, plan_run
from causarium.api.read_run import Run, read_run
from causarium.api.rows import Rows
from causarium.contract.row import Row
from causarium.engine.run.run_plan import RunPlan, open_calls, run_plan
from causarium.errors import UsageError
from causarium.published import PlaySetting, PublishedRow, Table, find_table, play_settings, rows

if TYPE_CHECKING:
    from causarium.engine.run.estimate import Estimate

EDITION = "paper"
MODEL = "PROVIDER/MODEL"
_NOBODY = "mockllm/model"
"""Stands for a model where nothing but its prompts counts."""


@dataclass(frozen=True)
class Reproduction:
    """A table of a paper, and the runs that give its numbers anew."""

    table: Table
    settings: tuple[PlaySetting, ...]

    def commands(self, model: str = MODEL) -> list[str]:
        """Return what to type, one run a line, with what has to be typed before it."""
        first = dict.fromkeys(line for setting in self.settings for line in setting.first)
        return [*first, *(self._command(setting, model) for setting in self.settings)]

    def _command(self, setting: PlaySetting, model: str) -> str:
        played = f"--file {setting.file}" if setting.file else f"--set {setting.set}"
        words = ["causarium run", self.table.family, "--model", model, "--edition", EDITION, played]
        words += [f"--rule {name}={value}" for name, value in setting.rules.items()]
        words += [f"--model-role {role}={MODEL}" for role in setting.roles]
        return " ".join(words)

    def estimate(self, request: RunRequest) -> "list[Estimate]":
        """Estimate what each run takes; nobody is asked, and a missing model or judge is assumed.

        Args:
            request: Who plays, prices, limit and options; family, edition, set and rules are ours.
        """
        nobody = request.model is None and request.player is None
        estimates = []
        for setting in self.settings:
            assumed = dict.fromkeys(setting.roles, _NOBODY)
            roles = {**assumed, **request.options.get("model_roles", {})}
            asked = replace(
                self._request(request, setting),
                model=_NOBODY if nobody else request.model,
                options={**request.options, "model_roles": roles},
            )
            estimates.append(estimate_plan(plan_run(asked)))
        return estimates

    def play(self, request: RunRequest) -> list[Run]:
        """Start the runs, or resume them, one after another.

        Args:
            request: Who plays, prices, limit, options, and where logs go.

        Raises:
            UsageError: Nobody is to play, the table is about no agent, or its file is not here.
        """
        if not self.settings:
            raise UsageError(f"{self.table.name} of {self.table.family} is about no agent's play")
        asked = [
            self._ask_file(self._request(request, setting), setting) for setting in self.settings
        ]
        return [_play(plan_run(request)) for request in asked]

    def beside(self, runs: Sequence[Run]) -> list[PublishedRow]:
        """Return one's own numbers as rows of the table, where the runs tell its lines apart."""
        pairs = zip(self.settings, runs, strict=True)
        return [row for setting, run in pairs for row in measure(self.table, setting, run.rows)]

    def _request(self, request: RunRequest, setting: PlaySetting) -> RunRequest:
        return replace(
            request,
            family=self.table.family,
            edition=EDITION,
            set=setting.set,
            rules={**setting.rules, **request.rules},
        )

    def _is_released(self, request: RunRequest) -> bool:
        """Say whether the user's release holds the instances of a request."""
        if request.release is None:
            return False
        release = load(
            request.family, release=request.release, release_anyway=request.release_anyway
        )
        return request.set in release.released_sets

    def _ask_file(self, request: RunRequest, setting: PlaySetting) -> RunRequest:
        if not setting.file or self._is_released(request):
            return request
        if not Path(setting.file).is_file():
            how = "; then ".join(setting.first)
            raise UsageError(f"the published instances are not in {setting.file}; get them: {how}")
        return replace(request, file=setting.file)


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


def _play(plan: RunPlan) -> Run:
    with open_calls([plan], lambda _: None):
        return read_run([run_plan(plan)])


def measure(table: Table, setting: PlaySetting, played: Rows) -> Iterator[PublishedRow]:
    """Yield the numbers of a run for the lines of a table that it covers.

    A line is one's own where the facets of the instances tell it from the others: what varies in
    the table and is no facet must not be all that sets two lines apart.

    Args:
        table: The table.
        setting: The run's place in it.
        played: The rows of the run.
    """
    covered = [row for row in rows(table.family, table.name) if _covers(setting, row)]
    lines = {tuple(sorted(row.setting.items())): row.setting for row in covered}
    wanted = {key: _choose_facets(line, lines.values(), played) for key, line in lines.items()}
    alike = Counter(
        tuple(sorted(facets.items())) for facets in wanted.values() if facets is not None
    )
    for row in {(*sorted(row.setting.items()), row.metric): row for row in covered}.values():
        facets = wanted[tuple(sorted(row.setting.items()))]
        if facets is None or alike[tuple(sorted(facets.items()))] > 1:
            continue
        own = Rows(episode for episode in played if _has_facets(episode, facets))
        if row.metric not in own.metrics:
            continue
        interval = own.mean(row.metric)
        yield row.model_copy(
            update={
                "agent": f"yours: {own[0].agent}",
                **{name: round(getattr(interval, name), 4) for name in ("value", "low", "high")},
                "n": len(own),
                "note": "",
            }
        )


def _covers(setting: PlaySetting, row: PublishedRow) -> bool:
    asked = {"set": setting.set, **setting.covers}
    return all(row.setting.get(name, value) == value for name, value in asked.items())


def _choose_facets(
    line: Mapping[str, str], lines: Iterable[Mapping[str, str]], played: Rows
) -> dict[str, str] | None:
    """Return the facets that choose a line's instances; None if the run has none of them."""
    facets: dict[str, str] = {}
    others = list(lines)
    for name, value in line.items():
        values = {_say(row.facets[name]) for row in played if name in row.facets}
        if value in values:
            facets[name] = value
        elif values and len({other.get(name) for other in others}) > 1:
            return None
    return facets


def _has_facets(row: Row, facets: Mapping[str, str]) -> bool:
    return all(_say(row.facets.get(name)) == value for name, value in facets.items())


def _say(value: Any) -> str:  # noqa: ANN401
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
