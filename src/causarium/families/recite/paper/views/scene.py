"""One answer as a replay shows it: the true graph, the answer's, and what states each edge."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from causarium.contract.row import Row
from causarium.contract.turn import Turn
from causarium.contract.views.outcome import Piece
from causarium.contract.views.scene import Graph, Line, ReplayScene, Scene, list_turn_steps
from causarium.scoring.graph_scores import Edge
from ..levels import ReciteRules
from ..model.instance import ReciteInstance
from ..scoring.match_nodes import rename_matched
from ..scoring.score import BY_RULE, BY_RULE_AND_VECTORS
from .figures import Beside, align_graphs, evidence_of

MOST_LINES = 300
MOST_LETTERS = 160


def make_scenes(instance: ReciteInstance, rules: ReciteRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay shows after each turn."""
    scenes = [_scene(instance, rules, turns[:count]) for count in range(len(turns) + 1)]
    true = align_graphs(instance, rules, ()).true
    return ReplayScene(
        question=f"Which causal graph does “{instance.public.title}” tell?",
        answer=f"The truth has {len(true.nodes)} things and {len(true.edges)} arrows.",
        outcome=_tell_outcome(align_graphs(instance, rules, turns)),
        steps=list_turn_steps(turns, scenes, _describe),
        truth=Graph(nodes=true.nodes, edges=true.edges),
        scenes=tuple(scenes),
        column="drawn",
        truth_column="the text says",
    )


def _tell_outcome(found: Beside) -> str:
    if found.proposed is None:
        return "no graph"
    held = len(found.known_edges & set(found.true.edges))
    return f"{held} of its {len(found.proposed.edges)} arrows hold"


def _describe(action: Mapping[str, Any]) -> str:
    arrows = action.get("relationships") or ()
    things = {str(arrow[end]) for arrow in arrows for end in ("source", "sink") if end in arrow}
    if not arrows:
        return "Handed in a graph without arrows."
    noun = "arrow" if len(arrows) == 1 else "arrows"
    return f"Handed in {len(arrows)} {noun} between {len(things)} things."


def _scene(instance: ReciteInstance, rules: ReciteRules, turns: Sequence[Turn]) -> Scene:
    found = align_graphs(instance, rules, turns)
    if not turns:
        return Scene(text=instance.public.text)
    if found.proposed is None:
        unread = turns[-1].unparsed
        return Scene(note=_shorten(unread.detail) if unread else "")
    believed = rename_matched(found.proposed, found.matching)
    return Scene(
        belief=Graph(nodes=believed.nodes, edges=believed.edges),
        lines=_lines(instance, found),
        note=_note(found),
    )


def _note(found: Beside) -> str:
    nodes = len(found.proposed.nodes) if found.proposed else 0
    other = [f"“{n}” for “{m.true}”" for n, m in sorted(found.matching.items()) if n != m.true]
    taken = f" Taken for others: {', '.join(other[:20])}." if other else ""
    return f"{len(found.matching)} of {nodes} things are in the true graph.{taken}"


def _shorten(detail: str) -> str:
    words = " ".join(detail.split())
    words = words if len(words) <= MOST_LETTERS else f"{words[: MOST_LETTERS - 1]}…"
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith(('.', '…')) else '.'}"


def _lines(instance: ReciteInstance, found: Beside) -> tuple[Line, ...]:
    """Return a line for each true edge, with its evidence, and one for each that is not."""
    given, evidence = found.known_edges, evidence_of(instance)
    lines = []
    for pair in instance.secret.pairs:
        said = pair in given
        turned = not said and (pair[1], pair[0]) in given
        lines.append(
            Line(
                name=_arrow(pair),
                believed="yes" if said else "reversed" if turned else "no",
                true=evidence.get(pair, "not stated in the text"),
                right=said,
            )
        )
    true = set(found.true.edges)
    turned_back = {(b, a) for a, b in true - given}
    extra = sorted(given - true - turned_back)
    lines += [
        Line(name=_arrow(edge), believed="yes", true="not in the graph", right=False)
        for edge in extra
    ]
    return tuple(lines[:MOST_LINES])


def _arrow(edge: Edge) -> str:
    return f"{edge[0]} → {edge[1]}"


RIGHT = Piece(shade="good", words="arrows right")
REVERSED = Piece(shade="half", words="the wrong way round")
EXTRA = Piece(shade="bad", words="not in the graph")
MISSED = Piece(shade="none", words="missed")


def count_arrows(row: Row) -> dict[Piece, int]:
    """Return how many arrows of an answer are right, turned round or wrong, and how many it misses.

    Things that an answer names twice are one where a rule judges it, and so are their arrows.
    """
    true = row.facets.get("n_edges")
    if not isinstance(true, int):
        return {}
    proposed, right, turned = (
        _read_number(row, name) for name in ("edges_proposed", "edges_correct", "edges_reversed")
    )
    met = _read_number(row, "edges_matched")
    if row.labels.get("judged") in (BY_RULE, BY_RULE_AND_VECTORS) and met:
        proposed = _read_number(row, "unweighted_edge_recall") * true / met
    correct, reversed_ = round(right * proposed), round(turned * proposed)
    return {
        RIGHT: correct,
        REVERSED: reversed_,
        EXTRA: max(0, round(proposed) - correct - reversed_),
        MISSED: max(0, true - correct - reversed_),
    }


def _read_number(row: Row, name: str) -> float:
    value = row.numbers.get(name, 0.0)
    return 0.0 if isnan(value) else value
