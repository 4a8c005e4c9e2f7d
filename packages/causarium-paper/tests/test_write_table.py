"""Published tables as drawings: every one can be drawn, one's own numbers are filled marks."""

import xml.etree.ElementTree as ET

import pytest
from causarium_paper.write_table import draw_table

from causarium import published
from causarium.charts.svg import make_standalone

TABLES = [table for name in published.families() for table in published.tables(name)]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table.family}-{table.name}")
def test_every_number_of_a_table_is_a_mark(table: published.Table) -> None:
    drawn = ET.fromstring(make_standalone(draw_table(table).svg))
    assert len(drawn.findall(f"{SVG}polygon")) == len(published.rows(table.family, table.name))


def test_own_numbers_are_filled_marks_on_a_curve_over_turns() -> None:
    table = published.find_table("causalgame", "Figure 8")
    own = [
        published.PublishedRow(
            family="causalgame",
            table=table.name,
            setting={"turn": str(turn)},
            agent="yours: <me>",
            metric="claim_distance",
            value=4.0 - turn,
            unit="mean",
        )
        for turn in range(1, 30)
    ]
    drawn = ET.fromstring(make_standalone(draw_table(table, own).svg))
    assert len(drawn.findall(f"{SVG}polyline")) == 1
    assert len(drawn.findall(f"{SVG}circle")) == 29 + 1, "one more in the legend"
