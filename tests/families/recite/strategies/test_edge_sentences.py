"""Sentences behind edges: the annotated ones, else ones that name both ends."""

import pytest

from causarium.families.recite.config import LEVELS, ReciteRules
from causarium.families.recite.figures import draw_episode
from causarium.families.recite.formats.dataset_files import as_instances
from causarium.families.recite.generate import generate
from causarium.families.recite.scene import make_scenes
from causarium.families.recite.strategies.edge_sentences import Evidence, evidence_of
from tests.families.recite.formats.test_dataset_files import sample
from tests.families.recite.papers import handed_in

TEXT = (
    "Rain and tax are old. The well depth grew. Tax brings about rain. Wells have depth, not rain."
)
PUBLISHED = sample(
    input_text=TEXT,
    edges=[
        {"source": "Tax", "target": "Rain"},
        {"source": "Rain", "target": "Well depth"},
        {"source": "Tax", "target": "Well depth"},
    ],
)


@pytest.mark.parametrize("index", [0, 1])
def test_our_documents_have_the_sentences_that_state_edges_and_no_others(index: int) -> None:
    instance = generate(LEVELS["mini"], 0, index)
    found = evidence_of(instance)
    stated = {
        pair: Evidence(edge.evidence[0], annotated=True)
        for pair, edge in zip(instance.secret.pairs, instance.secret.edges, strict=True)
        if edge.evidence
    }
    assert found == stated


def test_a_sentence_that_names_both_ends_is_found_and_causal_ones_come_first() -> None:
    (instance,) = as_instances([PUBLISHED])
    assert evidence_of(instance) == {
        ("Tax", "Rain"): Evidence("Tax brings about rain.", annotated=False),
        ("Rain", "Well depth"): Evidence("Wells have depth, not rain.", annotated=False),
    }


def test_pictures_and_stages_say_where_a_sentence_comes_from() -> None:
    (instance,) = as_instances([PUBLISHED], "names")
    turns = handed_in([(2, 1)])
    svg = draw_episode(instance, ReciteRules(), turns).svg
    assert "Tax → Rain (matched; a sentence that names both)" in svg
    assert "“Tax brings about rain.”" in svg
    lines = {
        line.name: line.true for line in make_scenes(instance, ReciteRules(), turns).scenes[1].lines
    }
    assert lines["Tax → Rain"] == "Tax brings about rain."
    assert lines["Tax → Well depth"] == "not stated in the text"


def test_a_document_without_text_has_no_sentences() -> None:
    (instance,) = as_instances([sample(input_text="")])
    assert evidence_of(instance) == {}
