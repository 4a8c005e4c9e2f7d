"""Certificates of published games: what is proved, and which word is used where nothing is."""

from random import Random

import pytest

from bench.causalgame_certify import bound_survival
from causarium.families.causalgame.paper.generation import generate
from causarium.families.causalgame.paper.levels import LEVELS
from causarium.families.causalgame.paper.model.game import Design
from causarium.families.causalgame.paper.model.paper_games import NAMES, paper_game
from causarium.families.causalgame.paper.proofs import certify_session, read_bounds
from causarium.families.causalgame.paper.scoring.score import compute_survival

ZONE = "deployment_zone_trap_categorical"


@pytest.mark.parametrize("name", ["antenna_trap", ZONE, "weather_noise"])
def test_an_optimum_is_only_called_so_where_it_is_proved(name):
    findings = certify_session(generate(LEVELS[f"paper-{name}"], 0, 0))
    proved = name in read_bounds()
    assert (findings.optimum is not None) == proved
    assert (findings.extra["bound"] is not None) == proved
    assert findings.extra["best_known"] > findings.extra["trap"]


def test_the_bound_is_kept_for_every_game_of_zones():
    zones = [name for name in NAMES if paper_game(name).kind != "antenna"]
    assert set(read_bounds()) == set(zones) - {"weather_noise"}
    assert all(proved["bound"] > proved["best_known"] for proved in read_bounds().values())


@pytest.mark.parametrize("name", [ZONE, f"{ZONE}_no_selection_bias"])
def test_no_drawn_design_passes_its_bound(name):
    game, rng = paper_game(name), Random(name)
    bound = read_bounds()[name]["bound"]
    modules = next(slot for slot in game.slots if slot.name == "enhancement_module").options
    for _ in range(40):
        left, armour = game.space.total, {}
        for part in rng.sample([part.name for part in game.components], len(game.components)):
            armour[part] = rng.randint(0, min(left, game.space.high))
            left -= armour[part]
        design = Design(armour=armour, equipment={"enhancement_module": rng.choice(modules).name})
        assert compute_survival(game, design) <= bound


def test_branch_and_bound_finds_the_stored_bound():
    proved = bound_survival(paper_game(ZONE), drones=20_000)
    assert proved.closed
    assert round(proved.bound, 4) == read_bounds()[ZONE]["bound"]
