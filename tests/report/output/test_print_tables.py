"""The table in the terminal."""

from io import StringIO

import pytest
from rich.console import Console

from causarium.players.audit_family import Audit, TheoremRow
from causarium.players.programs import Program, ProgramReach
from causarium.report.data.build_report import build_report
from causarium.report.output.print_tables import print_audit, print_report
from causarium.scoring.reach import RungMean
from tests.report.rows import FACTS, row, rows


def printed(given_rows, width=100):
    stream = StringIO()
    console = Console(file=stream, width=width, force_terminal=False)
    print_report(build_report(given_rows, facts={"toy": FACTS}), console)
    return stream.getvalue()


def test_it_shows_the_headline_metrics_with_intervals():
    text = printed(rows(m="11", player__silent="00"))
    assert "Toy, certified edition, set smoke" in text
    assert "1.000 [0.342, 1.000]" in text
    assert "All 4 rows scored." in text


def test_names_are_never_read_as_markup():
    text = printed([row("[bold]x[/bold]\x1b[31m", 0, 1.0, unscored="[red]no[/red]")])
    assert "[bold]x[/bold]" in text
    assert "\x1b" not in text
    assert "[red]no[/red]" in text


def test_it_fits_80_columns_and_cuts_neither_number_nor_name():
    name = "provider/a-model-with-a-name-of-more-than-eighty-letters-" + "x" * 60
    text = printed([row(name, at, 1.0) for at in range(4)] + rows(player__silent="0000"), width=80)
    table = text.partition("All 8 rows")[0]
    assert "…" not in text
    assert "1.000 [0.510, 1.000]" in table
    assert name in text.replace("\n", "").replace(" ", "")
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "distance" not in table


def test_a_wide_table_has_every_metric():
    stream = StringIO()
    report = build_report(rows(m="11", player__silent="00"), facts={"toy": FACTS})
    print_report(report, Console(file=stream, width=80), wide=True)
    assert "distance" in stream.getvalue()
    assert "…" not in stream.getvalue()


def earn(name: str, rungs: int = 8) -> Program:
    means = tuple(RungMean(rung, 12, 0.25, 0.125, 0.375) for rung in range(1, rungs + 1))
    reach = ProgramReach(value=0.25, low=0.125, high=0.375, open=True, rungs=means)
    return Program(
        name=name,
        about="Finds a try that moves the target, and halves what moves.",
        sees="prompt and observations",
        lines=1200,
        reach=reach,
        level="rung-12",
        reference=name == "other",
        n=1200,
        version="4-A",
    )


def test_an_audit_tells_theorems_first_and_fits_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    one = TheoremRow(
        name="no_decisive_run",
        says="Whoever makes no run that would come out otherwise had the answer been another.",
        kind="theorem",
        bound=0.25,
        best="a_player_with_a_long_name",
        value=0.5,
        low=0.4,
        high=0.6,
        n=1200,
        kept=False,
        broken_levels=("rung-3",),
    )
    facts = {"family": "toy", "version": "1-A", "edition": "certified", "set": "smoke"}
    programs = (earn("a_player_with_a_long_name"), earn("other"))
    audit = Audit(**facts, headline="earned", theorems=(one,), programs=programs)
    print_audit(audit)
    text = capsys.readouterr().out
    assert all(len(line) <= 80 for line in text.splitlines())
    assert text.index("no_decisive_run") < text.index("theorem, at most") < text.index("reach")
    assert "theorem, at most 0.250, BROKEN" in text
    assert ">= 0.25 [0.12, 0.38]" in text
    assert "Broken theorems: 1." in text
    assert "(reference)" in text
    assert "halves" not in text
    print_audit(audit, wide=True)
    wide = capsys.readouterr().out
    assert "halves what moves" in wide
    assert "prompt and observations" in wide


def test_an_audit_without_rungs_has_means(capsys: pytest.CaptureFixture[str]) -> None:
    facts = {"family": "toy", "version": "1-A", "edition": "certified", "set": "smoke"}
    print_audit(Audit(**facts, headline="earned", programs=(earn("other", rungs=0),)))
    text = capsys.readouterr().out
    assert "mean" in text
    assert "All theorems hold." in text
