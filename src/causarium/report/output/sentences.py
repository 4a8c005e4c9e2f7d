"""The sentences of a report, the same on the page and in Markdown."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from causarium.report.data.number_format import bounds, digits, show
from causarium.report.data.report_data import Report, Section
from causarium.report.data.summaries import AgentSummary
from causarium.report.data.verdicts import judge, spell

HOW_TO_READ = (
    "Each score is a mean over instances; epochs of one instance are averaged first. Brackets show "
    "the 95 % interval: Wilson for shares, otherwise a bootstrap. Where instances share a "
    "mechanism, whole mechanisms are resampled. A dash means that a metric does not apply, which "
    "is not the same as zero.",
    "The reference infers causes from what an agent sees; a program is a script that does not, or "
    "not wholly. Both play the same instances as the agents unless the text says otherwise. Those "
    "that know the answer never lead a table.",
    "A ladder has rungs, each harder for a causal reason. A score is corrected for chance: 0 is "
    "what the best blind answer earns on a rung, 1 is all right. The reach is the sum of the mean "
    "scores of all rungs: an agent that solves rungs 1 to 3, half of rung 4 and nothing above has "
    "reach 3.5. A run ends after two rungs without a score above 0; rungs above count 0. A reach "
    "with >= is a lower bound: the last rung played was still above .2. Rungs of different "
    "families are not equally hard.",
    "Every episode has one of five outcomes, the first that holds: error (the provider, the judge "
    "or the scorer failed; in no mean), correct (where marks are graded, at least half of them), "
    "malformed (at least half of the replies could not be used), limit (replies cut at the token "
    "limit, or a limit ended the episode before an answer), incorrect.",
    "Published values are comparable with ours only in the paper edition and on the same set. "
    "Papers give no intervals, so none are drawn.",
    "Two agents are compared on the instances for which both have a score. This tells more than "
    "their two intervals, which can overlap even when the difference is clear.",
)


SPENDING = (
    "Means per episode; the cost is for all episodes, judges and other helper models included. "
    "The input of the first and of the last reply shows how far the conversation grew."
)
FAULTS = (
    "Replies that could not be read, by what was wrong with them, and actions that were not "
    "allowed. Their episodes are scored like any other."
)


def count_noun(number: int, noun: str) -> str:
    """Write a count with its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def edition_line(report: Report) -> str:
    """Name the editions, sets and versions of the rows."""
    if not report.sections:
        return "Causarium report"
    editions = list(dict.fromkeys(section.edition for section in report.sections))
    sets = list(dict.fromkeys(section.set for section in report.sections))
    versions = list(dict.fromkeys(section.version for section in report.sections))
    where = f"{' and '.join(editions)} edition{'' if len(editions) == 1 else 's'}"
    noun = "set" if len(report.sections) == 1 else "sets"
    named = f"{', '.join(sets[:4])}{' and more' if len(sets) > 4 else ''} {noun}"
    version = f"version{'' if len(versions) == 1 else 's'} {', '.join(versions[:4])}"
    return f"Causarium report · {where}, {named} · {version}"


def effort_line(report: Report) -> str:
    """Say how much was played, and what it took where models were asked."""
    agents = [agent for section in report.sections for agent in section.agents]
    episodes = sum(agent.rows for agent in agents if agent.role == "model")
    if not episodes:
        return f"{overview(report)}."
    spent = [agent.spending for agent in agents if agent.spending]
    seconds = sum(one.seconds * one.episodes for one in spent if not math.isnan(one.seconds))
    written = sum(one.output * one.episodes for one in spent)
    dollars = sum(one.cost for one in spent)
    parts = [count_noun(episodes, "episode")]
    parts += [f"{seconds:,.0f} s"] if seconds >= 1 else []
    parts += [f"{written:,.0f} tokens written"] if written else []
    parts += [f"{dollars:,.2f} US dollars"] if dollars > 0 else []
    return " · ".join(parts)


def list_incomplete_sets(report: Report) -> list[str]:
    """Name the sets that the first model has not finished."""
    if not report.models:
        return []
    model = report.models[0]
    parts = []
    for section in report.sections:
        mine = [agent for agent in section.agents if agent.agent == model]
        played = mine[0].instances if mine else 0
        if section.spec is not None and played < section.spec.size:
            parts.append(f"{section.facts.title} {played} of {section.spec.size}")
    return [f"{'incomplete: ' if len(report.models) == 1 else model + ': '}{', '.join(parts)}"] * (
        bool(parts)
    )


def family_verdict(section: Section, lanes: Sequence[str]) -> tuple[str, str]:
    """Say in one sentence how the agents did on one set: how it begins, and the rest."""
    models = [lane for lane in lanes if any(lane == agent.agent for agent in section.agents)]
    if not section.headline:
        return "Nothing is scored.", describe_unscored(section)
    if not models:
        return "No model has played.", _tell_marks(section)
    if len(models) > 1:
        return f"{spell(len(models)).capitalize()} agents have played.", ""
    one = judge(section, models[0])
    mine = next(each for each in section.agents if each.agent == one.agent)
    start = f"{one.words[:1].upper()}{one.words[1:]}." if one.words else ""
    return start, f"{one.sentence} {tell_programs(mine)}".strip()


def tell_programs(agent: AgentSummary) -> str:
    """Say whether an agent could run programs; nothing where no log says."""
    if agent.programs is None:
        return ""
    return f"It could {'' if agent.programs else 'not '}run programs."


def _tell_marks(section: Section) -> str:
    digits = 1 if section.rungs else 2
    parts = [f"{name} {show(value, digits)}" for name, value in section.marks.items()]
    return f"{section.measure.capitalize()}: {', '.join(parts)}." if parts else ""


def overview(report: Report) -> str:
    """Say in one line what the report covers."""
    agents = {agent.name for section in report.sections for agent in section.agents}
    kinds = {section.facts.name for section in report.sections}
    families = f"{len(kinds)} famil{'y' if len(kinds) == 1 else 'ies'}"
    rows = sum(section.rows for section in report.sections)
    kind = "agent" if report.models else "reference player"
    return ", ".join((families, count_noun(len(agents), kind), count_noun(rows, "episode")))


def describe_unscored(section: Section) -> str:
    """Say how many rows have no score and why; always said, also when there is none."""
    if not section.unscored:
        return f"All {count_noun(section.rows, 'row')} scored."
    verb = "has" if section.unscored == 1 else "have"
    return (
        f"{section.unscored} of {count_noun(section.rows, 'row')} {verb} no score and "
        f"{'is' if section.unscored == 1 else 'are'} in no mean: "
        f"{_list_reasons(agent.reasons for agent in section.agents)}."
    )


def describe_unverified(section: Section) -> str:
    """Say how many rows are not verified and why; always said, also when there is none."""
    if not section.unverified:
        if section.unchecked:
            return f"The logs of {count_noun(section.unchecked, 'row')} were not checked."
        return "Every row is verified: its turns replayed, its score worked out anew."
    counts = "and count all the same" if section.doubtful_count else "and in no mean"
    rows = count_noun(section.rows, "row")
    why = _list_reasons(agent.doubtful for agent in section.agents)
    return f"{section.unverified} of {rows} not verified {counts}: {why}."


def _list_reasons(counted: Iterable[Mapping[str, int]]) -> str:
    """Write the three commonest reasons of all agents."""
    reasons: Counter[str] = Counter()
    for counts in counted:
        reasons.update(counts)
    why = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common(3))
    return f"{why}; {len(reasons) - 3} more reasons" if len(reasons) > 3 else why


def count_instances(n: int, mechanisms: int) -> str:
    """Write how many instances there are, and of how many mechanisms where they share any."""
    if not 0 < mechanisms < n:
        return count_noun(n, "instance")
    return f"{count_noun(n, 'instance')} of {count_noun(mechanisms, 'mechanism')}"


def summary_lines(section: Section) -> tuple[str, ...]:
    """Say what a reader with ten seconds should take away."""
    if not section.headline:
        return (describe_unscored(section),)
    return tuple(filter(None, (_best_model(section), _tell_marks(section))))


def _best_model(section: Section) -> str:
    best = section.best_model
    if best is None:
        return "No model has played."
    score = section.find_score(best.agent)
    if score is None:
        return ""
    places = 1 if section.rungs else digits([score.value])
    ends = bounds(score, places)
    return (
        f"Best model: {best.agent}, "
        f"{section.measure} {show(score.value, places)}"
        f"{' ' + ends if ends else ''} on {count_instances(score.n, score.clusters)}."
    )


def comparability(section: Section) -> str:
    """Say what the published values may be used for."""
    if section.comparable:
        return "Comparable: same edition, same set."
    if section.edition == "paper":
        return "Not directly comparable: published on other sets."
    return "Paper edition: not comparable with these scores."
