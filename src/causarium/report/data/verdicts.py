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
from causarium.report.data.outcomes import OutcomeCount, Refusals
from causarium.report.data.report_data import Section, Summary, find_mean_reach

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class Judgement(Frozen):
    """What is said of one agent on one set beside its score."""

    agent: str
    words: str
    """`failed on format` or `cut short`, before any score; `not played`; `not scored`; or empty."""
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
    """Return what is said of an agent on one set beside its score."""
    counts = section.outcomes.get(agent, ())
    score = section.find_score(agent)
    failure = tell_failure(counts, section.refusals.get(agent))
    if score is None or not score.n:
        return Judgement(
            agent=agent, words="not scored" if counts else "not played", sentence=failure
        )
    return Judgement(agent=agent, words=find_form(counts) or "", sentence=failure)


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
    head = f"{agent}: {ended['correct']:,} of {total:,} correct"
    return head, " ".join(filter(None, (_tell_skill(sections, agent), failed, cut, left)))


def _tell_skill(sections: Sequence[Section], agent: str) -> str:
    """Return the mean reach of an agent, or that no score is above guessing."""
    ladders = [section for section in sections if section.rungs and section.find_reach(agent)]
    above = [s for s in ladders if (score := s.find_score(agent)) and score.low > 0]
    if ladders and not above:
        return "No score above guessing."
    mean = find_mean_reach(sections, agent)
    if mean is not None:
        words = f"Mean reach {max(0.0, mean.value):.1f} of {ladders[0].full:.0f}"
        return f"{words} [{mean.low:.1f}, {mean.high:.1f}]."
    told = (f"{s.find_reach(agent).in_words} on {s.name}" for s in above)  # type: ignore[union-attr]
    return f"Reach {join_names(told)}." if above else ""


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
    if any(section.set == "standard" and _is_open(section, agent) for section in mine):
        return "play the rungs above", f"{run} --set beyond"
    lost = ended.total() - ended["correct"]
    return ("see the replies that failed", "causarium web logs") if lost else ("", "")


def _is_open(section: Section, agent: str) -> bool:
    reach = section.find_reach(agent)
    return reach is not None and reach.open and "beyond" in section.facts.sets.get("certified", {})


def _count_form(sections: Sequence[Section], agent: str) -> int:
    ended = count_endings(_list_counts(sections, agent))
    return ended["malformed"] + ended["limit"]


def _tell_marks(sections: Sequence[Section]) -> str:
    """Return what programs alone show."""
    told = []
    for section in sections:
        program, marks = section.strongest_program, section.marks
        if program is not None and "reference" in marks:
            name = program.agent.removeprefix("player/")
            digits = 1 if section.rungs else 2
            pair = f"{marks['reference']:.{digits}f}, {name} {marks['program']:.{digits}f}"
            told.append(f"{section.name}: reference {pair}")
    if not told:
        return "No model has played yet."
    shown = "; ".join(told[:5])
    return f"No model has played yet. {shown}{' and more' * bool(told[5:])}."


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
