"""Many rows as pictures: the disclosure ladder, what is lost step by step, what is left open."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple, TypeVar

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
SUPPORTS = ("original", "extra", "counterexample", "certified")
"""How much evidence there is, the least first."""
FEW = 5
"""Rates that rest on so few rows, or fewer, are kept back."""
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


def _order(cell: Cell) -> tuple[int, int, str]:
    support = SUPPORTS.index(cell.support) if cell.support in SUPPORTS else len(SUPPORTS)
    setting = LADDER.index(cell.setting) if cell.setting in LADDER else len(LADDER)
    return support, setting, cell.setting


def _list_cells(rows: Iterable[Row]) -> list[Cell]:
    return sorted({cell_of(row) for row in rows}, key=_order)


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
            values = found[str(row.facets.get("mechanism", row.id))]
            value = row.numbers.get(metric, math.nan)
            values += [] if math.isnan(value) else [value]
    return {latent: fmean(values) if values else math.nan for latent, values in found.items()}


def _by_agent_and_cell(rows: Iterable[Row]) -> dict[str, dict[Cell, list[Row]]]:
    grouped: dict[str, dict[Cell, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in sorted(rows, key=lambda row: _order(cell_of(row))):
        grouped[row.agent][cell_of(row)].append(row)
    return grouped


def ladder(rows: Iterable[Row], metric: str) -> dict[str, dict[Cell, Interval]]:
    """Return, for each agent and cell, a metric's mean with a bootstrap by latent model."""
    return {
        agent: {
            cell: bootstrap_interval(by_latent(mine, metric).values())
            for cell, mine in parts.items()
        }
        for agent, parts in _by_agent_and_cell(rows).items()
    }


Step = tuple[Cell, Cell]
Column = TypeVar("Column", Cell, Step)


def compute_paired_deltas(rows: Sequence[Row], metric: str) -> dict[str, dict[Step, Interval]]:
    """Return what each agent loses from a setting to the next less disclosed one.

    Both have the same support, and only latent models that were met in both count.
    """
    known = [cell for cell in _list_cells(rows) if cell.setting in LADDER]
    steps = [(one, other) for one, other in pairwise(known) if one.support == other.support]

    def compare(ours: dict[str, float], theirs: dict[str, float]) -> Interval:
        shared = ours.keys() & theirs.keys()
        return paired_difference({k: ours[k] for k in shared}, {k: theirs[k] for k in shared})

    return {
        agent: {
            (one, other): compare(by_latent(parts[one], metric), by_latent(parts[other], metric))
            for one, other in steps
            if one in parts and other in parts
        }
        for agent, parts in _by_agent_and_cell(rows).items()
    }


def discovery(rows: Iterable[Row]) -> Rate:
    """Return the share of all answers that are other models that fit."""
    scored = [row for row in rows if row.unscored is None]
    return Rate(sum(row.numbers.get("alternative_found", 0) == 1 for row in scored), len(scored))


def any_alternative(rows: Iterable[Row]) -> dict[Cell, Rate]:
    """Return, for each cell, the share of latent models for which some agent found another."""
    found: dict[Cell, dict[str, bool]] = defaultdict(dict)
    for row in rows:
        if row.unscored is None and cell_of(row).setting in LADDER:
            latent = str(row.facets.get("mechanism", row.id))
            have = found[cell_of(row)]
            have[latent] = have.get(latent, False) or row.numbers.get("alternative_found") == 1
    return {cell: Rate(sum(have.values()), len(have)) for cell, have in found.items()}


class Control(NamedTuple):
    """Other models that fit, on the latent models that an agent solved in both cells."""

    agent: str
    first: Cell
    second: Cell
    before: Rate
    after: Rate


def compute_solved_intersection(rows: Sequence[Row], first: Cell, second: Cell) -> list[Control]:
    """Return the rates of other models where an agent replays all training worlds both times.

    A rate that falls because fewer problems are solved does not fall here.
    """
    found = []
    for agent, parts in _by_agent_and_cell(rows).items():
        if first in parts and second in parts:
            one, other = (
                by_latent(parts[cell], "alternative_given_train_exact") for cell in (first, second)
            )
            pairs = [(one[latent], other[latent]) for latent in one.keys() & other.keys()]
            both = [pair for pair in pairs if not any(map(math.isnan, pair))]
            before, after = (Rate(sum(pair[at] for pair in both), len(both)) for at in (0, 1))
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
    found = {}
    for agent, mine in grouped.items():
        name = agent.removeprefix("player/")
        fair = [row for row in mine if name not in row.labels["found_by"].split(", ")]
        every, others = (conditional_rate(some, "alternative_joint") for some in (mine, fair))
        found[agent] = every, others
    return found


def draw_rows(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """Draw what rows say together; settings that were not played are left out."""
    played = [row for row in rows if row.unscored is None]
    certified = [row for row in played if not math.isnan(row.numbers.get("exact", math.nan))]
    scored = [row for row in played if not math.isnan(row.numbers.get("train_exact", math.nan))]
    asked = [row for row in scored if cell_of(row).setting in LADDER]
    pictures: list[Figure] = []
    for support in SUPPORTS:
        here = [row for row in asked if cell_of(row).support == support]
        if len(_list_cells(here)) > 1:
            pictures += [_draw_ladder(here, support), _draw_deltas(here, support)]
    pictures += _draw_open_models(asked)
    pictures += [_draw_rates(asked)] if asked else []
    pictures += _draw_controls(asked)
    pictures += _draw_seconds(scored)
    pictures += [_draw_levels(certified)] if certified else []
    return tuple(pictures)


def _draw_levels(rows: Sequence[Row]) -> Figure:
    """Draw what agents earn on each level of the certified edition."""
    steps = _list_cells(rows)
    return _draw_panels(
        "What is found on each level",
        {"The one model that fits": ladder(rows, "exact")},
        {step: step.setting for step in steps},
        width=190.0 + 90 * len(steps),
        caption="The share of problems whose whole model is right. Bars are 95 % intervals from "
        "resampling clans and quads, each of which counts as one problem.",
    )


def _draw_ladder(rows: Sequence[Row], support: str) -> Figure:
    return _draw_panels(
        f"The disclosure ladder: {support}",
        {title: ladder(rows, metric) for metric, title in _TITLES.items()},
        {step: step.setting.replace("_", " ") for step in _list_cells(rows)},
        joined=True,
        caption="The same latent models with less and less told of their structure. Bars are 95 % "
        "intervals from resampling latent models.",
    )


def _draw_deltas(rows: Sequence[Row], support: str) -> Figure:
    found = {f"{title}: loss": compute_paired_deltas(rows, m) for m, title in _TITLES.items()}
    steps = dict.fromkeys(step for one in found.values() for mine in one.values() for step in mine)
    names = {step: ", to ".join(cell.setting.replace("_", " ") for cell in step) for step in steps}
    return _draw_panels(
        f"What each step of the ladder costs: {support}",
        found,
        names,
        low=-1,
        caption="The difference between two settings on the same latent models, the more disclosed "
        "one first, with 95 % intervals from resampling latent models. Above 0, hiding costs.",
    )


def _draw_panels(
    title: str,
    panels: Mapping[str, Mapping[str, Mapping[Column, Interval]]],
    names: Mapping[Column, str],
    *,
    caption: str,
    width: float = 470.0,
    low: float = 0,
    joined: bool = False,
) -> Figure:
    """Draw intervals of several agents side by side.

    Args:
        title: What the figure is called.
        panels: By the title of each panel, and by agent: the intervals.
        names: What stands below each column.
        caption: What stands below the figure.
        width: How wide a panel is.
        low: Where the axis begins.
        joined: Whether the intervals of an agent are joined by a line.
    """
    known = {agent for by_agent in panels.values() for agent in by_agent}
    agents = sorted(known, key=lambda a: (a.startswith("player/"), a))[:MOST_SERIES]
    body = []
    for number, (heading, by_agent) in enumerate(panels.items()):
        frame = Frame(64 + number * width, 92, width - 70, 250, y_range=(low, 1))
        ticks = [low + (1 - low) * part / 4 for part in range(5)]
        body.append(draw_y_axis(frame, ticks, title=heading))
        if low < 0:
            zero = (frame.left, frame.y(0)), (frame.left + frame.width, frame.y(0))
            body.append(line(*zero, stroke=SOFT))
        body.append(draw_stacked_names(frame, list(names.values())))
        for place, agent in enumerate(agents):
            values = [by_agent[agent].get(column) for column in names]
            body.append(draw_interval_series(frame, values, place, len(agents), joined=joined))
    end = width * len(panels)
    body.append(draw_series_legend((end + 40, 104), agents))
    svg = _draw_frame(end + 290, max(392, 110 + 18 * len(agents)), body, title)
    return Figure(title=title, svg=svg, caption=caption)


def _draw_open_models(rows: Sequence[Row]) -> list[Figure]:
    """Draw how many models fit, a dot for each problem where they were counted."""
    counts = {row.id: row for row in rows if row.numbers.get("models_log2", math.nan) >= 0}
    if not counts:
        return []
    found = list(counts.values())
    supports = [name for name in SUPPORTS if any(cell_of(row).support == name for row in found)]
    columns = int(max(row.numbers["worlds"] for row in found)) + 1
    top = max(4.0, *(row.numbers["models_log2"] for row in found))
    frame = Frame(left=64, top=92, width=560, height=270, y_range=(0, top))
    ticks = [float(tick) for tick in range(0, int(top) + 1, 4 if top <= 24 else 8)]
    body = [draw_y_axis(frame, ticks, title="Models that fit, as a power of two")]
    below = frame.top + frame.height
    for place in range(0, columns, 2 if columns <= 24 else 5):
        at = (frame.column(place, columns), below + 18)
        body.append(text(at, str(place), size=11, fill=SOFT, anchor="middle"))
    middle = (frame.left + frame.width / 2, below + 38)
    body.append(text(middle, "training worlds shown", size=11.5, fill=SOFT, anchor="middle"))
    for number, support in enumerate(supports):
        points = [
            (frame.column(row.numbers["worlds"], columns), frame.y(row.numbers["models_log2"]))
            for row in found
            if cell_of(row).support == support
        ]
        colour = series_colour(number)
        body += [
            tag("circle", cx=x, cy=y, r=2.2, fill=colour, fill_opacity=0.35) for x, y in points
        ]
        centre = (fmean(x for x, _ in points), fmean(y for _, y in points))
        body.append(draw_series_mark(centre, number, radius=6))
    body.append(draw_series_legend((frame.left + frame.width + 30, 104), supports))
    title = "What the training worlds leave open"
    return [
        Figure(
            title=title,
            svg=_draw_frame(frame.left + frame.width + 230, 420, body, title),
            caption="Each small dot is a problem: how many admissible models fit all its training "
            "worlds, counted exactly. At 0 there is just one. Large marks are means.",
        )
    ]


def _draw_rates(rows: Sequence[Row]) -> Figure:
    header = ["agent, setting and support", "answers", *_GIVEN.values(), "another model / answer"]
    lines = [
        [
            f"{shorten(agent, LONGEST_NAME)}, {cell}",
            str(discovery(mine).n),
            *(str(conditional_rate(mine, metric)) for metric in _GIVEN),
            str(discovery(mine)),
        ]
        for agent, parts in _by_agent_and_cell(rows).items()
        for cell, mine in parts.items()
    ]
    lines += [
        [f"any agent, {cell}", str(rate.n), "", "", "", str(rate)]
        for cell, rate in any_alternative(rows).items()
    ]
    return _draw_table(
        "Where all training worlds are replayed",
        header,
        lines,
        "Rates given that an answer replays all training worlds; `*` stands for a rate that rests "
        "on one to five answers, a dash for one that rests on none. Another model is one that fits "
        "and is not the true one.",
    )


def _draw_controls(rows: Sequence[Row]) -> list[Figure]:
    """Draw the control for each step from one support to the next in the same setting."""
    lines = []
    for setting in LADDER:
        for less, more in pairwise(SUPPORTS):
            step = Cell(setting, less), Cell(setting, more)
            for one in compute_solved_intersection(rows, *step):
                name = f"{shorten(one.agent, LONGEST_NAME)}, {one.first} to {more}"
                known = one.before.n and not one.before.kept_back
                change = f"{one.after.value - one.before.value:+.3f}" if known else ""
                lines.append([name, str(one.before.n), str(one.before), str(one.after), change])
    figure = _draw_table(
        "Other models, where both were solved",
        ["agent, setting and step", "solved both times", "before", "after", "change"],
        lines,
        "How often an answer is another model that fits, with less and with more evidence, on the "
        "latent models whose training worlds the agent replayed both times: that fewer are solved "
        "with more evidence cannot explain a fall here.",
    )
    return [figure] if lines else []


def _draw_seconds(rows: Sequence[Row]) -> list[Figure]:
    lines = [
        [shorten(agent, LONGEST_NAME), str(every.n), str(every), str(others.n), str(others)]
        for agent, (every, others) in leave_source_out(rows).items()
    ]
    figure = _draw_table(
        "A second model beside the given one",
        ["agent", "tasks", "joint success", "others' tasks", "joint success there"],
        lines,
        "Joint success: another model that fits, an experiment that tells the two apart, and a "
        "witness. Others' tasks leave out those made with a model that the agent itself found.",
    )
    return [figure] if lines else []


def _draw_table(
    title: str, header: Sequence[str], lines: Sequence[Sequence[str]], caption: str
) -> Figure:
    drawn, wide, bottom = draw_text_table((28, 84), header, lines)
    svg = _draw_frame(wide + 56, bottom + 12, [drawn], title)
    return Figure(title=title, svg=svg, caption=caption)


def _draw_frame(width: float, height: float, body: Sequence[str], title: str) -> str:
    head = text((28, 40), title, size=16, weight="600")
    return make_svg(width, height, head + "".join(body), title=title, about=title)
