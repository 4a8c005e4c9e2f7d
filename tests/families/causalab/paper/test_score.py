"""The verdict: what each kind of hypothesis earns, and that nothing earns more than the truth."""

import math
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.world import Unparsed
from causarium.families.causalab.paper.generation import draw_paper_instance as generate
from causarium.families.causalab.paper.levels import LabConfig, LabRules
from causarium.families.causalab.paper.model.actions import Intervene, Measure, Submit
from causarium.families.causalab.paper.play.world import LabWorld
from causarium.families.causalab.paper.publication.suite_files import read_suite
from causarium.families.causalab.paper.scoring.score import METRICS, score
from tests.families.causalab.paper.made import (
    F,
    believe,
    made,
    numbers_of,
    paper_rules,
    recorded,
    suite,
    turns_of,
    verdict_of,
)

# density -> moisture -> F, density -> F, ph alone.
SIMPLE = made({("density", "moisture"): 3, ("moisture", F): 2, ("density", F): 1})
TRUE_EDGES = (("density", "moisture"), ("moisture", F), ("density", F))
TRUE = believe(*TRUE_EDGES, base=20, c_moisture=2, c_density=1)
TARGET = SIMPLE.secret.target
QUADRATIC = made({("density", F): (-0.5, 0.01), ("ph", F): (0.2, 0.002)})


def judged(hypothesis, *, instance=SIMPLE, rules=None):
    submit = Submit(value=instance.secret.target, hypothesis=hypothesis)
    return numbers_of(instance, submit, rules=rules)


def test_the_truth_scores_full_marks():
    numbers = judged(TRUE)
    for name in ("prediction", "edge_f1", "weight_f1", "root_f1", "freq_edge_f1", "base"):
        assert numbers[name] == 1, name
    assert numbers["shd"] == numbers["wrong_edges"] == numbers["abs_error"] == 0
    assert numbers["explained"] == 1


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (F, {"freq_edge_f1": 0.8, "root_f1": 1.0}),
        ("density", {"freq_edge_f1": 1.0, "root_f1": 0.0}),
    ],
)
def test_an_arrow_of_a_node_to_itself_counts_as_the_release_counts_it(node, expected):
    numbers = judged(believe(*TRUE_EDGES, (node, node)), rules=paper_rules())
    assert {name: numbers[name] for name in expected} == pytest.approx(expected)
    assert numbers["extra"] == 1


def test_silence_scores_nothing_and_is_as_far_from_the_truth_as_its_edges():
    numbers = score(SIMPLE, LabRules(), []).numbers
    for name in ("prediction", "edge_f1", "weight_f1", "root_f1", "freq_edge_f1", "explained"):
        assert numbers[name] == 0, name
    assert numbers["shd"] == numbers["shd_area"] == 3
    assert math.isnan(numbers["abs_error"])


@pytest.mark.parametrize(
    ("value", "prediction"), [(0, 1), (5, 1), (-5, 1), (5.01, 0), (-5.01, 0), (1000, 0)]
)
def test_the_window_is_symmetric_and_as_stated(value, prediction):
    numbers = numbers_of(SIMPLE, Submit(value=TARGET + value))
    assert numbers["prediction"] == prediction
    assert numbers["abs_error"] == pytest.approx(abs(value))


@pytest.mark.parametrize(("value", "prediction"), [(4.99, 1), (-4, 1), (-4.5, 0), (5, 0)])
def test_the_published_window_is_lopsided(value, prediction):
    rules = paper_rules(repeated_submissions=False, last_submission_dead=False)
    assert numbers_of(SIMPLE, Submit(value=TARGET + value), rules=rules)["prediction"] == prediction


def test_counts_of_edges_are_kept_and_a_reversal_counts_once():
    numbers = judged(believe(("moisture", "density"), ("moisture", F), ("ph", F)))
    counts = {name: numbers[name] for name in ("matched", "reversed", "missing", "extra", "shd")}
    assert counts == {"matched": 1, "reversed": 1, "missing": 1, "extra": 1, "shd": 3}
    assert numbers["asserted"] == 3
    assert numbers["wrong_edges"] == 2


@pytest.mark.parametrize(
    ("edges", "label", "precision", "wrong"),
    [
        ((), "none", 0, 0),
        ((("density", F),), "partial", 1, 0),
        (TRUE_EDGES, "exact", 1, 0),
        ((("density", F), ("ph", F)), "wrong", 0.5, 1),
        (((F, "density"),), "wrong", 0, 1),
    ],
)
def test_abstention_is_told_from_error(edges, label, precision, wrong):
    instance = made(
        {("density", "moisture"): 3, ("moisture", F): 2, ("density", F): 1},
        frequency_may_cause=True,
    )
    move = Submit(value=1.0, hypothesis=believe(*edges, base=1))
    verdict = score(instance, LabRules(), turns_of(instance, move))
    assert verdict.labels["graph"] == label
    assert verdict.numbers["edge_precision"] == precision
    assert verdict.numbers["wrong_edges"] == wrong


@pytest.mark.parametrize(("nodes", "recall", "f1"), [(4, 0.488, 0.648), (6, 0.316, 0.471)])
def test_the_published_observation_only_graphs_are_abstentions(nodes, recall, f1):
    """Drawing the arrows into the frequency and no others gives the published numbers."""
    rows = []
    for instance in read_suite(suite(f"{nodes}nodes")):
        known = [edge for edge in instance.secret.edge_pairs if edge[1] == F]
        rows.append(judged(believe(*known, base=1), instance=instance))
    assert fmean(row["edge_recall"] for row in rows) == pytest.approx(recall, abs=0.0005)
    assert fmean(row["edge_f1"] for row in rows) == pytest.approx(f1, abs=0.0005)
    assert {row["edge_precision"] for row in rows} == {1}
    assert {row["wrong_edges"] for row in rows} == {0}


@pytest.mark.parametrize("name", ["density", "Density", "DENSITY", " density "])
def test_names_are_matched_without_case_and_by_display_name(name):
    numbers = judged(believe((name, F), base=1))
    assert numbers["matched"] == 1
    numbers = judged(believe(("pH", "Resonance Frequency (Hz)"), ("moisture", "freq"), base=1))
    assert (numbers["matched"], numbers["extra"]) == (1, 1)


def test_published_scoring_takes_names_letter_by_letter():
    numbers = judged(believe(("Density", "frequency"), ("moisture", F)), rules=paper_rules())
    assert (numbers["matched"], numbers["extra"]) == (1, 1)


@pytest.mark.parametrize(
    ("given", "f1"),
    [
        ({"c_moisture": 2, "c_density": 1}, 1),
        ({"c_moisture": 2.019, "c_density": 1}, 1),
        ({"c_moisture": 2.021, "c_density": 1}, 0.5),
        ({"c_moisture": 2}, 2 / 3),
        ({"c_moisture": 2, "c_density": 1, "c_ph": None}, 1),
        ({"c_moisture": 2, "c_density": 1, "c_ph": 0}, 1),
        ({"c_moisture": 2, "c_density": 1, "c_ph": 1}, 0.8),
        ({"Moisture": 2, "coeff_density_freq": 1}, 1),
        ({}, 0),
    ],
)
def test_weights_are_right_within_one_percent_and_null_proposes_nothing(given, f1):
    assert judged(believe(*TRUE_EDGES, **given))["weight_f1"] == pytest.approx(f1)


@pytest.mark.parametrize(
    ("given", "f1"),
    [
        ({"c_moisture": 2, "c_density": 1}, 1),
        ({"c_moisture": 2.00001, "c_density": 1}, 0.5),
        ({"c_moisture": 2, "c_density": 1, "c_ph": None}, 0.8),
        ({"c_moisture": 2, "c_density": 1, "c_ph": 0}, 0.8),
    ],
)
def test_published_weights_are_exact_and_null_counts_as_proposed(given, f1):
    found = judged(believe(*TRUE_EDGES, **given), rules=paper_rules())["weight_f1"]
    assert found == pytest.approx(f1)


@pytest.mark.parametrize(
    ("given", "right"), [({"base": 20}, 1), ({"base": 20.19}, 1), ({"base": 21}, 0), ({}, 0)]
)
def test_the_base_is_scored_apart_from_the_weights(given, right):
    numbers = judged(believe(*TRUE_EDGES, c_moisture=2, c_density=1, **given))
    assert numbers["base"] == right
    assert numbers["weight_f1"] == 1


def test_square_terms_are_scored():
    linear = {"c1_density": -0.5, "c1_ph": 0.2}
    edges = (("density", F), ("ph", F))
    whole = believe(*edges, base=20, **linear, c2_density=0.01, c2_ph=0.002)
    assert judged(whole, instance=QUADRATIC)["weight_f1"] == 1
    half = believe(*edges, base=20, **linear)
    assert judged(half, instance=QUADRATIC)["weight_f1"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("given", "f1"),
    [
        # Bare and capitalised keys count as proposed where they match a true parent.
        ({"density": 1, "moisture": 9}, 2 * 0.5 * 0.5 / 1),
        ({"C_density": 1, "C_moisture": 9}, 2 * 0.5 * 0.5 / 1),
        ({"density": 1, "moisture": 2}, 1),
        ({"density": 1}, 2 * 1 * 0.5 / 1.5),
        # A bare key that matches no parent is not counted, a prefixed one is.
        ({"density": 1, "moisture": 2, "ph": 5}, 1),
        ({"density": 1, "moisture": 2, "c_ph": 5}, 1),
        ({"c_density": 1, "c_moisture": 2, "c_ph": 5}, 2 * (2 / 3) / (5 / 3)),
        # A key without a number matches nothing, and another spelling may.
        ({"c_density": None, "density": 1, "moisture": 2}, 1),
        ({"c_density": None, "C_Density": 1, "moisture": 2}, 2 * 1 * 0.5 / 1.5),
        ({"coeff_density_freq": 1, "COEFF_MOISTURE_FREQUENCY": 2}, 1),
    ],
)
def test_published_weights_have_the_larger_of_two_denominators(given, f1):
    found = judged(believe(*TRUE_EDGES, **given), rules=paper_rules())["weight_f1"]
    assert found == pytest.approx(f1)


@given(
    st.dictionaries(
        st.sampled_from(
            [f"{head}{name}" for head in ("c_", "C_", "", "coeff_") for name in ("density", "ph")]
            + ["moisture", "Moisture", "coeff_moisture_freq", "c_moisture", "base"]
        ),
        st.sampled_from([None, 0.0, 1.0, 2.0, 7.5]),
    )
)
def test_a_published_precision_is_a_share(given):
    numbers = judged(believe(*TRUE_EDGES, **given), rules=paper_rules())
    assert 0 <= numbers["weight_precision"] <= 1
    assert 0 <= numbers["weight_recall"] <= 1


# density -> moisture -> ph -> F: three arrows, and three pairs that are joined through others.
CHAIN = made({("density", "moisture"): 3, ("moisture", "ph"): 2, ("ph", F): 1})
CHAIN_EDGES = (("density", "moisture"), ("moisture", "ph"), ("ph", F))
INDIRECT = (("density", "ph"), ("density", F), ("moisture", F))


@pytest.mark.parametrize(
    ("edges", "direct"),
    [
        (CHAIN_EDGES, 1),
        ((*CHAIN_EDGES, *INDIRECT), 0.5),
        ((), 0.5),
        (CHAIN_EDGES[:2], (2 / 3 + 1) / 2),
        ((*CHAIN_EDGES, INDIRECT[0]), (1 + 2 / 3) / 2),
        (INDIRECT, 0),
        ((("moisture", "density"),), 0.5),
    ],
)
def test_direct_effects_are_told_from_indirect_ones(edges, direct):
    assert judged(believe(*edges), instance=CHAIN)["direct"] == pytest.approx(direct)


def test_without_indirect_pairs_there_is_nothing_to_tell():
    flat = made({("density", F): 3, ("ph", F): 2})
    assert math.isnan(judged(believe(("density", F)), instance=flat)["direct"])


def test_effort_is_a_multiple_of_the_fewest_interventions():
    instance = generate(LabConfig(nodes=5), 0, 0)
    name = instance.public.names[0]
    moves = [Intervene(property=name, value=float(i)) for i in range(6)]
    assert numbers_of(instance, *moves)["effort"] == pytest.approx(6 / 3)
    assert numbers_of(instance, Submit(value=1.0))["effort"] == 0
    golden = generate(LabConfig(golden=True), 0, 0)
    assert math.isnan(numbers_of(golden, Submit(value=1.0))["effort"])


def test_published_weights_never_compare_squares_nor_know_the_names_they_ask_for():
    edges = (("density", F), ("ph", F))
    plain = believe(*edges, c_density=-0.5, c_ph=0.2)
    assert judged(plain, instance=QUADRATIC, rules=paper_rules())["weight_f1"] == 1
    asked = believe(*edges, c_density_1=0.01, c_density_2=-0.5, c_ph_1=0.002, c_ph_2=0.2)
    assert judged(asked, instance=QUADRATIC, rules=paper_rules())["weight_f1"] == 0


def test_roots_come_from_the_graph_and_only_above_the_frequency():
    # ph acts on nothing, so it is a root of the graph and not of the frequency.
    numbers = judged(believe(("density", "moisture"), ("moisture", F), base=1))
    assert numbers["root_f1"] == 1
    numbers = judged(believe(("density", F), ("moisture", F), base=1))
    assert numbers["root_f1"] == pytest.approx(2 / 3)


def test_a_hypothesis_with_problems_is_not_taken_and_the_last_good_one_stays():
    good = Intervene(property="ph", value=1.0, hypothesis=TRUE)
    bad = believe(("density", "density"), ("sugar", F))
    moves = [good, *(Intervene(property="ph", value=2.0, hypothesis=bad) for _ in range(4))]
    numbers = numbers_of(SIMPLE, *moves)
    assert numbers["edge_f1"] == 1
    assert (numbers["sent_back"], numbers["parse_failures"]) == (3, 1)
    assert numbers["refusals"] == 3
    assert numbers["interventions"] == 2


@given(kinds=st.lists(st.sampled_from(["good", "bad", "none", "unread", "measure"]), max_size=14))
@settings(max_examples=25, deadline=None)
def test_what_the_world_did_with_hypotheses_is_read_off_the_turns(kinds):
    bad = believe(("sugar", F))
    moves = {
        "good": Intervene(property="ph", value=1.0, hypothesis=TRUE),
        "bad": Intervene(property="ph", value=2.0, hypothesis=bad),
        "none": Intervene(property="ph", value=3.0),
        "unread": Unparsed(mode="no json", detail="nothing"),
        "measure": Measure(),
    }
    world = LabWorld(SIMPLE, LabRules())
    turns = [recorded(moves[kind], world.act(moves[kind])) for kind in kinds]
    numbers = score(SIMPLE, LabRules(), turns).numbers
    assert numbers["parse_failures"] == world.parse_failures
    assert numbers["sent_back"] == sum("cannot be taken" in turn.observation for turn in turns)
    assert numbers["interventions"] == world.spent


def test_an_unchecked_hypothesis_counts_for_what_it_is():
    bad = believe(("density", "density"), ("sugar", F), ("density", F))
    numbers = judged(bad, rules=paper_rules())
    assert (numbers["matched"], numbers["extra"], numbers["missing"]) == (1, 2, 2)


def test_what_is_unread_refused_and_left_is_counted():
    numbers = numbers_of(
        SIMPLE,
        Unparsed(mode="no json", detail="nothing"),
        Intervene(property="sugar", value=1.0),
        Intervene(property="ph", value=1.0),
        Measure(),
    )
    assert (numbers["unread"], numbers["refusals"]) == (1, 2)
    assert (numbers["interventions"], numbers["budget_left"]) == (1, 11)


def test_turns_after_the_end_change_nothing():
    end = Submit(value=TARGET, hypothesis=TRUE)
    late = [Submit(value=0.0, hypothesis=believe(("ph", F), base=1)), Measure()]
    assert numbers_of(SIMPLE, end, *late) == pytest.approx(numbers_of(SIMPLE, end), nan_ok=True)


def test_without_a_hypothesis_to_ask_for_its_numbers_do_not_apply():
    rules = LabRules(interface="plain")
    verdict = verdict_of("oracle", SIMPLE, rules)
    assert verdict.numbers["prediction"] == 1
    assert math.isnan(verdict.numbers["edge_f1"])
    assert math.isnan(verdict.numbers["shd"])
    assert verdict.labels == {}


"""What both editions count."""


def test_every_number_is_described_and_every_description_has_a_number():
    for rules in (LabRules(), LabRules(interface="plain"), paper_rules()):
        elsewhere = {"science_steps", "walking_steps"}
        assert set(score(SIMPLE, rules, []).numbers) == set(METRICS) - elsewhere


nodes = ("density", "moisture", "ph", F)
arrows = st.sets(st.tuples(st.sampled_from(nodes), st.sampled_from(nodes)), max_size=12)
numbers = st.dictionaries(
    st.sampled_from(["base", "c_density", "c_moisture", "c_ph", "c2_ph", "sugar"]),
    st.one_of(st.none(), st.floats(-5, 5)),
    max_size=6,
)


@given(edges=arrows, given=numbers, value=st.floats(-1e5, 1e5), paper=st.booleans())
@settings(max_examples=50, deadline=None)
def test_no_hypothesis_scores_above_the_truth_and_every_number_is_in_its_range(
    edges, given, value, paper
):
    rules = paper_rules() if paper else LabRules()
    found = numbers_of(
        SIMPLE, Submit(value=value, hypothesis=believe(*edges, **given)), rules=rules
    )
    for name in METRICS:
        if name.endswith(("f1", "precision", "recall", "_f1_area")) or name in {
            "base",
            "explained",
        }:
            assert 0 <= found[name] <= 1, name
    assert found["shd"] >= 0
    assert (found["edge_f1"] == 1) == (found["shd"] == 0)
    assert found["asserted"] == found["matched"] + found["wrong_edges"]


@pytest.mark.parametrize("form", ["linear", "quadratic", "hard-quadratic"])
@pytest.mark.parametrize("nodes", [3, 5])
@pytest.mark.parametrize("edition", ["certified", "paper"])
def test_the_oracle_has_full_marks_and_silence_none_on_drawn_instances(form, nodes, edition):
    rules = paper_rules() if edition == "paper" else LabRules()
    for index in range(6):
        instance = generate(LabConfig(nodes=nodes, form=form), 1, index)
        low, high = instance.public.reactor_range
        best = verdict_of("oracle", instance, rules).numbers
        # Some published targets lie where the reactor cannot be tuned to.
        if low <= instance.secret.target <= high:
            assert best["prediction"] == 1
        assert (best["edge_f1"], best["shd"], best["weight_f1"]) == (1, 0, 1)
        assert best["explained"] == 1
        least = score(instance, rules, []).numbers
        assert (least["prediction"], least["edge_f1"], least["weight_f1"]) == (0, 0, 0)
        assert least["shd"] == len(instance.secret.edges)


@pytest.mark.parametrize("size", [1e308, -1e308, 1e200])
def test_absurd_coefficients_are_wrong_and_not_infinite(size):
    found = judged(believe(*TRUE_EDGES, base=size, c_moisture=size, c_density=size))
    assert (found["weight_f1"], found["base"], found["explained"]) == (0, 0, 0)
    assert not any(math.isinf(value) for value in found.values())


def test_a_verdict_says_what_was_submitted():
    said = score(SIMPLE, LabRules(), turns_of(SIMPLE, Submit(value=1.5))).explanation
    assert said.startswith("Submitted 1.5; the frequency is ")
    assert score(SIMPLE, LabRules(), []).explanation.startswith("Submitted nothing; ")


def test_scoring_twice_gives_the_same_verdict():
    turns = turns_of(SIMPLE, Intervene(property="ph", value=1.0, hypothesis=TRUE))
    first = score(SIMPLE, LabRules(), turns)
    assert score(SIMPLE, LabRules(), turns).model_dump_json() == first.model_dump_json()
