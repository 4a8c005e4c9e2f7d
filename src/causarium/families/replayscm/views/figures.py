"""One problem as a picture: the true model, the answer's, a wrong cell traced back, what is open.

Both graphs have their nodes in the same places, and arrows say what they are beside the truth. A
failing held-out cell is followed back to the first wrong mechanism: framed variables are wrong in
that row, and a double frame marks the one whose own mechanism went wrong.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from causarium.charts.axes import Frame, draw_series_mark, draw_stacked_names, draw_y_axis
from causarium.charts.causal_graph import draw_graph, edge_kinds
from causarium.charts.layout import NODE_HEIGHT, Layout, lay_out
from causarium.charts.palette import SERIES, SOFT, WARN
from causarium.charts.svg import make_svg, polyline, tag, text
from causarium.contract.texts.replies import excerpt
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.families.replayscm.evidence.open_models import course
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.model.instance import ReplayInstance, gold_formulas
from causarium.families.replayscm.scoring.desk import Desk
from causarium.families.replayscm.scoring.packed_rows import (
    Evaluation,
    Group,
    Known,
    Packed,
    Place,
    Replayed,
)
from causarium.families.replayscm.scoring.score import EpisodeResult, find_refusal, play_again
from causarium.families.replayscm.views.row_charts import draw_rows
from causarium.families.replayscm.views.scene import draw_unit_episode
from causarium.scm.dag import bits
from causarium.scoring.graph_scores import Edge


@dataclass(frozen=True, slots=True)
class Trace:
    """A wrong cell, and how it came about."""

    world: str
    row: int
    """The number of the row within its world."""
    heldout: bool
    path: tuple[str, ...]
    """From the wrong cell back to the first wrong variable, each an input of the one before."""
    wrong: frozenset[str]
    """Every variable that is wrong in the row."""
    inputs: dict[str, int]
    """What the first wrong mechanism read, which is what was seen."""
    said: int
    """What it said; the other value was seen."""

    @property
    def first(self) -> str:
        """The variable whose mechanism went wrong first."""
        return self.path[-1]


def find_first_failure(packed: Packed, replayed: Replayed) -> Trace | None:
    """Return the longest path of the first held-out world that fails, else of a training world.

    A second model beside a given one may differ where nothing was shown, so there only training
    worlds can fail.
    """
    for group, heldout in ((packed.heldout, True), (packed.train, False)):
        if heldout and packed.reference is not None:
            continue
        if place := _failing(group, replayed):
            rows = range(place.first, place.first + place.rows.bit_count())
            traces = [_trace_error(replayed, place, row, heldout=heldout) for row in rows]
            found = [trace for trace in traces if trace is not None]
            return max(found, key=lambda trace: (len(trace.path), -trace.row))
    return None


def _failing(group: Group, replayed: Replayed) -> Place | None:
    anywhere = 0
    for mask in replayed.wrong.values():
        anywhere |= mask
    return next((place for place in group.places if anywhere & place.rows), None)


def _trace_error(replayed: Replayed, place: Place, row: int, *, heldout: bool) -> Trace | None:
    wrong = [name for name, mask in replayed.wrong.items() if mask >> row & 1]
    if not wrong:
        return None
    path = [wrong[-1]]
    while causes := replayed.model.written[path[-1]].names & set(wrong):
        path.append(min(causes))
    names = sorted(replayed.model.written[path[-1]].names)
    return Trace(
        world=place.id,
        row=row - place.first,
        heldout=heldout,
        path=tuple(path),
        wrong=frozenset(wrong),
        inputs={name: replayed.columns[name] >> row & 1 for name in names},
        said=replayed.columns[path[-1]] >> row & 1,
    )


__all__ = ["draw_episode", "draw_rows"]

MARGIN, GAP, HEAD = 28.0, 60.0, 96.0
_WRONG = WARN
_NODE_WIDTH = 54.0


def draw_episode(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> Figure:
    """Draw one problem: the truth, the answer and its first failure, and what was left open."""
    if instance.public.task is not None:
        return draw_unit_episode(instance, rules, turns)
    played = play_again(instance, rules, turns)
    desk = Desk(instance, strict=rules.strict_form)
    packed = desk.packed
    found = None if played.answer is None else desk.evaluate(played.answer)
    trace = find_first_failure(packed, found.replayed) if found and found.replayed else None
    beside = packed.reference or packed.gold
    true = _edges(packed, beside)
    layout = lay_out(instance.public.variables, sorted(true), node_width=_NODE_WIDTH)
    name = "The given model" if packed.reference else "The true model"
    left = _panel(name, draw_graph(layout, dict.fromkeys(true, "true")))
    right = _answer_panel(packed, found, layout, true, trace)
    told = _describe_figure(instance, played, found, trace)
    width = max(2 * MARGIN + 2 * layout.width + GAP, 760.0)
    y = HEAD + layout.height + 60
    body = [
        text((MARGIN, 34), instance.id, size=17, weight="600"),
        text((MARGIN, 54), _heading(instance, found), size=12.5, fill=SOFT),
        _move_group(left, MARGIN, HEAD),
        _move_group(right, MARGIN + layout.width + GAP, HEAD),
        *(text((MARGIN, y + 19 * i), content, size=12.5) for i, content in enumerate(told)),
    ]
    y += 19 * len(told) + 40
    body.append(_course(instance, y, width))
    title = f"{instance.id}: the answer beside the {'given model' if packed.reference else 'truth'}"
    return Figure(
        title=title,
        svg=make_svg(width, y + 176, "".join(body), title=title, about=" ".join(told)),
        caption="Arrows of the answer: blue where the other model has them, dashed where they are "
        "the wrong way round, dotted where it has none, hollow grey where one is missing. Red "
        "frames mark what is wrong in the traced row, a double one what went wrong first.",
    )


def _edges(packed: Packed, model: Known) -> frozenset[Edge]:
    names = packed.variables
    return frozenset(
        (names[cause], names[effect])
        for effect, mask in enumerate(model.parents)
        for cause in bits(mask)
    )


def _heading(instance: ReplayInstance, found: Evaluation | None) -> str:
    setting = instance.public.setting.replace("_", " ")
    if found is None or found.replayed is None:
        return f"{setting}; no answer that can be executed"
    train, heldout = found.replayed.train, found.replayed.heldout
    said = f"{setting}; {train.exact} of {train.of} training worlds replayed"
    if instance.public.alternative:
        return said
    return f"{said}, {heldout.exact} of {heldout.of} held-out ones"


def _panel(title: str, drawn: str) -> str:
    return text((0, -16), title, size=13, weight="600") + drawn


def _answer_panel(
    packed: Packed,
    found: Evaluation | None,
    layout: Layout,
    true: frozenset[Edge],
    trace: Trace | None,
) -> str:
    if found is None or found.replayed is None:
        return text((0, -16), "No model to draw", size=13, weight="600")
    kinds = edge_kinds(_edges(packed, found.replayed.known), true)
    drawn = draw_graph(layout, kinds)
    if trace is not None:
        frames = [_frame(layout, name, 3) for name in sorted(trace.wrong)]
        drawn += "".join([*frames, _frame(layout, trace.first, 6)])
    return _panel("The answer", drawn)


def _frame(layout: Layout, name: str, beyond: float) -> str:
    x, y = layout.at[name]
    wide, tall = layout.node_width + 2 * beyond, NODE_HEIGHT + 2 * beyond
    return tag(
        "rect",
        x=x - wide / 2,
        y=y - tall / 2,
        width=wide,
        height=tall,
        rx=tall / 2,
        fill="none",
        stroke=_WRONG,
        stroke_width=1.6,
    )


def _describe_figure(
    instance: ReplayInstance,
    played: EpisodeResult,
    found: Evaluation | None,
    trace: Trace | None,
) -> list[str]:
    """Say in words what the drawing shows."""
    refusal = find_refusal(played, found)
    if refusal is not None:
        return [f"Refused at {refusal.stage} ({refusal.fault}):", excerpt(refusal.detail)]
    if found is None or found.replayed is None:
        return ["Nothing was handed in."]
    if trace is None:
        return [_describe_exact_replay(found)]
    kind = "Held-out" if trace.heldout else "Training"
    cell, first = trace.path[0], trace.first
    gold = gold_formulas(instance)
    lines = [
        f"{kind} world {trace.world}, row {trace.row + 1}: {cell} is replayed wrong."
        + (f" Back along {' from '.join(trace.path)}." if len(trace.path) > 1 else ""),
        f"{first} went wrong first: with {_values(trace.inputs)} it says {trace.said}, "
        f"and {1 - trace.said} was seen.",
        f"The answer's {first}: {excerpt(found.answer.mechanisms.get(first, ''))}",
    ]
    truth = f"The true {first}: {gold[first]}" if first in gold else f"In truth {first} is a root."
    return [*lines, excerpt(truth)]


def _describe_exact_replay(found: Evaluation) -> str:
    said = "Every scored cell is replayed as it was seen."
    experiment = found.answer.experiment
    if not experiment:
        return said
    return f"{said} The experiment sets {_values(experiment)} to tell the two models apart."


def _values(inputs: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in inputs.items()) or "no inputs"


def _course(instance: ReplayInstance, top: float, width: float) -> str:
    """Draw how many models fit after each world that was shown."""
    values = course(instance.public)
    counted = [value for value in values if not math.isnan(value)]
    if not counted:
        return text((MARGIN, top), "How many models fit was not counted.", size=12, fill=SOFT)
    high = max(4.0, *counted)
    frame = Frame(MARGIN + 40, top + 14, width - 2 * MARGIN - 50, 110, y_range=(0, high))
    title = "Models that fit, as a power of two, after each world that was shown"
    ticks = [0.0, float(round(high / 2)), float(round(high))]
    points = [
        (frame.column(place, len(values)), frame.y(value))
        for place, value in enumerate(values)
        if not math.isnan(value)
    ]
    names = [world.id for world in instance.public.train]
    every = -(-len(names) // 18)
    labels = [name if place % every == 0 else "" for place, name in enumerate(names)]
    marks = "".join(draw_series_mark(point, 0, radius=3.4) for point in points)
    joined = polyline(points, stroke=SERIES[0], width=1.4)
    axis = draw_y_axis(frame, ticks, title=title)
    return axis + joined + marks + draw_stacked_names(frame, labels)


def _move_group(body: str, x: float, y: float) -> str:
    return tag("g", body, transform=f"translate({x:.1f} {y:.1f})")
