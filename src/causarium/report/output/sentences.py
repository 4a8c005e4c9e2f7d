"""The sentences of a report, the same on the page and in Markdown."""

from collections import Counter

from causarium.engine.record.episode_record import HUMAN
from causarium.report.data.number_format import bounds, digits, show
from causarium.report.data.report_data import Report, Section

HOW_TO_READ = (
    "Each score is a mean over instances; epochs of one instance are averaged first. Brackets show "
    "the 95 % interval: Wilson for shares, otherwise a bootstrap. Where instances share a "
    "mechanism, whole mechanisms are resampled. A dash means that a metric does not apply, which "
    "is not the same as zero.",
    "Read a score between its bounds. Silence earns the floor, random actions earn chance, and an "
    "oracle that knows the answer earns the ceiling. Reference players play the same instances as "
    "the agents unless the text says otherwise. Players that know the answer never lead a table.",
    "On the scale, 0 is the best blind guess and 1 is the oracle. Skill starts higher: 0 is the "
    "best shortcut, which is what can be earned without causal inference, and 1 is the causal "
    "reference player, which knows no secrets.",
    "Published values are comparable with ours only in the paper edition and on the same set. "
    "Papers give no intervals, so none are drawn.",
    "Two agents are compared on the instances for which both have a score. This tells more than "
    "their two intervals, which can overlap even when the difference is clear.",
)


PROFILE = (
    "All runs on one scale: 0 is the best blind guess, 1 is the oracle. Below 0 is worse than a "
    "guess."
)
SPENDING = (
    "Means per episode; the cost is for all episodes, judges and other helper models included. "
    "The input of the first and of the last reply shows how far the conversation grew."
)
FAULTS = (
    "Replies that could not be read, by what was wrong with them, and actions that were not "
    "allowed. Their episodes are scored like any other."
)
BILLS = (
    "By agent and run. Time is the sum over episodes, which run in parallel; a cost is unknown "
    "where a price is. Unusable replies could not be read or were not allowed."
)


def count_noun(number: int, noun: str) -> str:
    """Write a count with its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def overview(report: Report) -> str:
    """Say in one line what the report covers."""
    agents = {agent.name for section in report.sections for agent in section.agents}
    kinds = {section.facts.name for section in report.sections}
    families = f"{len(kinds)} famil{'y' if len(kinds) == 1 else 'ies'}"
    rows = sum(section.rows for section in report.sections)
    return ", ".join((families, count_noun(len(agents), "agent"), count_noun(rows, "row")))


def describe_unscored(section: Section) -> str:
    """Say how many rows have no score and why; always said, also when there is none."""
    if not section.unscored:
        return f"All {count_noun(section.rows, 'row')} scored."
    reasons: Counter[str] = Counter()
    for agent in section.agents:
        reasons.update(agent.reasons)
    why = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common(3))
    more = f"; {len(reasons) - 3} more reasons" if len(reasons) > 3 else ""
    verb = "has" if section.unscored == 1 else "have"
    return (
        f"{section.unscored} of {count_noun(section.rows, 'row')} {verb} no score and "
        f"{'is' if section.unscored == 1 else 'are'} in no mean: {why}{more}."
    )


def describe_unverified(section: Section) -> str:
    """Say how many rows are not verified and why; always said, also when there is none."""
    if not section.unverified:
        if section.unchecked:
            return f"The logs of {count_noun(section.unchecked, 'row')} were not checked."
        return "Every row is verified: its turns replayed, its score worked out anew."
    reasons: Counter[str] = Counter()
    for agent in section.agents:
        reasons.update(agent.doubtful)
    why = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common(3))
    more = f"; {len(reasons) - 3} more reasons" if len(reasons) > 3 else ""
    counts = "and count all the same" if section.doubtful_count else "and in no mean"
    rows = count_noun(section.rows, "row")
    return f"{section.unverified} of {rows} not verified {counts}: {why}{more}."


def count_instances(n: int, mechanisms: int) -> str:
    """Write how many instances there are, and of how many mechanisms where they share any."""
    if not 0 < mechanisms < n:
        return count_noun(n, "instance")
    return f"{count_noun(n, 'instance')} of {count_noun(mechanisms, 'mechanism')}"


def summary_lines(section: Section) -> tuple[str, ...]:
    """Say what a reader with ten seconds should take away."""
    if not section.headline:
        return (describe_unscored(section),)
    lines = (_leader(section), _bounds(section), _scale(section), _best(section))
    return tuple(filter(None, lines))


def _leader(section: Section) -> str:
    metric, leader = section.headline[0], section.leader
    if leader is None or metric not in leader.metrics:
        return ""
    interval = leader.metrics[metric]
    if leader.name == HUMAN:
        who = "Best"
    elif leader.role == "model":
        who = "Best model"
    else:
        who = "No model in these runs; best reference player"
    places = digits([interval.value])
    ends = bounds(interval, places)
    return (
        f"{who}: {leader.agent}, {metric} {show(interval.value, places)}"
        f"{' ' + ends if ends else ''} on {count_instances(interval.n, interval.clusters)}."
    )


def _scale(section: Section) -> str:
    placement, leader = section.placement, section.leader
    if placement is None or leader is None or leader.agent not in placement.scores:
        return ""
    scale = placement.scale
    parts = [
        f"{leader.agent} is at {show(placement.scores[leader.agent].value, 2)} on the scale from "
        f"the best blind guess (0: {scale.blind}) to the oracle (1)"
    ]
    if scale.shortcut is not None:
        parts.append(f"best shortcut {show(scale.shortcut.place, 2)} ({scale.shortcut.player})")
    if scale.causal is not None:
        parts.append(f"causal player {show(scale.causal.place, 2)} ({scale.causal.player})")
    skill = placement.skills.get(leader.agent)
    if skill is not None:
        parts.append(f"skill {show(skill.value, 2)}")
    return f"{'; '.join(parts)}."


def _bounds(section: Section) -> str:
    parts = []
    for ref in section.references:
        source = "" if ref.played else ", from the family card"
        parts.append(f"{ref.name} {show(ref.value)} ({ref.player}{source})")
    text = ", ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if parts else "No reference players in these runs."


def _best(section: Section) -> str:
    metric = section.headline[0]
    values = [b for b in section.published if b.row.metric == metric and b.facet is None]
    if not values:
        by = next((b.facet for b in section.published if b.row.metric == metric), None)
        return f"Published values by {by} are below. {comparability(section)}" if by else ""
    pick = min if section.facts.falls(metric) else max
    best = pick(values, key=lambda value: value.row.value)
    where = ", ".join(filter(None, (best.row.table, best.setting)))
    number = f"{best.row.agent}, {show(best.row.value)} ({where})"
    return f"Best published: {number}. {comparability(section)}"


def comparability(section: Section) -> str:
    """Say what the published values may be used for."""
    if all(value.comparable for value in section.published):
        return "Comparable: same edition, same set."
    if any(value.comparable for value in section.published):
        return "Comparable where the set is the same."
    if section.edition == "paper":
        return "Not directly comparable: published on other sets."
    return "Not directly comparable: published under the paper edition; this is the certified one."


def caveats(section: Section, facet: str | None = None, metric: str = "") -> dict[str, int]:
    """Number the caveats of the published values in one table, in order of appearance."""
    values = (
        value
        for value in section.published
        if value.facet == facet and (not metric or value.row.metric == metric)
    )
    texts = dict.fromkeys(caveat for value in values for caveat in value.caveats)
    return {text: number for number, text in enumerate(texts, 1)}
