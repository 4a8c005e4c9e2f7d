"""What experiments leave open; the reference values are those of the released graphs."""

import json
from itertools import combinations
from statistics import fmean

import pytest

from causarium.families.causalab.paper.generation import draw_paper_instance as generate
from causarium.families.causalab.paper.levels import LabConfig, LabRules
from causarium.families.causalab.paper.model.actions import Intervene, Submit
from causarium.families.causalab.paper.scoring.episode_history import equivalent, recall
from causarium.families.causalab.paper.scoring.score import score
from causarium.scm.dag import Dag, mask_of
from causarium.scm.equivalence import class_size
from tests.families.causalab.paper.made import F, made, suite, turns_of

SIMPLE = made({("density", "moisture"): 3, ("moisture", F): 2, ("density", F): 1})


def released_dags(nodes):
    """Read the released graphs, the frequency last."""
    for line in suite(f"{nodes}nodes").read_text().splitlines():
        released = json.loads(line)
        names = sorted(released["nodes"], key=lambda name: name == F)
        edges = [(names.index(e["from"]), names.index(e["to"])) for e in released["edges"]]
        yield Dag.of(len(names), edges)


@pytest.mark.parametrize(
    ("nodes", "sizes"), [(3, [4.36, 1.34, 1.00]), (4, [8.64, 2.07, 1.17, 1.00])]
)
def test_released_graphs_have_the_reference_classes(nodes, sizes):
    found = [
        fmean(
            fmean(class_size(dag, mask_of(t)) for t in combinations(range(nodes - 1), count))
            for dag in released_dags(nodes)
        )
        for count in range(nodes)
    ]
    assert found == pytest.approx(sizes, abs=0.005)


@pytest.mark.parametrize(("nodes", "sizes"), [(3, [1.84, 1.00]), (4, [3.70, 1.41, 1.00])])
def test_knowing_that_the_frequency_is_a_sink_makes_them_smaller(nodes, sizes):
    sink = 1 << nodes - 1
    found = [
        fmean(
            fmean(class_size(dag, mask_of(t) | sink) for t in combinations(range(nodes - 1), count))
            for dag in released_dags(nodes)
        )
        for count in range(nodes - 1)
    ]
    assert found == pytest.approx(sizes, abs=0.005)


def test_the_verdict_holds_the_final_class():
    moves = [Intervene(property="density", value=1.0), Submit(value=0.0)]
    turns = turns_of(SIMPLE, *moves)
    rows = recall(SIMPLE, LabRules(), turns).lab.rows
    found = score(SIMPLE, LabRules(), turns).numbers["equivalent"]
    assert found == equivalent(SIMPLE, rows)
    # All three of density, moisture and the frequency are joined; only density was tried.
    assert found == 2


def test_a_chain_that_is_handed_over_counts_from_the_start():
    instance = generate(LabConfig(nodes=4, golden=True), 0, 0)
    assert equivalent(instance, ()) == 1
