"""One problem as a replay and as a picture: the true model, and the answer's beside it.

Both graphs have their nodes in the same places, and arrows say what they are beside the truth. In
the paper edition a failing held-out cell is followed back to the first wrong mechanism: framed
variables are wrong in that row, and a double frame marks the one with the wrong mechanism.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from causarium.charts.causal_graph import draw_graph, edge_kinds
from causarium.charts.layout import NODE_HEIGHT, Layout, lay_out
from causarium.charts.palette import SOFT, WARN
from causarium.charts.svg import make_svg, tag, text
from causarium.contract.row import Row
from causarium.contract.texts.replies import excerpt
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.outcome import Outcome
from causarium.contract.views.scene import Graph, Line, ReplayScene, Scene, list_turn_steps
from causarium.families.replayscm.evidence.open_models import open_models
from causarium.families.replayscm.mechanics import told_model, true_unit_model
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.model.instance import ReplayInstance, gold_formulas
from causarium.families.replayscm.play.compile_units import UnitAnswer
from causarium.families.replayscm.play.world import ReplayWorld, UnitPlay
from causarium.families.replayscm.scoring.desk import Desk, Evaluation, ModelRun, Place
from causarium.families.replayscm.scoring.score import find_refusal, play_again
from causarium.families.replayscm.scoring.unit_score import score_units
from causarium.families.replayscm.views.play_page import ask_question
from causarium.scm.dag import bits

_UNIT_OUTCOMES = {
    "right": Outcome(ending="right", words="the one model, or every value"),
    "wrong": Outcome(ending="wrong", words="another model, or a wrong value"),
    "unreadable": Outcome(ending="unreadable", words="refused twice"),
    "ran out of budget": Outcome(ending="ran out of budget", words="no answer in time"),
}
_MARGIN, _GAP, _HEAD = 28.0, 60.0, 96.0
_CAPTION = (
    "Arrows of the answer: blue where the {} model has them, dashed where they are the wrong way "
    "round, dotted where it has none, hollow grey where one is missing."
)


def find_outcome(row: Row) -> Outcome | None:
    """Return which model was handed in; the common words do where there was none."""
    # Logs hold every number of both editions, those of the other one as nan.
    if not math.isnan(row.numbers.get("exact", math.nan)):
        return _UNIT_OUTCOMES.get(row.labels.get("outcome", ""))
    numbers, stage = row.numbers, row.labels.get("stage", "none")
    if stage == "none":
        return None
    if stage != "valid":
        return Outcome(ending="unreadable", words="formulas cannot be run")
    if numbers.get("heldout_exact") == 1 or numbers.get("alternative_joint") == 1:
        return Outcome(ending="right", words="right, on held-out worlds too")
    if numbers.get("train_exact") == 1 or numbers.get("alternative_train_exact") == 1:
        return Outcome(ending="wrong", words="right on shown worlds only")
    return Outcome(ending="wrong", words="runs, but wrong")


def make_scenes(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay shows after each turn."""
    public, parts = instance.public, [turns[:count] for count in range(len(turns) + 1)]
    if public.task is not None:
        truth = _true_graph(instance)
        plays = [play_again(UnitPlay(instance, rules), part) for part in parts]
        scenes = [_make_unit_scene(instance, play) for play in plays]
    else:
        desk = Desk(instance, strict=rules.strict_form)
        truth = _make_graph(desk.variables, desk.gold.parents)
        worlds = [play_again(ReplayWorld(instance, rules), part) for part in parts]
        scenes = [_make_scene(desk, played) for played in worlds]
    return ReplayScene(
        question=ask_question(public),
        steps=list_turn_steps(turns, scenes, _describe),
        truth=truth,
        scenes=tuple(scenes),
        column="formula",
    )


def _describe(action: Mapping[str, Any]) -> str:
    if action.get("kind") == "ask":
        return f"Asked for the world with {_list_values(action.get('set') or {})}."
    if action.get("kind") == "predict":
        return "Said what each variable would be."
    names = list(action.get("mechanisms") or {})
    if not names:
        return "Handed in no formula."
    noun = "a formula" if len(names) == 1 else f"{len(names)} formulas"
    return f"Handed in {noun}, for {', '.join(names)}."


def _list_values(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def _make_scene(desk: Desk, played: ReplayWorld) -> Scene:
    determined = open_models(desk.instance.public) == 0
    found = None if played.answer is None else desk.evaluate(played.answer)
    if refusal := find_refusal(played, found):
        note = f"Refused at {refusal.stage}: {refusal.detail}"
        return Scene(note=note, determined=determined)
    if found is None or found.replayed is None:
        return Scene(determined=determined)
    gold, said, known = gold_formulas(desk.instance), found.answer.mechanisms, found.replayed.known
    return Scene(
        belief=_make_graph(desk.variables, known.parents),
        lines=tuple(
            Line(
                name=name,
                believed=said.get(name, "a root"),
                true=gold.get(name, "a root"),
                right=known.tables[at] == desk.gold.tables[at],
            )
            for at, name in enumerate(desk.variables)
            if name in gold or name in said
        ),
        determined=determined,
    )


def _make_unit_scene(instance: ReplayInstance, play: UnitPlay) -> Scene:
    if play.fault is not None:
        return Scene(note=f"Sent back: {play.fault.detail}")
    answer = play.answer
    if answer is None:
        return Scene()
    if not isinstance(answer, UnitAnswer):
        row = instance.secret.row or {}
        pairs = zip(instance.public.variables, answer, strict=True)
        return Scene(
            lines=tuple(
                Line(name=name, believed=str(bit), true=str(row[name]), right=bit == row[name])
                for name, bit in pairs
            )
        )
    numbers = score_units(instance, play).numbers
    note = f"{numbers['mechanisms_right']:.0%} of the mechanisms are right."
    return Scene(belief=_make_graph(_true_graph(instance).nodes, answer.parents), note=note)


def _make_graph(names: tuple[str, ...], parents: Iterable[int]) -> Graph:
    edges = [(names[u], names[v]) for v, mask in enumerate(parents) for u in bits(mask)]
    return Graph(nodes=names, edges=tuple(edges))


def _true_graph(instance: ReplayInstance) -> Graph:
    public, task = instance.public, instance.public.task
    names = (*public.variables, *(task.traits if task else ()))
    scm = told_model(public) if public.setting == "whatif" else true_unit_model(instance)[0]
    return _make_graph(names, scm.parents)


def draw_episode(instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]) -> Figure:
    """Draw one problem: the truth, and the answer beside it.

    In the paper edition its first failure is traced.
    """
    if instance.public.task is None:
        return _draw_paper_episode(instance, rules, turns)
    play = play_again(UnitPlay(instance, rules), turns)
    said, true = score_units(instance, play).explanation, _true_graph(instance)
    layout = lay_out(true.nodes, sorted(true.edges), node_width=54.0)
    panels = {"The true model": draw_graph(layout, dict.fromkeys(true.edges, "true"))}
    if isinstance(play.answer, UnitAnswer):
        edges = frozenset(_make_graph(true.nodes, play.answer.parents).edges)
        panels["The answer"] = draw_graph(layout, edge_kinds(edges, frozenset(true.edges)))
    body = _draw_panels(instance, said, layout, panels)
    title = f"{instance.id}: the answer beside the truth"
    size = _find_width(layout), _HEAD + layout.height + 40
    svg = make_svg(*size, body, title=title, about=said)
    return Figure(title=title, svg=svg, caption=_CAPTION.format("true"))


def _find_width(layout: Layout) -> float:
    return max(2 * _MARGIN + 2 * layout.width + _GAP, 760.0)


def _draw_panels(
    instance: ReplayInstance, heading: str, layout: Layout, panels: Mapping[str, str]
) -> str:
    """Draw the head of a figure, and graphs side by side, by their titles."""
    body = text((_MARGIN, 34), instance.id, size=17, weight="600")
    body += text((_MARGIN, 54), heading, size=12.5, fill=SOFT)
    for at, (title, drawn) in enumerate(panels.items()):
        x = _MARGIN + at * (layout.width + _GAP)
        panel = text((0, -16), title, size=13, weight="600") + drawn
        body += tag("g", panel, transform=f"translate({x:.1f} {_HEAD:.1f})")
    return body


def _draw_paper_episode(
    instance: ReplayInstance, rules: ReplayRules, turns: Sequence[Turn]
) -> Figure:
    played = play_again(ReplayWorld(instance, rules), turns)
    desk = Desk(instance, strict=rules.strict_form)
    found = None if played.answer is None else desk.evaluate(played.answer)
    replayed = found.replayed if found else None
    trace = find_first_failure(desk, replayed) if replayed else None
    true = frozenset(_make_graph(desk.variables, (desk.reference or desk.gold).parents).edges)
    layout = lay_out(instance.public.variables, sorted(true), node_width=54.0)
    kind = "given" if desk.reference else "true"
    panels = {f"The {kind} model": draw_graph(layout, dict.fromkeys(sorted(true), "true"))}
    if replayed is None:
        panels["No model to draw"] = ""
    else:
        edges = frozenset(_make_graph(desk.variables, replayed.known.parents).edges)
        frames = [(name, 3) for name in sorted(trace.wrong)] + [(trace.first, 6)] if trace else []
        drawn = [_draw_frame(layout, name, beyond) for name, beyond in frames]
        panels["The answer"] = draw_graph(layout, edge_kinds(edges, true)) + "".join(drawn)
    told = _describe_figure(instance, played, found, trace)
    y = _HEAD + layout.height + 60
    body = _draw_panels(instance, _write_heading(instance, replayed), layout, panels)
    body += "".join(text((_MARGIN, y + 19 * i), said, size=12.5) for i, said in enumerate(told))
    y += 19 * len(told)
    title = f"{instance.id}: the answer beside the {'given model' if desk.reference else 'truth'}"
    return Figure(
        title=title,
        svg=make_svg(_find_width(layout), y + 16, body, title=title, about=" ".join(told)),
        caption=f"{_CAPTION.format('other')} Red frames mark what is wrong in the traced row, a "
        "double one what went wrong first.",
    )


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
        """The first variable with a wrong mechanism."""
        return self.path[-1]


def find_first_failure(desk: Desk, replayed: ModelRun) -> Trace | None:
    """Return the longest path of the first held-out world that fails, else of a training world.

    A second model beside a given one may differ where nothing was shown, so there only training
    worlds can fail.
    """
    for group, heldout in ((desk.heldout, True), (desk.train, False)):
        if heldout and desk.reference is not None:
            continue
        for place in group.places:
            if any(mask & place.rows for mask in replayed.wrong.values()):
                rows = range(place.first, place.first + place.rows.bit_count())
                traces = [_trace_error(replayed, place, row, heldout=heldout) for row in rows]
                found = [trace for trace in traces if trace is not None]
                return max(found, key=lambda trace: (len(trace.path), -trace.row))
    return None


def _trace_error(replayed: ModelRun, place: Place, row: int, *, heldout: bool) -> Trace | None:
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


def _write_heading(instance: ReplayInstance, replayed: ModelRun | None) -> str:
    setting = instance.public.setting.replace("_", " ")
    if replayed is None:
        return f"{setting}; no answer that can be executed"
    train, heldout = replayed.train, replayed.heldout
    said = f"{setting}; {train.exact} of {train.of} training worlds replayed"
    if instance.public.alternative:
        return said
    return f"{said}, {heldout.exact} of {heldout.of} held-out ones"


def _draw_frame(layout: Layout, name: str, beyond: float) -> str:
    x, y = layout.at[name]
    wide, tall = layout.node_width + 2 * beyond, NODE_HEIGHT + 2 * beyond
    box = {"x": x - wide / 2, "y": y - tall / 2, "width": wide, "height": tall, "rx": tall / 2}
    return tag("rect", "", **box, fill="none", stroke=WARN, stroke_width=1.6)


def _describe_figure(
    instance: ReplayInstance, played: ReplayWorld, found: Evaluation | None, trace: Trace | None
) -> list[str]:
    """Say in words what the drawing shows."""
    refusal = find_refusal(played, found)
    if refusal is not None:
        return [f"Refused at {refusal.stage} ({refusal.fault}):", excerpt(refusal.detail)]
    if found is None or found.replayed is None:
        return ["Nothing was handed in."]
    if trace is None:
        said = "Every scored cell is replayed as it was seen."
        if not found.answer.experiment:
            return [said]
        held = _list_values(found.answer.experiment)
        return [f"{said} The experiment sets {held} to tell the two models apart."]
    kind = "Held-out" if trace.heldout else "Training"
    cell, first, gold = trace.path[0], trace.first, gold_formulas(instance)
    along = f" Back along {' from '.join(trace.path)}." if len(trace.path) > 1 else ""
    read = _list_values(trace.inputs) or "no inputs"
    truth = f"The true {first}: {gold[first]}" if first in gold else f"In truth {first} is a root."
    return [
        f"{kind} world {trace.world}, row {trace.row + 1}: {cell} is replayed wrong.{along}",
        f"{first} went wrong first: with {read} it says {trace.said}, and {1 - trace.said} was "
        "seen.",
        f"The answer's {first}: {excerpt(found.answer.mechanisms.get(first, ''))}",
        excerpt(truth),
    ]
