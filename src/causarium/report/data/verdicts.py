"""What a report says first: how many episodes were correct, what went wrong, and what to do next.

Form comes before skill. Of an agent that mostly sent what could not be used, and of one that mostly
met a limit, nothing is said but that and the remedy; what a score is worth comes after that. No
sentence says why an agent fails to reason, and none says that it reasons.
"""

import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from causarium.contract.frozen import Frozen
from causarium.contract.views.outcome import REPLIES_CUT, OutcomeKind
from causarium.report.data.number_format import lower_first
from causarium.report.data.outcomes import OutcomeCount, Refusals
from causarium.report.data.report_data import Section, Summary
from causarium.scoring.intervals import Interval

FEWEST_INSTANCES = 20
WIDEST = 0.5
"""With fewer instances, or an interval wider than this, nobody is placed beside the shortcuts."""
FEWEST_AT_ALL = 6
"""With fewer, nothing is said, not even that an interval ends below half of the reference."""
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

Standing = Literal[
    "not scored",
    "failed on format",
    "cut short",
    "too few",
    "no scale",
    "under half",
    "below guessing",
    "like guessing",
    "not above",
    "above guessing",
    "above",
    "reference",
]
_ABOVE: frozenset[Standing] = frozenset({"above", "reference"})


class Judgement(Frozen):
    """Where one agent stands on one set, in the first words of this list that hold."""

    agent: str
    standing: Standing
    words: str
    sentence: str
    """What went wrong most often; empty if nothing did."""


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
    counts = section.outcomes.get(agent, ())
    total = sum(count.count for count in counts)
    mine = next((each for each in section.agents if each.agent == agent), None)
    score = mine.metrics.get(section.metric) if mine else None
    failure = tell_failure(counts, section.refusals.get(agent))
    if mine is None or score is None or not score.n:
        words = "not scored" if total else "not played"
        return Judgement(agent=agent, standing="not scored", words=words, sentence=failure)
    placement = section.placement
    standing = find_form(counts) or _find_standing(
        section, agent, placement.scores.get(agent) or score
    )
    size = section.set_size
    words = {
        "too few": f"too few: {score.n} of {size}" if score.n < size else f"too few: {score.n}",
        "no scale": "no scale: raw score",
        "under half": "under half of the reference",
        "not above": "not above the shortcuts",
        "above": "above the shortcuts",
        "reference": "as good as the reference",
    }.get(standing, standing)
    return Judgement(agent=agent, standing=standing, words=words, sentence=failure)


def find_form(
    counts: Iterable[OutcomeCount],
) -> Literal["failed on format", "cut short"] | None:
    """Return what comes before any score: most episodes malformed, or at a limit; None if not."""
    ended = count_endings(counts)
    malformed, limit = ended["malformed"], ended["limit"]
    if 2 * (malformed + limit) <= ended.total() - ended["error"]:
        return None
    return "failed on format" if malformed >= limit else "cut short"


def count_endings(counts: Iterable[OutcomeCount]) -> Counter[OutcomeKind]:
    """Return the number of episodes that ended in each way."""
    ended = Counter[OutcomeKind]()
    for count in counts:
        ended[count.ending] += count.count
    return ended


def _find_standing(section: Section, agent: str, place: Interval) -> Standing:
    """Return the first standing that holds."""
    placement = section.placement
    gap, scale = placement.gaps.get(agent), placement.scale
    reference = scale.reference if scale else None
    # The set may be small and whole: where its interval ends still says something.
    few = place.n < FEWEST_INSTANCES or not place.high - place.low <= WIDEST
    is_half = reference and place.n >= FEWEST_AT_ALL and place.high < reference.place / 2
    standings: tuple[tuple[object, Standing], ...] = (
        (few and is_half, "under half"),
        (few, "too few"),
        (scale and place.high < 0, "below guessing"),
        (scale and place.low <= 0, "like guessing"),
        (gap is None, "above guessing" if scale else "no scale"),
        (gap and not gap.is_above, "not above"),
        (reference and place.high >= reference.place, "reference"),
    )
    return next((standing for holds, standing in standings if holds), "above")


def tell_failure(counts: Iterable[OutcomeCount], refusals: Refusals | None = None) -> str:
    """Name the outcome that lost most episodes, and why most of them; nothing if none was lost."""
    lost = [count for count in counts if count.ending not in {"correct", "error"}]
    if not lost:
        return ""
    most = max(lost, key=lambda count: count.count)
    if most.ending == "malformed" and refusals:
        return f"{_upper_first(str(refusals))}."
    words, often = next(iter(most.words.items()))
    words = words.removeprefix(f"{most.ending}: ")
    detail = (
        "" if words == most.ending else f": {'' if often == most.count else f'{often:,} '}{words}"
    )
    return f"{most.count:,} {most.ending}{detail}."


def _upper_first(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def summarize_report(sections: Sequence[Section], lanes: Sequence[str], title: str) -> Summary:
    """Return the first screen."""
    if not sections:
        return Summary(title=title, line="There are no rows to report.")
    if not lanes:
        return Summary(title=title, line=_tell_marks(sections))
    why, command = _find_next(sections, lanes)
    head, line = (
        _tell_several(sections, lanes, title) if lanes[1:] else _tell_one(sections, lanes[0])
    )
    return Summary(title=head, line=line, why=why, next=command)


def _list_counts(sections: Iterable[Section], agent: str) -> list[OutcomeCount]:
    return [count for section in sections for count in section.outcomes.get(agent, ())]


def _tell_one(sections: Sequence[Section], agent: str) -> tuple[str, str]:
    """Return the head and the lead of one agent's report."""
    counts = _list_counts(sections, agent)
    ended, form = count_endings(counts), find_form(counts)
    total = ended.total() - ended["error"]
    refusals = sum((s.refusals[agent] for s in sections if agent in s.refusals), Refusals())
    limits = Counter[str]()
    for count in counts:
        limits.update(count.words if count.ending == "limit" else {})
    failed = f"{ended['malformed']:,} of {total:,} failed on format, mostly {refusals}." * bool(
        ended["malformed"]
    )
    cut = f"{ended['limit']:,} of {total:,} met a limit: {', '.join(limits)}." * bool(limits)
    left = f"{ended['error']:,} left out: an error ended them." * bool(ended["error"])
    if form is not None:
        lost = ended["malformed" if form == "failed on format" else "limit"]
        head = f"{agent}: {form}, {lost:,} of {total:,} episodes"
        nothing = "This says nothing of what the model can do."
        return head, " ".join(filter(None, (failed, cut, nothing, left)))
    standings = {section.name: judge(section, agent) for section in sections}
    played = {name: one for name, one in standings.items() if one.words != "not played"}
    above = [name for name, one in played.items() if one.standing in _ABOVE]
    skill = f"Above the shortcuts in {join_names(above)}." if above else ""
    if not above and not ended["correct"]:
        skill = "No sign of skill."
    head = f"{agent}: {ended['correct']:,} of {total:,} correct"
    return head, " ".join(filter(None, (skill, failed, cut, left)))


def _tell_several(sections: Sequence[Section], lanes: Sequence[str], title: str) -> tuple[str, str]:
    """Return the head and the lead of several agents' report."""
    forms = {agent: find_form(_list_counts(sections, agent)) for agent in lanes}
    parts = [
        f"{join_names(agent for agent in lanes if forms[agent] == form)} {form}."
        for form in dict.fromkeys(filter(None, forms.values()))
    ]
    return _find_apart(sections, lanes) or title, " ".join([*parts, f"{title}."])


def _find_next(sections: Sequence[Section], lanes: Sequence[str]) -> tuple[str, str]:
    """Return the one command that tells most next, and why; of several agents for the worst off."""
    agent = max(lanes, key=lambda lane: _count_form(sections, lane))
    mine = [section for section in sections if section.outcomes.get(agent)]
    counts = _list_counts(mine, agent)
    ended, form = count_endings(counts), find_form(counts)
    name = next((a.name for s in mine for a in s.agents if a.agent == agent), agent)
    model = "MODEL" if name.startswith("recorded/") else shlex.quote(name)
    family = mine[0].facts.name if len(mine) == 1 else "all"
    cards = [card for section in mine for card in section.cards if card.agent == name]
    run = f"causarium run {family} --model {model}"
    if (
        ended["malformed"]
        and form != "cut short"
        and not any(c.rules.get("constrained") for c in cards)
    ):
        return "have the provider force the form of replies", f"{run} --rule constrained=true"
    if form == "cut short" and any(REPLIES_CUT in count.words for count in counts):
        return "give replies more room", f"{run} --max-tokens 4000"
    if all(section.set == "smoke" for section in mine):
        return "play sets that are large enough to quote", run
    lost = ended.total() - ended["correct"]
    return ("see the replies that failed", "causarium web logs") if lost else ("", "")


def _count_form(sections: Sequence[Section], agent: str) -> int:
    ended = count_endings(_list_counts(sections, agent))
    return ended["malformed"] + ended["limit"]


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


def _find_apart(sections: Sequence[Section], lanes: Sequence[str]) -> str:
    """Return the two models that most sets tell apart, as a sentence; nothing if none does."""
    pairs, met = Counter[tuple[str, str]](), Counter[frozenset[str]]()
    for section in sections:
        for one in section.comparisons:
            if one.agent in lanes and one.other in lanes:
                met[frozenset((one.agent, one.other))] += 1
            if one.agent in lanes and one.other in lanes and one.verdict in {"ahead", "behind"}:
                ahead = one.verdict == "ahead"
                pairs[(one.agent, one.other) if ahead else (one.other, one.agent)] += 1
    if not pairs:
        return ""
    (better, worse), times = max(pairs.items(), key=lambda item: (item[1], item[0]))
    level = met[frozenset((better, worse))] - times - pairs[worse, better]
    where = f"{times} of {len(sections)}" if sections[1:] else sections[0].name
    rest = f"; no significant difference in {level}" if level else ""
    return f"{better} leads {worse} in {where}{rest}"


def describe_excluded(section: Section) -> str:
    """Say which players the scores of a set are compared with, and who is not covered."""
    parts = [
        f"Excluded: {join_names(lower_first(one.says).removesuffix('.') for one in classes)}."
        if (classes := section.facts.classes)
        else "The card excludes no class of players."
    ]
    parts += [f"Not covered: {lower_first(one)}" for one in section.facts.not_covered]
    return " ".join(parts)
