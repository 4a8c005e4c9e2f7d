"""The machine's worlds and what a log leaves of them, against sets written out by hand."""

from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from causarium.families.causallink.generation.draw_log import LAWS
from causarium.families.causallink.mechanics import Machine, Row, World, build_machine, list_builds
from causarium.families.causallink.model.instance import Needs

MACHINE = Machine(("one", "some", "not all"))

backgrounds = st.integers(0, 63)
worlds = st.sampled_from(MACHINE.worlds)
rows = st.builds(Row, st.booleans(), backgrounds, st.booleans())


def test_there_are_as_many_builds_as_counting_by_hand_says() -> None:
    builds = list(list_builds())
    # Rivals and guards without a common part; one of these four helps, and one of the other two.
    assert len(set(builds)) == len(builds) == 15 * 6 * 4 * 2
    for helpers, rivals, guards in builds:
        assert not rivals & guards
        assert (helpers | rivals | guards).bit_count() == 5


def test_the_suspects_make_a_difference_in_every_world() -> None:
    assert all(any(map(world.decides, range(64))) for world in MACHINE.worlds)
    assert len(Machine(("all", "some", "none")).worlds) < len(list(list_builds()))


@given(st.sampled_from(list(chain.from_iterable(LAWS))), st.integers(0, 99), backgrounds)
def test_every_law_says_the_same_of_one_world_and_of_all(
    needs: Needs, place: int, background: int
) -> None:
    machine = build_machine(needs)
    for live in (False, True):
        moves = machine.worlds[place].moves(background, live=live)
        assert moves == machine.moves[int(live), background, place]


def test_needs_are_what_their_names_say() -> None:
    world = World(helpers=0b000011, rivals=0b001100, guards=0b110000, needs=("one", "some", "none"))
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
    assert MACHINE.decisive[background, MACHINE.worlds.index(world)] == differ


@given(worlds, rows)
def test_a_world_fits_a_row_exactly_if_it_gives_what_was_seen(world: World, row: Row) -> None:
    fits = world.moves(row.moved, live=row.suspects) == row.target
    assert MACHINE.fit_all([row])[MACHINE.worlds.index(world)] == fits
