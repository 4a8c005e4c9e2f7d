"""One case as a picture: who was active after each intervention, and when the answer was known.

Active is a filled disc and inactive an empty ring, so that the picture can be read in grey. A
square frames the variable that was acted upon.
"""

from collections.abc import Sequence
from html import escape

from causarium.charts.palette import BAD, INK, SOFT
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.evidence.diagnosis import Judgement, judge, name_bias
from causarium.families.causallink.evidence.version_space import Step
from causarium.families.causallink.instance import LinkInstance
from causarium.families.causallink.mechanics.theme import Theme, theme
from causarium.families.causallink.score import describe_case, replay_turns

_INK, _SOFT, _MARK = INK, SOFT, BAD
_FONT = "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"
_LEFT, _TOP, _COLUMN, _ROW = 190, 84, 64, 30


def draw_episode(instance: LinkInstance, rules: LinkRules, turns: Sequence[Turn]) -> Figure:
    """Draw one case, intervention by intervention."""
    public, words = instance.public, theme(instance.public.theme)
    world = replay_turns(instance, rules, turns)
    case = describe_case(instance, world)
    judged = judge(case)
    width = max(_LEFT + (len(case.steps) + 1) * _COLUMN + 20, 560)
    height = _TOP + len(public.shapes) * _ROW + 26
    body = [
        _text(16, 26, words.ask(public.cause, public.effect), size=15, weight="600"),
        _text(16, 46, _tell_outcome(instance, world.answer, world.error), fill=_SOFT),
        *(_label(instance, row, name) for row, name in enumerate(public.shapes)),
        *_column(public.start, len(public.shapes), 0),
        _text(_x(0), _TOP - 14, "at first", fill=_SOFT, anchor="middle"),
    ]
    for number, step in enumerate(case.steps, 1):
        body += _column(step.after, len(public.shapes), number)
        body.append(_mark_act(step, number, words))
    body.append(_mark_known(judged, len(public.shapes)))
    bias = name_bias(case, world.answer, judged.evidence)
    bias_note = "" if bias in {"none", "unclassified"} else f" The failure fits the {bias} bias."
    return Figure(
        title=f"{instance.id}: who was {words.active}, intervention by intervention",
        svg=f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="{_FONT}" role="img">'
        f"<title>{escape(instance.id)}</title>{''.join(body)}</svg>",
        caption=f"Filled discs are {words.active}, rings are {words.inactive}; a square frames "
        f"what was acted upon. {_tell_since(judged)}{bias_note}",
    )


def _tell_outcome(instance: LinkInstance, answer: str | None, error: str | None) -> str:
    right = "yes" if instance.secret.truth else "no"
    given = "No answer" if answer is None else f"Answered {answer}"
    return f"{given}; {right} is right." + (f" Error mode: {error}." if error else "")


def _tell_since(judged: Judgement) -> str:
    if judged.since is None:
        return "What was seen left the answer open."
    if judged.since == 0:
        return "The first look determines the answer."
    return f"What was seen determines the answer from intervention {judged.since} on."


def _label(instance: LinkInstance, row: int, name: str) -> str:
    role = {instance.public.cause: " (cause?)", instance.public.effect: " (effect?)"}.get(name, "")
    weight = "600" if role else "400"
    return _text(_LEFT - 30, _y(row) + 4, f"{name}{role}", anchor="end", weight=weight)


def _column(state: int, n: int, number: int) -> list[str]:
    return [
        f'<circle cx="{_x(number)}" cy="{_y(row)}" r="8" stroke="{_INK}" stroke-width="1.5" '
        f'fill="{_INK if state >> row & 1 else "none"}"/>'
        for row in range(n)
    ]


def _mark_act(step: Step, number: int, words: Theme) -> str:
    verb = words.start if step.starts else words.stop
    x, y = _x(number), _y(step.x)
    return (
        f'<rect x="{x - 13}" y="{y - 13}" width="26" height="26" rx="3" fill="none" '
        f'stroke="{_MARK}" stroke-width="1.5"/>'
        + _text(x, _TOP - 14, verb, fill=_MARK, anchor="middle")
    )


def _mark_known(judged: Judgement, n: int) -> str:
    if judged.since is None:
        return ""
    x, bottom = _x(judged.since) + _COLUMN // 2, _TOP + n * _ROW
    return (
        f'<line x1="{x}" y1="{_TOP - 26}" x2="{x}" y2="{bottom}" stroke="{_SOFT}" '
        'stroke-dasharray="4 3"/>'
        + _text(x, bottom + 16, "answer known", size=11, fill=_SOFT, anchor="middle")
    )


def _x(number: int) -> int:
    return _LEFT + number * _COLUMN


def _y(row: int) -> int:
    return _TOP + row * _ROW + 12


def _text(
    x: int,
    y: int,
    text: str,
    *,
    size: int = 13,
    fill: str = _INK,
    anchor: str = "start",
    weight: str = "400",
) -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" text-anchor="{anchor}" '
        f'font-weight="{weight}">{escape(text)}</text>'
    )
