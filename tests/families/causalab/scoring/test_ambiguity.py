"""What experiments leave open; the reference values are those of the released graphs."""

import json
from itertools import combinations, pairwise
from statistics import fmean

import pytest

from causarium.families.causalab.generation.published import draw_paper_instance as generate
from causarium.families.causalab.model.actions import Intervene, Measure, Submit
from causarium.families.causalab.model.config import Hidden, LabConfig, LabRules
from causarium.families.causalab.publication.suite_files import read_suite
from causarium.families.causalab.scoring.ambiguity import ambiguity, equivalent
from causarium.families.causalab.scoring.episode_history import recall
from causarium.families.causalab.scoring.score import score
from causarium.scm.dag import Dag, mask_of
from causarium.scm.equivalence import class_size
from tests.families.causalab.made import F, made, played, suite, turns_of

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


@pytest.mark.parametrize(
    ("nodes", "floor"), [(3, 1.60), pytest.param(4, 4.54, marks=pytest.mark.slow)]
)
def test_full_experiments_on_released_graphs_leave_the_reference_floors(nodes, floor):
    instances = read_suite(suite(f"{nodes}nodes"))
    assert len(instances) == 50
    last = [
        ambiguity(one, LabRules(), played("scientist", one, LabRules()))[-1] for one in instances
    ]
    assert fmean(one.consistent_loosely for one in last) == pytest.approx(floor, abs=0.005)
    assert {one.consistent for one in last} == {1}
    assert {one.equivalent for one in last} == {1}


def test_every_turn_has_its_counts_and_they_only_fall():
    instance = generate(LabConfig(nodes=5), 5, 0)
    turns = played("scientist", instance)
    found = ambiguity(instance, LabRules(), turns)
    assert len(found) == len(turns) + 1
    for before, after in pairwise(found):
        assert after.equivalent <= before.equivalent
        assert after.equivalent_told <= after.equivalent
        assert after.consistent_loosely <= before.consistent_loosely
        assert 1 <= after.consistent <= after.consistent_loosely
    assert found[-1].consistent == 1


@pytest.mark.parametrize("form", ["linear", "hard-quadratic"])
def test_a_scientists_experiments_leave_one_graph(form):
    config = LabConfig(nodes=4, form=form)
    for index in range(2):
        instance = generate(config, 6, index)
        last = ambiguity(instance, LabRules(), played("scientist", instance))[-1]
        assert last.consistent == 1


def test_repeating_an_experiment_tells_the_class_nothing_new():
    moves = [Intervene(property="ph", value=float(v)) for v in (1, 2, 3)]
    found = ambiguity(SIMPLE, LabRules(), turns_of(SIMPLE, *moves, Measure()))
    assert len({one.equivalent for one in found[1:]}) == 1
    assert [one.interventions for one in found] == [0, 1, 2, 3, 3]


def test_the_verdict_holds_the_final_class():
    moves = [Intervene(property="density", value=1.0), Submit(value=0.0)]
    turns = turns_of(SIMPLE, *moves)
    rows = recall(SIMPLE, LabRules(), turns).lab.rows
    found = score(SIMPLE, LabRules(), turns).numbers["equivalent"]
    assert found == equivalent(SIMPLE, rows) == ambiguity(SIMPLE, LabRules(), turns)[-1].equivalent
    # All three of density, moisture and the frequency are joined; only density was tried.
    assert found == 2


def test_a_chain_that_is_handed_over_counts_from_the_start():
    instance = generate(LabConfig(nodes=4, golden=True), 0, 0)
    found = ambiguity(instance, LabRules(), [])
    assert found[0].equivalent == 1
    assert found[0].consistent == 1


def test_where_the_frequency_may_cause_its_class_stays_open():
    instance = made({("density", F): 2, ("moisture", F): 1, (F, "ph"): 3}, frequency_may_cause=True)
    last = ambiguity(instance, LabRules(), played("scientist", instance))[-1]
    # The three members, and those in which influences on ph cancel out.
    assert last.consistent >= 3


def test_a_disturbance_leaves_consistency_uncounted():
    instance = generate(LabConfig(hidden=Hidden()), 0, 0)
    assert ambiguity(instance, LabRules(), [])[0].consistent is None
