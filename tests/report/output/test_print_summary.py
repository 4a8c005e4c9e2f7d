"""The end of a run in a terminal: nine lines in 80 columns, and the demo's in fourteen."""

from causarium.report.data.build_report import build_report
from causarium.report.output.print_summary import list_demo_lines, list_run_lines
from tests.report.rows import FACTS, five_families, row, rows

KNOWN = {"toy": FACTS}
REFUSED = {"faults": {"no JSON": 2}, "refusals": {"no JSON object in the reply": 2}}


def test_a_run_ends_in_nine_lines() -> None:
    refused = [row("m", at, 0.0, answered=False, **REFUSED) for at in range(3, 40)]
    report = build_report([*rows(m="111"), *refused], facts=KNOWN)
    lines = list_run_lines(report, ["logs"])
    assert len(lines) <= 9
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    assert "m on Toy, smoke (40 instances)" in text
    assert "score      7.5 %   95 % CI" in text
    assert "outcome    37 malformed, 3 correct" in text
    assert "failure    No JSON object in the reply (74 of 80 replies)" in text
    assert "try        causarium run toy --model m --rule constrained=true" in text


def test_the_demo_ends_in_fourteen_lines() -> None:
    report = build_report(five_families(1))
    lines = list_demo_lines(report)
    assert len(lines) + 4 <= 14
    assert max(map(len, lines)) <= 80


def test_an_error_is_counted_and_named() -> None:
    report = build_report(
        [*rows(m="11"), row("m", 2, 0.0, unscored="\x1bprovider: 503")], facts=KNOWN
    )
    text = "\n".join(list_run_lines(report, ["logs"]))
    assert "errors     1 left out: 1 times" in text
    assert "\x1b" not in text
