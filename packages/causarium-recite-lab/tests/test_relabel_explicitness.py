"""Files labelled anew, and held against the labels that they have."""

import json
import math

from causarium_recite_lab.analysis.relabel_explicitness import agreement, relabel, sum_labels

from causarium.contract.texts.role_questions import Ask
from causarium.families.recite.paper.generation.generate import generate
from causarium.families.recite.paper.levels import LEVELS
from causarium.families.recite.paper.publication.dataset_row import sample_of

SAMPLES = [sample_of(generate(LEVELS["paper-mini-names"], 0, place), place) for place in (1, 4)]


def repeats(ask: Ask) -> str:
    """Give the labels that the document has."""
    [sample] = [one for one in SAMPLES if one.input_text in ask.user]
    return json.dumps({"scores": sample.labels})


def test_the_same_labels_agree_perfectly():
    found = [relabel(sample, repeats) for sample in SAMPLES]
    assert [one.after.labels for one in found] == [sample.labels for sample in SAMPLES]
    assert agreement(found) == (sum(len(sample.names) for sample in SAMPLES), 1)


def test_one_label_for_all_agrees_no_better_than_chance():
    def all_told(ask: Ask) -> str:
        return json.dumps({"scores": dict.fromkeys(json.loads(repeats(ask))["scores"], 1)})

    found = [relabel(sample, all_told) for sample in SAMPLES]
    assert agreement(found)[1] == 0
    assert sum_labels([one.after for one in found]).strict.value == 1


def test_a_document_without_all_labels_keeps_those_it_has_and_says_so():
    [found] = [relabel(sample, lambda _ask: "no idea") for sample in SAMPLES[:1]]
    assert found.after == found.before
    assert (
        f"{len(SAMPLES[0].names)} of {len(SAMPLES[0].names)} nodes have no label" in found.problem
    )
    compared, kappa = agreement([found])
    assert compared == 0
    assert math.isnan(kappa)


def test_both_definitions_are_summed_and_binned():
    names = SAMPLES[0].names
    labels = {name: 1 + place % 3 for place, name in enumerate(names)}
    found = sum_labels([SAMPLES[0].model_copy(update={"node_explicitness": labels})])
    assert found.nodes == sum(found.by_label.values()) == len(names)
    assert found.strict.value == found.by_label[1] / len(names)
    assert found.lenient.value == 1 - found.by_label[3] / len(names)
    assert sum(found.lenient_bins.values()) == sum(found.strict_bins.values()) == 1
    assert found.strict_bins["25-50 %"] == found.lenient_bins["50-75 %"] == 1
