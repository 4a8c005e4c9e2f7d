"""The pictures, read as text."""

import re
from html import unescape
from xml.etree import ElementTree as ET

from causarium.charts.svg import make_standalone
from causarium.report.data.build_report import build_report
from causarium.report.figures.headline_figures import (
    effort_figure,
    facet_figures,
    headline_figure,
    leading_agents,
)
from tests.report.rows import FACTS, row, rows


def section(given_rows, facts=FACTS):
    return build_report(given_rows, facts={facts.name: facts}).sections[0]


def texts(svg):
    return [unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]


ALLOWED = {"svg", "title", "desc", "rect", "line", "text", "circle", "polygon"}
BOUNDED = rows(good="1110", player__x="1100", player__oracle="1111", player__silent="0000")


def test_the_headline_figure_names_every_agent_and_every_bound():
    shown = texts(headline_figure(section(BOUNDED)))
    assert {"good", "player/x", "player/oracle", "player/silent"} <= set(shown)


def test_an_agent_without_a_number_is_not_drawn():
    given_rows = [*BOUNDED, row("mute", 0, 1.0, numbers={"accuracy": None})]
    assert "mute" not in texts(headline_figure(section(given_rows)))


def test_nothing_to_draw_is_no_picture():
    one = section([row("mute", 0, 1.0, numbers={"accuracy": None}, labels={})])
    assert headline_figure(one) == effort_figure(one) == ""
    assert facet_figures(one) == []


def test_each_facet_has_a_panel_and_only_the_leading_agents_a_colour():
    many = rows(**{f"m{at}": "1100" for at in range(9)}, player__silent="0000")
    one = section(many)
    panels = facet_figures(one)
    assert [texts(svg)[0] for svg in panels] == ["size", "kind"]
    assert len(leading_agents(one)) == 6
    assert len({colour for _, colour in leading_agents(one)}) == 6


def test_agents_on_one_point_share_a_label():
    given_rows = [*rows(a="10", b="10"), row("c", 0, 1.0, turns=9)]
    shown = texts(effort_figure(section(given_rows)))
    assert "a, b" in shown
    assert "c" in shown


def test_colours_follow_the_page_and_there_are_no_ids():
    svg = headline_figure(section(BOUNDED))
    assert '"#1c2126"' not in svg
    assert "var(--ink, #1c2126)" in svg
    assert " id=" not in svg
    alone = make_standalone(svg)
    assert "var(" not in alone
    assert "#1c2126" in alone


def test_every_text_is_large_enough_to_be_read():
    sizes = re.findall(r'font-size="([\d.]+)"', headline_figure(section(BOUNDED)))
    assert sizes
    assert min(map(float, sizes)) >= 11


def test_hostile_names_are_text_in_every_picture():
    bad = '<script>x</script>"&\x00'
    given_rows = [
        row(bad, at, float(at % 2), labels={bad: f"{bad}{at % 2}"}, facets={bad: f"{bad}{at}"})
        for at in range(4)
    ]
    one = section([*given_rows, row("b", 0, 1.0, turns=5)])
    drawn = [headline_figure(one), effort_figure(one), *facet_figures(one)]
    assert len(drawn) == 3
    for svg in drawn:
        tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(svg).iter()}
        assert tags <= ALLOWED
