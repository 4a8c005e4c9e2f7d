"""One session as a picture: designs over turns, beliefs over turns, and the game's true graph."""

from collections.abc import Iterator, Sequence

from causarium.charts.palette import SOFT
from causarium.charts.svg import make_svg, tag, text
from causarium.contract.turn import Turn
from causarium.contract.views.figure import Figure
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.instance import GameInstance
from causarium.families.causalgame.model.published.game import Game
from causarium.families.causalgame.scoring.published.claims.target_ideas import ideas
from causarium.families.causalgame.scoring.published.design_values import compute_survival
from causarium.families.causalgame.scoring.published.replayed_session import Recalled, recall
from causarium.families.causalgame.scoring.published.score import describe_design, distances
from causarium.families.causalgame.views.published.game_graph_chart import (
    draw_legend,
    draw_true_graph,
    trap_levers,
)
from causarium.families.causalgame.views.published.session_charts import (
    draw_distance,
    draw_survival,
)

MARGIN = 28.0
_LEAST_WIDTH = 900.0
_MOST_LISTED = 12
_LINE = 17.0
_MOST_CHARS = 96


def draw_session(instance: GameInstance, rules: GameRules, turns: Sequence[Turn]) -> Figure:
    """Draw one session of a published game.

    Args:
        instance: The session.
        rules: The rules it was played by.
        turns: The recorded turns.
    """
    recalled, game = recall(instance, rules, turns), instance.secret.game
    graph, graph_width, graph_height = draw_true_graph(game)
    width = max(_LEAST_WIDTH, graph_width + 2 * MARGIN)
    inner = width - 2 * MARGIN
    body, y = [_heading(instance, recalled)], 74.0
    panels = [draw_survival(game, recalled, len(turns), inner), _listing(game, recalled)]
    if rules.claims:
        panels.append(_beliefs(game, recalled, inner))
    for panel, height in panels:
        body.append(tag("g", panel, transform=f"translate({MARGIN:.0f} {y:.1f})"))
        y += height + 14
    body.append(text((MARGIN + 6, y + 10), _graph_title(game), size=13, weight="600"))
    shift = (width - graph_width) / 2
    body.append(tag("g", graph, transform=f"translate({shift:.1f} {y + 44:.1f})"))
    y += 44 + graph_height + 40
    body.append(draw_legend((MARGIN + 6, y)))
    title = f"{instance.id}, turn by turn"
    return Figure(
        title=title,
        svg=make_svg(width, y + 20, "".join(body), title=title, about=_describe_session(recalled)),
        caption="Discs are test flights as the agent saw them, with 95 % intervals, larger for "
        "more drones; green bars are what such designs survive on average at evaluation, the "
        "square is the fleet. Below, the game's true graph: the decisive chain in blue, the trap "
        "in red.",
    )


def _heading(instance: GameInstance, recalled: Recalled) -> str:
    game, result = instance.secret.game, recalled.result
    head = text((MARGIN, 34), f"{game.name} ({instance.id})", size=17, weight="600")
    if result is None:
        said = "nothing was submitted"
    else:
        how = "won" if result.won else "lost"
        said = f"{result.survived} of {result.fleet} survived: {how}"
    used = recalled.session.drones_used
    about = f"deployments: {len(recalled.batches)}; test drones: {used}; {said}"
    return head + text((MARGIN, 54), about, size=12.5, fill=SOFT)


def _listing(game: Game, recalled: Recalled) -> tuple[str, float]:
    lines = list(_describe_batches(game, recalled))
    if len(lines) > _MOST_LISTED:
        left = len(lines) - _MOST_LISTED + 1
        lines = [*lines[: _MOST_LISTED - 2], f"and {left} more", lines[-1]]
    body = [
        text((6, 10 + _LINE * number), _shorten_line(said), size=11.5, fill=SOFT)
        for number, said in enumerate(lines)
    ]
    return "".join(body), _LINE * len(lines) + 6


def _describe_batches(game: Game, recalled: Recalled) -> Iterator[str]:
    for number, batch in recalled.batches:
        usual = compute_survival(game, batch.design)
        yield (
            f"turn {number}: {batch.survived} of {batch.deployed} came back (on average at "
            f"evaluation {usual:.1%}): {describe_design(game, batch.design)}"
        )
    if recalled.result is not None:
        usual, design = compute_survival(game, recalled.result.design), recalled.result.design
        yield f"submitted (on average {usual:.1%}): {describe_design(game, design)}"


def _shorten_line(said: str) -> str:
    most = _MOST_CHARS + 40
    return said if len(said) <= most else f"{said[: most - 1]}…"


def _beliefs(game: Game, recalled: Recalled, width: float) -> tuple[str, float]:
    found = distances(game, recalled.beliefs)
    return draw_distance(found, len(ideas(game)), len(found), width)


def _graph_title(game: Game) -> str:
    levers = ", ".join(sorted(trap_levers(game)))
    return f"What really happens (the trap: {levers})" if levers else "What really happens"


def _describe_session(recalled: Recalled) -> str:
    result = recalled.result
    rates = ", ".join(f"{b.survived} of {b.deployed}" for _, b in recalled.batches)
    tests = f"Test flights that came back: {rates or 'none were flown'}."
    fleet = "No fleet was sent." if result is None else f"Of the fleet {result.rate:.1%} survived."
    return f"{tests} {fleet}"
