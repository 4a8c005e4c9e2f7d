"""Many sessions as pictures: how good designs are, how agents fail, how far judges agree."""

import math
from collections import Counter
from collections.abc import Sequence
from statistics import fmean

from causarium.charts.palette import ACCENT, BAD, FAINT, GOOD, INK, PAPER, SERIES, SOFT, WARN
from causarium.charts.svg import line, make_svg, tag, text
from causarium.contract.row import Row, mean_per_instance
from causarium.contract.views.figure import Figure
from causarium.families.causalgame.scoring.published.rubric import NAMES, criteria
from causarium.scoring.measures import spearman

_PATTERNS = {
    "none": GOOD,
    "A": WARN,
    "B": BAD,
    "C": SERIES[4],
    "D": SERIES[6],
    "E": ACCENT,
}
_LEFT, _TOP, _ROW, _WIDE = 330.0, 84.0, 24.0, 420.0
_LOW, _HIGH = -1.5, 1.0
_MOST_AGENTS = len(SERIES)


def draw_session_rows(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """Draw gain by game; where judges were asked, also failure patterns and their agreement."""
    scored = [row for row in rows if row.unscored is None and "gain" in row.numbers]
    found = [_draw_gains(scored), _patterns(scored), _judges(scored)]
    return tuple(picture for picture in found if picture is not None)


def _agents(rows: Sequence[Row]) -> list[str]:
    named = {row.agent for row in rows}
    return sorted(named, key=lambda name: (name.startswith("player/"), name))


def _draw_gains(rows: Sequence[Row]) -> Figure | None:
    rows = [row for row in rows if not math.isnan(row.numbers["gain"])]
    if not rows:
        return None
    everyone, games = _agents(rows), sorted({_game(row) for row in rows})
    agents = everyone[:_MOST_AGENTS]
    height = _TOP + _ROW * len(games) + 50 + 18 * len(agents)
    body = [text((28, 34), "How good the submitted designs are", size=17, weight="600")]
    for value, said in ((-1.0, "-1"), (0.0, "0: standard design"), (1.0, "1: optimum")):
        x = _x(value)
        body.append(line((x, _TOP - 14), (x, _TOP + _ROW * len(games)), stroke=FAINT))
        body.append(text((x, _TOP - 20), said, size=11, fill=SOFT, anchor="middle"))
    for place, game in enumerate(games):
        y = _TOP + _ROW * place + 8
        body.append(text((_LEFT - 14, y + 4), game, size=11.5, anchor="end"))
        for number, agent in enumerate(agents):
            mine = [row for row in rows if row.agent == agent and _game(row) == game]
            values = [v for v in mean_per_instance(mine, "gain").values() if not math.isnan(v)]
            if values:
                body.append(_dot(_x(fmean(values)), y, number, agent))
    for number, agent in enumerate(agents):
        y = _TOP + _ROW * len(games) + 26 + 18 * number
        body.append(_dot(_LEFT, y, number, agent) + text((_LEFT + 12, y + 4), agent, size=11.5))
    if len(everyone) > len(agents):
        more = f"and {len(everyone) - len(agents)} more agents, not drawn"
        body.append(text((28, height - 20), more, size=11.5, fill=SOFT))
    title = "How good the submitted designs are, by game"
    about = f"Mean gain of {len(agents)} agents in {len(games)} games."
    return Figure(
        title=title,
        svg=make_svg(_LEFT + _WIDE + 60, height, "".join(body), title=title, about=about),
        caption="Each mark is an agent's mean on the scale from the standard design (0) to the "
        "best one known (1), by the survival that its designs have on average; players are hollow. "
        f"What is below {_LOW:g} is drawn there.",
    )


def _game(row: Row) -> str:
    return str(row.facets.get("game", row.id))


def _x(value: float) -> float:
    kept = min(_HIGH, max(_LOW, value))
    return _LEFT + _WIDE * (kept - _LOW) / (_HIGH - _LOW)


def _dot(x: float, y: float, number: int, agent: str) -> str:
    colour = SERIES[number % len(SERIES)]
    hollow = agent.startswith("player/")
    return tag(
        "circle",
        cx=x,
        cy=y,
        r=5,
        fill="none" if hollow else colour,
        stroke=colour if hollow else PAPER,
        stroke_width=1.8 if hollow else 1.0,
    )


def _patterns(rows: Sequence[Row]) -> Figure | None:
    rows = [row for row in rows if "pattern" in row.labels]
    if not rows:
        return None
    agents = _agents(rows)
    body = [text((28, 34), "How agents fail", size=17, weight="600")]
    for place, agent in enumerate(agents):
        counts = Counter(row.labels["pattern"][:1] for row in rows if row.agent == agent)
        y, x, whole = _TOP + _ROW * place, _LEFT, counts.total()
        body.append(text((_LEFT - 14, y + 12), agent, size=11.5, anchor="end"))
        for name, colour in _PATTERNS.items():
            wide = _WIDE * counts[name[:1]] / whole
            if wide:
                body.append(tag("rect", x=x, y=y, width=wide, height=16, fill=colour, stroke=PAPER))
                label = "won" if name == "none" else name
                body.append(text((x + 5, y + 12), label, size=11, fill=PAPER))
            x += wide
    y = _TOP + _ROW * len(agents) + 22
    said = ", ".join(f"{code} {name}" for code, name in NAMES.items() if code != "none")
    body.append(text((28, y), said, size=11.5, fill=SOFT))
    title = "Failure patterns"
    about = f"Shares of the five failure patterns for {len(agents)} agents."
    return Figure(
        title=title,
        svg=make_svg(_LEFT + _WIDE + 60, y + 24, "".join(body), title=title, about=about),
        caption="Shares of sessions by failure pattern, winners first. Every lost session has "
        "exactly one, by the first rule that fits in the order C, A, D, B, E.",
    )


def _judges(rows: Sequence[Row]) -> Figure | None:
    rows = [row for row in rows if not math.isnan(row.numbers.get("judge_second", math.nan))]
    if not rows:
        return None
    pairs = [(row.numbers["judge_first"], row.numbers["judge_second"]) for row in rows]
    side, left, top = 300.0, 70.0, 66.0

    def scale_value(value: float) -> float:
        return side * (value + 11) / 45

    body = [text((28, 34), "Two judges on the same reports", size=17, weight="600")]
    for tick in (-11, 0, 10, 20, 34):
        x, y = left + scale_value(tick), top + side - scale_value(tick)
        body += [line((x, top), (x, top + side)), line((left, y), (left + side, y))]
        body.append(text((x, top + side + 16), f"{tick}", size=11, fill=SOFT, anchor="middle"))
        body.append(text((left - 8, y + 4), f"{tick}", size=11, fill=SOFT, anchor="end"))
    body.append(line((left, top + side), (left + side, top), stroke=INK, dash="1 4"))
    for first, second in pairs:
        x, y = left + scale_value(first), top + side - scale_value(second)
        body.append(tag("circle", cx=x, cy=y, r=4.5, fill=ACCENT, fill_opacity=0.7))
    said = agreement_in_words(rows)
    body.append(text((left - 42, top + side + 40), said, size=12))
    title = "Agreement of two judges"
    return Figure(
        title=title,
        svg=make_svg(left + side + 90, top + side + 62, "".join(body), title=title, about=said),
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
    met = fmean(row.numbers[f"{judge}_met"] for row in rows) / len(criteria())
    partly = fmean(row.numbers[f"{judge}_partly"] for row in rows) / len(criteria())
    return met, partly, 1 - met - partly
