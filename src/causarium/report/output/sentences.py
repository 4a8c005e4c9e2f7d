"""The sentences of a report, the same on the page and in Markdown."""

from collections import Counter

from causarium.engine.record.episode_record import HUMAN
from causarium.report.data.number_format import bounds, digits, show
from causarium.report.data.report_data import Report, Section

HOW_TO_READ = (
    "Each number is a mean over instances; epochs of one instance are averaged first. The brackets "
    "hold the 95 % interval: Wilson's for shares, a bootstrap over instances otherwise. A dash "
    "means that a metric does not apply, which is not the same as zero.",
    "Read a score between its bounds. The floor is earned by saying nothing, chance by acting at "
    "random, the ceiling by an oracle that knows the answer; all are played on these very "
    "instances unless the text says otherwise.",
    "A published value may be compared with ours only in the paper edition and on the same set. "
    "Beside any other run it is there for orientation. Papers give no intervals, so none is drawn.",
    "Two agents are compared on the instances that both were scored on. That says more than their "
    "two intervals, which may overlap although the difference is clear.",
)


PROFILE = (
    "Every run on one scale: 0 is the best that anyone earns without looking, 1 is the oracle. "
    "Below 0 is worse than a guess."
)
SPENDING = (
    "Means an episode; the cost is of all episodes together, judges and other helpers included. "
    "What the first and the last reply of an episode read tells how far the conversation grew."
)
FAULTS = (
    "Replies that could not be read, by what was wrong with them, and moves that were read and not "
    "allowed. They count at what they earned."
)
BILLS = (
    "By agent and run. Time is the sum over episodes, which run side by side; a cost without a "
    "price is not known. In vain: replies that could not be read or obeyed."
)


def counted(number: int, noun: str) -> str:
    """Write a count with its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def overview(report: Report) -> str:
    """Say in one line what the report covers."""
    agents = {agent.name for section in report.sections for agent in section.agents}
    kinds = {section.facts.name for section in report.sections}
    families = f"{len(kinds)} famil{'y' if len(kinds) == 1 else 'ies'}"
    rows = sum(section.rows for section in report.sections)
    return ", ".join((families, counted(len(agents), "agent"), counted(rows, "row")))


def unscored(section: Section) -> str:
    """Say how many rows have no score and why; always said, also when there is none."""
    if not section.unscored:
        return f"All {counted(section.rows, 'row')} scored."
    reasons: Counter[str] = Counter()
    for agent in section.agents:
        reasons.update(agent.reasons)
    why = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common(3))
    more = f"; {len(reasons) - 3} more reasons" if len(reasons) > 3 else ""
    verb = "has" if section.unscored == 1 else "have"
    return (
        f"{section.unscored} of {counted(section.rows, 'row')} {verb} no score and "
        f"{'is' if section.unscored == 1 else 'are'} in no mean: {why}{more}."
    )


def glance(section: Section) -> tuple[str, ...]:
    """Say what a reader with ten seconds should take away."""
    if not section.headline:
        return (unscored(section),)
    return tuple(filter(None, (_leader(section), _bounds(section), _best(section))))


def _leader(section: Section) -> str:
    metric, leader = section.headline[0], section.leader
    if leader is None or metric not in leader.metrics:
        return ""
    found = leader.metrics[metric]
    if leader.name == HUMAN:
        who = "Best"
    elif leader.role == "model":
        who = "Best model"
    else:
        who = "No model has played; best player"
    places = digits([found.value])
    interval = bounds(found, places)
    return (
        f"{who}: {leader.agent}, {metric} {show(found.value, places)}"
        f"{' ' + interval if interval else ''} on {counted(found.n, 'instance')}."
    )


def _bounds(section: Section) -> str:
    parts = [
        f"{ref.name} {show(ref.value)} ({ref.player}{'' if ref.played else ', by the card'})"
        for ref in section.references
    ]
    text = ", ".join(parts)
    return f"{text[:1].upper()}{text[1:]}." if parts else "No bounds were played."


def _best(section: Section) -> str:
    metric = section.headline[0]
    found = [b for b in section.published if b.row.metric == metric and b.facet is None]
    if not found:
        by = next((b.facet for b in section.published if b.row.metric == metric), None)
        return f"Published values by {by} are below. {use(section)}" if by else ""
    pick = min if section.facts.falls(metric) else max
    best = pick(found, key=lambda beside: beside.row.value)
    where = ", ".join(filter(None, (best.row.table, best.setting)))
    return f"Best published: {best.row.agent}, {show(best.row.value)} ({where}). {use(section)}"


def use(section: Section) -> str:
    """Say what the published values may be used for."""
    if all(beside.comparable for beside in section.published):
        return "Comparable: same edition, same set."
    if any(beside.comparable for beside in section.published):
        return "Comparable where the set is the same."
    if section.edition == "paper":
        return "For orientation only: published on other sets."
    return "For orientation only: published under the paper edition, this is the certified one."


def caveats(section: Section, facet: str | None = None, metric: str = "") -> dict[str, int]:
    """Number the caveats of the published values in one table, in order of appearance."""
    found = (
        beside
        for beside in section.published
        if beside.facet == facet and (not metric or beside.row.metric == metric)
    )
    texts = dict.fromkeys(caveat for beside in found for caveat in beside.caveats)
    return {text: number for number, text in enumerate(texts, 1)}
