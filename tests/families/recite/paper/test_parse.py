"""Reading replies: every wrapping, every slip, and nothing that a hostile reply can break."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.turn import Turn
from causarium.contract.world import Unparsed
from causarium.families.recite.paper.levels import ReciteRules
from causarium.families.recite.paper.model.graphs import MOST_EDGES, Submit, find_last_submission
from causarium.families.recite.paper.play.replies import (
    EMPTY,
    NO_GRAPH,
    NOT_AS_PUBLISHED,
    SEVERAL,
    TOO_LARGE,
    Unread,
    parse,
    read_as_published,
)
from tests.families.recite.paper.papers import paper

RULES, STRICT = ReciteRules(), ReciteRules(strict_form=True)
GRAPH = '{"relationships": [{"source": "rain", "sink": "floods"}]}'
TWO_LISTS = GRAPH[:-1] + ', "edges": [{"source": "snow", "sink": "floods"}]}'


def read(reply, rules=RULES):
    return parse(reply, (Submit,), rules)


def pairs(reply):
    found = read(reply)
    assert isinstance(found, Submit), found
    return [(one.source, one.sink) for one in found.relationships]


NAMES = (
    st.text(min_size=1, max_size=30)
    .map(lambda s: " ".join(s.split()))
    .filter(lambda s: s and s.isprintable())
)


AROUND = [
    ("", ""),
    ("so: ", " end"),
    ("```json\n", "\n```"),
    ("```\n", "\n```"),
    ("<think>maybe</think>", ""),
    ("\\boxed{", "}"),
]


@given(st.lists(st.tuples(NAMES, NAMES), max_size=12), st.sampled_from(AROUND))
@settings(max_examples=60)
def test_what_is_written_is_read_whatever_stands_around_it(edges, around):
    graph = json.dumps({"relationships": [{"source": a, "sink": b} for a, b in edges]})
    assert sorted(pairs(graph.join(around))) == sorted(set(edges))


@given(st.text(max_size=300))
def test_any_text_comes_back_as_a_value(reply):
    assert isinstance(read(reply), Submit | Unparsed)
    assert isinstance(read(reply, STRICT), Submit | Unparsed)


@given(st.integers(0, len(GRAPH) - 1))
def test_a_graph_that_is_cut_off_is_no_error(cut):
    assert isinstance(read(GRAPH[:cut]), Submit | Unparsed)


@pytest.mark.parametrize(
    ("reply", "slip"),
    [
        ('{"relationships": [{"source": "rain", "target": "floods"}]}', "target for sink"),
        ('{"relationships": [{"cause": "rain", "effect": "floods"}]}', "cause and effect"),
        ('{"relationships": [["rain", "floods"]]}', "pair as a list"),
        ('{"relationships": ["rain -> floods"]}', "arrow for a pair"),
        ('{"edges": [{"source": "rain", "sink": "floods"}]}', "edges for relationships"),
        ('[{"source": "rain", "sink": "floods"}]', "bare list"),
        (f'{{"graph": {GRAPH}}}', "graph within another object"),
        (f"\\boxed{{{GRAPH}}}", "boxed"),
        (f"<think>first I look {GRAPH}", "unclosed think tag"),
        (f"as the text says</think>{GRAPH}", "closing think tag alone"),
        (f"<think>so {GRAPH}</think>", "graph within the reasoning"),
        (f"{GRAPH} that is {GRAPH}", "graph repeated"),
        (f"<think>{GRAPH.replace('rain', 'snow')} no: {GRAPH}", "drafts before the graph"),
        (f"{GRAPH[:40]}\n{GRAPH}", "drafts before the graph"),
        (TWO_LISTS.replace("edges", "relationships"), "drafts before the graph"),
        (GRAPH.replace("rain", "ra\\u0007in\\n"), "control characters"),
        (GRAPH.replace("rain", "ra\tin\n"), "control characters"),
        (f"```json\n{GRAPH}\n```\nI hope that this helps.", "text after the graph"),
        (GRAPH.replace("]}", ', {"source": "", "sink": "x"}]}'), "empty name"),
        (GRAPH.replace("]}", ', 7, {"source": null, "sink": "x"}]}'), "not a relationship"),
    ],
)
def test_a_slip_is_mended_and_counted_by_its_name(reply, slip):
    found = read(reply)
    assert isinstance(found, Submit)
    assert found.slips[slip] >= 1
    assert len(found.relationships) == 1
    assert found.relationships[0].sink == "floods"


@pytest.mark.parametrize(
    ("reply", "edges"),
    [
        ("{'relationships': [{'source': 'l'eau', 'sink': 'x'}]}", [("l'eau", "x")]),
        ("{'relationships': [{'source': 3, 'sink': 12}]}", [(3, 12)]),
    ],
)
def test_another_spelling_is_mended_and_counted(reply, edges):
    found = read(reply)
    assert isinstance(found, Submit)
    assert [(one.source, one.sink) for one in found.relationships] == edges
    assert found.slips == {"spelling": 1}


def test_quotes_within_a_name_leave_a_doubt_and_the_reply_to_whoever_repairs():
    assert isinstance(read('[{"source": "the "old" rules", "sink": "herd"}'), Unread)


def test_a_number_at_the_very_end_may_have_lost_digits():
    found = read('{"relationships": [{"source": 3, "sink": 12}, {"source": 4, "sink": 1')
    assert [(one.source, one.sink) for one in found.relationships] == [(3, 12)]
    assert found.slips == {"broken or cut off": 1, "relationship not read": 1}


@pytest.mark.parametrize(
    "end", [', "why": "bec', ", ", ', "seen": ["page 2"]', ', "seen": ["page 2", ', ' "x"', ""]
)
def test_an_unfinished_last_item_is_never_kept(end):
    found = read('{"relationships": [{"source": 1, "sink": 2}, {"source": 3, "sink": 4' + end)
    assert [(one.source, one.sink) for one in found.relationships] == [(1, 2)]
    assert found.slips == {"broken or cut off": 1, "relationship not read": 1}
    alone = read('{"source": 1, "sink": 2}\n{"source": 3, "sink": 4' + end)
    assert (alone.relationships, alone.slips) == (found.relationships, found.slips)


@pytest.mark.parametrize("end", ["", ",", "]", '], "thought": "as it is', ', "and so'])
def test_a_last_item_that_is_finished_is_kept(end):
    reply = '{"relationships": [{"source": 1, "sink": 2, "seen": ["p 2"]}, {"source": 3, "sink": 4}'
    assert pairs(reply + end) == [(1, 2), (3, 4)]


def test_of_two_broken_graphs_the_last_one_counts():
    found = read(
        'Draft: {"relationships": [{"source": 1, "sink": 2}, {"source": 9, "sink": 9 \n\n'
        'No! Final: {"relationships": [{"source": 2, "sink": 1}, {"source": 3, "si'
    )
    assert [(one.source, one.sink) for one in found.relationships] == [(2, 1)]
    assert found.slips["drafts before the graph"] == found.slips["relationship not read"] == 1


@pytest.mark.parametrize("line", ["2 -> 3 -> 4", "x" * 1_100 + " → 3", "-> 4"])
def test_a_line_with_an_arrow_that_is_no_relationship_is_counted(line):
    found = read(f"1 -> 2\n{line}\n5 -> 6")
    assert [(one.source, one.sink) for one in found.relationships] == [("1", "2"), ("5", "6")]
    assert found.slips["relationship not read"] == 1


def test_a_list_without_a_relationship_is_no_second_graph():
    reply = '{"relationships": [{"source": 1, "sink": 2}], "edges": [], "links": ["see above"]}'
    assert read(reply).slips == {}
    assert pairs(reply) == [(1, 2)]


def test_a_relationship_that_no_rule_can_mend_is_counted():
    found = read('{"relationships": [{"source": "a", "sink": "b"}, {"source": "c", "sink": "d')
    assert isinstance(found, Submit)
    assert found.slips == {"broken or cut off": 1, "relationship not read": 1}


EDGE = '{"source": "a", "sink": "b"}'


@pytest.mark.parametrize(
    ("reply", "edges", "slip"),
    [
        ("[[1, 2], [3, 4], [5,", [(1, 2), (3, 4)], "broken or cut off"),
        ('{"relationships": [["a", "b"], ["c", "d', [("a", "b")], "broken or cut off"),
        (
            '["rain -> floods", "floods -> mud", "mud -',
            [("rain", "floods"), ("floods", "mud")],
            "broken or cut off",
        ),
        (
            'So:\n```json\n{"edges": [\n  ["a", "b"],\n  ["b", "c"],\n',
            [("a", "b"), ("b", "c")],
            "broken or cut off",
        ),
        (
            "So I say:\n1. rain -> floods\n2. *floods* → mud.\n",
            [("rain", "floods"), ("floods", "mud")],
            "arrows for JSON",
        ),
        ("4 -> 2\n2 -> 3", [("4", "2"), ("2", "3")], "arrows for JSON"),
    ],
)
def test_what_is_whole_in_a_list_that_breaks_off_is_kept(reply, edges, slip):
    assert pairs(reply) == edges
    found = read(reply)
    assert found.slips[slip] == 1
    assert found.repaired == "rule"


@pytest.mark.parametrize(
    "reply",
    ["As shown in [1, 2] and [3, 4], rain matters.", "a -> b -> c", "->", "[[", '["x", "y'],
)
def test_what_only_looks_like_a_list_of_edges_is_none(reply):
    assert isinstance(read(reply), Unparsed)


@pytest.mark.parametrize("cut", [0, 11])
def test_a_loop_of_one_edge_is_that_edge(cut):
    reply = '{"relationships": [' + ", ".join([EDGE] * 5_000) + "]}"
    found = read(reply[: len(reply) - cut])
    assert isinstance(found, Submit)
    assert len(found.relationships) == 1
    assert found.slips["duplicate"] >= 4_998
    turn = {"kind": "submit", **found.model_dump(mode="json")}
    handed = find_last_submission(paper(), [Turn(action=turn, observation="", legal=True, cost=0)])
    assert handed.slips["looped"] == 1


def test_strict_form_keeps_nothing_of_a_list_that_breaks_off():
    assert isinstance(read("[[1, 2], [3, 4], [5,", STRICT), Unparsed)


def test_relationships_without_ends_may_be_repaired_by_a_model():
    assert isinstance(read('{"relationships": [{"source": {"name": "a"}, "sink": "b"}]}'), Unread)


def test_five_thousand_edges_are_read():
    graph = [{"source": n, "sink": n % 97} for n in range(5_000)]
    found = read("<think>long</think>" + json.dumps({"relationships": graph}))
    assert isinstance(found, Submit)
    assert len(found.relationships) == 5_000


def test_more_edges_than_a_graph_can_have_are_too_many():
    graph = [{"source": f"c{n}", "sink": f"e{n}"} for n in range(MOST_EDGES + 1)]
    found = read(json.dumps({"relationships": graph}), STRICT)
    assert isinstance(found, Unparsed)
    assert found.mode == TOO_LARGE


def test_names_with_quotes_and_braces_are_kept():
    names = ['the "price" of [fish]', "a {b} c", "l'eau → mer", "x\\y"]
    graph = {"relationships": [{"source": n, "sink": "floods"} for n in names]}
    assert [a for a, _ in pairs(json.dumps(graph))] == names


def test_a_cut_off_reply_is_repaired_by_rule_up_to_the_cut():
    reply = (
        '{"relationships": [{"source": "a [x]", "sink": "b"}, {"source": "b", "sink": "c"}, {"sou'
    )
    found = read(reply)
    assert isinstance(found, Submit)
    assert found.repaired == "rule"
    assert [one.source for one in found.relationships] == ["a [x]", "b"]


def test_a_reply_that_was_cut_off_and_begun_again_is_read_from_its_second_beginning():
    assert pairs(GRAPH[:40] + "\n" + GRAPH) == [("rain", "floods")]
    assert pairs('{"relationships": [{"source": "snow", "sink": "x"}, {"so' + GRAPH) == [
        ("rain", "floods")
    ]


def test_a_trailing_comma_is_no_slip():
    assert pairs('{"relationships": [{"source": "a", "sink": "b"},]}') == [("a", "b")]


@pytest.mark.parametrize(
    ("reply", "mode"),
    [
        (" ", EMPTY),
        ("I do not know.", NO_GRAPH),
        ("null", NO_GRAPH),
        ("7", NO_GRAPH),
        ('{"relationships": "rain"}', NO_GRAPH),
        ('{"relationships": [1, 2]}', NO_GRAPH),
        (f"{GRAPH} or {GRAPH.replace('rain', 'snow')}", SEVERAL),
        (TWO_LISTS, SEVERAL),
        (TWO_LISTS[:-2], SEVERAL),
        (f"<think>{GRAPH} or {TWO_LISTS}", SEVERAL),
        ("x" * 2_000_001, TOO_LARGE),
    ],
)
def test_what_cannot_be_read_has_a_named_mode(reply, mode):
    found = read(reply)
    assert isinstance(found, Unparsed)
    assert found.mode == mode
    assert found.detail


def test_an_empty_list_is_an_answer():
    assert pairs('{"relationships": []}') == []


@pytest.mark.parametrize(
    "bomb",
    [
        *('{"a":' * 50_000, "[" * 200_000, '{"' * 100_000, "[{" * 80_000, '["a' * 90_000),
        *('{"source":"' * 50_000, ('{"source":"' + '","sink":"' * 60) * 300, "{" + " " * 500_000),
    ],
)
def test_bombs_are_read_in_bounded_time(bomb):
    assert isinstance(read(bomb), Unparsed)


def test_an_unread_reply_keeps_its_end_for_a_repair_and_a_record_does_not():
    found = read("rain makes floods")
    assert isinstance(found, Unread)
    assert found.reply == "rain makes floods"


@pytest.mark.parametrize(
    ("reply", "valid"),
    [
        (GRAPH, True),
        (f"\\boxed{{{GRAPH}}}", True),
        (f"```json\n{GRAPH}\n```", True),
        (f"<think>hm</think>\n{GRAPH}", True),
        ('{"relationships": []}', True),
        ('{"relationships": [{"source": "a", "sink": "b", "sign": "+"}], "note": 1}', True),
        (f"Here it is: ```json\n{GRAPH}\n```", False),
        (f"```\n{GRAPH}\n```", False),
        (f"{GRAPH} done", False),
        (GRAPH.replace("sink", "target"), False),
        (f"<think>hm {GRAPH}", False),
        ("null", False),
        ("3", False),
        ("[]", False),
        ('{"relationships": {}}', False),
        ('{"relationships": ["a -> b"]}', False),
    ],
)
def test_strict_form_takes_what_the_published_validation_takes(reply, valid):
    found = read(reply, STRICT)
    assert isinstance(found, Submit) == valid
    if not valid:
        assert isinstance(found, Unparsed)
        assert found.mode == NOT_AS_PUBLISHED
    assert isinstance(read_as_published(reply), str) != valid
