"""One answer as a replay shows it: the true graph, the answer's, and what states each edge."""

from collections.abc import Sequence

from causarium.contract.turn import Turn
from causarium.contract.views.scene import Graph, Line, ReplayScene, Scene
from causarium.families.recite.charts.graph_alignment import Beside, beside
from causarium.families.recite.config import ReciteRules
from causarium.families.recite.instance import ReciteInstance
from causarium.families.recite.scoring.match_nodes import rename_matched
from causarium.families.recite.strategies.edge_sentences import evidence_of
from causarium.scoring.graph_scores import Edge

MOST_LINES = 300


def stage(instance: ReciteInstance, rules: ReciteRules, turns: Sequence[Turn]) -> ReplayScene:
    """Return what a replay shows after each turn."""
    scenes = [_scene(instance, rules, turns[:count]) for count in range(len(turns) + 1)]
    true = beside(instance, rules, ()).true
    return ReplayScene(
        question=f"Which causal graph does “{instance.public.title}” tell?",
        answer=f"The truth has {len(true.nodes)} things and {len(true.edges)} arrows.",
        truth=Graph(nodes=true.nodes, edges=true.edges),
        scenes=tuple(scenes),
        column="drawn",
    )


def _scene(instance: ReciteInstance, rules: ReciteRules, turns: Sequence[Turn]) -> Scene:
    found = beside(instance, rules, turns)
    if found.proposed is None:
        unread = turns[-1].unparsed if turns else None
        return Scene(note=f"No graph could be read: {unread.detail}" if unread else "")
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
    return f"{len(found.matching)} of {nodes} nodes are the document's.{taken}"


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
                true=evidence[pair].sentence if pair in evidence else "not stated in the text",
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
