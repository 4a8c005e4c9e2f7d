"""What a report says first: what each model can do, what it cannot yet, and what is not known.

Each sentence follows from places on the scale, paired differences and how episodes ended. None says
why an agent fails, and none says that it reasons.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from causarium.contract.frozen import Frozen
from causarium.report.data.number_format import bounds, format_metric, lower_first, show
from causarium.report.data.outcomes import OutcomeCount
from causarium.report.data.report_data import Claim, Section, Summary
from causarium.scoring.intervals import Interval

FEWEST_INSTANCES = 20
WIDEST = 0.5
"""With fewer instances, or an interval wider than this, nobody is placed beside the shortcuts."""
FEWEST_AT_ALL = 6
"""With fewer, nothing is said, not even that an interval ends below half of the reference."""
LARGE_SHARE = 0.2
"""With more episodes cut off by the budget than this, nothing else is said of an agent."""
MOST_CLAIMS = 2
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

Standing = Literal[
    "not scored",
    "too few",
    "cut off",
    "no scale",
    "under half",
    "below guessing",
    "like guessing",
    "not above",
    "above guessing",
    "above",
    "reference",
]
_CAN: frozenset[Standing] = frozenset({"above", "reference"})
_CANNOT: frozenset[Standing] = frozenset(
    {"under half", "below guessing", "like guessing", "not above"}
)


class Judgement(Frozen):
    """Where one agent stands on one set, in the first words of this list that hold."""

    agent: str
    standing: Standing
    words: str
    sentence: str
    """The same with numbers, and the largest loss."""
    reach: float = math.nan
    """Where it would stand if every episode that ran out of budget had been right."""


def spell(number: int) -> str:
    """Write a small number in letters."""
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def join_names(names: Iterable[str]) -> str:
    """Write names one after the other."""
    listed = list(names)
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} and {listed[-1]}"


def judge(section: Section, agent: str) -> Judgement:
    """Say where an agent stands on one set."""
    counts = {count.ending: count for count in section.outcomes.get(agent, ())}
    total = sum(count.count for count in counts.values())
    mine = next((each for each in section.agents if each.agent == agent), None)
    score = mine.metrics.get(section.metric) if mine else None
    loss = tell_loss(counts.values())
    if mine is None or score is None or not score.n:
        words = "not scored" if total else "not played"
        return Judgement(agent=agent, standing="not scored", words=words, sentence=loss)
    placement = section.placement
    place = placement.scores.get(agent)
    out = counts["ran out of budget"].count if "ran out of budget" in counts else 0
    reach = score.value + out / max(mine.rows - mine.unscored, 1)
    if place is not None and placement.scale is not None:
        reach = min(1.0, placement.scale.place(reach))
    standing = _find_standing(section, agent, place or score, out, total)
    size = section.set_size
    words = {
        "too few": f"too few: {score.n} of {size}" if score.n < size else f"too few: {score.n}",
        "cut off": f"cut off: {out} of {total}",
        "no scale": "no scale: raw score",
        "under half": "under half of the reference",
        "not above": "not above the shortcuts",
        "above": "above the shortcuts",
        "reference": "as good as the reference",
    }.get(standing, standing)
    gap = placement.gaps.get(agent)
    sentence = loss
    if standing == "cut off":
        ends = f"{show((place or score).value, 2)} and {show(reach, 2)}".replace("-", "−")
        sentence = f"{out} of {total} ran out of budget; its score lies between {ends}."
    elif gap is not None and standing in (_CAN | _CANNOT) - {"under half"}:
        sentence = f"{str(gap)[:1].upper()}{str(gap)[1:]}. {loss}".strip()
    return Judgement(agent=agent, standing=standing, words=words, sentence=sentence, reach=reach)


def _find_standing(section: Section, agent: str, place: Interval, out: int, total: int) -> Standing:
    """Return the first standing that holds."""
    placement = section.placement
    gap, scale = placement.gaps.get(agent), placement.scale
    reference = scale.reference if scale else None
    # The set may be small and whole: where its interval ends still says something.
    few = place.n < FEWEST_INSTANCES or not place.high - place.low <= WIDEST
    is_half = reference and place.n >= FEWEST_AT_ALL and place.high < reference.place / 2
    standings: tuple[tuple[object, Standing], ...] = (
        (out > LARGE_SHARE * total, "cut off"),
        (few and is_half, "under half"),
        (few, "too few"),
        (scale and place.high < 0, "below guessing"),
        (scale and place.low <= 0, "like guessing"),
        (gap is None, "above guessing" if scale else "no scale"),
        (gap and not gap.is_above, "not above"),
        (reference and place.high >= reference.place, "reference"),
    )
    return next((standing for holds, standing in standings if holds), "above")


def tell_loss(counts: Iterable[OutcomeCount]) -> str:
    """Name the ending that lost most episodes, and what it mostly was; nothing if none was lost."""
    lost = [count for count in counts if count.ending not in {"right", "unscored"}]
    if not lost:
        return ""
    most = max(lost, key=lambda count: count.count)
    words, often = next(iter(most.words.items()))
    detail = f": {often:,} {words}" if words.partition(":")[0] != most.ending else ""
    return f"{most.count:,} {most.ending}{detail}."


def summarize_report(sections: Sequence[Section], lanes: Sequence[str], title: str) -> Summary:
    """Return the first screen."""
    if not sections:
        return Summary(title=title, line="There are no rows to report.")
    if not lanes:
        return Summary(title=title, line=_tell_marks(sections))
    judged = {agent: [(section, judge(section, agent)) for section in sections] for agent in lanes}
    several = len(lanes) > 1
    first = lanes[0]
    head = title
    if several:
        head = _find_apart(sections, lanes) or title
    elif above := sum(one.standing in _CAN for _, one in judged[first]):
        tasks = f"{above} of {len(sections)} causal tasks" if sections[1:] else sections[0].name
        head = f"{first} is above the shortcuts in {tasks}"
    elif below := sum(one.standing == "under half" for _, one in judged[first]):
        tasks = f"{below} of {len(sections)} causal tasks" if sections[1:] else sections[0].name
        head = f"{first} earns under half of what the reference player does in {tasks}"
    elif any(one.standing in _CANNOT for _, one in judged[first]):
        head = f"{first} is not shown to be above the shortcuts"
    can, cannot, unknown = (list[Claim]() for _ in range(3))
    for agent in lanes:
        for section, one in judged[agent]:
            if one.standing in _CAN:
                can.append(_claim(section, one, several=several))
            elif one.standing in _CANNOT:
                cannot.append(_claim(section, one, several=several))
            elif one.words != "not played":
                unknown.append(_doubt(section, one, several=several))
    return Summary(
        title=head,
        line=_tell_line(judged) if not several else f"{title}.",
        can=tuple(can[:MOST_CLAIMS]),
        cannot=tuple(cannot[:MOST_CLAIMS]),
        unknown=tuple(unknown[:MOST_CLAIMS]),
    )


def _tell_marks(sections: Sequence[Section]) -> str:
    """Say what reference players alone show."""
    gaps = [lead.difference.value for section in sections if (lead := section.placement.lead)]
    counts = {
        "above": sum(gap > 0 for gap in gaps),
        "level with": sum(gap == 0 for gap in gaps),
        "below": sum(gap < 0 for gap in gaps),
    }
    if not gaps:
        return "No model has played yet."
    if not sections[1:]:
        where = next(how for how, count in counts.items() if count)
        return f"No model has played yet. The reference player is {where} the best shortcut."
    told = [f"{how} the best shortcut in {spell(n)}" for how, n in counts.items() if n]
    told[0] += f" of {spell(len(sections))} sets"
    return f"No model has played yet. The reference player is {join_names(told)}."


def _tell_line(judged: Mapping[str, Sequence[tuple[Section, Judgement]]]) -> str:
    """Say in one line where one model stands in all families, those it is above in left out."""
    (pairs,) = judged.values()
    groups: dict[str, list[str]] = {}
    for section, one in pairs:
        if one.standing not in _CAN and one.words != "not played":
            known = one.words if one.standing in _CANNOT else one.standing
            groups.setdefault(known, []).append(section.name)
    told = ", ".join(f"{words} in {join_names(names)}" for words, names in groups.items())
    if not told:
        return "Nothing is open." if pairs else ""
    return f"{told[:1].upper()}{told[1:]}."


def _claim(section: Section, one: Judgement, *, several: bool) -> Claim:
    start = section.facts.short or section.facts.title
    gap = section.placement.gaps.get(one.agent)
    who = f"{one.agent}, " if several else ""
    number = _tell_score(section, one.agent)
    beside = f"{gap}" if gap and one.standing != "under half" else one.words
    scale = section.placement.scale
    if one.standing == "under half" and scale and scale.reference:
        mine = next(each for each in section.agents if each.agent == one.agent)
        beside = f"{one.words} ({show(scale.reference.place, 2)}) on {mine.n} instances"
    rest = f"{who}{section.name}: {number}; {beside}."
    return Claim(start=f"{start.removesuffix('.')}.", rest=rest, family=section.name)


def _doubt(section: Section, one: Judgement, *, several: bool) -> Claim:
    who = f"{one.agent}, " if several else ""
    if one.standing == "cut off":
        return Claim(
            start=f"{who}{section.name}: {one.words}.", rest=one.sentence, family=section.name
        )
    if one.standing == "too few":
        mine = next(each for each in section.agents if each.agent == one.agent)
        need = "Finish the set" if mine.n < section.set_size else "Play a larger set"
        rest = f"{_tell_score(section, one.agent)}. {need}: a verdict takes {FEWEST_INSTANCES} "
        rest += "instances and a narrow interval."
    elif one.standing == "no scale":
        rest = f"{_tell_score(section, one.agent)}; {section.placement.why}."
    else:
        rest = f"{_tell_score(section, one.agent)}; no shortcut played the same instances."
    return Claim(start=f"{who}{section.name}: {one.words}.", rest=rest, family=section.name)


def _tell_score(section: Section, agent: str) -> str:
    """Write an agent's headline number, on the scale where there is one."""
    place = section.placement.scores.get(agent)
    if place is not None:
        number = f"{show(place.value, 2)} {bounds(place, 2)}".strip()
        return f"{number} on the scale".replace("-", "−")
    mine = next((each for each in section.agents if each.agent == agent), None)
    score = mine.metrics.get(section.metric) if mine else None
    if score is None:
        return "no score"
    return f"{format_metric(section.metric)} {show(score.value, 2)} {bounds(score, 2)}".strip()


def _find_apart(sections: Sequence[Section], lanes: Sequence[str]) -> str:
    """Return the two models that most sets tell apart, as a sentence."""
    pairs: dict[tuple[str, str], int] = {}
    for section in sections:
        for one in section.comparisons:
            if one.agent in lanes and one.other in lanes and one.verdict in {"ahead", "behind"}:
                ahead = one.verdict == "ahead"
                pair = (one.agent, one.other) if ahead else (one.other, one.agent)
                pairs[pair] = pairs.get(pair, 0) + 1
    if not pairs:
        return ""
    (better, worse), times = max(pairs.items(), key=lambda item: (item[1], item[0]))
    where = f"{times} of {len(sections)} causal tasks" if sections[1:] else sections[0].name
    return f"{better} is ahead of {worse} in {where}"


def describe_excluded(section: Section) -> str:
    """Say which players the scores of a set are compared with, and who is not covered."""
    parts = [
        f"Excluded: {join_names(lower_first(one.says).removesuffix('.') for one in classes)}."
        if (classes := section.facts.classes)
        else "The card excludes no class of players."
    ]
    parts += [f"Not covered: {lower_first(one)}" for one in section.facts.not_covered]
    return " ".join(parts)
