"""Verdicts on conversations over worlds made by hand: all their numbers are pinned."""

import math

import pytest

from causarium.contract.frozen import canonical_json, digest
from causarium.families.causallink.shared.theme import theme
from tests.families.causallink.worlds import FAMILY, GO_ON, NO, READY, YES, act, converse, world_of

WORLDS = {
    "chain": world_of("ABC", "A>B B>C", "ABC", "A>C"),
    "two causes": world_of("ABC", "A>C B>C", "ABC", "A>C"),
    "at rest": world_of("ABC", "A>B", "", "A>C"),
    "moved": world_of("AB", "A>B", "B", "B>A"),
}
TALKS = {
    "nothing": ((), "c6a7ada692ba"),
    "an answer at once": ((READY, YES), "e0d2a957ee77"),
    "one act": ((act("A", "hold"), READY, YES), "8599a98e6825"),
    "one act, no": ((act("A", "hold"), READY, NO), "45785b0c39ae"),
    "two acts": ((act("A", "hold"), GO_ON, act("B", "hold"), READY, YES), "44fe6f0dd114"),
    "an act back and forth": (
        (act("A", "hold"), GO_ON, act("A", "move"), GO_ON, act("A", "hold"), READY, YES),
        "aa6f3b365207",
    ),
    "no end": ((act("B", "hold"), *(GO_ON, act("A", "hold")) * 9, YES), "20694203a50a"),
    "unread": (("?", "?", "?"), "e0d2a957ee77"),
    "unread once": (("?", act("A", "hold"), "?", READY, NO), "801cceab5692"),
    "a wrong name": ((act("Z", "hold"), act("A", "hold"), READY, NO), "40803a1c61d0"),
}


def pin(verdict):
    numbers = {n: None if x != x else float(f"{x:.9g}") for n, x in verdict.numbers.items()}
    return canonical_json([numbers, verdict.labels, verdict.answer])


@pytest.mark.parametrize("name", TALKS)
def test_verdicts_on_talks_stay_what_they_were(name):
    replies, pinned = TALKS[name]
    said = [
        pin(converse(world, replies, edition).score())
        for edition in ("certified", "paper")
        for world in WORLDS.values()
    ]
    assert digest(*said)[7:19] == pinned


def test_an_answer_goes_with_the_words_or_against_them():
    tried = set()
    for index in range(6):
        case = FAMILY.generate(FAMILY.level("laws-words"), 1, index)
        suggested = theme(case.public.theme).suggests(case.public.cause, case.public.effect)
        for reply, said in ((YES, True), (NO, False)):
            found = converse(case, [reply], "certified").score().numbers["words"]
            if suggested is None:
                assert math.isnan(found)
            else:
                assert found == (0.5 if said == suggested else -0.5)
                tried.add(suggested)
        assert math.isnan(converse(case, [], "certified").score().numbers["words"])
    assert tried
