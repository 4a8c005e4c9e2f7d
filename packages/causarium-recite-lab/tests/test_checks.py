"""What code checks of a model's replies: copies, edits, merges, labels; and PDF files."""

import json

import pytest
from causarium_recite_lab.building import annotation, remove_diagram_talk
from causarium_recite_lab.building.annotation import read_merges, rename_edges, twin_names
from causarium_recite_lab.building.ask_once import UnusableReply
from causarium_recite_lab.building.build_steps import pdf_text
from causarium_recite_lab.building.label_nodes import label_explicitness
from causarium_recite_lab.building.paper_folder import StepFailed
from causarium_recite_lab.building.remove_diagram_talk import Edit, apply_edits, read_edits
from causarium_recite_lab.building.to_markdown import PART_CHARS, compare_copy, parts, words
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.texts.role_questions import answer_questions

TEXT = st.text(alphabet="abc de.\n-", max_size=200)


@given(TEXT)
def test_a_text_is_a_faithful_copy_of_itself(text):
    found = compare_copy(text, text)
    assert found.faithful
    assert found.kept == found.words == found.copied


@given(TEXT, TEXT)
@settings(max_examples=50)
def test_what_is_kept_and_what_is_invented_make_the_whole_copy(source, copy):
    found = compare_copy(source, copy)
    assert found.kept + len(found.invented) == found.copied


def test_layout_marks_and_divided_words_change_nothing():
    assert words("A well-\nknown **effect** of [rain](http://x)") == words(
        "a wellknown effect of rain"
    )


def test_an_invented_word_is_named():
    assert compare_copy("rain makes floods", "rain never makes floods").invented == ("never",)


@given(st.text(alphabet="ab \n", max_size=4 * PART_CHARS))
@settings(max_examples=10)
def test_parts_hold_every_word_once(text):
    assert " ".join(" ".join(parts(text)).split()).replace(" ", "") == "".join(text.split())
    assert all(len(part) <= PART_CHARS for part in parts(text))


@given(st.text(alphabet="abcd ", min_size=1, max_size=60), st.data())
def test_an_edit_leaves_everything_outside_its_span_as_it_was(text, data):
    begin = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(begin + 1, len(text)))
    start = text[begin:end]
    edit = Edit(start=start, end=start, replacement="X")
    try:
        found = apply_edits(text, [edit])
    except UnusableReply:
        assert not start.strip()
        return
    at = text.find(start)
    assert found == text[:at] + "X" + text[at + len(start) :]


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        ({"start": "snow", "end": "mud", "replacement": ""}, "start of edit 1 is not in the text"),
        ({"start": "mud", "end": "rain", "replacement": ""}, "does not follow its start"),
        ({"start": "", "end": "mud", "replacement": ""}, "empty start"),
        ({"start": "rain", "end": "rain", "replacement": "x" * 1000}, "much longer"),
    ],
)
def test_an_edit_that_cannot_be_made_is_refused_with_its_reason(edit, reason):
    with pytest.raises(UnusableReply, match=reason):
        apply_edits("rain makes mud", [Edit(**edit)])


def test_one_failing_edit_throws_the_whole_reply_away():
    good = {"start": "As shown, ", "end": "As shown, ", "replacement": ""}
    bad = {"start": "nowhere", "end": "nowhere", "replacement": ""}
    replies = iter([json.dumps({"normalizations": [good, bad]}), '{"normalizations": []}'])
    made = answer_questions(
        remove_diagram_talk.normalize("As shown, rain falls.", ""), lambda _ask: next(replies)
    )
    assert made.text == "As shown, rain falls."
    assert made.notes["replies_refused"] == 1
    assert made.notes["settled"]


def test_later_edits_see_what_earlier_ones_left():
    edits = [
        Edit(start="Figure 1", end="Figure 1", replacement="the text"),
        Edit(start="the text", end="the text", replacement="it"),
    ]
    assert apply_edits("Figure 1 says", edits) == "it says"


def test_edits_without_end_stop_at_a_cap_and_are_not_settled():
    edit = {"start": "rain", "end": "rain", "replacement": "rain "}
    made = answer_questions(
        remove_diagram_talk.normalize("rain falls", ""),
        lambda _a: json.dumps({"normalizations": [edit]}),
    )
    assert made.notes["rounds"] == remove_diagram_talk.MOST_ROUNDS
    assert not made.notes["settled"]


def test_edits_that_eat_the_text_fail():
    edit = {"start": "rain", "end": "mud", "replacement": ""}
    replies = iter([json.dumps({"normalizations": [edit]}), '{"normalizations": []}'])
    with pytest.raises(StepFailed, match="of the text away"):
        answer_questions(
            remove_diagram_talk.normalize("rain makes mud.", ""), lambda _ask: next(replies)
        )


@pytest.mark.parametrize("reply", ["", "no", "[]", '{"normalizations": 3}', '{"a": {"b": []}}'])
def test_a_reply_without_edits_is_refused(reply):
    with pytest.raises(UnusableReply):
        read_edits(reply)


NAMES = ["Rain", "Rainfall", "Floods", "<unclear>"]


@pytest.mark.parametrize(
    ("merges", "reason"),
    [
        ([{"old_names": ["Rain"], "new_name": "Water"}], "new name 'Water' is none"),
        ([{"old_names": ["Snow"], "new_name": "Rain"}], "old name 'Snow' is none"),
        ([{"old_names": ["<unclear>"], "new_name": "Rain"}], "angle bracket"),
        (
            [
                {"old_names": ["Rain"], "new_name": "Floods"},
                {"old_names": ["Rain"], "new_name": "Rainfall"},
            ],
            "two merges",
        ),
        (
            [
                {"old_names": ["Rain"], "new_name": "Rainfall"},
                {"old_names": ["Rainfall"], "new_name": "Floods"},
            ],
            "to go and to stay",
        ),
        ([{"old_names": [], "new_name": "Rain"}], "merge 1"),
    ],
)
def test_a_merge_that_breaks_a_rule_is_refused(merges, reason):
    with pytest.raises(UnusableReply, match=reason):
        read_merges(json.dumps({"combined_variables": merges}), NAMES)


def test_a_merge_that_keeps_to_the_rules_is_taken():
    [merge] = read_merges(
        '{"combined_variables": [{"old_names": ["Rainfall"], "new_name": "Rain"}]}', NAMES
    )
    assert rename_edges(
        [("Rainfall", "Floods"), ("Rain", "Floods")], {"Rainfall": merge.new_name}
    ) == (("Rain", "Floods"),)


def test_refused_merges_leave_the_graph_as_it_is_and_are_counted():
    bad = '{"combined_variables": [{"old_names": ["Snow"], "new_name": "Rain"}]}'
    made = answer_questions(annotation.make_graph('"Rain" -> "Floods"'), lambda _ask: bad)
    assert json.loads(made.text)["nodes"] == ["Floods", "Rain"]
    assert made.notes["replies_refused"] == 3
    assert "Snow" in made.notes["problem"]


def test_names_with_angle_brackets_are_never_twins():
    assert twin_names([("<rain>", "x"), ("Rain", "x")]) == {}


def test_nodes_without_a_label_fail_the_step():
    with pytest.raises(StepFailed, match="1 of 2 nodes have no label"):
        answer_questions(
            label_explicitness("rain", ["Rain", "Mud"]), lambda _a: '{"scores": {"Rain": 1}}'
        )


def test_a_label_against_the_very_words_of_the_text_is_listed():
    made = answer_questions(
        label_explicitness("The rain falls.", ["Rain"]), lambda _ask: '{"scores": {"Rain": 3}}'
    )
    assert made.notes["named_though_not_labelled_so"] == ["Rain"]


@pytest.fixture
def pdf(tmp_path):
    pymupdf = pytest.importorskip("pymupdf")

    def write(name, lines):
        document = pymupdf.open()
        page = document.new_page()
        for place, line in enumerate(lines):
            page.insert_text((50, 50 + 20 * place), line)
        document.save(tmp_path / name)
        return tmp_path / name

    return write


def test_the_text_of_a_pdf_is_read(pdf):
    path = pdf("paper.pdf", ["Rain brings floods to the valley every spring."] * 8)
    assert pdf_text(path).count("Rain brings floods") == 8


def test_a_pdf_without_text_is_named(pdf):
    with pytest.raises(StepFailed, match="no text to speak of"):
        pdf_text(pdf("scan.pdf", []))


def test_a_file_that_is_no_pdf_is_named(tmp_path):
    pytest.importorskip("pymupdf")
    (tmp_path / "x.pdf").write_bytes(b"not a pdf at all")
    with pytest.raises(StepFailed, match=r"cannot be read as a PDF|no text"):
        pdf_text(tmp_path / "x.pdf")
