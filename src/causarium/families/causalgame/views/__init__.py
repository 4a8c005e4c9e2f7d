"""How sessions and expeditions are shown: pictures, replays, boards and outcomes."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean

from causarium.charts.axes import (
    SHAPES,
    Frame,
    draw_bar,
    draw_legend,
    draw_mark,
    draw_references,
    draw_row_names,
    draw_x_axis,
    draw_y_axis,
)
from causarium.charts.palette import ACCENT, BAD, GOOD, INK, PAPER, SERIES, SOFT, WARN
from causarium.charts.svg import line, make_svg, text
from causarium.contract.companions import Views
from causarium.contract.row import Row, agents_of, mean_per_instance
from causarium.contract.verdict import Verdict
from causarium.contract.views.figure import Figure
from causarium.contract.views.play_page import Ending, Exchange, PlayPage
from causarium.scoring.rater_agreement import spearman
from ..model.config import GameRules
from ..model.instance import AnyPublic, AnySecret, by_edition
from ..scoring import KINDS
from ..scoring.published.judge import CRITERIA, NAMES
from .expeditions import (
    draw_expedition,
    lay_out_expedition,
    read_expedition_draft,
    stage_expedition,
)
from .published import draw_session, lay_out_session, read_session_draft, stage_session

_PATTERNS = dict(zip(NAMES, (GOOD, WARN, BAD, SERIES[4], SERIES[6], ACCENT), strict=True))
_LEFT, _TOP, _ROW, _WIDE = 330.0, 84.0, 24.0, 420.0
_LOW = -1.5
_MOST_AGENTS = len(SERIES)


def draw_rows(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """Draw what tables cannot show: right legs of expeditions, gains and judges of sessions."""
    scored = [row for row in rows if row.unscored is None and "gain" in row.numbers]
    found = [_draw_legs(rows), _draw_gains(scored), _draw_patterns(scored), _draw_judges(scored)]
    return tuple(picture for picture in found if picture is not None)


def _select(rows: Sequence[Row], number: str) -> list[Row]:
    return [row for row in rows if not math.isnan(row.numbers.get(number, math.nan))]


def _mean(rows: Sequence[Row], number: str) -> float:
    values = [v for v in mean_per_instance(rows, number).values() if not math.isnan(v)]
    return fmean(values) if values else math.nan


def _frame_rows(rows: int, low: float) -> Frame:
    return Frame(_LEFT, _TOP, _WIDE, _ROW * rows, x_range=(low, 1.0))


def _draw_marks(
    title: str,
    names: Sequence[str],
    series: Sequence[str],
    find_value: Callable[[str, str], float],
    references: Sequence[tuple[float, str]],
    caption: str,
) -> Figure:
    """Draw a row a name, with a mark for each series; what lies too far left stands at the edge."""
    frame = _frame_rows(len(names), _LOW if references[0][0] < 0 else 0.0)
    body = [text((28, 34), title, size=17, weight="600"), draw_row_names(frame, names)]
    body.append(draw_references(frame, references))
    looks = [(SERIES[n % len(SERIES)], SHAPES[n % len(SHAPES)]) for n in range(len(series))]
    for place, name in enumerate(names):
        for one, (colour, shape) in zip(series, looks, strict=True):
            value = find_value(name, one)
            if not math.isnan(value):
                at = frame.x(value), frame.row(place, len(names))
                body.append(draw_mark(at, colour=colour, shape=shape))
    entries = [(one, *look) for one, look in zip(series, looks, strict=True)]
    legend, high = draw_legend((28, frame.bottom + 14), entries, width=_LEFT + _WIDE)
    about = f"{title}: {len(names)} rows, {len(series)} marks each."
    height = frame.bottom + high + 30
    whole = "".join([*body, legend])
    svg = make_svg(_LEFT + _WIDE + 60, height, whole, title=title, about=about)
    return Figure(title=title, svg=svg, caption=caption)


def _draw_legs(rows: Sequence[Row]) -> Figure | None:
    """Draw the share of right legs by kind, with the coin at one half; None without expeditions."""
    rows = _select(rows, "legs")
    if not rows:
        return None

    def find_share(agent: str, kind: str) -> float:
        return _mean([row for row in rows if row.agent == agent], f"legs_{kind}")

    return _draw_marks(
        "Right legs by kind",
        agents_of(rows),
        KINDS,
        find_share,
        ((0.0, "0"), (0.5, "a coin"), (1.0, "1")),
        "The share of legs with the best design. Whoever is blind on all four legs wins 1 "
        "expedition in 16.",
    )


def _draw_gains(rows: Sequence[Row]) -> Figure | None:
    rows = _select(rows, "gain")
    if not rows:
        return None

    def find_gain(game: str, agent: str) -> float:
        return _mean(
            [one for one in rows if one.agent == agent and _find_game(one) == game], "gain"
        )

    everyone = agents_of(rows)
    more = len(everyone) - _MOST_AGENTS
    return _draw_marks(
        "How good the submitted designs are",
        sorted({_find_game(row) for row in rows}),
        everyone[:_MOST_AGENTS],
        find_gain,
        ((-1.0, "-1"), (0.0, "0: standard design"), (1.0, "1: optimum")),
        "Each mark is an agent's mean on the scale from the standard design (0) to the best one "
        f"known (1), by the survival that its designs have on average. What is below {_LOW:g} is "
        f"drawn there.{f' {more} more agents are not drawn.' if more > 0 else ''}",
    )


def _find_game(row: Row) -> str:
    return str(row.facets.get("game", row.id))


def _draw_patterns(rows: Sequence[Row]) -> Figure | None:
    rows = [row for row in rows if "pattern" in row.labels]
    if not rows:
        return None
    agents = agents_of(rows)
    frame = _frame_rows(len(agents), 0.0)
    body = [text((28, 34), "How agents fail", size=17, weight="600")]
    body.append(draw_row_names(frame, agents))
    for place, agent in enumerate(agents):
        counts = Counter(row.labels["pattern"][:1] for row in rows if row.agent == agent)
        x, y = _LEFT, _TOP + _ROW * place + 4
        for name, colour in _PATTERNS.items():
            wide = _WIDE * counts[name[:1]] / counts.total()
            if wide:
                label = NAMES[name]
                body.append(draw_bar((x, y), wide, 16, colour=colour, about=label))
                letter = label if name == "none" else name
                body.append(text((x + 5, y + 12), letter, size=11, fill=PAPER))
            x += wide
    said = ", ".join(f"{code} {name}" for code, name in NAMES.items() if code != "none")
    body.append(text((28, frame.bottom + 22), said, size=11.5, fill=SOFT))
    title, size = "Failure patterns", (_LEFT + _WIDE + 60, frame.bottom + 46)
    about = f"Shares of the five failure patterns for {len(agents)} agents."
    return Figure(
        title=title,
        svg=make_svg(*size, "".join(body), title=title, about=about),
        caption="Shares of sessions by failure pattern, winners first. Every lost session has "
        "exactly one, by the first rule that fits in the order C, E, A, D, B.",
    )


def _draw_judges(rows: Sequence[Row]) -> Figure | None:
    rows = _select(rows, "judge_second")
    if not rows:
        return None
    span, ticks = (-11.0, 34.0), (-11, 0, 10, 20, 34)
    frame = Frame(70.0, 66.0, 300.0, 300.0, x_range=span, y_range=span)
    body = [text((28, 34), "Two judges on the same reports", size=17, weight="600")]
    body += [draw_x_axis(frame, ticks), draw_y_axis(frame, ticks)]
    corners = (frame.left, frame.bottom), (frame.right, frame.top)
    body.append(line(*corners, stroke=INK, dash="1 4"))
    for row in rows:
        at = frame.x(row.numbers["judge_first"]), frame.y(row.numbers["judge_second"])
        body.append(draw_mark(at, colour=ACCENT))
    said = agreement_in_words(rows)
    body.append(text((28, frame.bottom + 40), said, size=12))
    title, size = "Agreement of two judges", (frame.right + 90, frame.bottom + 62)
    return Figure(
        title=title,
        svg=make_svg(*size, "".join(body), title=title, about=said),
        caption="The full rubric score (-11 to 34) of the first judge across, of the second one "
        "up; on the dotted line both say the same.",
    )


def agreement_in_words(rows: Sequence[Row]) -> str:
    """Say how far the first two judges agree over all of some judged rows."""
    share = fmean(row.numbers["judge_agreement"] for row in rows)
    first, second = (_grade_shares(rows, name) for name in ("judge_first", "judge_second"))
    totals = [[row.numbers[name] for row in rows] for name in ("judge_first", "judge_second")]
    found = {"kappa": kappa_from_shares(share, first, second), "Spearman": spearman(*totals)}
    measured = "; ".join(
        f"{name} {'undefined' if math.isnan(value) else f'{value:.2f}'}"
        for name, value in found.items()
    )
    return f"{len(rows)} reports; same grade {share:.0%}; {measured}"


def kappa_from_shares(agreement: float, first: Sequence[float], second: Sequence[float]) -> float:
    """Return Cohen's kappa, given how often two judges agree and how often each gives each grade.

    Example:
        >>> kappa_from_shares(0.7, (0.5, 0.5), (0.6, 0.4))
        0.4
    """
    by_chance = sum(p * q for p, q in zip(first, second, strict=True))
    return round((agreement - by_chance) / (1 - by_chance), 12) if by_chance < 1 else math.nan


def _grade_shares(rows: Sequence[Row], judge: str) -> tuple[float, float, float]:
    met = fmean(row.numbers[f"{judge}_met"] for row in rows) / len(CRITERIA)
    partly = fmean(row.numbers[f"{judge}_partly"] for row in rows) / len(CRITERIA)
    return met, partly, 1 - met - partly


def tell_ending(verdict: Verdict, exchanges: Sequence[Exchange]) -> Ending:
    """Say whether it was won, and with how many drones."""
    numbers = verdict.numbers
    drones = sum(exchange.seen.cost for exchange in exchanges)
    won = numbers.get("win", 0.0) == 1
    # What does not apply is nan.
    names = ("survival", "right_step", "legs_depot")
    survival, steps, depot = (numbers.get(name, math.nan) for name in names)
    facts = {"won": "yes" if won else "no", "drones": str(drones)}
    if not math.isnan(survival):
        facts["home"] = f"{100 * survival:.0f} %"
        sentence = "Won: enough of the fleet came home." if won else "Lost: too few came home."
    else:
        facts["legs"] = f"{100 * numbers.get('legs', 0.0):.0f} %"
        sentence = f"{'Won' if won else 'Lost'}{_tell_evidence(steps, depot)}."
    return Ending(sentence=sentence, facts=facts)


def _tell_evidence(steps: float, depot: float) -> str:
    """Say on how many legs a flown test, or a depot's book, can tell what the leg is."""
    if math.isnan(steps):
        return "" if math.isnan(depot) else ": a depot's book can tell what the leg is"
    where = {0.0: "no leg", 1.0: "every leg"}.get(steps, f"{100 * steps:.0f} % of the legs")
    book = "" if math.isnan(depot) else "; at the depot its book can tell"
    return f": on {where} with test drones you flew a test that can tell what the leg is{book}"


PLAY_PAGE: PlayPage[AnyPublic, GameRules] = PlayPage(
    folder=Path(__file__).parent,
    invitation="Fit drones by tests that mislead.",
    lay_out=by_edition(lay_out_session, lay_out_expedition),
    read_draft=by_edition(read_session_draft, read_expedition_draft),
    tell_ending=tell_ending,
)


VIEWS: Views[AnyPublic, AnySecret, GameRules] = Views(
    draw_episode=by_edition(draw_session, draw_expedition),
    scene=by_edition(stage_session, stage_expedition),
    play_page=PLAY_PAGE,
    draw_rows=draw_rows,
)
