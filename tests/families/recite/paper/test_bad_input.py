"""Bad input, from the reply to the verdict: named, counted, scored at what is right in it."""

import json

import pytest

from causarium.contract.episode import Episode
from causarium.families.recite.paper import FAMILY
from causarium.families.recite.paper.play.prompts import prompt
from causarium.families.recite.paper.publication.dataset_files import as_instances
from tests.families.recite.paper.formats.test_dataset_files import sample
from tests.families.recite.paper.papers import CHAIN, paper

CERTIFIED, PAPER = FAMILY.rules_for("certified"), FAMILY.rules_for("paper")
IDS = ((4, 2), (2, 3), (3, 1), (1, 2))
"""The edges of `CHAIN`, where names are given."""


def graph(edges) -> str:
    return json.dumps({"relationships": [{"source": a, "sink": b} for a, b in edges]})


def played(reply, task="no_count", rules=CERTIFIED):
    episode = Episode(FAMILY, paper(task=task), rules)
    episode.step(episode.parse_reply(reply))
    assert episode.done == (rules is PAPER or episode.turns[0].legal)
    return episode.score()


RIGHT = graph(CHAIN)
MANY = [*CHAIN, *((f"cause {n}", f"effect {n}") for n in range(3_996))]


@pytest.mark.parametrize(
    ("reply", "task", "named", "count"),
    [
        (f"I think that it is\n{RIGHT}", "no_count", "as asked", 0),
        (f"It is\n{RIGHT}\nas you see.", "no_count", "text after the graph", 1),
        (f"<think>Rain comes first. {RIGHT}", "no_count", "unclosed think tag", 1),
        (f"\\boxed{{{RIGHT}}}", "no_count", "boxed", 1),
        (RIGHT.replace("sink", "target"), "no_count", "target for sink", 4),
        (graph((str(a), str(b)) for a, b in IDS), "names", "id as a string", 8),
        (RIGHT, "names", "name for an id", 8),
        (graph([*CHAIN, *CHAIN]), "no_count", "duplicate", 4),
        (RIGHT.replace("Rain", "Rain\\u0000\\u0007"), "no_count", "control characters", 1),
        (RIGHT.replace('"', "'"), "no_count", "spelling", 1),
    ],
)
def test_a_right_graph_in_bad_form_has_full_marks_and_its_slips(reply, task, named, count):
    verdict = played(reply, task)
    assert verdict.labels["reading"] == named
    assert verdict.numbers["mended"] == count
    assert verdict.numbers["slips"] == bool(count)
    assert verdict.numbers["edge_recall"] == 1
    assert verdict.unscored is None


@pytest.mark.parametrize(
    ("extra", "task", "named", "count"),
    [
        ([(1, 9), (0, 2)], "names", "id out of range", 2),
        ([(1, 1)], "names", "self-loop", 1),
        ([("Rain", "Rain")], "no_count", "self-loop", 1),
        ([('He said "no"', "l'eau")], "no_count", "as asked", 0),
        ([("Moon", "Mood")], "names", "unknown name", 2),
    ],
)
def test_what_is_wrong_in_a_graph_costs_precision_and_nothing_else(extra, task, named, count):
    edges = [*(IDS if task == "names" else CHAIN), *extra]
    verdict = played(graph(edges), task)
    assert verdict.labels["reading"] == named
    assert verdict.numbers["mended"] == count
    assert verdict.numbers["slips"] == 0
    assert verdict.numbers["edge_recall"] == 1
    assert verdict.numbers["edge_precision"] == pytest.approx(4 / len(edges))
    assert verdict.numbers["edges_proposed"] == len(edges)


@pytest.mark.parametrize("task", ["no_count", "names"])
def test_four_thousand_edges_are_all_scored(task):
    numbers = played(graph(MANY), task).numbers
    assert numbers["edges_proposed"] == 4_000
    assert numbers["edge_recall"] == 1
    assert numbers["edge_precision"] == pytest.approx(4 / 4_000)


@pytest.mark.parametrize(
    ("reply", "task", "rules", "why"),
    [
        ("", "no_count", CERTIFIED, "empty reply"),
        ("Rain, I suppose.", "no_count", CERTIFIED, "no graph"),
        (f"{RIGHT} or {RIGHT.replace('Rain', 'Snow')}", "no_count", CERTIFIED, "several graphs"),
        (graph((f"a{n}", "b") for n in range(20_001)), "no_count", CERTIFIED, "too large"),
        (f"So: {RIGHT}", "no_count", PAPER, "not in the published form"),
        (graph([(1, 9)]), "names", PAPER, "refused"),
    ],
)
def test_a_reply_that_cannot_be_used_is_named_and_counted_and_scores_zero(reply, task, rules, why):
    verdict = played(reply, task, rules)
    assert verdict.labels["reading"] == why
    assert verdict.numbers["unread"] == 1
    assert (verdict.numbers["f1"], verdict.numbers["answered"]) == (0, 0)
    assert verdict.unscored is None


def test_silence_is_no_reply():
    verdict = FAMILY.score(paper(), CERTIFIED, [])
    assert (verdict.labels["reading"], verdict.numbers["unread"]) == ("no reply", 0)


@pytest.mark.parametrize("task", ["given_count", "no_count", "names"])
def test_an_empty_document_is_said_to_be_empty_and_scored(task):
    (instance,) = as_instances([sample(input_text=" \n")], task)
    assert "no text" in prompt(instance.public, CERTIFIED).user
    episode = Episode(FAMILY, instance, CERTIFIED)
    episode.step(episode.parse_reply(graph([])))
    assert episode.score().numbers["f1"] == 0


@pytest.mark.parametrize(
    ("more", "slip"),
    [
        ([(1, 1)], "self-loop"),
        ([(1, 5)], "id out of range"),
        ([("Nobody", 1)], "unknown name"),
        ([(2, 4)], ""),
    ],
    ids=["self-loop", "unknown id", "unknown name", "both directions"],
)
def test_what_no_edge_can_be_is_counted_and_costs_as_a_wrong_edge_does(more, slip):
    episode = Episode(FAMILY, paper(task="names"), CERTIFIED)
    episode.step(episode.parse_reply(graph([*IDS, *more])))
    verdict = episode.score()
    assert slip in verdict.labels["reading"]
    assert verdict.numbers["edges_proposed"] == len(IDS) + 1
    assert verdict.numbers["edge_f1"] == pytest.approx(8 / 9)
