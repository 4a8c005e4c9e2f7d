"""Runs and audits in a terminal, made of the same summaries as the page.

Tables fit 80 columns with the score first: a reach or a mean with its interval, and the number of
instances that were played. What else they show is for a wide terminal, asked for by name.
"""

from collections.abc import Iterator

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from causarium.contract.frozen import replace_unprintable
from causarium.players.audit_family import Audit
from causarium.report.data.report_data import Report, Section
from causarium.report.data.verdicts import judge
from causarium.report.output import sentences

_STYLES = {"model": "bold", "human": "bold", "player": "", "ceiling": "dim", "floor": "dim"}
_ORDER = ("floor", "shortcut", "causal", "oracle")
WIDEST_NAME = 30
"""A longer name goes on in the next line."""


def print_report(report: Report, console: Console, *, wide: bool = False) -> None:
    """Print one table a set, what is said of each model, and what is unscored."""
    for section in report.sections:
        # A table that is wider than the terminal would cut numbers: it then keeps its own width.
        console.print(headline_table(section, wide=wide), no_wrap=True, crop=False, soft_wrap=wide)
        for agent in section.agents:
            if agent.role == "model" and section.headline:
                one = judge(section, agent.agent)
                programs = sentences.tell_programs(agent)
                start = f"{one.words.capitalize()}." * bool(one.words)
                said = " ".join(filter(None, (start, one.sentence, programs)))
                console.print(Text(replace_unprintable(f"{agent.agent}: {said}")))
        style = "bold red" if section.unscored else "dim"
        note = Text(replace_unprintable(sentences.describe_unscored(section)), style=style)
        console.print(note)
        if section.unverified:
            console.print(
                Text(replace_unprintable(sentences.describe_unverified(section)), style="bold red")
            )


def headline_table(section: Section, *, wide: bool = False) -> Table:
    """Return the headline of every agent; names are plain text, never markup."""
    title = f"{section.facts.title}, {section.edition} edition, set {section.set}"
    table = Table(title=Text(replace_unprintable(title)), title_justify="left", show_edge=False)
    table.add_column("agent", overflow="fold", max_width=None if wide else WIDEST_NAME)
    shown = [column for column in section.columns if wide or not column.wide]
    for column in shown:
        table.add_column(Text(replace_unprintable(column.name)), justify="right", no_wrap=True)
    for number, agent in enumerate(section.agents):
        cells = [column.cells[number] for column in shown]
        texts = [Text(value) for value, _ in cells]
        for place, (_, interval) in enumerate(cells):
            # In 80 columns there is room for the interval of the headline alone.
            if interval and (wide or not place):
                texts[place].append(f" {interval}", style="dim")
        name = Text(replace_unprintable(agent.agent))
        table.add_row(name, *texts, style=_STYLES[agent.role])
    return table


def print_audit(audit: Audit, *, wide: bool = False) -> None:
    """Print each class of players with its bound, then who earned what, floor to oracle."""
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
