"""Drawing twin pairs: certified, fair, and silent about which twin is flown."""

import json
from collections import Counter

import pytest

from causarium.families.causalgame.proofs.published import certify
from causarium.families.causalgame.model.config import LEVELS
from causarium.families.causalgame.generation.draw_questions import draw_questions
from causarium.families.causalgame.generation.twin_pairs import COINS, draw_pair, toss_coins
from causarium.families.causalgame.model.instance import AnyGame
from causarium.families.causalgame.interface.twin_wording import describe_change
from tests.families.causalgame.twins import ARCHIVES, FLOWN, TWINS, pair


@pytest.mark.parametrize("level", TWINS)
def test_every_promise_of_a_pair_is_proved(level):
    for index in range(4):
        findings = certify(pair(level, index, seed=11))
        assert [proof.claim for proof in findings.proofs if not proof.holds] == []
        assert findings.optimum is not None


@pytest.mark.parametrize("level", TWINS)
def test_what_is_told_before_play_is_the_same_in_both_twins_but_for_the_records(level):
    for index in range(15):
        seed = 1000 + index
        one, other = (
            draw_pair(LEVELS[level], coins, seed, "causalgame-x").public
            for coins in ((False, False), (True, True))
        )
        bare = {"opening": ()}
        assert (
            one.model_copy(update=bare).model_dump_json()
            == other.model_copy(update=bare).model_dump_json()
        )
        assert [order.design for order in one.opening] == [order.design for order in other.opening]


@pytest.mark.parametrize("level", FLOWN)
def test_the_secret_is_no_field_of_the_public_part(level):
    public = json.dumps(pair(level).public.model_dump(mode="json"))
    for name in ("law", "twins", "sign", "mechanism", "traps", "active", "session_seed"):
        assert f'"{name}"' not in public


def test_in_four_pairs_running_the_coins_fall_every_way_once():
    for block in range(10):
        tossed = [toss_coins(LEVELS["twin-zone"], 3, 4 * block + place) for place in range(4)]
        assert sorted(tossed) == sorted(COINS)
    first = Counter(toss_coins(LEVELS["twin-zone"], seed, 0) for seed in range(400))
    assert all(70 <= first[coins] <= 130 for coins in COINS)


@pytest.mark.parametrize("level", TWINS)
def test_a_pair_survives_a_trip_through_json(level):
    instance = pair(level)
    again = AnyGame.model_validate(json.loads(instance.line()))
    assert again == instance
    assert again.line() == instance.line()


@pytest.mark.parametrize("level", FLOWN)
def test_questions_are_balanced_in_both_twins_and_the_traps_alone_tell_them_apart(level):
    for index in range(6):
        instance = pair(level, index, seed=5)
        questions = draw_questions(instance.public, instance.secret)
        assert len(questions) == 12
        for twin in (0, 1):
            assert Counter(q.truth[twin] for q in questions) == {"up": 4, "down": 4, "none": 4}
        differ = [q for q in questions if q.truth[0] != q.truth[1]]
        assert len(differ) == 4
        assert all(q.about == "trap" for q in differ)
        texts = [(describe_change(instance.public, q), q.conditions) for q in questions]
        assert len(set(texts)) == 12


def test_an_archive_asks_no_questions():
    for level in ARCHIVES:
        instance = pair(level)
        assert draw_questions(instance.public, instance.secret) == ()


@pytest.mark.parametrize("level", ["twin-weather-returned", "twin-zone-returned"])
def test_where_losses_are_hidden_no_lost_drone_is_on_record(level):
    opening = pair(level).public.opening
    assert opening
    assert all(row[-1] for order in opening for row in order.flights)
