"""Tokens, growth and unusable replies, summed by hand."""

import math

from causarium.report.data.build_report import build_report
from causarium.report.data.summaries import count_faults
from causarium.report.output.sentences import effort_line
from tests.report.rows import FACTS, row, write_report

TOOK = {
    "agent": {"input": 100, "cached": 40, "output": 10, "cost": 0.5},
    "helpers": {"judge": {"input": 20, "output": 5, "cost": 0.25}},
    "seconds": 1800.0,
    "replies": [[30, 0, 5], [70, 40, 5]],
}


def report(*given_rows):
    return build_report(given_rows, facts={"toy": FACTS})


def test_what_a_model_took_is_counted_for_every_set():
    other = row("m", 1, 1.0, usage=TOOK, set="other")
    sections = report(row("m", 0, 1.0, usage=TOOK), other, row("player/x", 0, 1.0)).sections
    for section in sections:
        one = section.agents[0].spending
        assert one is not None
        assert (one.episodes, one.input, one.cached, one.output, one.helpers) == (
            1,
            100,
            0.4,
            10,
            25,
        )
        assert (one.seconds, one.cost) == (1800.0, 0.75)
    assert sections[0].agents[1].spending is None
    assert effort_line(report(row("m", 0, 1.0, usage=TOOK), other)).endswith(
        "2 episodes · 3,600 s · 20 tokens written · 1.50 US dollars"
    )


def test_an_unknown_price_is_no_price():
    free = {"agent": {"input": 1, "output": 1}}
    line = effort_line(
        report(row("m", 0, 1.0, usage=TOOK), row("m", 0, 1.0, usage=free, set="other"))
    )
    assert "dollars" not in line
    for lacking in (free, {**TOOK, "agent": free["agent"]}):
        section = report(row("m", 0, 1.0, usage=TOOK), row("m", 1, 1.0, usage=lacking)).sections[0]
        assert math.isnan(section.agents[0].spending.cost)


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


def test_all_of_it_is_on_the_page_and_in_the_rows(tmp_path):
    given_rows = [row("m", 0, 0.0, usage=TOOK, faults={"invalid format": 3})]
    written = write_report(given_rows, tmp_path, facts={"toy": FACTS})
    page = written["html"].read_text(encoding="utf-8")
    assert "Tokens, time and cost" in page
    assert "Unusable replies" in page
    assert '"replies":[[30,0,5],[70,40,5]]' in written["jsonl"].read_text(encoding="utf-8")
