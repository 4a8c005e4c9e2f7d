"""The headline table in a terminal, made of the same summaries as the page."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from causarium.report.data.number_format import NONE, bounds, digits, replace_unprintable, show
from causarium.report.data.report_data import Report, Section
from causarium.report.output import sentences
from causarium.scoring.intervals import Interval

_STYLES = {"model": "bold", "player": "", "ceiling": "dim", "floor": "dim"}


def print_report(report: Report, console: Console) -> None:
    """Print one headline table a section, and what is unscored."""
    for section in report.sections:
        table = headline_table(section)
        unbounded = console.options.update(max_width=10_000)
        if console.measure(table, options=unbounded).maximum > console.width:
            table = headline_table(section, intervals=False)
        console.print(table)
        style = "bold red" if section.unscored else "dim"
        note = Text(replace_unprintable(sentences.describe_unscored(section)), style=style)
        console.print(note)
        if section.unverified:
            console.print(
                Text(replace_unprintable(sentences.describe_unverified(section)), style="bold red")
            )


def headline_table(section: Section, *, intervals: bool = True) -> Table:
    """Return the headline metrics of every agent; names are plain text, never markup.

    Without intervals it fits a narrow terminal.
    """
    title = f"{section.facts.title}, {section.edition} edition, set {section.set}"
    table = Table(title=Text(replace_unprintable(title)), title_justify="left", show_edge=False)
    table.add_column("agent", no_wrap=True, overflow="fold")
    for metric in section.headline:
        table.add_column(Text(replace_unprintable(metric)), justify="right")
    skills = section.placement.skills if section.placement else {}
    if skills:
        table.add_column("skill", justify="right")
    counts = ("n", "turns", "unscored") if section.unscored else ("n", "turns")
    for name in counts:
        table.add_column(name, justify="right")
    for agent in section.agents:
        cells = [
            _cell(section, metric, agent.metrics.get(metric), intervals=intervals)
            for metric in section.headline
        ]
        name = agent.agent
        table.add_row(
            Text(replace_unprintable(name)),
            *cells,
            *([show(skills[name].value, 2) if name in skills else NONE] if skills else ()),
            *(str(agent.n), show(agent.turns, 1), str(agent.unscored))[: len(counts)],
            style=_STYLES[agent.role],
        )
    return table


def _cell(section: Section, metric: str, interval: Interval | None, *, intervals: bool) -> Text:
    if interval is None:
        return Text(NONE)
    values = [a.metrics[metric].value for a in section.agents if metric in a.metrics]
    places = digits(values)
    text = Text(show(interval.value, places))
    return text.append(f" {bounds(interval, places)}", style="dim") if intervals else text
