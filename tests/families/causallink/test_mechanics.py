"""The machine's worlds and what a log leaves of them, against sets written out by hand."""

from hypothesis import given
from hypothesis import strategies as st

from causarium.families.causallink.generation.draw_log import NEEDS
from causarium.families.causallink.mechanics import Law, Machine, Row, World, build_machine
from causarium.families.causallink.model.instance import Needs

LOG = Law(others=5, helpers=(1, 2), rivals=(1, 2), brakes=(1,))
PAIRS = Law(others=6, helpers=(2,), rivals=(2,), brakes=(2,), needs=("one", "some", "not all"))
MACHINE = Machine(LOG)

backgrounds = st.integers(0, 31)
worlds = st.sampled_from(MACHINE.worlds)
rows = st.builds(Row, st.booleans(), backgrounds, st.booleans())


def test_the_laws_have_as_many_worlds_as_counting_by_hand_says() -> None:
    assert len(MACHINE.worlds) == 390
    for helpers, rival, guards, _ in (worlds := Machine(PAIRS).worlds):
        assert helpers | rival | guards == 0b111111
    assert len(set(worlds)) == 90


def test_helpers_rivals_and_brakes_each_do_their_part() -> None:
    world = World(helpers=0b00011, rival=0b00100, brakes=0b01000)
    assert world.decides(0b00011)
    assert world.decides(0b10011)
    assert not world.decides(0b00001)
    assert world.moves(0b00111, live=False)
    assert not world.decides(0b00111)
    assert not world.moves(0b01111, live=True)


@given(st.sampled_from(NEEDS), st.integers(0, 89), st.integers(0, 63))
def test_every_law_says_the_same_of_one_world_and_of_all(
    needs: Needs, place: int, background: int
) -> None:
    machine = build_machine(PAIRS._replace(needs=needs))
    for live in (False, True):
        moves = machine.worlds[place].moves(background, live=live)
        assert moves == machine.moves[int(live), background, place]
    mirrored = machine.worlds[place]._replace(needs=NEEDS[NEEDS.index(needs) - 12])
    assert mirrored.decides(~background & 63) == machine.worlds[place].decides(background)


def test_needs_are_what_their_names_say() -> None:
    world = World(helpers=0b000011, rival=0b001100, brakes=0b110000, needs=("one", "some", "none"))
    assert world.decides(0b000001)
    assert not world.decides(0b000011)
    assert not world.decides(0b000101)
    assert world.moves(0b000100, live=False)
    assert not world.moves(0b100001, live=True)


@given(worlds, backgrounds)
def test_a_background_tells_the_suspects_apart_exactly_where_it_is_decisive(
    world: World, background: int
) -> None:
    differ = world.moves(background, live=True) != world.moves(background, live=False)
    assert world.decides(background) == differ
    bit = 1 << MACHINE.worlds.index(world)
    assert bool(MACHINE.decisive[background] & bit) == differ


@given(worlds, rows)
def test_a_world_fits_a_row_exactly_if_it_gives_what_was_seen(world: World, row: Row) -> None:
    fits = world.moves(row.moved, live=row.suspects) == row.target
    assert bool(MACHINE.fit(row) >> MACHINE.worlds.index(world) & 1) == fits


def test_no_world_is_listed_twice_and_no_set_lies_within_another() -> None:
    assert len(set(MACHINE.worlds)) == len(MACHINE.worlds)
    for helpers, rival, brakes, _ in MACHINE.worlds:
        assert rival & ~helpers
        assert not brakes & (helpers | rival)
