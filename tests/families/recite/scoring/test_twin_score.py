"""`reading`: no answer earns on both twins, and only the truth earns 1."""

from hypothesis import assume, given
from hypothesis import strategies as st

from causarium.families.recite.paper.scoring.twin_score import score_twin

edges = st.frozensets(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=20)


@given(edges, edges, edges)
def test_the_readings_of_one_answer_on_two_twins_sum_to_nothing(
    answer: frozenset, told: frozenset, twin: frozenset
) -> None:
    one, other = score_twin(answer, told, twin), score_twin(answer, twin, told)
    assert one.reading + other.reading == 0
    assert one.common_f1 == other.common_f1
    assert -1 <= one.reading <= 1


@given(edges, edges, edges)
def test_only_the_own_graph_earns_one(answer: frozenset, told: frozenset, twin: frozenset) -> None:
    assume(told - twin and twin - told and told & twin)
    assert score_twin(told, told, twin).reading == 1
    assert score_twin(twin, told, twin).reading == -1
    assert score_twin((), told, twin).reading == 0
    assert (score_twin(answer, told, twin).reading == 1) == (answer == told)


@given(edges, edges, edges, edges)
def test_where_contrast_is_not_negative_right_edges_help_and_wrong_ones_harm(
    answer: frozenset, told: frozenset, twin: frozenset, more: frozenset
) -> None:
    assume(told - twin and twin - told)
    before = score_twin(answer, told, twin)
    assume(before.contrast >= 0)
    assert score_twin(answer | (more & told), told, twin).reading >= before.reading - 1e-12
    worse = score_twin(answer | (more - told), told, twin)
    assert worse.contrast < 0 or worse.reading <= before.reading + 1e-12


def test_by_hand() -> None:
    told, twin = {("a", "b"), ("c", "d"), ("g", "h")}, {("d", "c"), ("e", "f"), ("g", "h")}
    found = score_twin({("a", "b"), ("d", "c"), ("g", "h")}, told, twin)
    assert (found.told_found, found.twin_taken, found.turned_taken) == (0.5, 0.5, 0.5)
    assert (found.contrast, found.common_f1, found.reading) == (0, 1, 0)
