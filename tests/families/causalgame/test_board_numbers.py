"""Whoever takes the right steps and reads nothing but the board's numbers wins tier 1."""

import pytest

from causarium.contract.episode import Episode
from causarium.contract.views.play_page import Exchange
from causarium.families.causalgame import FAMILY
from causarium.families.causalgame.views.expeditions import (
    lay_out_expedition,
    read_expedition_draft,
)

SEED, GAMES = 771_204, 100
MIDPOINT = 0.27
"""Between the effect where the air moved and that of an average flight."""


class Hand:
    """A person at the board of one expedition."""

    def __init__(self, instance):
        self.public, self.rules = instance.public, FAMILY.rules_for("certified")
        self.episode, self.exchanges = Episode(FAMILY, instance, self.rules), []

    def send(self, **draft):
        move = read_expedition_draft(self.public, self.rules, self.exchanges, draft)
        self.exchanges.append(Exchange(move, self.episode.step(move)))

    def see(self):
        board = lay_out_expedition(self.public, self.rules, self.exchanges)
        return {leg["name"]: leg for leg in board.view["legs"]}

    def play(self):
        chosen = {}
        for name, leg in self.see().items():
            part = next(one for one in leg["designs"] if one != "bare")
            chosen[f"design {name}"] = part if getattr(self, leg["kind"])(leg, part) else "bare"
        self.send(kind="commit", **chosen)
        self.send(kind="answer", open="yes")
        return self.episode.score().numbers["win"]

    def dial(self, leg, part):
        setting = leg["settable"][0]
        reading, _, other = setting.split()
        for was_set in ("", setting):
            self.send(kind="fly", leg=leg["name"], design=part, set=was_set, count="20")
        rows = self.see()[leg["name"]]["rows"]
        unset = [row for row in rows if row["cut"]["set"] == "nothing"]
        suits = share([row for row in unset if row["cut"][reading] == other]) < 0.5
        effect = share([row for row in rows if row["cut"]["set"] == reading]) - 0.5
        return suits == ((-effect if suits else effect) > MIDPOINT)

    def roster(self, leg, part):
        for design in (part, "bare"):
            self.send(kind="fly", leg=leg["name"], design=design, log="yes", count="20")
        (reading,) = (
            r for one in self.public.legs if one.name == leg["name"] for r in one.readings
        )
        rows = self.see()[leg["name"]]["rows"]
        tie = 0.0
        for design, value in ((part, reading.target), ("bare", reading.other)):
            tie += share(pick(rows, design, reading.name, value))
        for design, value in (("bare", reading.target), (part, reading.other)):
            tie -= share(pick(rows, design, reading.name, value))
        return tie > 0

    def depot(self, leg, part):
        del part
        issued, returned = [], []
        for row in leg["book"]:
            (back, flown), (bare_back, bare) = (
                map(int, row[which]["words"].split(" of ")) for which in ("with", "without")
            )
            issued.append(flown / (flown + bare))
            returned.append((back + bare_back) / (flown + bare))
        return (issued[1] - issued[0]) * (returned[1] - returned[0]) > 0


def pick(rows, design, reading, value):
    return [row for row in rows if (row["cut"]["design"], row["cut"][reading]) == (design, value)]


def share(rows):
    return (sum(row["back"] for row in rows) + 0.5) / (sum(row["flown"] for row in rows) + 1)


@pytest.mark.slow
def test_the_boards_numbers_are_enough_to_win_tier_1():
    level = FAMILY.level("expedition-1")
    won = [Hand(FAMILY.generate(level, SEED, number)).play() for number in range(GAMES)]
    assert sum(won) >= 0.9 * GAMES, sum(won)
