"""A checker that cannot fail is worthless: each promise is broken on purpose, and it is seen."""

import shutil

import pytest

from causarium.contract.checks import theorems
from causarium.contract.checks.check_family import (
    CHECKS,
    Finding,
    Subject,
    open_subject,
    promise_name,
    run_check,
    run_checks,
)
from causarium.contract.checks.checked_family import spread
from causarium.contract.verdict import Metric
from causarium.scoring.intervals import Interval
from tests.support.broken_lamps import AskingAtOnce, broken, score_guesses_better, scored
from tests.support.ladder import FAMILY as LADDER
from tests.support.lamps import FAMILY as LAMPS
from tests.support.vary_family import vary

PROMISES = {promise.__name__: promise for promise in CHECKS}
BROKEN = list(broken())
THEOREMS = theorems.CHECKS


def tried(promise, family, sets=("smoke",)):
    return run_check(PROMISES[promise], Subject(family, sets=sets, quick=True))


@pytest.mark.parametrize(
    ("promise", "how", "family"),
    [
        pytest.param(
            *case,
            id=f"{promise_name(PROMISES[case[0]])}: {case[1]}",
            marks=[pytest.mark.slow] if "in_time" in case[0] else [],
        )
        for case in BROKEN
    ],
)
def test_a_broken_promise_is_reported(promise, how, family):
    found = tried(promise, family)
    assert not found.passed
    assert found.detail


def test_every_promise_is_broken_here_at_least_once():
    assert set(PROMISES) == {promise for promise, _, _ in BROKEN}


def test_a_refused_answer_may_lead_to_the_question():
    found = tried("impossible_actions_are_not_obeyed", vary(LAMPS, open_world=AskingAtOnce))
    assert found.passed, found.detail


def test_a_quick_check_judges_levels_of_standard_that_smoke_lacks():
    judged = Subject(LAMPS, sets=("smoke",), quick=True).judged
    levels = [(d.edition, part.level, part.size) for d in judged for part in d.spec.parts]
    assert levels == [("certified", "small", 6), ("paper", "paper", 6), ("certified", "large", 2)]
    assert len(judged[-1].instances) == 2


@pytest.mark.parametrize("by_chance", [True, False])
def test_a_member_above_its_bound_plays_more_instances_before_it_is_told(monkeypatch, by_chance):
    played = []

    def measure(family, instances, rules, name, player):
        played.append([one.id for one in instances])
        earned = 0.0 if by_chance and len(instances) > len(played[0]) else 1.0
        return Interval(earned, earned, earned, len(instances))

    monkeypatch.setattr(theorems, "measure_player", measure)
    found = tried("no_member_earns_more_than_its_bound", LAMPS)
    assert found.passed == by_chance
    first, others = (set(batch) for batch in (played[0], max(played, key=len)))
    assert (len(first), len(others), first & others) == (24, 96, set())


@pytest.mark.parametrize("promise", THEOREMS, ids=promise_name)
def test_a_ladder_keeps_what_it_promises_of_its_rungs(promise):
    found = tried(promise.__name__, LADDER)
    assert found.passed, found.detail


def test_fresh_instances_are_fewer_where_drawing_takes_long(monkeypatch):
    clock = iter(range(0, 10_000, 50))
    monkeypatch.setattr("causarium.contract.checks.checked_family.monotonic", lambda: next(clock))
    subject = Subject(LADDER, sets=("smoke",), quick=False)
    assert len(subject.fresh("rung-1")) == 48


@pytest.mark.long
def test_lamps_keeps_every_promise_in_a_full_check():
    assert [f for f in run_checks(open_subject(LAMPS, quick=False)) if not f.passed] == []


@pytest.fixture
def with_card(tmp_path):
    """Return lamps with some text of its card replaced."""

    def change(old, new):
        shutil.copytree(LAMPS.folder, tmp_path / "lamps")
        path = tmp_path / "lamps" / "card.toml"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        return vary(LAMPS, folder=tmp_path / "lamps")

    return change


def test_a_wrong_digest_in_the_card_is_reported_with_the_right_one(with_card):
    right = LAMPS.card.sets["certified"]["smoke"].digest
    found = tried("digests_match_the_card", with_card(right, "sha256:00"))
    assert not found.passed
    assert f"has digest {right}, but the card says sha256:00" in found.detail


def test_bounds_that_the_random_player_leaves_are_reported(with_card):
    family = with_card("low = 0.05\nhigh = 0.50", "low = 0.9\nhigh = 1.0")
    found = tried("reference_players_stay_within_the_cards_bounds", family)
    assert "random's accuracy on certified/standard is 0.175" in found.detail


def test_a_card_without_a_range_for_the_random_player_is_reported(with_card):
    family = with_card('player = "random"', 'player = "silent"')
    found = tried("reference_players_stay_within_the_cards_bounds", family)
    assert "states no range for the random player's accuracy" in found.detail


def test_an_edition_without_a_smoke_set_is_reported(with_card):
    family = with_card("[sets.paper.smoke]", "[sets.paper.fog]")
    found = tried("sets_hold_levels_of_their_own_edition", family)
    assert "the paper edition has no smoke set; it has fog, paper" in found.detail


def test_bounds_in_the_card_say_what_the_oracle_can_reach(with_card):
    bounds = 'set = "smoke"\nplayer = "oracle"\nmetric = "accuracy"\nlow = 0.9\nhigh = 0.9\n\n'
    family = with_card("[[references]]\n", "[[references]]\n" + bounds + "[[references]]\n")
    found = tried("the_oracle_gets_full_marks", vary(family, score=scored(accuracy=0.9)))
    assert "certified" not in found.detail
    assert "the oracle's accuracy on lamps-paper-0-0000 is 0.9, not 1" in found.detail


def test_another_player_beating_the_oracle_is_reported(with_card):
    family = with_card('reference = "optimal"', 'reference = "optimal"\nnumbers = ["regret"]')
    metrics = {**family.metrics, "regret": Metric("What could have been better.", "lower")}
    broken_family = vary(family, score=score_guesses_better, metrics=metrics)
    found = tried("the_oracle_gets_full_marks", broken_family)
    assert "better than the oracle's 0.0" in found.detail


def test_what_is_revealed_may_be_told():
    fields = frozenset({"fuse_ohm"})
    for promise, how, family in BROKEN:
        if promise == "nothing_secret_is_said_in_so_many_words" and how == "in observations":
            assert tried(promise, vary(family, revealed_fields=fields)).passed
            assert tried(promise, vary(family, revealed_fields=lambda _: fields)).passed
            hidden = vary(family, revealed_fields=lambda _: frozenset())
            assert not tried(promise, hidden).passed


def test_an_exception_from_a_family_is_a_finding():
    def fail(*_):
        raise ZeroDivisionError("one over nothing")

    found = tried("silence_scores_zero", vary(LAMPS, score=fail))
    assert (found.passed, found.detail) == (False, "ZeroDivisionError: one over nothing")


def test_many_complaints_are_cut_short():
    found = tried("silence_scores_zero", vary(LAMPS, score=scored(accuracy=0.1)))
    assert found.detail.count("silence earns") == 3
    assert found.detail.endswith("; and 25 more")


def test_findings_come_one_by_one_in_order():
    stream = run_checks(open_subject(LAMPS))
    assert next(stream) == Finding(name="a fresh process draws the same bytes", passed=True)


@pytest.mark.parametrize("count", [2, 3, 7])
def test_spreading_keeps_both_ends(count):
    assert spread(range(100), count)[0] == 0
    assert spread(range(100), count)[-1] == 99
    assert len(set(spread(range(100), count))) == count
    assert spread([1, 2], 5) == [1, 2]
