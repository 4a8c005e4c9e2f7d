"""What a report shows, in at most three plain sentences computed from its rows.

They say what was observed. None says why an agent fails, and none says that it reasons.
"""

from collections.abc import Iterable, Mapping, Sequence

from causarium.report.data.outcomes import OutcomeCount
from causarium.report.data.place_words import FEWEST_INSTANCES, is_too_few, name_place
from causarium.report.data.report_data import Finding, Report, Section

MOST_FINDINGS = 3
MOST_LETTERS = 160
LARGE_SHARE = 0.2
"""More unreadable episodes than this are told of."""
EARLY_SHARE = 0.3
FEWEST_TOLD = 3
"""Shares of fewer episodes are not told."""
_NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def find_findings(report: Report, agents: Sequence[str]) -> tuple[Finding, ...]:
    """Return the first three findings that apply, always in the same order.

    Args:
        report: The report.
        agents: The agents of its profile.
    """
    sections = [section for section in report.sections if section.placement is not None]
    if not sections:
        return ()
    if not agents:
        return (_tell_marks(sections),)
    makers = [_find_form, _find_early, _find_apart, _find_gap, _find_effort]
    only_agent = agents[0] if len(agents) == 1 else None
    first = (
        _find_standing(sections, only_agent) if only_agent else _find_standings(sections, agents)
    )
    findings: list[Finding] = [*first]
    for make in makers:
        findings += make(sections, agents)
    return tuple(f for f in findings if len(str(f)) <= MOST_LETTERS)[:MOST_FINDINGS]


def _tell_marks(sections: Sequence[Section]) -> Finding:
    """Say what reference players alone show."""
    scales = [section.placement.scale for section in sections if section.placement]
    marks = [(scale.shortcut, scale.causal) for scale in scales]
    apart = [
        1 for shortcut, causal in marks if shortcut and causal and causal.place > shortcut.place
    ]
    total = len(sections)
    where = (
        ("this family" if total == 1 else f"all {spell(total)} families")
        if len(apart) == total
        else f"{spell(len(apart))} of {spell(total)} families"
    )
    return Finding(
        start="No model has played yet.",
        rest=f"The causal player earns more than the best shortcut in {where}.",
    )


def spell(number: int) -> str:
    """Write a small number in letters."""
    return _NUMBERS[number] if number < len(_NUMBERS) else f"{number:,}"


def _places(sections: Sequence[Section], agent: str) -> dict[str, str]:
    """Return what can be said of an agent's place in each section, those with too few left out."""
    placed = {}
    for section in sections:
        spoke = section.placement
        if spoke is None or agent not in spoke.scores or is_too_few(spoke.scores[agent]):
            continue
        placed[section.facts.title] = name_place(spoke.scores[agent], spoke.scale, section.set_size)
    return placed


def _find_standing(sections: Sequence[Section], agent: str) -> list[Finding]:
    placed = _places(sections, agent)
    if not placed:
        return [_tell_few(sections, agent)]
    beyond = [title for title, words in placed.items() if words in _BEYOND]
    guessing = [title for title, words in placed.items() if words in _GUESSING]
    if len(guessing) == len(placed):
        where = _name_all(guessing)
        return [Finding(start="It does no better than guessing", rest=f"in {where}.")]
    low = f" It does no better than guessing in {join_names(guessing)}." if guessing else ""
    if beyond:
        where = _name_all(beyond) if len(beyond) == len(placed) else join_names(beyond)
        return [Finding(start="It beats the shortcut", rest=f"in {where}.{low}")]
    where = _name_all(list(placed)).replace("all", "any of the")
    return [Finding(start="It is not shown to beat the shortcut", rest=f"in {where}.{low}")]


def _tell_few(sections: Sequence[Section], agent: str) -> Finding:
    played = sum(
        each.rows for section in sections for each in section.agents if each.agent == agent
    )
    noun = "episode" if played == 1 else "episodes"
    return Finding(
        start="Too few cases to say where it stands:",
        rest=f"{played} {noun} so far, and a verdict takes {FEWEST_INSTANCES} cases of a family.",
    )


_APART = {"ahead", "behind"}
_BEYOND = {"beyond the shortcut", "at the causal mark"}
_GUESSING = {"below guessing", "like guessing"}


def _find_standings(sections: Sequence[Section], agents: Sequence[str]) -> list[Finding]:
    places = {agent: _places(sections, agent) for agent in agents}
    if not any(places.values()):
        rest = f"a verdict takes {FEWEST_INSTANCES} cases of a family."
        return [Finding(start="Too few cases to say where they stand:", rest=rest)]
    beyond = {
        agent: sum(words in _BEYOND for words in placed.values())
        for agent, placed in places.items()
    }
    findings = [_tell_beyond(beyond)]
    low = [a for a, placed in places.items() if any(w == "below guessing" for w in placed.values())]
    if low:
        verb = "does" if len(low) == 1 else "do"
        some = f"{spell(len(low)).capitalize()} of the" if len(low) < len(agents) else "All"
        start = f"{some} {spell(len(agents))} models {verb}"
        names = f": {join_names(low)}." if len(low) <= 3 else "."
        findings.append(
            Finding(start=f"{start} worse than guessing", rest=f"in some family{names}")
        )
    return findings


def _tell_beyond(beyond: Mapping[str, int]) -> Finding:
    """Say who beats the shortcut in the most families, given in how many each does."""
    most = max(beyond.values())
    if not most:
        start = f"None of the {spell(len(beyond))} models beats the shortcut"
        return Finding(start=start, rest="in any family.")
    best = [agent for agent, count in beyond.items() if count == most]
    names = join_names(best) if len(best) <= 2 else f"{spell(len(best))} models".capitalize()
    families = f"{spell(most)} famil{'y' if most == 1 else 'ies'}"
    others = max((count for count in beyond.values() if count < most), default=None)
    rest = ""
    if others is not None:
        rest = f"no other does in {f'more than {spell(others)}' if others else 'any'}."
    verb = "beats" if len(best) == 1 else "beat"
    start = f"{names} {verb} the shortcut in {families}{';' if rest else '.'}"
    return Finding(start=start, rest=rest)


def _name_all(titles: Sequence[str]) -> str:
    """Name one family, or say how many they all are."""
    return titles[0] if len(titles) == 1 else f"all {spell(len(titles))} families"


def join_names(names: Iterable[str]) -> str:
    """Write names one after the other."""
    listed = list(names)
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} and {listed[-1]}"


def _counts(section: Section, agent: str) -> dict[str, OutcomeCount]:
    return {count.ending: count for count in section.outcomes.get(agent, ())}


def _find_form(sections: Sequence[Section], agents: Sequence[str]) -> list[Finding]:
    losses = []
    for section in sections:
        for agent in agents:
            counts = _counts(section, agent)
            total = sum(count.count for count in counts.values())
            bad = counts.get("unreadable")
            if bad and total >= FEWEST_TOLD and bad.count / total > LARGE_SHARE:
                losses.append((bad.count / total, bad, total, section.facts.title, agent))
    losses.sort(key=lambda loss: -loss[0])
    if not losses:
        return []
    parts = [
        f"{bad.count} of {total} {title} episodes{f' of {agent}' if len(agents) > 1 else ''}"
        for _, bad, total, title, agent in losses[:2]
    ]
    rest = f"{join_names(parts)} end without an answer that can be read."
    return [Finding(start="Much of the loss is form.", rest=rest)]


def _find_early(sections: Sequence[Section], agents: Sequence[str]) -> list[Finding]:
    early = []
    for section in sections:
        for agent in agents:
            counts = _counts(section, agent)
            lucky = counts["lucky"].count if "lucky" in counts else 0
            right = lucky + (counts["proved"].count if "proved" in counts else 0)
            if (
                lucky >= FEWEST_TOLD
                and "luck" in counts["lucky"].words
                and lucky / right > EARLY_SHARE
            ):
                early.append((lucky / right, lucky, right, section.facts.title, agent))
    if not early:
        return []
    _, lucky, right, title, agent = max(early)
    who = agent if len(agents) > 1 else "It"
    return [
        Finding(
            start=f"{who} answers before the evidence is in:",
            rest=f"{lucky} of its {right} right {title} answers were luck.",
        )
    ]


def _find_apart(sections: Sequence[Section], agents: Sequence[str]) -> list[Finding]:
    pairs: dict[tuple[str, str], int] = {}
    for section in sections:
        for comparison in section.comparisons:
            if (
                comparison.agent in agents
                and comparison.other in agents
                and comparison.verdict in _APART
            ):
                ahead = comparison.verdict == "ahead"
                pair = (
                    (comparison.agent, comparison.other)
                    if ahead
                    else (comparison.other, comparison.agent)
                )
                pairs[pair] = pairs.get(pair, 0) + 1
    if not pairs:
        return []
    (better, worse), count = max(pairs.items(), key=lambda item: (item[1], item[0]))
    if count * 2 <= len(sections) or len(sections) < 2:
        return []
    return [
        Finding(
            start=f"{better} is ahead of {worse}",
            rest=f"in {spell(count)} of {spell(len(sections))} families, by more than chance.",
        )
    ]


def _find_gap(sections: Sequence[Section], agents: Sequence[str]) -> list[Finding]:
    spreads = []
    for section in sections:
        spoke = section.placement
        values = [
            spoke.scores[agent].value
            for agent in agents
            if spoke and agent in spoke.scores and not is_too_few(spoke.scores[agent])
        ]
        if values:
            spreads.append((max(values) - min(values), max(values), section.facts.title))
    if len(spreads) < 2:
        return []
    if len(agents) > 1:
        wide, _, title = max(spreads)
        return [
            Finding(
                start=f"The models differ most in {title}:",
                rest=f"best and worst are {wide:.2f} apart on the scale from guess to oracle.",
            )
        ]
    high, low = max(spreads, key=lambda s: s[1]), min(spreads, key=lambda s: s[1])
    return [
        Finding(
            start=f"Strongest in {high[2]}, weakest in {low[2]}:",
            rest=f"{high[1]:.2f} and {low[1]:.2f} on the scale from guess (0) "
            "to oracle (1).".replace("-", "−"),
        )
    ]


def _find_effort(sections: Sequence[Section], agents: Sequence[str]) -> list[Finding]:
    factors = [
        (agent.turns / causal.turns, agent.agent, section.facts.title)
        for section in sections
        if (causal := section.causal_agent) is not None and causal.turns > 0
        for agent in section.agents
        if agent.agent in agents and agent.turns > 0 and agent.n >= FEWEST_TOLD
    ]
    if not factors or max(factors)[0] < 2:
        return []
    factor, agent, title = max(factors)
    who = agent if len(agents) > 1 else "It"
    return [
        Finding(
            start=f"{who} takes {factor:.{0 if factor >= 10 else 1}f} times as many turns",
            rest=f"as the causal player in {title}.",
        )
    ]
