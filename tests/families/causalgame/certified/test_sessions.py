"""Sessions: what is drawn, said, read, played and proven."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.episode import Episode, play
from causarium.contract.frozen import canonical_json
from causarium.contract.world import Unparsed
from causarium.errors import UsageError
from causarium.families.causalgame.certified import FAMILY
from causarium.families.causalgame.certified.mechanics.legs import (
    find_best,
    read_told,
)
from causarium.families.causalgame.certified.model import ACTIONS, Decide, Fly, GameInstance
from causarium.families.causalgame.certified.play.replies import parse, write_action

RULES = FAMILY.rules_for("certified")
RUNGS = range(1, FAMILY.rungs.top + 1) if FAMILY.rungs else ()


def draw(rung: int, index: int = 0, seed: int = 0) -> GameInstance:
    return FAMILY.generate(FAMILY.level(f"rung-{rung}"), seed, index)


@pytest.mark.parametrize("rung", RUNGS)
def test_the_exact_player_and_the_truth_have_full_marks(rung: int) -> None:
    for index in range(4 if rung < 6 else 1):
        instance = draw(rung, index)
        for player in ("exact", "oracle"):
            assert play(FAMILY, instance, RULES, player).score().numbers["score"] == 1.0


@pytest.mark.parametrize("rung", RUNGS)
def test_every_proof_holds_and_planted_faults_break_one(rung: int) -> None:
    instance = draw(rung, 1)
    proofs = FAMILY.proofs.certify(instance).proofs
    assert all(proof.holds for proof in proofs), proofs
    for name, plant in FAMILY.proofs.faults.items():
        spoiled = plant(instance)
        if spoiled is not None:
            assert not all(proof.holds for proof in FAMILY.proofs.certify(spoiled).proofs), name


@pytest.mark.parametrize("rung", [1, 2, 3, 4, 5])
def test_fractions_prove_the_same(rung: int) -> None:
    for index in range(3):
        recheck = FAMILY.proofs.recheck
        assert recheck is not None
        assert all(proof.holds for proof in recheck(draw(rung, index)).proofs)


def test_a_session_depends_on_seed_and_index_alone() -> None:
    again = FAMILY.generate(FAMILY.level("rung-4"), 3, 5)
    assert again == FAMILY.generate(FAMILY.level("rung-4"), 3, 5)
    assert canonical_json(again.model_dump(mode="json"))
    assert type(again).model_validate_json(again.model_dump_json()) == again


def test_there_is_no_rung_beyond_the_top() -> None:
    assert FAMILY.rungs is not None
    with pytest.raises(UsageError, match="there is no rung 99"):
        FAMILY.rungs.config_of(99)


def test_constants_and_labels_earn_nothing() -> None:
    best: Counter[str] = Counter()
    for index in range(300):
        instance = draw(2, index, seed=1000)
        legs = zip(instance.public.legs, instance.secret.legs, strict=True)
        best.update(find_best(*leg) for leg in legs)
    assert abs(best["fit"] - best["bare"]) < 3 * 600**0.5


def test_prompts_of_rung_1_are_short() -> None:
    for index in range(20):
        words = FAMILY.prompt(draw(1, index).public, RULES)
        assert len(words.system) + len(words.user) <= 1_500


def test_legs_that_need_no_trial_share_an_unrecorded_cause_as_often() -> None:
    marked: Counter[bool] = Counter()
    for index in range(150):
        instance = draw(4, index, seed=1000)
        for leg, hidden in zip(instance.public.legs, instance.secret.legs, strict=True):
            if read_told(leg).is_confounded:
                marked[hidden.kind == "hidden"] += 1
    assert marked[False] >= marked[True] * 0.8


@pytest.mark.parametrize(
    ("reply", "choices"),
    [
        ("fit", {"1": "fit"}),
        ("Bare.", {"1": "bare"}),
        ("I think so.\n\n**fit bare fit**", {"1": "fit", "2": "bare", "3": "fit"}),
        ("So: the answer is\nfit, bare", {"1": "fit", "2": "bare"}),
        ("Leg 1: fit\nLeg 2: bare", {"1": "fit", "2": "bare"}),
        ('{"decide": {"1": "fit", "2": "bare"}}', {"1": "fit", "2": "bare"}),
        ('{"decide": ["fit", "bare"]}', {"1": "fit", "2": "bare"}),
        ('{"decide": "fit bare"}', {"1": "fit", "2": "bare"}),
        ('{"1": "fitted", "Leg 2": "bare"}', {"1": "fit", "2": "bare"}),
        ('{"decide": {"1": "fit"}} or {"decide": {"1": "bare"}}', {"1": "fit"}),
    ],
)
def test_decisions_are_read_as_they_are_written(reply: str, choices: dict[str, str]) -> None:
    action = parse(reply, ACTIONS, RULES)
    assert isinstance(action, Decide)
    assert dict(action.choices) == choices


def test_trials_are_read() -> None:
    action = parse('Let me see: {"fly": {"leg": 2, "set": {"load": "heavy"}}}', ACTIONS, RULES)
    assert action == Fly(leg=2, set={"load": "heavy"})
    assert parse('{"fly": 3}', ACTIONS, RULES) == Fly(leg=3)
    assert parse('{"action": "fly", "leg": 3}', ACTIONS, RULES) == Fly(leg=3)


@given(st.text(max_size=300))
def test_no_reply_raises(reply: str) -> None:
    assert parse(reply, ACTIONS, RULES) is not None


@pytest.mark.parametrize("action", [Fly(leg=1), Fly(leg=2, set={"load": "heavy"})])
def test_what_is_written_is_read_again(action: Fly) -> None:
    assert parse(write_action(action, RULES), ACTIONS, RULES) == action


def test_prose_is_no_decision() -> None:
    assert isinstance(parse("It would be fit if the wind allowed.", ACTIONS, RULES), Unparsed)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ('{"fly": {"leg": 9}}', "there is no leg 9; there is 1 to 3"),
        ('{"fly": {"leg": 1, "set": {"moon": "full"}}}', "'moon' cannot be held on this leg"),
        ('{"decide": {"7": "fit"}}', "there is no leg 7"),
        ("fit fit fit fit", "there is no leg 4"),
        ("well", "This could not be read"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence_and_costs_nothing(reply: str, said: str) -> None:
    episode = Episode(FAMILY, draw(4), RULES)
    seen = episode.take(episode.parse_reply(reply))
    assert said in seen.text
    assert not seen.legal
    assert episode.world.spent == 0
    assert not episode.done


def test_trials_end_and_a_session_is_bounded() -> None:
    episode = Episode(FAMILY, draw(4), RULES)
    episode.take(episode.parse_reply('{"fly": {"leg": 1}}'))
    again = episode.take(Fly(leg=1))
    assert "all 1 trials are flown" in again.text
    for _ in range(20):
        episode.take(episode.parse_reply("hm"))
    assert episode.done
    assert episode.score().numbers["score"] == 0.0


def test_open_legs_count_nothing_and_wrong_ones_count_against() -> None:
    instance = draw(3)
    legs = zip(instance.public.legs, instance.secret.legs, strict=True)
    right = [find_best(*leg) for leg in legs]
    wrong = {"fit": "bare", "bare": "fit"}[right[1]]
    for choices, score in (({"1": right[0]}, 0.5), ({"1": right[0], "2": wrong}, 0.0)):
        episode = Episode(FAMILY, instance, RULES)
        episode.take(episode.parse_reply(json.dumps({"decide": choices})))
        assert episode.score().numbers["score"] == score


def test_a_prompt_tells_nothing_of_the_secret() -> None:
    instance = draw(5)
    words = FAMILY.prompt(instance.public, RULES).user
    for word in ("hidden", "confounder", "collider", "plain", "twin"):
        assert word not in words.casefold()
