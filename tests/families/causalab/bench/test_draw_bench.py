"""What is drawn for the bench, and what its certificate says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.causalab.generation.bench import draw_bench_instance, is_sound
from causarium.families.causalab.model.bench import BenchInstance
from causarium.families.causalab.model.config import (
    BENCH_LEVELS,
    SMALL_CHANGE,
    BenchConfig,
)
from causarium.families.causalab.proofs.bench_certificate import (
    BENCH_FAULTS,
    certify_bench,
    recheck_bench,
)
from tests.families.causalab.bench.made_bench import QUICK, draw


@pytest.mark.parametrize("level", QUICK)
def test_every_proof_holds_and_another_path_finds_the_same(level: str) -> None:
    for index in range(3):
        found = certify_bench(draw(level, index))
        assert [proof.claim for proof in found.proofs if not proof.holds] == []
        assert recheck_bench(draw(level, index)) == found


@pytest.mark.slow
@pytest.mark.parametrize("level", BENCH_LEVELS)
def test_every_proof_holds_on_fresh_seeds(level: str) -> None:
    for index in range(20):
        instance = draw(level, index, seed=91)
        assert recheck_bench(instance) == certify_bench(instance)


@pytest.mark.parametrize("fault", BENCH_FAULTS)
@pytest.mark.parametrize("level", ["practice-4", "bench-4", "bench-6", "top-12"])
def test_a_planted_fault_is_found_on_both_paths(level: str, fault: str) -> None:
    spoiled = BENCH_FAULTS[fault](draw(level, 1))
    for check in (certify_bench, recheck_bench):
        assert not all(proof.holds for proof in check(spoiled).proofs)


def test_the_same_address_draws_the_same_instance() -> None:
    assert draw("bench-6", 3) == draw("bench-6", 3) != draw("bench-6", 4)


@pytest.mark.parametrize("level", QUICK)
def test_levels_are_as_they_say(level: str) -> None:
    config, instance = BENCH_LEVELS[level], draw(level, 2)
    public, secret = instance.public, instance.secret
    assert len(public.properties) == config.properties
    assert len(public.holdable) == config.properties - config.fixed
    assert [one.kind for one in secret.questions].count("held") == config.questions
    assert [one.kind for one in secret.questions].count("one hold") == 2
    assert public.questions == len(secret.questions) == len(secret.answers)
    assert all(1 <= abs(edge.weight) <= config.largest for edge in secret.edges)
    causes = [edge.effect for edge in secret.edges]
    assert max(map(causes.count, causes)) <= 2
    for question in secret.questions:
        assert len(question.holds) <= config.holds
        for name, value in question.holds.items():
            offset = abs(value - secret.reactor[public.nodes.index(name)])
            assert 2 <= offset <= config.limit


@pytest.mark.parametrize("level", ["bench-4", "bench-6", "part-8"])
def test_readings_without_code_stay_below_a_hundred(level: str) -> None:
    assert SMALL_CHANGE + 20 < 100
    for index in range(3):
        instance = draw(level, index)
        assert all(abs(answer) < 100 for answer in instance.secret.answers)
        mechanism = instance.secret.mechanism(instance.public.nodes)
        for name in instance.public.holdable:
            row = mechanism.effects[instance.public.nodes.index(name)]
            assert max(map(abs, row)) * instance.public.limit <= SMALL_CHANGE


def test_readings_at_rest_do_not_depend_on_the_mechanism() -> None:
    one, other = BENCH_LEVELS["bench-4"], BENCH_LEVELS["bench-4"].model_copy(update={"largest": 3})
    a, b = draw_bench_instance(one, 1, 7), draw_bench_instance(other, 1, 7)
    assert a.public.manipulator == b.public.manipulator
    assert a.secret.reactor == b.secret.reactor


def _turn(instance: BenchInstance, name: str) -> BenchInstance:
    """Turn the signs of all weights into and out of a property; answers follow."""
    edges = tuple(
        edge.model_copy(update={"weight": -edge.weight})
        if (edge.cause == name) != (edge.effect == name)
        else edge
        for edge in instance.secret.edges
    )
    secret = instance.secret.model_copy(update={"edges": edges})
    mechanism, nodes = secret.mechanism(instance.public.nodes), instance.public.nodes
    answers = []
    for one in secret.questions:
        held = {nodes.index(n): v - secret.reactor[nodes.index(n)] for n, v in one.holds.items()}
        asked = nodes.index(one.asked)
        answers.append(secret.reactor[asked] + mechanism.changes(held)[asked])
    return instance.model_copy(
        update={"secret": secret.model_copy(update={"answers": tuple(answers)})}
    )


@settings(max_examples=12)
@given(st.sampled_from(["bench-4", "bench-6", "top-12"]), st.integers(0, 8), st.integers(0, 99))
def test_turned_signs_pass_the_same_conditions(level: str, index: int, place: int) -> None:
    # The bounds on who does not experiment, and on who does not read what is fixed, rest on this.
    instance = draw(level, index)
    name = instance.public.names[place % len(instance.public.names)]
    assert all(proof.holds for proof in certify_bench(_turn(instance, name)).proofs)


def test_turning_what_is_fixed_changes_no_other_reading_and_the_answer() -> None:
    instance = draw("bench-6", 0)
    public = instance.public
    fixed = next(
        name
        for one in instance.secret.questions
        if one.kind == "held"
        for name in one.holds
        if name not in public.holdable
    )
    turned = _turn(instance, fixed)
    before = instance.secret.mechanism(public.nodes)
    after = turned.secret.mechanism(public.nodes)
    at = public.nodes.index(fixed)
    for name in public.holdable:
        node = public.nodes.index(name)
        for other in range(len(public.nodes)):
            same = before.effects[node][other] == after.effects[node][other]
            assert same or other == at
    for one, old, new in zip(
        instance.secret.questions, instance.secret.answers, turned.secret.answers, strict=True
    ):
        if one.kind == "held" and fixed in one.holds:
            assert old != new


@given(st.lists(st.integers(-9, 9).filter(bool), min_size=2, max_size=3))
def test_sound_terms_leave_no_sum_likelier_than_a_quarter(terms: list[int]) -> None:
    sums = [0]
    for term in terms:
        sums = [total + sign * term for total in sums for sign in (1, -1)]
    if is_sound(terms):
        assert 0 not in sums
        assert max(map(sums.count, sums)) / len(sums) <= 1 / 4


def test_a_level_that_cannot_be_drawn_says_why() -> None:
    with pytest.raises(ValueError, match="leave at least 2"):
        BenchConfig(properties=4, fixed=3)
