"""The first table in a terminal, made of the same summaries as the page.

It fits 80 columns with the headline first: its mean with the interval, the place on the scale, and
how many instances were played. What else tables show is for a wide terminal, asked for by name.
"""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from causarium.report.data.number_format import NONE, bounds, digits, replace_unprintable, show
from causarium.report.data.report_data import Report, Section
from causarium.report.data.verdicts import judge
from causarium.report.output import sentences
from causarium.scoring.intervals import Interval

_STYLES = {"model": "bold", "human": "bold", "player": "", "ceiling": "dim", "floor": "dim"}
WIDEST_NAME = 30
"""A longer name goes on in the next line."""


def print_report(report: Report, console: Console, *, wide: bool = False) -> None:
    """Print one table a set, what is said of each model, and what is unscored.

    Args:
        report: The report.
        console: Where to print.
        wide: Whether to print every metric of the tables, whatever the width.
    """
    for section in report.sections:
        # A table that is wider than the terminal would cut numbers: it then keeps its own width.
        console.print(headline_table(section, wide=wide), no_wrap=True, crop=False, soft_wrap=wide)
        if section.placement.scale is None and section.headline:
            why = section.placement.why
            console.print(Text(f"{why[:1].upper()}{why[1:]}.", style="dim"))
        for agent in section.agents:
            if agent.role == "model" and section.headline:
                one = judge(section, agent.agent)
                programs = sentences.tell_programs(agent)
                said = " ".join(filter(None, (f"{one.words}.", one.sentence, programs)))
                console.print(Text(replace_unprintable(f"{agent.agent}: {said}")))
        style = "bold red" if section.unscored else "dim"
        note = Text(replace_unprintable(sentences.describe_unscored(section)), style=style)
        console.print(note)
        if section.unverified:
            console.print(
                Text(replace_unprintable(sentences.describe_unverified(section)), style="bold red")
            )


def headline_table(section: Section, *, wide: bool = False) -> Table:
    """Return the headline of every agent; names are plain text, never markup.

    Args:
        section: The set.
        wide: Whether to add the other metrics that tables show, and the turns.
    """
    title = f"{section.facts.title}, {section.edition} edition, set {section.set}"
    table = Table(title=Text(replace_unprintable(title)), title_justify="left", show_edge=False)
    table.add_column("agent", overflow="fold", max_width=None if wide else WIDEST_NAME)
    metrics = section.headline if wide else section.headline[:1]
    for metric in metrics:
        table.add_column(Text(replace_unprintable(metric)), justify="right", no_wrap=True)
    scores = section.placement.scores
    counts = ("n", *(("turns",) if wide else ()), *(("unscored",) if section.unscored else ()))
    for name in (*(("scale",) if scores else ()), *counts):
        table.add_column(name, justify="right", no_wrap=True)
    for agent in section.agents:
        name = agent.agent
        numbers = {"n": agent.n, "turns": show(agent.turns, 1), "unscored": agent.unscored}
        table.add_row(
            Text(replace_unprintable(name)),
            *(_cell(section, metric, agent.metrics.get(metric)) for metric in metrics),
            *([show(scores[name].value, 2) if name in scores else NONE] if scores else ()),
            *(str(numbers[count]) for count in counts),
            style=_STYLES[agent.role],
        )
    return table


def _cell(section: Section, metric: str, interval: Interval | None) -> Text:
    if interval is None:
        return Text(NONE)
    values = [a.metrics[metric].value for a in section.agents if metric in a.metrics]
    places = digits(values)
    text = Text(show(interval.value, places))
    return text.append(f" {bounds(interval, places)}", style="dim")
