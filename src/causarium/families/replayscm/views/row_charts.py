"""Many rows as pictures: the disclosure ladder, what is lost step by step, what is left open."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from causarium.charts.axes import (
    LONGEST_NAME,
    MOST_SERIES,
    Frame,
    draw_interval_series,
    draw_series_legend,
    draw_series_mark,
    draw_stacked_names,
    draw_text_table,
    draw_y_axis,
    shorten,
)
from causarium.charts.palette import SOFT, series_colour
from causarium.charts.svg import line, make_svg, tag, text
from causarium.contract.row import Row
from causarium.contract.views.figure import Figure
from causarium.scoring.intervals import Interval, bootstrap_interval, paired_difference

LADDER = ("ordered", "block_order", "hidden_order", "hidden_roots")
"""The settings that ask for a model, the most disclosed first."""
SUPPORTS = (
    "original",
    "extra",
    "counterexample",
    "certified",
)
"""How much evidence there is, the least first."""
FEW = 5
"""Rates that rest on so few rows, or fewer, are kept back."""


class Cell(NamedTuple):
    """Where a row stands: a setting, and how much support its worlds give."""

    setting: str
    support: str

    def __str__(self) -> str:
        return f"{self.setting.replace('_', ' ')}, {self.support}"


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of some rows."""

    hits: float
    n: int

    @property
    def value(self) -> float:
        """The rate; nan if it rests on nothing."""
        return self.hits / self.n if self.n else math.nan

    @property
    def kept_back(self) -> bool:
        """Whether it rests on so few rows that it is not shown."""
        return 1 <= self.n <= FEW

    def __str__(self) -> str:
        if not self.n:
            return "–"
        return "*" if self.kept_back else f"{self.value:.3f}"


def cell_of(row: Row) -> Cell:
    """Return where a row stands."""
    return Cell(str(row.facets.get("setting", "")), str(row.facets.get("support", "")))


def cells(rows: Iterable[Row]) -> list[Cell]:
    """Return where rows stand, in the order of settings and supports."""
    return sorted({cell_of(row) for row in rows}, key=_order)


def _order(cell: Cell) -> tuple[int, int, str]:
    support = SUPPORTS.index(cell.support) if cell.support in SUPPORTS else len(SUPPORTS)
    setting = LADDER.index(cell.setting) if cell.setting in LADDER else len(LADDER)
    return support, setting, cell.setting


def conditional_rate(rows: Iterable[Row], metric: str) -> Rate:
    """Return the mean of a metric that is nan where its condition fails."""
    values = [row.numbers.get(metric, math.nan) for row in rows if row.unscored is None]
    kept = [value for value in values if not math.isnan(value)]
    return Rate(sum(kept), len(kept))


def by_latent(rows: Iterable[Row], metric: str) -> dict[str, float]:
    """Return a metric's mean for each latent model; nan where it does not apply."""
    found: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.unscored is None:
            found[str(row.facets.get("mechanism", row.id))].append(
                row.numbers.get(metric, math.nan)
            )
    return {latent: _mean(values) for latent, values in found.items()}


def _mean(values: Iterable[float]) -> float:
    kept = [value for value in values if not math.isnan(value)]
    return fmean(kept) if kept else math.nan


def ladder(rows: Iterable[Row], metric: str) -> dict[str, dict[Cell, Interval]]:
    """Return, for each agent and cell, a metric's mean with a bootstrap by latent model."""
    grouped = _by_agent_and_cell(rows)
    return {
        agent: {
            cell: bootstrap_interval(by_latent(mine, metric).values())
            for cell, mine in sorted(parts.items(), key=lambda item: _order(item[0]))
        }
        for agent, parts in grouped.items()
    }


def _by_agent_and_cell(rows: Iterable[Row]) -> dict[str, dict[Cell, list[Row]]]:
    grouped: dict[str, dict[Cell, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        grouped[row.agent][cell_of(row)].append(row)
    return grouped


@dataclass(frozen=True, slots=True)
class Delta:
    """What changes between two cells on the same latent models."""

    agent: str
    first: Cell
    second: Cell
    difference: Interval
    """The first minus the second, so that what is lost with less disclosure is positive."""


def compute_paired_deltas(
    rows: Sequence[Row], metric: str, pairs: Iterable[tuple[Cell, Cell]] | None = None
) -> list[Delta]:
    """Return the differences between cells for each agent that has rows in both.

    Without `pairs`, settings are compared with the next less disclosed one at the same support.
    """
    wanted = list(pairs) if pairs is not None else _next_pairs(cells(rows))
    found = []
    for agent, parts in _by_agent_and_cell(rows).items():
        for first, second in wanted:
            if first in parts and second in parts:
                ours, theirs = by_latent(parts[first], metric), by_latent(parts[second], metric)
                shared = ours.keys() & theirs.keys()
                difference = paired_difference(
                    {latent: ours[latent] for latent in shared},
                    {latent: theirs[latent] for latent in shared},
                )
                found.append(Delta(agent, first, second, difference))
    return found


def _next_pairs(known: Sequence[Cell]) -> list[tuple[Cell, Cell]]:
    pairs = []
    for support in SUPPORTS:
        here = [cell for cell in known if cell.support == support and cell.setting in LADDER]
        pairs += list(pairwise(here))
    return pairs


def discovery(rows: Iterable[Row]) -> dict[tuple[str, Cell], Rate]:
    """Return, for each agent and cell, the share of all answers that are other models that fit."""
    return {
        (agent, cell): _attempts(mine)
        for agent, parts in _by_agent_and_cell(rows).items()
        for cell, mine in parts.items()
        if cell.setting in LADDER
    }


_FOUND, _FOUND_GIVEN = "alternative_found", "alternative_given_train_exact"


def _attempts(rows: Sequence[Row]) -> Rate:
    scored = [row for row in rows if row.unscored is None]
    return Rate(sum(row.numbers.get(_FOUND, 0) == 1 for row in scored), len(scored))


def any_alternative(rows: Iterable[Row]) -> dict[Cell, Rate]:
    """Return, for each cell, the share of latent models for which some agent found another."""
    found: dict[Cell, dict[str, bool]] = defaultdict(dict)
    for row in rows:
        if row.unscored is None and cell_of(row).setting in LADDER:
            latent = str(row.facets.get("mechanism", row.id))
            have = found[cell_of(row)]
            have[latent] = have.get(latent, False) or row.numbers.get(_FOUND) == 1
    return {cell: Rate(sum(have.values()), len(have)) for cell, have in found.items()}


@dataclass(frozen=True, slots=True)
class Control:
    """Other models that fit, on the latent models that an agent solved in both cells."""

    agent: str
    first: Cell
    second: Cell
    before: Rate
    after: Rate

    @property
    def change(self) -> float:
        """How the rate changes from the first to the second cell."""
        return self.after.value - self.before.value


def compute_solved_intersection(rows: Sequence[Row], first: Cell, second: Cell) -> list[Control]:
    """Return the rates of other models where an agent replays all training worlds both times.

    A rate that falls because fewer problems are solved does not fall here.
    """
    found = []
    for agent, parts in _by_agent_and_cell(rows).items():
        if first not in parts or second not in parts:
            continue
        solved = [by_latent(parts[cell], _FOUND_GIVEN) for cell in (first, second)]
        both = [
            latent
            for latent in solved[0].keys() & solved[1].keys()
            if not any(math.isnan(values[latent]) for values in solved)
        ]
        before, after = (
            Rate(sum(values[latent] for latent in both), len(both)) for values in solved
        )
        found.append(Control(agent, first, second, before, after))
    return found


def leave_source_out(rows: Iterable[Row]) -> dict[str, tuple[Rate, Rate]]:
    """Return each agent's joint success with a second model: on all tasks, and on others' tasks.

    A task made with a model that an agent itself had found is not fair to the others.
    """
    grouped: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if "found_by" in row.labels:
            grouped[row.agent].append(row)
    return {
        agent: (
            _compute_joint_rate(mine, lambda _: True),
            _compute_joint_rate(mine, lambda row: not _is_own_model(row)),
        )
        for agent, mine in grouped.items()
    }


def _is_own_model(row: Row) -> bool:
    return row.agent.removeprefix("player/") in row.labels["found_by"].split(", ")


def _compute_joint_rate(rows: Sequence[Row], counts: Callable[[Row], bool]) -> Rate:
    return conditional_rate([row for row in rows if counts(row)], "alternative_joint")


def rate_table(
    rows: Iterable[Row], metrics: Sequence[str]
) -> dict[tuple[str, Cell], Mapping[str, Rate]]:
    """Return conditional rates for each agent and cell."""
    return {
        (agent, cell): {metric: conditional_rate(mine, metric) for metric in metrics}
        for agent, parts in _by_agent_and_cell(rows).items()
        for cell, mine in sorted(parts.items(), key=lambda item: _order(item[0]))
    }


_TITLES = {
    "train_exact": "All training worlds replayed",
    "heldout_world": "Held-out worlds replayed",
}
_GIVEN = {
    "heldout_world_given_train_exact": "held-out worlds",
    "heldout_exact_given_train_exact": "all held-out",
    "alternative_given_train_exact": "another model",
}
"""Rates given that all training worlds are replayed."""


def draw_rows(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """Draw what rows say together; settings that were not played are left out."""
    certified = [row for row in rows if row.unscored is None and "exact" in row.numbers]
    scored = [row for row in rows if row.unscored is None and "train_exact" in row.numbers]
    asked = [row for row in scored if cell_of(row).setting in LADDER]
    pictures: list[Figure] = []
    for support in SUPPORTS:
        here = [row for row in asked if cell_of(row).support == support]
        if len(cells(here)) > 1:
            pictures += [_ladder(here, support), _deltas(here, support)]
    pictures += [_ambiguity(asked)] if _select_counted(asked) else []
    pictures += [_rates(scored)] if asked else []
    pictures += [_controls(asked)] if _list_controls(asked) else []
    pictures += [_seconds(scored)] if leave_source_out(scored) else []
    pictures += [_levels(certified)] if certified else []
    return tuple(picture for picture in pictures if picture.svg)


def _levels(rows: Sequence[Row]) -> Figure:
    """Draw what agents earn on each level of the certified edition."""
    agents, steps = _agents(rows), cells(rows)
    frame = Frame(left=64, top=92, width=120.0 + 90 * len(steps), height=250)
    body = [draw_y_axis(frame, (0, 0.25, 0.5, 0.75, 1), title="The one model that fits")]
    body.append(draw_stacked_names(frame, [step.setting for step in steps]))
    means = ladder(rows, "exact")
    for place, agent in enumerate(agents):
        values = [means[agent].get(step) for step in steps]
        body.append(draw_interval_series(frame, values, place, len(agents), joined=False))
    body.append(draw_series_legend((frame.left + frame.width + 40, 104), agents))
    title = "What is found on each level"
    return Figure(
        title=title,
        svg=_draw_frame(frame.width + 350, max(392, 110 + 18 * len(agents)), body, title),
        caption="The share of problems whose whole model is right. Bars are 95 % intervals from "
        "resampling clans and quads, each of which counts as one problem.",
    )


def _agents(rows: Sequence[Row]) -> list[str]:
    return sorted({row.agent for row in rows}, key=lambda a: (a.startswith("player/"), a))[
        :MOST_SERIES
    ]


def _ladder(rows: Sequence[Row], support: str) -> Figure:
    agents, steps = _agents(rows), cells(rows)
    width, body = 470.0, []
    for number, (metric, title) in enumerate(_TITLES.items()):
        frame = Frame(left=64 + number * width, top=92, width=width - 70, height=250)
        body.append(draw_y_axis(frame, (0, 0.25, 0.5, 0.75, 1), title=title))
        body.append(draw_stacked_names(frame, [step.setting.replace("_", " ") for step in steps]))
        means = ladder(rows, metric)
        for place, agent in enumerate(agents):
            values = [means[agent].get(step) for step in steps]
            body.append(draw_interval_series(frame, values, place, len(agents), joined=True))
    body.append(draw_series_legend((2 * width + 40, 104), agents))
    title = f"The disclosure ladder: {support}"
    return Figure(
        title=title,
        svg=_draw_frame(2 * width + 290, max(392, 110 + 18 * len(agents)), body, title),
        caption="The same latent models with less and less told of their structure. Bars are 95 % "
        "intervals from resampling latent models.",
    )


def _deltas(rows: Sequence[Row], support: str) -> Figure:
    found = {metric: compute_paired_deltas(rows, metric) for metric in _TITLES}
    agents = _agents(rows)
    pairs = list(dict.fromkeys((delta.first, delta.second) for delta in found["train_exact"]))
    width, body = 470.0, []
    for number, (metric, title) in enumerate(_TITLES.items()):
        frame = Frame(64 + number * width, 92, width - 70, 230, y_range=(-1, 1))
        body.append(draw_y_axis(frame, (-1, -0.5, 0, 0.5, 1), title=f"{title}: loss"))
        zero = (frame.left, frame.y(0)), (frame.left + frame.width, frame.y(0))
        body.append(line(*zero, stroke=SOFT))
        body.append(draw_stacked_names(frame, [_step(*pair) for pair in pairs]))
        for place, agent in enumerate(agents):
            values = [_difference(found[metric], agent, pair) for pair in pairs]
            body.append(draw_interval_series(frame, values, place, len(agents), joined=False))
    body.append(draw_series_legend((2 * width + 40, 104), agents))
    title = f"What each step of the ladder costs: {support}"
    return Figure(
        title=title,
        svg=_draw_frame(2 * width + 290, max(386, 110 + 18 * len(agents)), body, title),
        caption="The difference between two settings on the same latent models, the more disclosed "
        "one first, with 95 % intervals from resampling latent models. Above 0, hiding costs.",
    )


def _step(first: Cell, second: Cell) -> str:
    return f"{first.setting.replace('_', ' ')}, to {second.setting.replace('_', ' ')}"


def _difference(found: Sequence[Delta], agent: str, pair: tuple[Cell, Cell]) -> Interval | None:
    for delta in found:
        if delta.agent == agent and (delta.first, delta.second) == pair:
            return delta.difference
    return None


def _select_counted(rows: Sequence[Row]) -> dict[str, Row]:
    """Return a row for each problem whose fitting models were counted."""
    return {row.id: row for row in rows if not math.isnan(row.numbers.get("models_log2", math.nan))}


def _ambiguity(rows: Sequence[Row]) -> Figure:
    found = list(_select_counted(rows).values())
    supports = [name for name in SUPPORTS if any(cell_of(row).support == name for row in found)]
    most = max(row.numbers["worlds"] for row in found)
    top = max(4.0, *(row.numbers["models_log2"] for row in found))
    frame = Frame(left=64, top=92, width=560, height=270, y_range=(0, top))
    step = 4 if top <= 24 else 8
    ticks = [float(tick) for tick in range(0, int(top) + 1, step)]
    body = [draw_y_axis(frame, ticks, title="Models that fit, as a power of two")]
    columns = int(most) + 1
    for place in range(0, columns, 2 if columns <= 24 else 5):
        at = (frame.column(place, columns), frame.top + frame.height + 18)
        body.append(text(at, str(place), size=11, fill=SOFT, anchor="middle"))
    middle = (frame.left + frame.width / 2, frame.top + frame.height + 38)
    body.append(text(middle, "training worlds shown", size=11.5, fill=SOFT, anchor="middle"))
    for number, support in enumerate(supports):
        here = [row for row in found if cell_of(row).support == support]
        body.append(_cloud(frame, here, number, columns))
    body.append(draw_series_legend((frame.left + frame.width + 30, 104), supports))
    title = "What the training worlds leave open"
    return Figure(
        title=title,
        svg=_draw_frame(frame.left + frame.width + 230, 420, body, title),
        caption="Each small dot is a problem: how many admissible models fit all its training "
        "worlds, counted exactly. At 0 there is just one. Large marks are means.",
    )


def _cloud(frame: Frame, rows: Sequence[Row], number: int, columns: int) -> str:
    points = [
        (frame.column(row.numbers["worlds"], columns), frame.y(row.numbers["models_log2"]))
        for row in rows
    ]
    dots = [
        tag("circle", cx=x, cy=y, r=2.2, fill=series_colour(number), fill_opacity=0.35)
        for x, y in points
    ]
    centre = tuple(sum(part) / len(points) for part in zip(*points, strict=True))
    return "".join([*dots, draw_series_mark((centre[0], centre[1]), number, radius=6)])


def _rates(rows: Sequence[Row]) -> Figure:
    shown = [row for row in rows if cell_of(row).setting in LADDER]
    header = ["agent, setting and support", "answers", *_GIVEN.values(), "another model / answer"]
    found = discovery(shown)
    lines = [
        [
            f"{shorten(agent, LONGEST_NAME)}, {cell}",
            str(found[agent, cell].n),
            *(str(rates[name]) for name in _GIVEN),
            str(found[agent, cell]),
        ]
        for (agent, cell), rates in rate_table(shown, list(_GIVEN)).items()
    ]
    lines += [
        [f"any agent, {cell}", str(rate.n), "", "", "", str(rate)]
        for cell, rate in any_alternative(shown).items()
    ]
    return _make_table_figure(
        "Where all training worlds are replayed",
        header,
        lines,
        "Rates given that an answer replays all training worlds; `*` stands for a rate that rests "
        "on one to five answers, a dash for one that rests on none. Another model is one that fits "
        "and is not the true one.",
    )


def _list_controls(rows: Sequence[Row]) -> list[Control]:
    """Return the control for each step from one support to the next in the same setting."""
    steps = [
        (Cell(setting, less), Cell(setting, more))
        for setting in LADDER
        for less, more in pairwise(SUPPORTS[:4])
    ]
    return [control for step in steps for control in compute_solved_intersection(rows, *step)]


def _controls(rows: Sequence[Row]) -> Figure:
    lines = [
        [
            f"{shorten(one.agent, LONGEST_NAME)}, {one.first} to {one.second.support}",
            str(one.before.n),
            str(one.before),
            str(one.after),
            "" if one.before.kept_back or not one.before.n else f"{one.change:+.3f}",
        ]
        for one in _list_controls(rows)
    ]
    return _make_table_figure(
        "Other models, where both were solved",
        ["agent, setting and step", "solved both times", "before", "after", "change"],
        lines,
        "How often an answer is another model that fits, with less and with more evidence, on the "
        "latent models whose training worlds the agent replayed both times: that fewer are solved "
        "with more evidence cannot explain a fall here.",
    )


def _seconds(rows: Sequence[Row]) -> Figure:
    lines = [
        [shorten(agent, LONGEST_NAME), str(every.n), str(every), str(others.n), str(others)]
        for agent, (every, others) in leave_source_out(rows).items()
    ]
    return _make_table_figure(
        "A second model beside the given one",
        ["agent", "tasks", "joint success", "others' tasks", "joint success there"],
        lines,
        "Joint success: another model that fits, an experiment that tells the two apart, and a "
        "witness. Others' tasks leave out those made with a model that the agent itself found.",
    )


def _make_table_figure(
    title: str, header: Sequence[str], lines: Sequence[Sequence[str]], caption: str
) -> Figure:
    drawn, wide, bottom = draw_text_table((28, 84), header, lines)
    return Figure(
        title=title, svg=_draw_frame(wide + 56, bottom + 12, [drawn], title), caption=caption
    )


def _draw_frame(width: float, height: float, body: Sequence[str], title: str) -> str:
    head = text((28, 40), title, size=16, weight="600")
    return make_svg(width, height, head + "".join(body), title=title, about=title)
