"""Verdicts on conversations over worlds made by hand: all their numbers are pinned."""

import pytest

from causarium.contract.frozen import canonical_json, digest
from tests.families.causallink.paper.worlds import GO_ON, NO, READY, YES, act, converse, world_of

WORLDS = {
    "chain": world_of("ABC", "A>B B>C", "ABC", "A>C"),
    "two causes": world_of("ABC", "A>C B>C", "ABC", "A>C"),
    "at rest": world_of("ABC", "A>B", "", "A>C"),
    "moved": world_of("AB", "A>B", "B", "B>A"),
}
TALKS = {
    "nothing": ((), "4e60e8c1724c"),
    "an answer at once": ((READY, YES), "9b4fe87fe204"),
    "one act": ((act("A", "hold"), READY, YES), "fb44d7fb3668"),
    "one act, no": ((act("A", "hold"), READY, NO), "9cea8b02404a"),
    "two acts": ((act("A", "hold"), GO_ON, act("B", "hold"), READY, YES), "39dd64572648"),
    "an act back and forth": (
        (act("A", "hold"), GO_ON, act("A", "move"), GO_ON, act("A", "hold"), READY, YES),
        "5a22c58b2e50",
    ),
    "no end": ((act("B", "hold"), *(GO_ON, act("A", "hold")) * 9, YES), "899c31b6e74c"),
    "unread": (("?", "?", "?"), "9b4fe87fe204"),
    "unread once": (("?", act("A", "hold"), "?", READY, NO), "866bebdb3aca"),
    "a wrong name": ((act("Z", "hold"), act("A", "hold"), READY, NO), "c618fc33280f"),
}


def pin(verdict):
    numbers = {n: None if x != x else float(f"{x:.9g}") for n, x in verdict.numbers.items()}
    return canonical_json([numbers, verdict.labels, verdict.answer])


@pytest.mark.parametrize("name", TALKS)
def test_verdicts_on_talks_stay_what_they_were(name):
    replies, pinned = TALKS[name]
    said = [
        pin(converse(world, replies, way).score())
        for way in ("repaired", "published")
        for world in WORLDS.values()
    ]
    assert digest(*said)[7:19] == pinned
