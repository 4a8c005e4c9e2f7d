"""Runs and audits in a terminal, made of the same summaries as the page.

Tables fit 80 columns with the score first: a reach or a mean with its interval, and the number of
instances that were played. What else they show is for a wide terminal, asked for by name.
"""

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from causarium.contract.frozen import replace_unprintable
from causarium.players.audit_family import Audit
from causarium.players.programs import Program
from causarium.report.data.report_data import Report, Section
from causarium.report.data.verdicts import judge
from causarium.report.output import sentences

_STYLES = {"model": "bold", "human": "bold", "player": "", "ceiling": "dim", "floor": "dim"}
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
    """Print each theorem with its bound and the best of its members, then all programs."""
    console = Console(highlight=False)
    head = f"{audit.family} {audit.version}, certified set {audit.set}: {audit.headline}"
    console.print(Text(head, style="bold"))
    for line in _tell_theorems(audit):
        console.print(line)
    table = _make_program_table(audit.programs, wide=wide)
    console.print(table, no_wrap=True, crop=False, soft_wrap=wide)
    for text in audit.skipped:
        console.print(Text(f"skipped {text}"))
    broken = sum(not row.kept for row in audit.theorems)
    console.print("All theorems hold." if not broken else f"Broken theorems: {broken}.")


def _tell_theorems(audit: Audit) -> Iterator[Text]:
    """Yield the sentence of each theorem, and below it the bound and the best of its members."""
    for row in audit.theorems:
        style = "" if row.kept else "bold red"
        yield Text(f"{row.name}: {row.says}", style=style)
        held = "holds on each level" if row.kept else f"BROKEN on {', '.join(row.broken_levels)}"
        earned = f"{row.best} {row.value:.3f} [{row.low:.3f}, {row.high:.3f}], n {row.n}"
        yield Text(f"  {row.kind}, at most {row.bound:.3f}, {held}; {earned}", style=style)


def _make_program_table(programs: Sequence[Program], *, wide: bool) -> Table:
    """Return a line a program, the strongest first; where it is wide, also what each does."""
    climbed = any(one.reach.rungs for one in programs)
    table = Table(box=box.SIMPLE)
    table.add_column("program", overflow="fold")  # On a narrow terminal names break, not numbers.
    table.add_column("sees")
    for column in ("lines", "reach" if climbed else "mean", "top rung", "n"):
        table.add_column(column, justify="right", no_wrap=True)
    if wide:
        table.add_column("what it does")
    for one in programs:
        name = f"{one.name} (reference)" if one.reference else one.name
        sees = one.sees if wide else one.sees.replace("prompt and observations", "game")
        cells = (name, sees, str(one.lines), one.reach.in_words, one.level, str(one.n))
        table.add_row(*map(Text, (*cells, *([one.about] if wide else []))))
    return table
