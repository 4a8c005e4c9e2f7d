"""The table in the terminal."""

from io import StringIO

import pytest
from rich.console import Console

from causarium.players.audit_family import Audit, AuditRow, ClassRow
from causarium.report.data.build_report import build_report
from causarium.report.output.print_tables import print_audit, print_report
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


def earn(player: str, metric: str) -> AuditRow:
    numbers = {"value": 0.25, "low": 0.125, "high": 0.375}
    return AuditRow(player=player, role="shortcut", metric=metric, n=1200, **numbers)


def test_an_audit_tells_classes_first_and_fits_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    says = "Whoever makes no run that would have come out otherwise had the answer been another."
    one = ClassRow(
        name="no_decisive_run",
        says=says,
        kind="theorem",
        bound=0.25,
        best="a_player_with_a_long_name",
        value=0.5,
        low=0.4,
        high=0.6,
        n=1200,
        kept=False,
    )
    facts = {"family": "toy", "version": "1-A", "edition": "certified", "set": "smoke"}
    players = (earn("a_player_with_a_long_name", "earned"), earn("other", "share"))
    audit = Audit(**facts, headline="earned", zero=0.1, classes=(one,), rows=players)
    print_audit(audit)
    text = capsys.readouterr().out
    assert all(len(line) <= 80 for line in text.splitlines())
    assert text.index("no_decisive_run") < text.index("a_player_with_a_long_name   0.250")
    assert "theorem, at most 0.250, BROKEN" in text
    assert "0.250 [0.125, 0.375]" in text
    assert "1 bounds are broken." in text
    assert "share" not in text
    print_audit(audit, wide=True)
    assert "share" in capsys.readouterr().out
