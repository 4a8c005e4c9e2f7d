"""A packed page says the same in fewer bytes."""

import re

from hypothesis import given
from hypothesis import strategies as st

from causarium.charts.palette import INK
from causarium.charts.svg import line, make_svg, text
from causarium.report.output.write_html import pack_page

WORDS = st.text(st.sampled_from('ab <>"&;{}=\n'), max_size=12)


def strip_tags(markup: str) -> list[str]:
    return re.sub(r"<[^>]*>", " ", markup).split()


@given(st.lists(WORDS, max_size=4))
def test_words_stay_and_what_repeats_is_written_once(words: list[str]) -> None:
    marks = "".join(text((1.23, 4.567), word, fill=INK) for word in words)
    body = f"<div>\n    {make_svg(40, 20, marks, title='t', about='a')}\n  </div>"
    packed, rules = pack_page(body)
    assert strip_tags(packed) == strip_tags(body)
    assert rules.count("{") == rules.count("}") == (2 if words else 1)
    assert "#1c2126" not in packed


def test_looks_become_one_class_and_code_keeps_its_indents() -> None:
    marks = "".join(line((x, 0.123), (x, 9), stroke=INK, width=2) for x in range(5))
    body = make_svg(40, 20, marks, title="t", about="a") + "<pre>\n    code</pre>"
    packed, rules = pack_page(body)
    assert "stroke:var(--ink);stroke-width:2;" in rules
    assert len(set(re.findall(r'<line class="(q\d+)"', packed))) == 1
    assert "<pre>\n    code</pre>" in packed
