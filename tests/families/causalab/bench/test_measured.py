"""The bounds of measured classes are those of the stored measurement."""

import json

from bench.causalab_bars import LEVELS, STORE, bound, list_players
from causarium.families.causalab import FAMILY

STORED = json.loads(STORE.read_text())


def test_bounds_of_measured_classes_follow_from_what_is_stored() -> None:
    for one in FAMILY.card.classes:
        if one.kind == "measured":
            assert one.bounds == {level: bound(one, level, STORED) for level in one.bounds}


def test_all_players_were_measured_on_every_level() -> None:
    for level in LEVELS:
        assert list_players().keys() <= STORED[level]["earned"].keys()


def test_the_bars_hold() -> None:
    earned = {level: STORED[level]["earned"] for level in LEVELS}
    reference = FAMILY.card.reference
    assert all(earned[level][reference][0] == 1 for level in LEVELS if "top" not in level)
    assert earned["top-12"][reference][0] >= 0.87
    assert earned["top-12"]["script"][0] <= earned["top-12"][reference][0] - 0.1
    assert earned["top-12"]["least_squares"][0] <= 0.25
    assert all(earned[level]["table"][0] <= 0.1 for level in ("part-8", "part-12"))
