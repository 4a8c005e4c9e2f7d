"""Worlds: what is set stays set, everything else follows, and rows survive being written down."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.replayscm.paper.generation.published_problems import (
    Laboratory,
    assign,
    novelty,
)
from causarium.families.replayscm.paper.generation.true_models import draw_latent
from causarium.families.replayscm.paper.mechanics import (
    Panel,
    coverage,
    patterns_seen,
    write_worlds,
)
from causarium.scm.dag import bits


def _lab(index: int) -> tuple[Laboratory, Random]:
    rng = Random(index)
    scm = draw_latent(0, index, 0).scm
    return Laboratory.draw(scm, 11, {1: 4, 2: 46, 3: 50}, 0.22, rng), rng


@given(st.integers(0, 60))
@settings(max_examples=40, deadline=None)
def test_the_true_model_replays_every_world(index: int) -> None:
    lab, rng = _lab(index)
    for panel in (lab.observe(), *lab.random_worlds(rng, 5)):
        assert all(lab.scm.run(row, panel.targets) == row for row in panel.rows)
        assert len(panel.rows) == 11


@given(st.integers(0, 60))
@settings(max_examples=40, deadline=None)
def test_constants_are_constant_and_assignments_are_not(index: int) -> None:
    lab, rng = _lab(index)
    for panel in lab.random_worlds(rng, 8):
        for target in bits(panel.targets):
            values = {row >> target & 1 for row in panel.rows}
            assert len(values) == (1 if panel.mode == "hard_constant" else 2)
        assert lab.scm.endogenous & ~panel.targets


def test_a_unit_keeps_its_thresholds_from_world_to_world() -> None:
    lab, _ = _lab(3)
    assert lab.observe() == lab.observe()
    root = next(bits(lab.scm.roots))
    low, high = (lab._run("none", 0, [level] * 3, None).rows for level in (0.2, 0.8))
    assert all(b >> root & 1 for a, b in zip(low, high, strict=True) if a >> root & 1)


@given(st.integers(0, 60))
@settings(max_examples=20, deadline=None)
def test_a_world_survives_being_written_down(index: int) -> None:
    lab, rng = _lab(index)
    names = [f"X{i + 1}" for i in range(lab.scm.n)]
    panel, *_ = lab.random_worlds(rng, 9)
    (world,) = write_worlds([panel], "t", names)
    assert Panel.read(world, names) == panel
    packed = int(world.columns["X1"][::-1], 2)
    assert packed == sum((row & 1) << r for r, row in enumerate(panel.rows))


@given(st.integers(0, 1000), st.integers(1, 255), st.integers(2, 12))
@settings(max_examples=60)
def test_row_wise_assignments_have_both_values(seed: int, targets: int, rows: int) -> None:
    values = assign(targets, rows, Random(seed))
    for i in bits(targets):
        assert {value >> i & 1 for value in values} == {0, 1}
    assert all(value & ~targets == 0 for value in values)


def test_novelty_is_the_distance_to_the_nearest_targets() -> None:
    def world(targets: int) -> Panel:
        return Panel("hard_assigned", targets, (0, 1))

    assert novelty(world(0b11), [world(0b11)]) == 0
    assert novelty(world(0b11), [world(0b01), world(0b1100)]) == 0.5
    assert novelty(world(0b11), []) == 1


def test_patterns_count_only_where_the_variable_is_not_set() -> None:
    seen = Panel("none", 0, (0b001, 0b111))
    held = Panel("hard_assigned", 0b100, (0b010, 0b100))
    assert patterns_seen([seen, held], {2: 0b011}) == {2: {0b01, 0b11}}
    assert coverage([seen, held], {2: 0b011}) == 0.5
