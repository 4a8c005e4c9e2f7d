"""Runs and audits in a terminal, made of the same summaries as the page.

Tables fit 80 columns with the headline first: its mean with the interval, the place on the scale,
and how many instances were played. What else they show is for a wide terminal, asked for by name.
"""

from collections.abc import Iterator

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from causarium.players.audit_family import Audit
from causarium.report.data.number_format import NONE, bounds, digits, replace_unprintable, show
from causarium.report.data.report_data import Report, Section
from causarium.report.data.verdicts import judge
from causarium.report.output import sentences
from causarium.scoring.intervals import Interval

_STYLES = {"model": "bold", "human": "bold", "player": "", "ceiling": "dim", "floor": "dim"}
_ORDER = ("floor", "shortcut", "causal", "oracle")
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


def print_audit(audit: Audit, *, wide: bool = False) -> None:
    """Print each class of players with its bound, then who earned what, floor to oracle.

    Args:
        audit: The audit.
        wide: Whether to print every metric of every player; else the headline, in 80 columns.
    """
    console = Console(highlight=False)
    zero = "" if audit.zero is None else f", zero {audit.zero:.3f}"
    head = f"{audit.family} {audit.version}, certified set {audit.set}: {audit.headline}{zero}"
    console.print(Text(head, style="bold"))
    for line in _tell_classes(audit):
        console.print(line)
    for sentence in audit.not_covered:
        console.print(Text(f"Not covered: {sentence}"))
    table = _make_player_table(audit, wide=wide)
    console.print(table, no_wrap=True, crop=False, soft_wrap=wide)
    for text in audit.skipped:
        console.print(Text(f"skipped {text}"))
    broken = sum(not row.kept for row in audit.classes)
    console.print("All bounds hold." if not broken else f"{broken} bounds are broken.")


def _tell_classes(audit: Audit) -> Iterator[Text]:
    """Yield the sentence of each class, and below it the bound and the best of its members."""
    for row in audit.classes:
        style = "" if row.kept else "bold red"
        yield Text(f"{row.name}: {row.says}", style=style)
        held = "holds on each level" if row.kept else f"BROKEN on {', '.join(row.broken_levels)}"
        earned = f"{row.best} {row.value:.3f} [{row.low:.3f}, {row.high:.3f}], n {row.n}"
        yield Text(f"  {row.kind}, at most {row.bound:.3f}, {held}; {earned}", style=style)


def _make_player_table(audit: Audit, *, wide: bool) -> Table:
    rows = [row for row in audit.rows if wide or row.metric == audit.headline]
    table = Table(box=box.SIMPLE)
    for column in ("role", "player"):
        table.add_column(column, overflow="fold")  # On a narrow terminal names break, not numbers.
    for column in ("earned", "n"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in sorted(rows, key=lambda row: (_ORDER.index(row.role), row.metric, row.value)):
        player = row.player if row.metric == audit.headline else f"{row.player}, {row.metric}"
        earned = f"{row.value:.3f} [{row.low:.3f}, {row.high:.3f}]"
        table.add_row(row.role, player, earned, str(row.n))
    return table
