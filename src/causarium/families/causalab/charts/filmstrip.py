"""An episode with a body as a strip of frames, turn by turn."""

from collections.abc import Sequence
from itertools import pairwise

from causarium.charts.palette import SOFT
from causarium.charts.svg import tag, text
from causarium.contract.turn import Turn
from causarium.families.causalab.interface.lab_plan import HEIGHT, WIDTH

MOST_FRAMES = 60
_GAP, _HEAD = 14.0, 18.0
_LEAST_WIDTH = 190.0


def draw_filmstrip(frames: Sequence[str], turns: Sequence[Turn], width: float) -> tuple[str, float]:
    """Return the strip and its height.

    Turns after which nothing looks otherwise share the frame of the turn before them.

    Args:
        frames: The look before the first turn and after each.
        turns: The turns.
        width: How wide the strip is.
    """
    if not frames:
        return "", 0.0
    changed = [0, *(n for n, (old, new) in enumerate(pairwise(frames), 1) if new != old)]
    columns = max(1, int((width + _GAP) // (_LEAST_WIDTH + _GAP)))
    wide = (width + _GAP) / columns - _GAP
    high = wide * HEIGHT / WIDTH
    shown = changed[:MOST_FRAMES]
    body = []
    for place, number in enumerate(shown):
        x = place % columns * (wide + _GAP)
        y = place // columns * (high + _HEAD + _GAP)
        body.append(text((x, y + 12), _describe(number, turns), size=11, fill=SOFT))
        body.append(tag("image", href=frames[number], x=x, y=y + _HEAD, width=wide, height=high))
    rows = -(-len(shown) // columns)
    return "".join(body), rows * (high + _HEAD + _GAP)


def _describe(number: int, turns: Sequence[Turn]) -> str:
    if number == 0:
        return "before the first turn"
    action = turns[number - 1].action or {}
    said = (str(action[name]) for name in ("kind", "direction", "to", "verb") if action.get(name))
    return f"{number}: {' '.join(said)}"[:40]
