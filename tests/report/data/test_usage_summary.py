"""Bills, growth and replies unusable replies, summed by hand."""

import math

from causarium.report.data.build_report import build_report
from causarium.report.data.summaries import TOGETHER, count_faults
from causarium.report.output.write_report import render_markdown
from tests.report.rows import FACTS, row, write_report

TOOK = {
    "agent": {"input": 100, "cached": 40, "output": 10, "cost": 0.5},
    "helpers": {"judge": {"input": 20, "output": 5, "cost": 0.25}},
    "seconds": 1800.0,
    "replies": [[30, 0, 5], [70, 40, 5]],
}


def report(*given_rows):
    return build_report(given_rows, facts={"toy": FACTS})


def test_every_agent_has_a_bill_for_every_set_and_one_for_all_together():
    other = row("m", 1, 1.0, usage=TOOK, set="other", faults={"invalid format": 2})
    found = report(row("m", 0, 1.0, usage=TOOK), other, row("player/x", 0, 1.0)).bills
    assert [bill.run for bill in found] == [
        "Toy, certified, smoke",
        "Toy, certified, other",
        TOGETHER,
    ]
    one, _, both = found
    assert (one.input, one.cached, one.output, one.helpers) == (100, 40, 10, 25)
    assert (one.seconds, one.cost, one.faults) == (1800.0, 0.75, 0)
    assert (both.episodes, both.input, both.seconds, both.cost, both.faults) == (
        2,
        200,
        3600.0,
        1.5,
        2,
    )


def test_a_sum_that_leaves_out_an_unknown_price_is_unknown():
    free = {"agent": {"input": 1, "output": 1}}
    *_, both = report(row("m", 0, 1.0, usage=TOOK), row("m", 0, 1.0, usage=free, set="other")).bills
    assert both.run == TOGETHER
    assert math.isnan(both.cost)


def test_the_growth_of_a_conversation_is_what_its_first_and_last_reply_read():
    short = {**TOOK, "replies": [[50, 0, 1]]}
    (agent,) = (
        report(row("m", 0, 1.0, usage=TOOK), row("m", 1, 1.0, usage=short)).sections[0].agents
    )
    took = agent.spending
    assert took is not None
    assert (took.replies, took.first, took.last) == (1.5, 40, 60)


def test_replies_in_vain_are_counted_by_kind_and_agent():
    grouped = {
        "a": [row("a", 0, 0.0, faults={"x": 2, "y": 1}), row("a", 1, 0.0, faults={"x": 1})],
        "b": [row("b", 0, 1.0)],
    }
    table = count_faults(grouped)
    assert table is not None
    assert table.kinds == ("x", "y")
    assert table.lines == (("a", 4, (3, 1)),)
    assert count_faults({"b": grouped["b"]}) is None


def test_all_of_it_is_on_the_page_in_markdown_and_in_the_rows(tmp_path):
    given_rows = [row("m", 0, 0.0, usage=TOOK, faults={"invalid format": 3})]
    text = render_markdown(report(*given_rows))
    assert "## Cost and usage" in text
    assert "| m | Toy, certified, smoke | 1 | 100 | 40 | 10 | 25 | 0.50 | 0.75 | 3 | 0 |" in text
    assert "| m | 3 | 2 |" in text
    written = write_report(given_rows, tmp_path, facts={"toy": FACTS})
    page = written["html"].read_text(encoding="utf-8")
    assert "Tokens, time and cost of every run" in page
    assert "Unusable replies" in page
    assert '"replies":[[30,0,5],[70,40,5]]' in written["jsonl"].read_text(encoding="utf-8")
