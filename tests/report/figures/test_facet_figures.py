"""The pictures, read as text."""

import re
from html import unescape
from xml.etree import ElementTree as ET

from causarium.charts.svg import make_standalone
from causarium.report.data.build_report import build_report
from causarium.report.figures import draw_facets, leading_agents
from tests.report.rows import FACTS, row, rows


def section(given_rows, facts=FACTS):
    return build_report(given_rows, facts={facts.name: facts}).sections[0]


def texts(svg):
    return [unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]


ALLOWED = {"svg", "title", "desc", "rect", "line", "text", "circle", "polygon"}
BOUNDED = rows(good="1110", player__x="1100", player__oracle="1111", player__silent="0000")


def test_nothing_to_draw_is_no_picture():
    one = section([row("mute", 0, 1.0, numbers={"accuracy": None}, labels={})])
    assert draw_facets(one) == []


def test_each_facet_has_a_panel_and_only_the_leading_agents_a_colour():
    many = rows(**{f"m{at}": "1100" for at in range(9)}, player__silent="0000")
    one = section(many)
    panels = draw_facets(one)
    assert [texts(svg)[0] for svg in panels] == ["size", "kind"]
    assert len(leading_agents(one)) == 6
    assert len({colour for _, colour in leading_agents(one)}) == 6


def test_a_person_has_marks_too():
    assert len(draw_facets(section(rows(human="1100", good="1110")))) == 2


def test_colours_follow_the_page_and_there_are_no_ids():
    svg = draw_facets(section(BOUNDED))[0]
    assert '"#1c2126"' not in svg
    assert "var(--ink, #1c2126)" in svg
    assert " id=" not in svg
    alone = make_standalone(svg)
    assert "var(" not in alone
    assert "#1c2126" in alone


def test_every_text_is_large_enough_to_be_read():
    sizes = re.findall(r'font-size="([\d.]+)"', "".join(draw_facets(section(BOUNDED))))
    assert sizes
    assert min(map(float, sizes)) >= 11


def test_hostile_names_are_text_in_every_picture():
    bad = '<script>x</script>"&\x00'
    given_rows = [
        row(bad, at, float(at % 2), labels={bad: f"{bad}{at % 2}"}, facets={bad: f"{bad}{at}"})
        for at in range(4)
    ]
    drawn = draw_facets(section([*given_rows, row("b", 0, 1.0, turns=5)]))
    assert drawn
    for svg in drawn:
        tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(svg).iter()}
        assert tags <= ALLOWED
