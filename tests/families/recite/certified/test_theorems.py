"""The four theorems, and what is proven about every text."""

from random import Random

import pytest

from causarium.contract.episode import play
from causarium.families.recite.certified import FAMILY
from causarium.families.recite.certified.generation.documents import list_documents
from causarium.families.recite.certified.generation.draw import toss
from causarium.families.recite.certified.generation.read_back import read_edges
from causarium.families.recite.certified.model import ReciteInstance
from causarium.families.recite.certified.players import PLAYERS
from causarium.families.recite.certified.proofs import find_best_without
from causarium.families.recite.certified.scoring import find_common_f1, find_contrast

RULES = FAMILY.rules_for("certified")
RUNGS = range(1, FAMILY.rungs.top + 1 if FAMILY.rungs else 1)
BLIND = ("random", "always_a", "list_order", "everything", "silent")


def draw(rung: int, index: int) -> ReciteInstance:
    """Return an instance of a rung."""
    return FAMILY.generate(FAMILY.level(f"rung-{rung}"), 11, index)


def score(instance: ReciteInstance, player: str) -> float:
    """Return a player's score."""
    return play(FAMILY, instance, RULES, player).score().numbers["score"]


@pytest.mark.parametrize("rung", RUNGS)
def test_the_same_address_is_the_same_instance(rung: int) -> None:
    assert draw(rung, 3).line() == draw(rung, 3).line()


@pytest.mark.parametrize("rung", RUNGS)
def test_all_is_proven_twice_and_every_fault_is_found_twice(rung: int) -> None:
    proofs = FAMILY.proofs
    assert proofs.recheck
    for index in range(4):
        instance = draw(rung, index)
        for check in (proofs.certify, proofs.recheck):
            assert [proof for proof in check(instance).proofs if not proof.holds] == []
            for spoil in proofs.faults.values():
                spoilt = spoil(instance)
                assert spoilt is not None
                assert not all(proof.holds for proof in check(spoilt).proofs)


@pytest.mark.parametrize("form", ["choice", "line", "twin", "chain"])
@pytest.mark.parametrize("split", ["test", "train"])
def test_every_document_can_be_read_back_from_any_draw(form: str, split: str) -> None:
    for document in list_documents(form, split):
        for seed in range(2):
            rng = Random(seed)
            tosses = [toss(slot, rng) for slot in document.slots]
            passages = {k: v for one in tosses for k, v in one.render(twin=False).items()}
            told = {edge for one in tosses if one.slot.counted for edge in one.tell(twin=False)}
            read = read_edges(document, document.fill(passages))
            assert read == document.shared_edges | told, document.name


@pytest.mark.parametrize("rung", RUNGS)
def test_truth_and_the_reader_by_heart_have_full_marks(rung: int) -> None:
    for index in range(4):
        assert score(draw(rung, index), "oracle") == 1
        assert score(draw(rung, index), "exact") == 1


@pytest.mark.parametrize("rung", RUNGS)
@pytest.mark.parametrize("player", [name for name in BLIND if name != "random"])
def test_a_fixed_answer_has_nothing_on_each_pair_of_twins(rung: int, player: str) -> None:
    for pair in range(3):
        twins = [draw(rung, 2 * pair + side) for side in (0, 1)]
        assert sum(score(one, player) for one in twins) == pytest.approx(0)


@pytest.mark.parametrize("rung", RUNGS)
def test_theorem_1_holds_for_any_answer(rung: int) -> None:
    rng = Random(rung)
    instance = draw(rung, 0)
    told, twin = frozenset(instance.secret.edges), frozenset(instance.secret.twin_edges)
    pairs = [(a, b) for a in instance.public.names for b in instance.public.names if a != b]
    for _ in range(300):
        answer = {pair for pair in pairs if rng.random() < rng.random()}
        assert find_contrast(answer, told, twin) == -find_contrast(answer, twin, told)
        assert find_common_f1(answer, told, twin) == find_common_f1(answer, twin, told)


@pytest.mark.parametrize("form", ["choice", "line", "chain"])
def test_theorem_2_twins_name_the_same_in_the_same_order(form: str) -> None:
    for document in list_documents(form, "test"):
        tosses = [toss(slot, Random(document.name)) for slot in document.slots]
        texts = []
        for twin in (False, True):
            passages = {k: v for one in tosses for k, v in one.render(twin=twin).items()}
            texts.append(document.finder.outline(document.fill(passages)))
        assert texts[0] == texts[1]


@pytest.mark.parametrize("form", ["choice", "line", "twin", "chain"])
def test_theorem_3_without_a_passage_nothing_is_known(form: str) -> None:
    for document in list_documents(form, "test"):
        assert {find_best_without(slot) for slot in document.slots} <= {0}


def test_theorem_4_coins_are_fair_and_know_nothing_of_each_other() -> None:
    document = list_documents("chain", "test")[0]
    slots = [slot for slot in document.slots if not slot.held][1:3]
    count, rng = 2000, Random(4)
    told = [
        [1 if min(slot.key.values(), key=sorted) == one.tell(twin=False) else -1]
        for _ in range(count)
        for slot in slots
        for one in [toss(slot, rng)]
    ]
    values = [one[0] for one in told]
    first, second = values[::2], values[1::2]
    limit = 5 * count**0.5
    assert abs(sum(first)) < limit
    assert abs(sum(second)) < limit
    assert abs(sum(a * b for a, b in zip(first, second, strict=True))) < limit


def test_figures_and_orders_are_the_same_under_both_values_of_a_coin() -> None:
    for slot in (one for one in list_documents("chain", "test")[0].slots if not one.held):
        one = toss(slot, Random(9))
        twin = {key: len(words) for key, words in one.render(twin=True).items()}
        assert twin.keys() == one.render(twin=False).keys()
        assert sum(a != b for a, b in zip(one.versions, one.twin_versions, strict=True)) == 1


def test_players_say_what_they_do() -> None:
    assert all(player.about for player in PLAYERS.values())
