"""What nobody can know or hit without an intervention."""

from statistics import fmean

import pytest

from causarium.families.causalab.certify import certify
from causarium.families.causalab.config import LEVELS
from causarium.families.causalab.evidence.passive_bounds import passive_bound, shows_the_same
from causarium.families.causalab.generate import draw_edges, generate, make_certified_instance
from causarium.families.causalab.generation.coefficients import draw_certified
from causarium.families.causalab.generation.mechanism_law import sample_mechanisms
from causarium.families.causalab.generation.skeletons import Skeleton, draw_skeleton
from causarium.families.causalab.instance import FREQUENCY
from causarium.seeds import stream

UNSHARED = [
    "linear-3", "linear-4", "linear-7", "linear-12", "quadratic-4", "hard-quadratic-5",
    "freqparent-6", "hidden-n2", "shift-6", "do-6",
]  # fmt: skip


def with_another_mechanism(level, index):
    """Return an instance of the same readings behind which another mechanism stands."""
    config = LEVELS[level]
    properties = draw_skeleton(config, 0, index).properties
    other = Skeleton(properties, draw_skeleton(config, 0, "other", index).edges)
    edges = draw_edges(config, other, lambda what: stream(0, "other", level, what, index))
    return make_certified_instance(config, edges, other, 0, index)


@pytest.mark.parametrize("level", UNSHARED)
def test_another_mechanism_shows_the_same_bytes(level):
    different = 0
    for index in range(30):
        one, other = generate(LEVELS[level], 0, index), with_another_mechanism(level, index)
        assert other.public.model_dump_json() == one.public.model_dump_json()
        different += other.secret.edges != one.secret.edges
    assert different == 30


def test_where_records_share_the_base_only_their_frequencies_tell():
    one, other = generate(LEVELS["grid-4-12o0i"], 0, 3), with_another_mechanism("grid-4-12o0i", 3)
    assert [r.values for r in one.public.records] == [r.values for r in other.public.records]
    assert one.public.records != other.public.records


def test_a_table_that_a_mechanism_brought_about_is_found_out():
    public = generate(LEVELS["linear-4"], 0, 0).public
    others = sample_mechanisms(4, "linear", frequency_parent=False, count=4)
    assert shows_the_same(public, others)
    coarse = [type(m)(m.terms, decimals=0) for m in others]
    assert not shows_the_same(public, coarse)


@pytest.mark.parametrize(
    ("level", "most"),
    [("linear-4", 0.0334), ("quadratic-4", 0.0835), ("hard-quadratic-4", 0.0579)],
)
def test_the_bound_is_what_the_law_allows(level, most):
    for index in range(20):
        extra = certify(generate(LEVELS[level], 0, index)).extra
        assert 0 < extra["passive_bound"] <= most


def test_there_is_no_bound_where_readings_tell():
    assert passive_bound(generate(LEVELS["grid-4-3o0i"], 0, 0).public, "linear") is None
    assert passive_bound(generate(LEVELS["golden-4"], 0, 0).public, "linear") is None
    assert passive_bound(generate(LEVELS["grid-4-0o3i"], 0, 0).public, "linear") is not None


@pytest.mark.parametrize("form", ["linear", "quadratic", "hard-quadratic"])
def test_no_window_is_hit_more_often_than_the_bound_says(form):
    public = generate(LEVELS[f"{form}-4"], 0, 1).public
    bound = passive_bound(public, form)
    rng = stream(0, "test", "bound", form)
    # The worst case: one parent, the one in which the crystals are nearest.
    apart = [abs(x - y) for x, y in zip(public.reactor, public.manipulator.values, strict=True)]
    near = apart.index(min(apart))
    x, y = public.reactor[near], public.manipulator.values[near]
    targets = []
    for _ in range(8000):
        ((linear, square),) = draw_certified(rng, form, ((near, 3),), 3)
        targets.append(linear * (x - y) + square * (x * x - y * y))
    targets.sort()
    best = max(
        sum(abs(t - middle) <= public.tolerance for t in targets[max(0, i - 900) : i + 900])
        for i, middle in enumerate(targets)
        if i % 40 == 0
    )
    assert best / len(targets) <= bound + 3 * (bound / len(targets)) ** 0.5


def test_targets_of_a_level_differ_and_lie_far_from_what_is_shown():
    drawn = [generate(LEVELS["linear-4"], 0, i) for i in range(60)]
    assert len({one.secret.target for one in drawn}) == 60
    near = [
        abs(one.secret.target - one.public.manipulator.frequency) <= one.public.tolerance
        for one in drawn
    ]
    assert fmean(near) <= 0.07
    assert all(FREQUENCY in {e.effect for e in one.secret.edges} for one in drawn)
