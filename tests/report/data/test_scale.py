"""The one scale: a place depends on the log and the card, and on nothing that lies beside it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.verdict import Metric
from causarium.engine.logbook.run_card import RunCard
from causarium.report.data.build_report import build_report
from causarium.report.data.scale import Scale, find_difference, find_zero
from causarium.report.data.summaries import RunKey
from causarium.scoring.intervals import Interval, summarize
from tests.report.rows import FACTS, SPEC, row, rows

KEY = RunKey("toy", "1-A", "certified", "smoke")


def place(**scores):
    return build_report(rows(**scores), facts={"toy": FACTS}).sections[0].placement


def test_zero_is_the_cards_and_one_is_full_marks():
    found = place(half="10" * 20, all="1" * 40, none="0" * 40)
    assert [found.scores[name].value for name in ("none", "half", "all")] == [-1.0, 0.0, 1.0]


def test_the_same_rows_have_the_same_place_in_every_folder():
    alone = place(m="1110" * 10)
    beside = place(m="1110" * 10, player__plain="0" * 40, player__oracle="1" * 40, other="1" * 40)
    assert alone.scores["m"] == beside.scores["m"]


@given(
    st.floats(0, 0.9),
    st.floats(-1, 0),
    st.floats(0, 1),
    st.floats(-0.5, 0),
    st.floats(0, 0.5),
)
def test_an_interval_ends_where_nobody_can_earn_less_or_more(zero, least, value, down, up):
    scale = Scale(metric="m", zero=zero, least=least)
    found = scale.place_interval(Interval(value, value + down, value + up, 30))
    assert found.low == scale.place(max(least, value + down))
    assert found.high == scale.place(min(1.0, value + up))


@pytest.mark.parametrize("theirs", [0.0, 1.0])
def test_equal_differences_are_as_unsure_as_their_mechanisms_are_few(theirs):
    ids = [f"toy-{at}" for at in range(40)]
    mechanisms = {id_: at % 4 for at, id_ in enumerate(ids)}
    share = Metric("", "higher", share=True)
    nothing = dict.fromkeys(ids, 0.0)
    found = find_difference(nothing, dict.fromkeys(ids, theirs), mechanisms, share, 1.0)
    reach = summarize([0.0] * 4).high
    assert found.high == pytest.approx(min(1, -theirs + reach))
    assert found.low == pytest.approx(max(-1, -theirs - reach))


def test_a_difference_reaches_from_the_least_to_full_marks():
    ids = [f"toy-{at}" for at in range(40)]
    best = {id_: 1.0 - at % 2 / 10 for at, id_ in enumerate(ids)}
    worst = dict.fromkeys(ids, -0.5)
    found = find_difference(best, worst, {}, Metric("", "higher", least=-1.0), 1.0)
    assert found.value == pytest.approx(1.45)
    assert found.low <= found.value <= found.high


def test_each_agent_is_on_the_scale_by_its_own_log():
    def card(agent, digest):
        key = KEY._asdict()
        return RunCard(**key, agent=agent, set_digest=digest)

    cards = [card("bad", "sha256:other"), card("good", SPEC.digest)]
    found = build_report(
        rows(bad="1" * 40, good="1" * 40), facts={"toy": FACTS}, cards=cards
    ).sections[0]
    assert set(found.placement.scores) == {"good"}
    assert found.placement.why.startswith("bad: this set is not the card's")


def test_the_gap_is_paired():
    found = place(m="1" * 36 + "0000", player__plain="10" * 20)
    gap = found.gaps["m"]
    assert gap.difference.value == pytest.approx(0.4 / 0.5)
    assert gap.is_above
    assert not place(m="10" * 20, player__plain="1" * 40).gaps["m"].is_above
    assert not place(m="10" * 20, player__plain="01" * 20).gaps["m"].is_above


def test_a_member_of_an_excluded_class_is_never_held_against_itself():
    assert place(player__plain="1" * 40).gaps == {}


def test_a_class_counts_on_the_levels_that_it_has_a_bound_on():
    """On practice, a member of an excluded class may be as good as anybody: it is no shortcut."""
    hard = rows(m="1" * 20, player__plain="0" * 20, player__infers="1" * 20)
    easy = [
        one.model_copy(update={"id": one.id.replace("toy-toy", "toy-easy")})
        for one in rows(m="1" * 30, player__plain="1" * 30, player__infers="1" * 30)
    ]
    found = build_report(hard + easy, facts={"toy": FACTS}).sections[0].placement
    assert found.scale.shortcut.value == 0.0
    assert (found.gaps["m"].difference.n, found.lead.difference.n) == (20, 20)
    assert found.lead.difference.value == pytest.approx(1 / 0.5)
    only_easy = build_report(easy, facts={"toy": FACTS}).sections[0].placement
    assert (only_easy.scale.shortcut, only_easy.lead, only_easy.gaps) == (None, None, {})


@pytest.mark.parametrize(
    ("key", "facts", "digests", "why"),
    [
        (KEY._replace(set="mine"), FACTS, frozenset(), "a set of your own"),
        (KEY._replace(version="0-A"), FACTS, frozenset(), "version 1-A, these of 0-A"),
        (KEY, FACTS, frozenset({"sha256:other"}), "not the card's set"),
        (
            KEY,
            FACTS.model_copy(
                update={"sets": {"certified": {"smoke": SPEC.model_copy(update={"zero": None})}}}
            ),
            frozenset(),
            "states no zero",
        ),
    ],
)
def test_a_set_without_a_zero_says_why(key, facts, digests, why):
    zero, said = find_zero(key, facts, digests)
    assert zero is None
    assert why in said


def test_without_a_zero_scores_stay_raw_and_the_report_says_so():
    report = build_report([row("m", at, 1.0, set="mine") for at in range(40)], facts={"toy": FACTS})
    [section] = report.sections
    assert section.placement.scale is None
    assert section.placement.scores == {}
    assert section.placement.why.endswith("raw scores")
    assert report.summary.title == "m: 40 of 40 correct"
    assert not report.summary.next
    assert not math.isnan(section.agents[0].metrics["accuracy"].value)
