"""The machine's worlds and what a log leaves of them, against sets written out by hand."""

from hypothesis import given
from hypothesis import strategies as st

from causarium.families.causallink.mechanics import Law, Machine, Row, World

LOG = Law(others=5, helpers=(1, 2), rivals=(1, 2), brakes=(1,))
SCREENS = Law(others=6, helpers=(2,), rivals=(1, 2), brakes=(1,))
MACHINE = Machine(LOG)

backgrounds = st.integers(0, 31)
worlds = st.sampled_from(MACHINE.worlds)
rows = st.builds(
    lambda suspects, moved, unseen, target: Row(suspects, moved & ~unseen, unseen, target),
    st.booleans(),
    backgrounds,
    backgrounds,
    st.booleans(),
)


def test_the_laws_have_as_many_worlds_as_counting_by_hand_says() -> None:
    assert len(MACHINE.worlds) == 390
    assert len(Machine(SCREENS).worlds) == 720


def test_helpers_rivals_and_brakes_each_do_their_part() -> None:
    world = World(helpers=0b00011, rival=0b00100, brakes=0b01000)
    assert world.decides(0b00011)
    assert world.decides(0b10011)
    assert not world.decides(0b00001)
    assert world.moves(0b00111, live=False)
    assert not world.decides(0b00111)
    assert not world.moves(0b01111, live=True)


@given(worlds, backgrounds)
def test_a_background_tells_the_suspects_apart_exactly_where_it_is_decisive(
    world: World, background: int
) -> None:
    differ = world.moves(background, live=True) != world.moves(background, live=False)
    assert world.decides(background) == differ
    bit = 1 << MACHINE.worlds.index(world)
    assert bool(MACHINE.decisive[background] & bit) == differ


@given(worlds, rows)
def test_a_world_fits_a_row_exactly_if_some_filling_gives_what_was_seen(
    world: World, row: Row
) -> None:
    fits = any(world.moves(c, live=row.suspects) == row.target for c in row.fillings())
    assert bool(MACHINE.fit(row) >> MACHINE.worlds.index(world) & 1) == fits


@given(rows)
def test_fillings_agree_with_all_that_was_seen(row: Row) -> None:
    fillings = list(row.fillings())
    assert len(set(fillings)) == len(fillings) == 2 ** row.unseen.bit_count()
    assert all(filling & ~row.unseen == row.moved for filling in fillings)


def test_no_world_is_listed_twice_and_no_set_lies_within_another() -> None:
    assert len(set(MACHINE.worlds)) == len(MACHINE.worlds)
    for helpers, rival, brakes in MACHINE.worlds:
        assert rival & ~helpers
        assert not brakes & (helpers | rival)
