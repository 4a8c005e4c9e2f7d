"""Drawing instances: same bytes, shared graphs, kept promises."""

import json
from math import sqrt

import pytest
from pydantic import ValidationError

from causarium.families.causalab.paper.generation import draw_graph
from causarium.families.causalab.paper.generation import draw_paper_instance as generate
from causarium.families.causalab.paper.levels import LEVELS, Hidden, LabConfig
from causarium.families.causalab.paper.model.instance import FREQUENCY, StoredInstance

PAPER = sorted(name for name, c in LEVELS.items() if c.edition == "paper")


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_the_same_address_gives_the_same_instance_and_it_survives_json(level):
    one, again = (generate(LEVELS[level], 3, 5) for _ in range(2))
    assert one.line() == again.line()
    assert StoredInstance.model_validate_json(one.line()) == one


def test_levels_that_differ_in_form_or_regime_share_their_graphs():
    alike = [
        "paper-linear-4",
        "paper-quadratic-4",
        "paper-hard-quadratic-4",
        "paper-hidden-n2",
        "paper-golden-4",
        "paper-grid-4-12o0i",
    ]
    for index in range(10):
        graphs = {
            (d.public.names, tuple((e.cause, e.effect) for e in d.secret.edges))
            for d in (generate(LEVELS[level], 0, index) for level in alike)
        }
        assert len(graphs) == 1


def test_sizes_seeds_and_indices_all_matter():
    lines = {
        generate(LEVELS[level], seed, index).line()
        for level in ("paper-linear-4", "paper-linear-5")
        for seed in (0, 1)
        for index in (0, 1)
    }
    assert len(lines) == 8


def test_the_first_record_crystals_of_the_paper_edition_are_the_published_ones():
    four, six = (generate(LEVELS[f"paper-linear-{k}"], 0, 7) for k in (4, 6))
    assert four.secret.record_bases == ((81, 14, 3), (94, 35, 31))
    assert six.secret.record_bases == ((81, 14, 3, 94, 35), (31, 28, 17, 94, 13))


def test_coefficients_of_the_paper_edition_come_from_the_published_ranges():
    for index in range(30):
        linear = generate(LEVELS["paper-linear-5"], 0, index).secret
        assert {e.linear for e in linear.edges} <= {1.0, 2.0, 3.0}
        assert 15 <= linear.base_frequency <= 25
        easy = generate(LEVELS["paper-quadratic-5"], 0, index).secret
        assert {e.square for e in easy.edges} <= {0.001, 0.002, 0.005}
        assert {abs(e.linear) for e in easy.edges} <= {0.2, 0.5}
        for edge in generate(LEVELS["paper-hard-quadratic-5"], 0, index).secret.edges:
            assert edge.square in {0.008, 0.012, 0.016}
            assert 35 <= -edge.linear / (2 * edge.square) <= 65.001


def test_disturbances_are_nested_and_start_at_the_frequency_when_they_may():
    for index in range(15):
        one, two, three = (
            generate(LEVELS[f"paper-hidden-n{n}"], 0, index).secret.disturbance.affected
            for n in (1, 2, 3)
        )
        assert one == two[:1]
        assert two == three[:2]
        with_frequency = generate(LEVELS["paper-hidden-freq-n3"], 0, index).secret.disturbance
        assert with_frequency.affected == (FREQUENCY, *two)


def test_the_first_disturbed_node_is_a_parent_of_the_frequency():
    for index in range(15):
        drawn = generate(LEVELS["paper-hidden-n1"], 0, index)
        assert (drawn.secret.disturbance.affected[0], FREQUENCY) in drawn.secret.edge_pairs


def test_the_paper_edition_does_not_tell_how_large_a_disturbance_is():
    assert generate(LEVELS["paper-hidden-n1"], 0, 0).public.hidden.values == ()


def test_listing_order_is_independent_of_causal_order():
    forward = total = graphs = 0
    for index in range(1500):
        properties, edges = draw_graph(LEVELS["paper-linear-6"], 0, index)
        among = [(a, b) for a, b in edges if len(properties) not in (a, b)]
        forward += sum(a < b for a, b in among)
        total += len(among)
        graphs += 1
    assert abs(forward / total - 0.5) < 3 * 0.5 / sqrt(graphs)


def test_the_printed_order_of_the_paper_edition_leaks_as_the_original_does():
    for index in range(20):
        drawn = generate(LEVELS["paper-linear-6"], 0, index)
        place = {name: i for i, name in enumerate(drawn.public.printed_order)}
        assert all(place[cause] < place[effect] for cause, effect in drawn.secret.edge_pairs)
        dag = drawn.secret.mechanism(drawn.public).dag
        before = {n for n in drawn.public.names if place[n] < place[FREQUENCY]}
        ancestors = {name for i, name in enumerate(drawn.public.names) if dag.ancestors[5] >> i & 1}
        assert before == ancestors


def test_larger_graphs_than_the_published_ones_can_be_drawn():
    drawn = generate(LabConfig(nodes=17), 0, 0)
    assert len(set(drawn.public.names)) == 16


def test_a_grid_cell_has_its_records_and_its_budget():
    drawn = generate(LEVELS["paper-grid-6-5o10i"], 0, 0)
    assert (len(drawn.public.records), drawn.public.budget) == (5, 10)
    assert drawn.facets["regime"] == "5o10i"


def test_default_budgets_are_four_for_each_property():
    assert [LEVELS[f"paper-linear-{k}"].budget for k in range(3, 9)] == [8, 12, 16, 20, 24, 28]


def test_a_frequency_that_acts_needs_the_linear_form():
    with pytest.raises(ValidationError, match="needs form 'linear'"):
        LabConfig(frequency_parent=True, form="quadratic")


@pytest.mark.parametrize("wrong", [{"count": 0}, {"count": 4}, {"span": 0}])
def test_an_impossible_disturbance_is_refused(wrong):
    with pytest.raises(ValidationError):
        Hidden(**wrong)


def test_a_golden_chain_of_the_paper_edition_goes_on_from_the_first_entry():
    chain = generate(LEVELS["paper-golden-4"], 0, 0).public.chain
    assert [step.continues for step in chain] == [None, None, 0, 2, 3, 4, 5, 6]
    targets = [step.property for step in chain if step.property]
    assert targets == sorted(set(targets)) * 2


def test_the_mechanism_is_a_facet_that_paper_lines_leave_out():
    paper = generate(LEVELS["paper-hidden-n1"], 3, 7)
    assert paper.facets["mechanism"] == "graph-4-s3-7"
    assert '"mechanism"' not in paper.line()
    again = StoredInstance.model_validate_json(paper.line())
    assert again.facets["mechanism"] == "graph-4-s3-7"
    assert generate(LEVELS["paper-freqparent-4"], 0, 2).facets["mechanism"] == "freqparent-4-s0-2"


@pytest.mark.parametrize("facets", [5, "nodes", ["nodes"], {"nodes": []}, {"nodes": {}}])
def test_odd_facets_are_refused_as_any_other_field(facets):
    fields = {**json.loads(generate(LEVELS["paper-linear-4"], 0, 0).line()), "facets": facets}
    with pytest.raises(ValidationError, match="facets"):
        StoredInstance.model_validate(fields)
    plain = StoredInstance.model_validate({**fields, "facets": {"nodes": 4}})
    assert plain.facets["mechanism"] == "graph-4-s0-0"
