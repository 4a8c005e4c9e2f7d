"""Moves for any family: made from the declared types of its actions."""

from random import Random
from typing import ClassVar, Literal

from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from causarium.contract.checks.json_values import branches, leaves, write_place
from causarium.contract.checks.random_moves import MoveMaker, collect_values
from causarium.contract.episode import play
from causarium.contract.sets.instance_sets import generate_set
from causarium.contract.world import Action
from tests.support.lamps import FAMILY as LAMPS

WORDS = ["tin", "gold", 3, 2.5, True, None]


class Mechanism(BaseModel):
    weights: dict[str, float]
    kind: Literal["linear", "quadratic"] = "linear"


class Propose(Action):
    """Propose everything at once."""

    kind: ClassVar[str] = "propose"

    name: str
    count: int = Field(ge=0, le=5)
    share: float
    sure: bool
    mode: Literal["set", "shift"]
    edges: list[tuple[str, str]]
    mechanism: Mechanism
    note: str | None = None
    tags: list[str] = Field(min_length=2, max_length=9, default=["a", "b"])


class Impossible(Action):
    """Nothing fits."""

    kind: ClassVar[str] = "impossible"

    code: str = Field(pattern="^[0-9]{30}$")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=10,
)


@given(st.integers())
def test_every_declared_type_can_be_made(seed):
    made = MoveMaker(Random(seed), WORDS).make(Propose)
    assert isinstance(made, Propose)
    assert made.name in {"tin", "gold"}
    assert all(word in {"tin", "gold"} for edge in made.edges for word in edge)


def test_the_moves_made_differ():
    maker = MoveMaker(Random(1), WORDS)
    assert len({str(maker.make(Propose)) for _ in range(20)}) > 10


def test_a_type_that_nothing_fits_gives_nothing():
    assert MoveMaker(Random(0), WORDS).make(Impossible) is None


def test_without_words_there_are_still_moves():
    assert MoveMaker(Random(0), []).make(Propose) is not None


def test_the_vocabulary_is_what_an_agent_could_know():
    instance = generate_set(LAMPS, "certified", "smoke")[0]
    rules = LAMPS.rules_for("certified")
    words = collect_values([play(LAMPS, instance, rules, "optimal")])
    assert set(words) == set(instance.public.switches)


@given(json_values)
def test_every_leaf_stands_where_its_place_says(value):
    for place, leaf in leaves(value):
        found = value
        for step in place:
            found = found[step]
        assert found is leaf
        assert not isinstance(leaf, list | dict)


@given(json_values)
def test_branches_begin_with_the_whole_and_hold_every_leaf(value):
    found = list(branches(value))
    assert found[0] == ((), value)
    assert {place for place, _ in leaves(value)} <= {place for place, _ in found}


def test_places_are_written_as_people_do():
    assert write_place(("edges", 0, "cause")) == "edges[0].cause"
    assert write_place(("shapes", -1)) == "shapes[-1]"
    assert write_place(()) == "all of it"
