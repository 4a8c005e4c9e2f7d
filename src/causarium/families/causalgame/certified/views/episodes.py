"""One session as a replay and as a picture: what was decided on each leg, beside the truth."""

from collections.abc import Mapping, Sequence
from typing import Any

from causarium.charts.palette import BAD, GOOD, SOFT
from causarium.charts.svg import make_svg, tag, text
from causarium.contract.row import Row
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.outcome import OutcomeKind
from causarium.contract.views.scene import Line, ReplayScene, Scene, list_turn_steps
from ..mechanics.legs import find_best, find_effect
from ..model import ACTIONS, GameInstance, GameRules
from ..play.world import open_world
from ..scoring import replay_session, score
from .diagram import draw_story
from .play_page import ask_question

_MARGIN, _HEAD, _LEAST = 28.0, 72.0, 620.0
_WORDS = {"fit": "fitted", "bare": "bare", None: "open"}


def explain_outcome(row: Row, ending: OutcomeKind) -> str:
    """Say whether every leg was right; the common words do where nothing was decided."""
    if ending not in {"correct", "incorrect"} or not row.answered:
        return ""
    return "every leg right" if row.numbers.get("all_right") == 1 else "not every leg right"


def make_scenes(instance: GameInstance, rules: GameRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return a session as a replay shows it."""
    world, scenes = open_world(instance, rules), [Scene()]
    for turn in turns:
        seen = world.act(turn.move(ACTIONS))
        lines = _list_lines(instance, world.choices) if world.choices is not None else ()
        scenes.append(Scene(lines=lines, note="" if lines else seen.text.partition("\n")[0]))
    truth = (one.true for one in _list_lines(instance, {}))
    return ReplayScene(
        question=ask_question(instance.public),
        answer="; ".join(f"leg {number}: {one}" for number, one in enumerate(truth, 1)),
        steps=list_turn_steps(turns, scenes, _describe),
        scenes=tuple(scenes),
        column="decided",
        truth_column="better",
    )


def _describe(action: Mapping[str, Any]) -> str:
    if action.get("kind") == "fly":
        held = ", ".join(f"{name} {value}" for name, value in (action.get("set") or {}).items())
        return f"Flew a trial on leg {action.get('leg')}{f' with {held} by hand' if held else ''}."
    return "Decided."


def _list_lines(instance: GameInstance, choices: Mapping[str, str]) -> tuple[Line, ...]:
    """Return one line for each leg: the choice, and the better one with what it adds."""
    lines = []
    for place, (leg, hidden) in enumerate(
        zip(instance.public.legs, instance.secret.legs, strict=True)
    ):
        choice, best = choices.get(str(place + 1)), find_best(leg, hidden)
        points = 100 * abs(find_effect(leg, hidden))
        lines.append(
            Line(
                name=f"leg {place + 1}: {leg.module}",
                believed=_WORDS[choice],
                true=f"{_WORDS[best]}, by {points:.0f} points of 100",
                right=None if choice is None else choice == best,
            )
        )
    return tuple(lines)


def draw_episode(instance: GameInstance, rules: GameRules, turns: Sequence[Turn]) -> Figure:
    """Return a picture of a session: the true story of each leg, and what was decided on it."""
    choices = replay_session(instance, rules, turns).choices or {}
    said = score(instance, rules, turns).explanation if choices else "Nothing was decided."
    body = text((_MARGIN, 34), instance.id, size=17, weight="600")
    body += text((_MARGIN, 54), said, size=12.5, fill=SOFT)
    x, y, row, wide = _MARGIN, _HEAD, 0.0, _LEAST
    legs = zip(instance.public.legs, instance.secret.legs, strict=True)
    for (leg, hidden), line in zip(legs, _list_lines(instance, choices), strict=True):
        drawn = draw_story(leg, leg.told[hidden.right])
        if x > _MARGIN and x + drawn.width > 2 * _LEAST:
            x, y, row = _MARGIN, y + row + 30, 0.0
        colour = SOFT if line.right is None else GOOD if line.right else BAD
        panel = text((0, 12), line.name, size=13, weight="600")
        told = f"decided: {line.believed}; better: {line.true}"
        panel += text((0, 30), told, size=12, fill=colour)
        panel += tag("g", drawn.body, transform="translate(0 40)")
        body += tag("g", panel, transform=f"translate({x:.0f} {y:.0f})")
        span = max(drawn.width, 7.0 * len(told))
        x, row = x + span + _MARGIN, max(row, drawn.height + 40)
        wide = max(wide, x)
    title = f"{instance.id}: what was decided, beside the truth"
    svg = make_svg(wide, y + row + 20, body, title=title, about=said)
    caption = "The true story of each leg; a dashed ring marks causes that nobody recorded."
    return Figure(title=title, svg=svg, caption=caption)
