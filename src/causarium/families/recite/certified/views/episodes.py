"""One text as a replay and as a picture: the edges found, missed and invented, each with its words.

Most graphs have dozens of edges, which nobody reads in a drawing; one is shown up to twelve.
"""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from causarium.charts.palette import BAD, GOOD, INK, SOFT, WARN
from causarium.charts.svg import make_svg, text
from causarium.contract.row import Row
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.contract.views.outcome import OutcomeKind, Piece
from causarium.contract.views.scene import Graph, Line, ReplayScene, Scene, list_turn_steps
from causarium.errors import ContractError
from ..generation.documents import find_document
from ..generation.read_back import quote_slot
from ..levels import ReciteRules
from ..model import ACTIONS, Edge, ReciteInstance
from ..play.world import open_world
from ..scoring import list_asked, score
from .play_page import ask_question

MOST_DRAWN = 12
"""The largest number of edges that are shown as a graph."""
_MOST_ROWS, _WIDTH, _LINE = 24, 900.0, 18
_COLOURS = {"found": GOOD, "missed": WARN, "invented": BAD}
FOUND = Piece(shade="good", words="found")
INVENTED = Piece(shade="bad", words="invented")
MISSED = Piece(shade="none", words="missed")


Kind = Literal["found", "missed", "invented"]


class Judged(NamedTuple):
    """An edge of the text or of the answer."""

    edge: Edge
    kind: Kind
    words: str
    """The words of the text that decide it; empty if there are none."""


def explain_outcome(row: Row, ending: OutcomeKind) -> str:
    """Return how an answer read its text; the common words do where nothing was handed in."""
    if ending not in {"correct", "incorrect"} or not row.numbers.get("answered"):
        return ""
    contrast = row.numbers.get("contrast", 0.0)
    if contrast == 1:
        return "every passage read right" if row.numbers["score"] == 1 else "edges too many or few"
    return "some passages misread" if contrast > 0 else "no better than without the text"


def count_edges(row: Row) -> dict[Piece, int]:
    """Return the numbers of edges found, invented and missed; nothing if no answer was taken."""
    given, told = row.numbers.get("edges_proposed"), row.numbers.get("edges_told")
    if told is None or not row.numbers.get("answered"):
        return {}
    found = round(row.numbers["recall"] * told)
    return {FOUND: found, INVENTED: round(given or 0) - found, MISSED: round(told) - found}


def judge_edges(instance: ReciteInstance, given: frozenset[Edge]) -> list[Judged]:
    """Return the edges of text and answer: those found, then those missed, then those invented."""
    words, told = _quote_edges(instance), list_asked(instance)[0]
    given -= frozenset(instance.secret.uncounted)
    parts: dict[Kind, frozenset[Edge]] = {
        "found": given & told,
        "missed": told - given,
        "invented": given - told,
    }
    return [
        Judged(edge, kind, words.get(edge, ""))
        for kind, edges in parts.items()
        for edge in sorted(edges)
    ]


def _quote_edges(instance: ReciteInstance) -> dict[Edge, str]:
    """Return, by edge, the sentence or the passages that decide it."""
    try:
        document = find_document(str(instance.facets["form"]), instance.secret.document)
    except ContractError:
        return {}
    words = {(cause, effect): sentence for cause, effect, sentence in document.shared}
    for slot in document.slots:
        quote = " … ".join(quote_slot(slot, instance.public.text))
        words |= dict.fromkeys(slot.edges, quote) if slot.counted else {}
    return words


def make_scenes(instance: ReciteInstance, rules: ReciteRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return an episode as a replay shows it."""
    world, scenes = open_world(instance, rules), [Scene(text=instance.public.text)]
    for turn in turns:
        seen = world.act(turn.move(ACTIONS))
        given = world.answer
        scenes.append(
            Scene(note=seen.text)
            if given is None
            else Scene(belief=_draw(given), lines=_list_lines(judge_edges(instance, given)))
        )
    told = list_asked(instance)[0]
    return ReplayScene(
        question=ask_question(instance.public),
        answer=f"The text tells {len(told)} arrows{' that are asked for' * _is_asked(instance)}.",
        outcome=score(instance, rules, turns).explanation,
        steps=list_turn_steps(turns, scenes, _describe),
        truth=_draw(told),
        scenes=tuple(scenes),
        column="answer",
        truth_column="the text says",
    )


def _is_asked(instance: ReciteInstance) -> bool:
    return bool(instance.public.questions)


def _draw(edges: frozenset[Edge]) -> Graph | None:
    if not edges or len(edges) > MOST_DRAWN:
        return None
    nodes = sorted({end for edge in edges for end in edge})
    return Graph(nodes=tuple(nodes), edges=tuple(sorted(edges)))


def _list_lines(judged: Sequence[Judged]) -> tuple[Line, ...]:
    return tuple(
        Line(
            name=" → ".join(one.edge),
            believed="no" if one.kind == "missed" else "yes",
            true=one.words or "nothing",
            right=one.kind == "found",
        )
        for one in judged
    )


def _describe(action: Mapping[str, Any]) -> str:
    if answers := action.get("answers"):
        return f"Answered {', '.join(answers)}."
    count = len(action.get("edges") or ())
    return f"Handed in {count} arrow{'' if count == 1 else 's'}."


def draw_episode(instance: ReciteInstance, rules: ReciteRules, turns: Sequence[Turn]) -> Figure:
    """Return a picture of an episode: a list of edges, those that were got wrong first."""
    world = open_world(instance, rules)
    for turn in turns:
        world.act(turn.move(ACTIONS))
    judged = judge_edges(instance, world.answer or frozenset())
    judged.sort(key=lambda one: ("invented", "missed", "found").index(one.kind))
    lines = [(18.0, INK, score(instance, rules, turns).explanation)]
    for one in judged[:_MOST_ROWS]:
        lines.append((18.0, _COLOURS[one.kind], f"{one.kind}: {' → '.join(one.edge)}"))
        quoted = textwrap.wrap(" ".join(one.words.split()), 120)[:2]
        lines += [(36.0, SOFT, part) for part in quoted]
    if more := len(judged) - _MOST_ROWS:
        lines += [(18.0, SOFT, f"and {more} more")] if more > 0 else []
    body = "".join(
        text((x, 56 + _LINE * at), words, size=12, fill=colour)
        for at, (x, colour, words) in enumerate(lines)
    )
    head = text((18, 28), instance.id, size=17, weight="600")
    title, height = f"{instance.id}: edges beside the text", 56 + _LINE * len(lines) + 12
    svg = make_svg(_WIDTH, height, head + body, title=title, about=lines[0][2])
    caption = "Edges invented, missed and found, each with the words of the text that decide it."
    return Figure(title=title, svg=svg, caption=caption)
