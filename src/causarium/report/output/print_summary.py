"""The end of a run and of the demo in a terminal: score, outcome, commonest failure, what next."""

from collections.abc import Iterator, Sequence

from causarium.contract.frozen import replace_unprintable
from causarium.report.data.report_data import Report, Section
from causarium.report.data.summaries import AgentSummary
from causarium.report.data.verdicts import count_endings, tell_failure
from causarium.report.output import sentences
from causarium.scoring.intervals import Interval

WIDTH = 80


def list_run_lines(report: Report, places: Sequence[str]) -> list[str]:
    """Return what stands at the end of a run: at most nine lines for one agent on one set."""
    lines = []
    for section in report.sections:
        for agent in section.agents:
            lines += [replace_unprintable(line) for line in _tell_agent(section, agent)]
    logs = " ".join(places)
    command = report.summary.next
    tried = [f"  try        {command}"] if command and "run " in command else []
    ends = [f"  look       causarium web {logs}", f"  report     causarium report {logs}"]
    return [*lines, "", *(replace_unprintable(line) for line in (*tried, *ends))]


def _tell_agent(section: Section, agent: AgentSummary) -> Iterator[str]:
    yield (
        f"{agent.agent} on {section.facts.title}, {section.set} "
        f"({sentences.count_noun(agent.instances, 'instance')})"
    )
    if agent.reach is not None:
        yield f"  reach      {_show_reach(section, agent)}"
        yield f"  by rung    {_list_means(agent)}"[:WIDTH]
    elif (score := agent.metrics.get(section.metric)) is not None:
        yield f"  score      {_show(score)}"
    counts = section.outcomes.get(agent.agent, ())
    yield f"  outcome    {_join_outcomes(section, agent.agent)}"
    if failure := tell_failure(counts, section.refusals.get(agent.agent)):
        yield f"  failure    {failure.removesuffix('.')}"
    if agent.unscored:
        reason, count = max(agent.reasons.items(), key=lambda item: item[1])
        yield f"  errors     {agent.unscored:,} left out: {count:,} times {reason}"[:WIDTH]
    if agent.unverified:
        yield f"  warning    {agent.unverified:,} not verified: {next(iter(agent.doubtful))}"[
            :WIDTH
        ]


def list_demo_lines(report: Report) -> list[str]:
    """Return a line a family, and what they come to."""
    lines = [f"  {'family':12}{'reach':>7}   {'95 % CI':13} outcome"]
    for section in report.sections:
        for lane in report.lanes:
            mine = next((agent for agent in section.agents if agent.agent == lane), None)
            if mine is not None:
                value, ends = _write_cells(section, mine)
                outcome = _join_outcomes(section, lane)
                lines.append(f"  {section.name:12.12}{value:>7}   {ends or '-':13} {outcome}")
    if not report.lanes:
        lines = [_tell_programs(section) for section in report.sections]
    summary = report.summary
    return [*lines, "", summary.title, *_wrap(summary.line)]


def _tell_programs(section: Section) -> str:
    """Write what guessing, the strongest program and the reference score on one set."""
    program, digits = section.strongest_program, 1 if section.rungs else 2
    name = f" ({program.agent.removeprefix('player/')})" if program else ""
    told = (
        f"{kind}{name * (kind == 'program')} {value:.{digits}f}"
        for kind, value in section.marks.items()
    )
    return f"  {section.name:12.12}{section.measure}: {', '.join(told)}"[:WIDTH]


def _write_cells(section: Section, agent: AgentSummary) -> tuple[str, str]:
    if agent.reach is not None:
        return agent.reach.in_words, f"{agent.reach.low:.1f} to {agent.reach.high:.1f}"
    score = agent.metrics.get(section.metric)
    value, _, ends = _show(score).partition("   95 % CI ") if score else ("-", "", "")
    return value, ends


def _show_reach(section: Section, agent: AgentSummary) -> str:
    """Write a reach with its interval, how many rungs there are, and what programs reach."""
    reach = agent.reach
    if reach is None:
        return ""
    marks = section.marks
    beside = "".join(
        f"   {name} {marks[name]:.1f}" for name in ("program", "reference") if name in marks
    )
    ends = f"95 % CI {reach.low:.1f} to {reach.high:.1f}"
    return f"{reach.in_words} of {section.full:.0f}   {ends}{beside}"


def _list_means(agent: AgentSummary) -> str:
    """Write the mean score of each rung that was played."""
    means = agent.reach.rungs if agent.reach else ()
    return "  ".join(f"{one.rung}: {one.mean:.2f}" for one in means)


def _wrap(text: str) -> list[str]:
    """Break a text into lines of a terminal."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= WIDTH:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _join_outcomes(section: Section, agent: str) -> str:
    ended = count_endings(section.outcomes.get(agent, ()))
    return ", ".join(f"{count:,} {ending}" for ending, count in ended.most_common())


def _show(score: Interval) -> str:
    """Write a score in per cent, with its interval where it has one."""
    value = f"{100 * score.value:.3g} %"
    if not score.low < score.high:
        return value
    return f"{value}   95 % CI {100 * score.low:.3g} to {100 * score.high:.3g}"
