"""The regression on records, in cases that can be worked out by hand."""

from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.causalgame.paper.model.game import Design
from causarium.families.causalgame.paper.model.instance import Flight
from causarium.families.causalgame.paper.players import outcome, recommend, slopes

TOTAL = 60


def record(wing: int, gun: int, hits: float = 0.0, *, survived: bool = True, **fitted: str):
    return Flight(
        id="",
        design={"wing": wing, "gun": gun},
        equipment=fitted,
        status="RETURNED" if survived else "DESTROYED",
        hit_count=hits,
        was_detected=False,
        environment={},
    )


def test_without_records_there_is_nothing_but_the_standard_design():
    assert recommend([], TOTAL) == Design()


def test_records_that_never_vary_recommend_themselves():
    assert recommend([record(10, 5), record(10, 5)], TOTAL).armour == {"wing": 10, "gun": 5}


def test_survival_is_explained_where_it_varies_and_hits_where_it_does_not():
    mixed = [record(1, 0, 4, survived=False), record(9, 0, 0)]
    assert outcome(mixed).tolist() == [0.0, 1.0]
    assert outcome([record(1, 0, 4), record(9, 0, 1)]).tolist() == [-4.0, -1.0]


def test_armour_that_went_with_few_hits_is_recommended_to_the_most_that_was_flown():
    records = [record(points, 5, hits=30 - points) for points in range(10, 30)]
    assert slopes(records)["wing"] > 0
    assert recommend(records, TOTAL).armour == {"wing": 29, "gun": 5}


def test_armour_that_went_with_many_hits_is_taken_off_to_the_least_that_was_flown():
    records = [record(points, 5, hits=points) for points in range(10, 30)]
    assert recommend(records, TOTAL).armour["wing"] == 10


def test_where_two_levers_rise_together_over_the_total_the_better_one_is_kept():
    records = [
        record(wing, gun, hits=100 - 3 * wing - gun)
        for wing in range(20, 41, 5)
        for gun in range(20, 41, 5)
    ]
    assert recommend(records, TOTAL).armour == {"wing": 40, "gun": 20}


def test_the_option_that_went_with_survival_is_fitted():
    records = [record(5, 5, survived=True, skin="matt"), record(5, 5, survived=False, skin="bare")]
    assert recommend(records, TOTAL).equipment == {"skin": "matt"}


RECORDS = st.lists(
    st.builds(
        record,
        st.integers(0, 30),
        st.integers(0, 30),
        st.floats(0, 9),
        survived=st.booleans(),
        skin=st.sampled_from(["matt", "bare"]),
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=80, deadline=None)
@given(RECORDS)
def test_what_is_recommended_was_flown_and_fits_the_total(records):
    found = recommend(records, TOTAL)
    for name, points in found.armour.items():
        flown = [one.design[name] for one in records]
        assert min(flown) <= points <= max(flown)
    assert sum(found.armour.values()) <= TOTAL
    assert found.equipment["skin"] in {one.equipment["skin"] for one in records}
