"""A report in a folder: what is in it, that names are harmless, that nothing is left half."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import pytest

from causarium.contract.row import Row
from causarium.contract.verdict import Metric
from causarium.errors import BadFile, UnknownName
from causarium.report.data.build_report import build_report
from causarium.report.data.report_data import Panel
from causarium.report.figures import draw_facets, figure_files
from causarium.report.output.write_report import write_built
from tests.report.rows import FACTS, row, rows, write_report

HOSTILE = "<script>alert(1)</script>\"'&|`[x](javascript:1)\x00\x1b[31m\u2028</style></svg>"


class Outline(HTMLParser):
    """Collects the tags and the text of a page."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text.append(data)


def outline(path):
    page = Outline()
    page.feed(path.read_text(encoding="utf-8"))
    return page


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    out = tmp_path_factory.mktemp("report")
    given_rows = [
        *rows(good="1" * 12, fair="1" * 6 + "0" * 6, player__x="01" * 6),
        *rows(player__oracle="1" * 12, player__silent="0" * 12),
        row("good", 12, 0.0, unscored="the judge could not decide"),
    ]
    panel = Panel(title="A picture", markup="<svg id='mine'></svg>", caption="Mine.", family="toy")
    return write_report(given_rows, out, facts={"toy": FACTS}, panels=[panel], notes=["Cut short."])


def test_every_format_is_written(written):
    assert {"html", "md", "json", "jsonl"} <= written.keys()
    assert all(path.is_file() for path in written.values())


@pytest.mark.parametrize("name", ["html", "md"])
def test_the_report_says_what_was_run_and_how_it_went(written, name):
    text = written[name].read_text(encoding="utf-8").replace("\\", "")
    for words in (
        "Toy",
        "certified edition, set smoke",
        "sha256:abc",
        "Best model: good, accuracy 1.000 [0.758, 1.000] on 12 instances.",
        "1 of 61 rows has no score and is in no mean: the judge could not decide (1).",
        "Cut short.",
        "good is ahead of fair by 0.500: it wins 6 of the 6 instances on which they differ.",
        "distance ↓",
        "How to read this",
        "causarium run toy --model good --edition certified --set smoke",
        "causarium run toy --player x --edition certified --set smoke",
    ):
        assert words in text, words


def test_a_panel_goes_into_the_page_as_it_is(written):
    assert "<svg id='mine'></svg>" in written["html"].read_text(encoding="utf-8")


def test_the_json_holds_the_same_numbers(written):
    report = json.loads(written["json"].read_text(encoding="utf-8"))
    [section] = report["sections"]
    best = section["agents"][0]
    assert (best["agent"], best["metrics"]["accuracy"]["value"]) == ("good", 1.0)
    assert section["unscored"] == 1


def test_the_rows_come_back_from_the_file(written):
    lines = written["jsonl"].read_text(encoding="utf-8").splitlines()
    back = [Row.model_validate_json(line) for line in lines]
    assert len(back) == 61
    assert back[-1].unscored == "the judge could not decide"


def test_the_page_runs_our_script_alone_and_loads_nothing(written):
    page = outline(written["html"])
    assert page.tags.count("script") == 1
    assert not {"iframe", "img", "object", "embed"} & set(page.tags)
    (script,) = re.findall(r"<script>(.*?)</script>", written["html"].read_text(), re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = dict(page.attributes)["content"]
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")


def test_every_picture_is_a_file_as_well_where_files_are_wanted(written, tmp_path):
    folder = tmp_path / "figures"
    assert not (written["html"].parent / "figures").exists()
    panel = Panel(title="A picture", markup="<svg id='mine'></svg>", caption="Mine.", family="toy")
    given_rows = rows(good="1100", player__oracle="1111")
    report = build_report(given_rows, facts={"toy": FACTS}, panels=[panel])
    write_built(report, given_rows, tmp_path, formats=("html", "figures"))
    names = {path.stem for path in folder.iterdir()}
    assert {"toy-certified-smoke-1-A-facet-1", "toy-picture-1"} <= names
    for name in names:
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        ET.fromstring((folder / f"{name}.svg").read_text(encoding="utf-8"))
        assert "var(" not in (folder / f"{name}.svg").read_text(encoding="utf-8")


def test_no_two_figures_go_by_one_name():
    """Neither two versions of a set nor long names that begin alike."""
    names = ["smoke", *("s" * 130 + end for end in "ab")]
    given_rows = [
        one.model_copy(update={"set": name, "version": version})
        for name in names
        for version in ("1-A", "1-B")
        for one in rows(good="1100")
    ]
    report = build_report(given_rows, facts={"toy": FACTS})
    drawn = sum(len(draw_facets(section)) for section in report.sections)
    assert len(figure_files(report)) == drawn > 6
    assert max(map(len, figure_files(report))) < 120


def test_the_page_loads_nothing(written):
    page = outline(written["html"])
    links = {value for name, value in page.attributes if name in {"src", "href", "xlink:href"}}
    assert all(link.startswith(("#", "data:,")) for link in links)
    style = written["html"].read_text(encoding="utf-8")
    assert "@import" not in style
    assert not re.search(r"url\((?!#)", style)


def test_ids_are_unique_and_every_reference_leads_somewhere(written):
    page = outline(written["html"])
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    links = {v[1:] for n, v in page.attributes if n == "href" and v.startswith("#")}
    links |= {v for n, v in page.attributes if n == "aria-labelledby"}
    assert links <= set(ids)


def test_pictures_are_well_formed(written):
    text = written["html"].read_text(encoding="utf-8")
    found = re.findall(r"<svg [^>]*viewBox.*?</svg>", text, flags=re.DOTALL)
    assert len(found) >= 2
    for svg in found:
        ET.fromstring(svg)


def test_the_same_rows_give_the_same_bytes(tmp_path):
    given_rows = rows(a="1100", player__silent="0000")
    one = write_report(given_rows, tmp_path / "1", facts={"toy": FACTS})
    other = write_report(given_rows, tmp_path / "2", facts={"toy": FACTS})
    assert one["html"].read_bytes() == other["html"].read_bytes()
    assert one["json"].read_bytes() == other["json"].read_bytes()


def test_hostile_names_stay_text(tmp_path):
    given_rows = [
        row(
            HOSTILE,
            at,
            float(at % 2),
            id=f"{HOSTILE}{at}",
            set=HOSTILE,
            facets={HOSTILE: f"{HOSTILE}{at % 2}"},
            numbers={"accuracy": float(at % 2), HOSTILE: 1.0},
            labels={HOSTILE: f"{HOSTILE}{at % 3}"},
            unscored=HOSTILE if at == 9 else None,
        )
        for at in range(10)
    ]
    paths = write_report(
        [*given_rows, *rows(b="1010101010")], tmp_path, facts={"toy": FACTS}, notes=[HOSTILE]
    )
    page = outline(paths["html"])
    assert page.tags.count("script") == 1
    assert "<script>alert(1)</script>" in "".join(page.text)
    text = paths["html"].read_text(encoding="utf-8")
    assert not {"\x00", "\x1b", "\u2028"} & set(text)
    assert text.count("</style>") == text.count("<style>")
    markdown = paths["md"].read_text(encoding="utf-8")
    outside_code = [line for line in markdown.splitlines() if not line.startswith("    ")]
    assert not re.search(r"(?<!\\)<script", "\n".join(outside_code))
    assert {line.count(" | ") for line in markdown.splitlines() if line.startswith("| b ")}


def test_a_shell_never_sees_a_name_unquoted(tmp_path):
    given_rows = [row("x; rm -rf ~", 0, 1.0)]
    [command] = build_report(given_rows, facts={"toy": FACTS}).sections[0].commands
    assert "--model 'x; rm -rf ~' " in command


def test_commands_say_how_much_was_played_and_through_which_interface():
    given_rows = [row("m", 0, 1.0), row("player/x", 0, 1.0, interface="tools")]
    [section] = build_report(given_rows, facts={"toy": FACTS}).sections
    assert section.commands == (
        "causarium run toy --model m --edition certified --set smoke "
        "--rule interface=json --limit 1",
        "causarium run toy --player x --edition certified --set smoke "
        "--rule interface=tools --limit 1",
    )


def test_no_rows_make_a_report_that_says_so(tmp_path):
    paths = write_report([], tmp_path)
    assert "There are no rows to report." in paths["html"].read_text(encoding="utf-8")
    assert "There are no rows to report." in paths["md"].read_text(encoding="utf-8")
    assert json.loads(paths["json"].read_text(encoding="utf-8"))["sections"] == []


def test_a_metric_says_itself_which_way_is_better():
    given_rows = rows(player__oracle="11", player__silent="00")
    [section] = build_report(given_rows, facts={"toy": FACTS}).sections
    assert section.falling == {"distance"}


def test_a_count_that_happens_to_be_one_throughout_is_no_share():
    facts = FACTS.model_copy(update={"metrics": {"accuracy": Metric("How many.")}})
    [section] = build_report(rows(m="1111"), facts={"toy": facts}).sections
    assert section.agents[0].metrics["accuracy"].low == 1
    assert section.columns[0].cells == (("1.000", ""),)
    [section] = build_report(rows(m="1111"), facts={"toy": FACTS}).sections
    assert section.agents[0].metrics["accuracy"].low < 1


def test_rows_that_are_all_unscored_make_a_report(tmp_path):
    paths = write_report([row("m", 0, 1.0, unscored="no judge")], tmp_path, facts={"toy": FACTS})
    assert "1 of 1 row has no score" in paths["html"].read_text(encoding="utf-8")


def test_one_agent_alone_makes_a_report(tmp_path):
    page = outline(write_report(rows(m="1"), tmp_path, facts={"toy": FACTS})["html"])
    assert "Compared on the same instances" not in page.text


def test_a_number_that_does_not_apply_is_a_dash(tmp_path):
    given_rows = [row("m", 0, 1.0, numbers={"accuracy": None}), *rows(b="1")]
    paths = write_report(given_rows, tmp_path, facts={"toy": FACTS})
    assert "nan" not in paths["md"].read_text(encoding="utf-8").lower()
    assert "| m | – | – |" in paths["md"].read_text(encoding="utf-8")
    assert "NaN" not in paths["json"].read_text(encoding="utf-8")


def test_a_family_that_is_not_installed_is_reported_from_its_rows(tmp_path):
    paths = write_report(rows(m="1"), tmp_path, formats=["md"])
    assert "not installed here" in paths["md"].read_text(encoding="utf-8")


def test_an_unknown_format_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(UnknownName, match="did you mean 'html'"):
        write_report(rows(m="1"), tmp_path / "out", formats=["htm"])
    assert not (tmp_path / "out").exists()


def test_a_place_where_nothing_can_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(BadFile, match="cannot write"):
        write_report(rows(m="1"), tmp_path / "file", facts={"toy": FACTS}, formats=["json"])


def test_no_partial_file_is_left(written):
    assert not list(written["html"].parent.glob(".*"))


def test_the_title_names_what_models_played_and_nothing_else():
    facts = {
        name: FACTS.model_copy(update={"name": name, "title": name}) for name in ("one", "two")
    }
    players = [row("player/oracle", at, 1.0, family=name) for name in facts for at in range(2)]
    assert build_report(players, facts=facts).title == "Reference players on two causal tasks"
    played = [*players, row("m", 0, 1.0, family="one")]
    assert build_report(played, facts=facts).title == "m on one"
