"""Twin pairs as pictures: what a pair is, and how its two missions were played."""

from collections.abc import Iterator, Sequence

from causarium.charts.palette import ACCENT, BAD, FAINT, GOOD, LINE, PAPER, SOFT, WARN
from causarium.charts.svg import line, make_svg, tag, text
from causarium.contract.views.figure import Figure
from causarium.errors import ContractError
from causarium.families.causalgame.generation.twin_pairs import law_of
from causarium.families.causalgame.instance import TwinInstance
from causarium.families.causalgame.interface.missions import fleet_survival
from causarium.families.causalgame.mechanics.archive_law import ArchiveLaw
from causarium.families.causalgame.mechanics.twin_law import (
    TwinDesign,
    rename,
    survival_at_target,
    survival_in_tests,
)
from causarium.families.causalgame.scoring.pair_marks import find_best, mark_mission
from causarium.families.causalgame.scoring.replayed_pair import ReplayedPair

TESTED, HERE, THERE = LINE, ACCENT, BAD
_LEFT, _TOP, _TALL, _WIDE = 60.0, 78.0, 200.0, 640.0


def _scale(body: list[str], right: float, threshold: float) -> None:
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        body.append(line((_LEFT, _y(tick)), (right, _y(tick)), stroke=FAINT))
        body.append(
            text((_LEFT - 8, _y(tick) + 4), f"{tick:.0%}", size=11, fill=SOFT, anchor="end")
        )
    body.append(line((_LEFT, _y(threshold)), (right, _y(threshold)), stroke=WARN, dash="5 4"))
    body.append(
        text((right + 6, _y(threshold) + 4), f"threshold {threshold:.1%}", size=11, fill=WARN)
    )


def _y(value: float) -> float:
    return _TOP + _TALL * (1 - value)


def draw_twins(instance: TwinInstance) -> Figure:
    """Draw what a twin pair is: designs that are alike in the tests of both games.

    Raises:
        ContractError: It is an archive, which has no test flights.
    """
    law, public = instance.secret.law, instance.public
    if isinstance(law, ArchiveLaw):
        raise ContractError("an archive game has no test flights to draw")
    twin = rename(law)
    shown: list[tuple[str, TwinDesign]] = [
        ("best in game A", _find_best_design(instance, law_is_first=True)),
        ("best in game B", _find_best_design(instance, law_is_first=False)),
        ("standard", law.standard),
    ]
    right = _LEFT + _WIDE
    body = [text((28, 34), "Two games that only names tell apart", size=17, weight="600")]
    body.append(
        text(
            (28, 54),
            "Each design survives the tests of both games alike, to the last digit.",
            size=12,
            fill=SOFT,
        )
    )
    _scale(body, right, public.threshold)
    step = _WIDE / len(shown)
    for place, (name, design) in enumerate(shown):
        values = (
            (TESTED, survival_in_tests(law, design)),
            (HERE, survival_at_target(law, design, public.target)),
            (THERE, survival_at_target(twin, design, public.target)),
        )
        start = _LEFT + step * place + step / 2 - 66
        body.append(text((start + 66, _TOP + _TALL + 20), name, size=12, anchor="middle"))
        for number, (colour, value) in enumerate(values):
            x = start + 44 * number
            body.append(tag("rect", x=x, y=_y(value), width=36, height=_TALL * value, fill=colour))
            body.append(text((x + 18, _y(value) - 5), f"{value:.0%}", size=11, anchor="middle"))
    legend = ((TESTED, "tests of A, and of B"), (HERE, "fleet in A"), (THERE, "fleet in B"))
    for number, (colour, content) in enumerate(legend):
        x = _LEFT + 190 * number
        body.append(tag("rect", x=x, y=_TOP + _TALL + 36, width=11, height=11, fill=colour))
        body.append(text((x + 17, _TOP + _TALL + 46), content, size=11.5, fill=SOFT))
    title = "A twin pair"
    about = "; ".join(f"{name}: {d.armour}" for name, d in shown)
    return Figure(
        title=title,
        svg=make_svg(right + 130, _TOP + _TALL + 64, "".join(body), title=title, about=about),
        caption="Survival of three designs in both games of a pair: in test flights, and where the "
        "fleet will fly. Counting who comes back cannot tell the games apart.",
    )


def _find_best_design(instance: TwinInstance, *, law_is_first: bool) -> TwinDesign:
    return find_best(instance, 0, in_twin=instance.secret.twins[0] == law_is_first)


def draw_pair(instance: TwinInstance, pair: ReplayedPair) -> Figure:
    """Draw how both missions were played."""
    right = _LEFT + _WIDE
    body = [text((28, 34), f"{instance.id}, deployment by deployment", size=17, weight="600")]
    body.append(text((28, 54), _tell(pair), size=12, fill=SOFT))
    _scale(body, right, instance.public.threshold)
    body += _draw_missions(instance, pair)
    content = (
        "discs: came back in tests; bars: the fleet would survive; squares: the fleet survives"
    )
    body.append(text((_LEFT, _TOP + _TALL + 40), content, size=11.5, fill=SOFT))
    title = f"{instance.id}, deployment by deployment"
    return Figure(
        title=title,
        svg=make_svg(right + 130, _TOP + _TALL + 58, "".join(body), title=title, about=_tell(pair)),
        caption="Discs are test flights as the agent saw them, green bars what fleets of these "
        "designs survive at the target, squares the committed designs.",
    )


def _draw_missions(instance: TwinInstance, pair: ReplayedPair) -> Iterator[str]:
    half = _WIDE / 2
    for mission in pair.world.missions:
        start = _LEFT + half * mission.number
        best = mark_mission(instance, mission.number).best
        yield line((start, _y(best)), (start + half - 20, _y(best)), stroke=GOOD)
        yield text((start + 4, _TOP - 8), f"mission {mission.number + 1}", size=12, weight="600")
        step = (half - 60) / max(1, len(mission.deployments))
        for place, deployment in enumerate(mission.deployments):
            x = start + 14 + step * place
            rate = min(1.0, deployment.returned / deployment.ordered)
            value = fleet_survival(instance, mission.number, deployment.order.design)
            yield tag("rect", x=x - 7, y=_y(value) - 1.5, width=14, height=3, fill=GOOD)
            yield tag("circle", cx=x, cy=_y(rate), r=4, fill=HERE, stroke=PAPER)
        if mission.survival is not None:
            y = _y(mission.survival)
            yield tag("rect", x=start + half - 40, y=y - 6, width=12, height=12, fill=WARN)


def _tell(pair: ReplayedPair) -> str:
    fates = []
    for mission in pair.world.missions:
        rate = mission.survival
        fate = "no design" if rate is None else f"{rate:.1%} {'won' if mission.won else 'lost'}"
        fates.append(
            f"mission {mission.number + 1}: {len(mission.deployments)} deployments, {fate}"
        )
    return "; ".join(fates)


def true_edges(instance: TwinInstance) -> Sequence[tuple[str, str]]:
    """Return the arrows of the game that is flown in the first mission, in names."""
    law, public = law_of(instance.secret, 0), instance.public
    end = "survived"
    if isinstance(law, ArchiveLaw):
        arrows = []
        for slot, column in zip(public.slots, public.conditions, strict=True):
            way = [(slot.name, column.name), (column.name, end)]
            choice = [(column.name, slot.name), (slot.name, end)]
            arrows += way if law.kind == "front_door" else choice
            arrows += [("hidden judgement", slot.name), ("hidden judgement", end)]
        return arrows
    edges = [(public.parts[p], end) for p, weight in enumerate(law.weights) if weight]
    edges += [(public.slots[s].name, end) for s, value in enumerate(law.options) if value]
    for trap in law.traps:
        if trap.condition < 0:
            edges += [(public.parts[trap.part], signal) for signal in public.signals]
            edges += [(signal, end) for signal in public.signals]
        else:
            edges.append((public.parts[trap.part], end))
            edges.append((public.conditions[law.active[trap.condition]].name, end))
    edges.append((public.conditions[law.active[2]].name, end))
    return tuple(dict.fromkeys(edges))
