"""What moves in a trial, by hand and by the masks of the reference."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.families.causallink.certified import FAMILY
from causarium.families.causallink.certified.evidence.pairs import Pairs, Table, list_pairs
from causarium.families.causallink.certified.mechanics import decides, find_decisive, moves
from causarium.families.causallink.certified.model import LinkPublic, Parts, Plan

PARTS = Parts(
    partners=("bell",),
    stand_in="cup",
    rivals=(("drum", "fork"),),
    stoppers=("jug", "oar"),
    starters=("rope",),
    started=("drum",),
)
PUBLIC = LinkPublic(
    objects=("coin", "bell", "cup", "drum", "fork", "jug", "oar", "pan", "rope", "vase"),
    asked="coin",
    target="gong",
    plan=Plan(group=2, rivals=(2,), stoppers=2, starters=1),
    lively=("vase",),
    hands=4,
    watched=(),
    trials=3,
)


@pytest.mark.parametrize(
    ("started", "held", "yes", "no"),
    [
        pytest.param("coin bell", "", True, False, id="the group with the asked one"),
        pytest.param("cup bell", "", False, True, id="the group with the stand-in"),
        pytest.param("coin", "", False, False, id="the asked one alone"),
        pytest.param("coin bell oar", "", False, False, id="prevented"),
        pytest.param("coin bell jug pan", "", False, False, id="prevented by another"),
        pytest.param("drum fork", "", True, True, id="another group"),
        pytest.param("rope fork", "", True, True, id="another group by its starter"),
        pytest.param("rope fork", "drum", False, False, id="held in spite of its starter"),
        pytest.param("coin bell drum fork", "", True, True, id="overdetermined"),
    ],
)
def test_a_table_by_hand(started: str, held: str, yes: bool, no: bool) -> None:
    row = (started.split(), held.split())
    assert moves(PUBLIC, PARTS, *row, truth=True) == yes
    assert moves(PUBLIC, PARTS, *row, truth=False) == no
    assert decides(PUBLIC, PARTS, *row) == (yes != no)


@pytest.mark.parametrize(
    ("lively", "started", "held", "yes", "no", "least"),
    [
        pytest.param("bell", "coin", "", True, False, 1, id="a lively partner"),
        pytest.param("bell coin", "", "", True, False, 0, id="all by itself"),
        pytest.param("bell coin oar", "", "", False, False, 1, id="a lively stopper"),
        pytest.param("bell coin oar", "", "oar", True, False, 1, id="a lively stopper, held"),
        pytest.param("bell cup", "coin", "", True, True, 2, id="a lively stand-in"),
        pytest.param("rope fork", "coin bell", "", True, True, 3, id="a lively starter"),
        pytest.param("rope fork", "coin bell", "rope", True, False, 3, id="a starter, held"),
    ],
)
def test_a_lively_table_by_hand(
    lively: str, started: str, held: str, yes: bool, no: bool, least: int
) -> None:
    public = PUBLIC.model_copy(update={"lively": tuple(lively.split())})
    row = (started.split(), held.split())
    assert moves(public, PARTS, *row, truth=True) == yes
    assert moves(public, PARTS, *row, truth=False) == no
    decisive = find_decisive(public, PARTS)
    assert decides(public, PARTS, *decisive)
    assert sum(map(len, decisive)) == least


@given(
    rung=st.integers(1, 8), index=st.integers(0, 99), started=st.integers(0), held=st.integers(0)
)
def test_masks_move_as_names_do(rung: int, index: int, started: int, held: int) -> None:
    instance = FAMILY.generate(FAMILY.level(f"rung-{rung}"), 3, index)
    table, parts = Table(instance.public), instance.secret.parts
    names = table.list_names(started)
    others = tuple(name for name in table.list_names(held) if name not in names)
    pair = _find_pair(table, parts)
    yes, no = pair.move(table.mask(names), table.mask(others))
    assert [bool(yes[0]), bool(no[0])] == [
        moves(instance.public, parts, names, others, truth=truth) for truth in (True, False)
    ]


def _find_pair(table: Table, parts: Parts) -> Pairs:
    """Return the pair of some parts alone."""
    found = table.find(parts)
    assert found.sum() == 1
    return table.pairs.take(found)


@pytest.mark.parametrize(
    ("rung", "count"),
    [
        # Partners, stand-in, other groups, stoppers, starter, what it starts.
        (1, 1),
        (2, 3 * 2 * 1),
        (3, 4 * 3 * 2 * 1),
        (4, 5 * 4 * 3 * 1),
        (5, 21 * 5 * 6 * 2),
        (6, 28 * 6 * 10 * 3),
        (7, 45 * 8 * 105 * 3),
        (8, 45 * 8 * 105 * 3 * 1 * 4),
    ],
)
def test_pairs_are_as_many_as_counted_by_hand(rung: int, count: int) -> None:
    instance = FAMILY.generate(FAMILY.level(f"rung-{rung}"), 0, 0)
    assert len(list_pairs(instance.public.plan, len(instance.public.objects))) == count
