"""Expeditions as pictures and replays: what was seen on each leg, and what is true of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from causarium.charts.palette import BAD, FAINT, GOOD, SERIES, SOFT
from causarium.charts.svg import make_svg, tag, text
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.scene import Line, ReplayScene, Scene, list_turn_steps
from causarium.families.causalgame.mechanics.expeditions import find_best_design
from causarium.families.causalgame.model.actions import ACTIONS
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.expeditions import Expedition, HiddenLeg, Leg
from causarium.families.causalgame.play.expeditions.world import ExpeditionWorld, write_design
from causarium.families.causalgame.scoring.expeditions import is_best, replay_expedition

_MARGIN, _ROW, _WIDE = 28.0, 20.0, 860.0
_MOST_ROWS = 10
_FACES = {
    "dial": ("the reading makes the air", "the reading only shows the air"),
    "line": ("the fleet's gauge makes the air", "the air is made before the fleet's gauge"),
    "roster": ("returns tell the truth", "the tower chose who takes off"),
    "depot": ("issued by lot", "issued by officers who knew more"),
}


def tell_face(leg: Leg, hidden: HiddenLeg) -> str:
    """Return the hidden face of a leg in words."""
    if leg.kind == "roster" and hidden.face and hidden.early:
        return "drones broke before take-off"
    return _FACES[leg.kind][0 if hidden.face else 1]


def stage_expedition(instance: Expedition, rules: GameRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay shows after each turn: per leg what was spent, sent, and is true.

    Args:
        instance: The expedition.
        rules: The rules it was played by.
        turns: The recorded turns.
    """
    world = ExpeditionWorld(instance, rules)
    scenes = [Scene(lines=_list_lines(instance, world))]
    for turn in turns:
        world.act(turn.move(ACTIONS))
        scenes.append(Scene(lines=_list_lines(instance, world)))
    return ReplayScene(
        question="On every leg, which parts bring most of the fleet home?",
        steps=list_turn_steps(turns, scenes, _describe_action),
        scenes=tuple(scenes),
        column="sent",
        truth_column="best, and why",
    )


def _list_lines(instance: Expedition, world: ExpeditionWorld) -> tuple[Line, ...]:
    lines = []
    for leg, hidden in zip(instance.public.legs, instance.secret.legs, strict=True):
        sent = (world.committed or {}).get(leg.name)
        spent = leg.drones - world.range.left[leg.name]
        best = write_design(leg, find_best_design(leg, hidden))
        lines.append(
            Line(
                name=f"{leg.name} ({leg.kind})",
                believed=f"{spent} drones" if sent is None else write_design(leg, sent),
                true=f"{best}: {tell_face(leg, hidden)}",
                right=None if sent is None else is_best(leg, hidden, sent),
            )
        )
    return tuple(lines)


def _describe_action(action: Mapping[str, Any]) -> str:
    kind = str(action.get("kind", ""))
    if kind == "fly":
        orders = action.get("orders") or []
        legs = ", ".join(dict.fromkeys(str(order.get("leg")) for order in orders))
        drones = sum(int(order.get("count") or 0) for order in orders)
        return f"Flew {drones} drones on {legs}."
    words = {
        "status": "Looked at what is left.",
        "commit": "Sent the fleet.",
        "answer": "Answered the questions.",
        "run_analysis": "Ran a program over the flights.",
        "play_expedition": "Played by a program.",
    }
    return words.get(kind, f"{kind.replace('_', ' ').capitalize()}.")


def draw_expedition(instance: Expedition, rules: GameRules, turns: Sequence[Turn]) -> Figure:
    """Draw one expedition: the counts of every leg, what was sent, and what is true.

    Args:
        instance: The expedition.
        rules: The rules it was played by.
        turns: The recorded turns.
    """
    world = replay_expedition(instance, rules, turns)
    body, y = [text((_MARGIN, 34), instance.id, size=17, weight="600")], 66.0
    told = []
    for leg, hidden in zip(instance.public.legs, instance.secret.legs, strict=True):
        sent = (world.committed or {}).get(leg.name)
        right = is_best(leg, hidden, sent)
        told.append(f"{leg.name}: {'right' if right else 'wrong'}")
        mark = tag("circle", cx=_MARGIN + 6, cy=y - 4, r=6, fill=GOOD if right else BAD)
        said = "nothing sent" if sent is None else write_design(leg, sent)
        head = f"{leg.name} ({leg.kind}): {said}; {tell_face(leg, hidden)}"
        body += [mark, text((_MARGIN + 20, y), head, size=13, weight="600")]
        y += _ROW
        for words, back, flown in _list_cells(world, leg)[:_MOST_ROWS]:
            wide = 200.0 * back / max(flown, 1)
            body.append(text((_MARGIN + 20, y), words[:80], size=11.5, fill=SOFT))
            body.append(tag("rect", x=560, y=y - 9, width=200, height=10, fill=FAINT))
            body.append(tag("rect", x=560, y=y - 9, width=wide, height=10, fill=SERIES[0]))
            body.append(text((770, y), f"{back} of {flown}", size=11.5))
            y += _ROW
        y += 12
    title = f"{instance.id}, leg by leg"
    about = "; ".join(told)
    return Figure(
        title=title,
        svg=make_svg(_WIDE, y + 10, "".join(body), title=title, about=f"{about}."),
        caption="Bars are drones that returned of those seen, by design, by what was set and by "
        "what the readings showed; a green disc marks a leg with the best design.",
    )


def _list_cells(world: ExpeditionWorld, leg: Leg) -> list[tuple[str, int, int]]:
    """Return the counts of a leg by design and setting, the largest first."""
    counts: dict[str, list[int]] = {}
    for one in world.range.flown:
        if one.leg != leg:
            continue
        for cell in one.cells:
            shows = sum(cell.shown)
            words = f"{write_design(leg, cell.fitted)}, set: {one.order.set or 'nothing'}, "
            words += f"{shows} of {len(cell.shown)} readings at the fleet's value"
            pair = counts.setdefault(words, [0, 0])
            pair[0] += cell.returned
            pair[1] += cell.returned + cell.lost
    rows = [(words, back, flown) for words, (back, flown) in counts.items()]
    return sorted(rows, key=lambda row: (-row[2], row[0]))
