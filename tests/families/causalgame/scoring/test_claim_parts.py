"""The checker of claims, part by part: words, levels, margins and what is decided from them."""

from types import SimpleNamespace

import numpy as np
import pytest

from causarium.families.causalgame.paper.model.actions import Confounder, Effect, Selection
from causarium.families.causalgame.paper.model.paper_games import paper_game
from causarium.families.causalgame.paper.scoring import claims
from causarium.families.causalgame.paper.scoring.claims import Trials, term

ANTENNA, ZONE, WEATHER = map(
    paper_game, ("antenna_trap", "deployment_zone_trap_categorical", "weather_noise")
)
EQUIPPED = paper_game("antenna_trap_no_selection_bias")
ZONES = ("alpha", "beta", "gamma", "delta", "epsilon")
MODULES = ("thermal_shield", "power_core", "stealth_coating", "signal_filter")
NO_EFFECT = "does not affect"


def effect(cause, relation, outcome, **under):
    return Effect(cause=cause, relation=relation, effect=outcome, under=under)


@pytest.mark.parametrize(
    ("game", "words", "name", "flipped"),
    [
        (ANTENNA, "survived survival survival_rate returned Survival_Rate", "survived", False),
        (ANTENNA, "destroyed loss losses lost", "survived", True),
        (ANTENNA, "detected was_detected is_detected", "detected", False),
        (ANTENNA, "weather storm", "is_storm", False),
        (ZONE, "interference emi", "emi_level", False),
        (ANTENNA, "hits", "hit_count", False),
        (ZONE, "zone", "mission_zone", False),
        (ZONE, "altitude", "altitude_band", False),
        (ANTENNA, "antenna antenna_def", "antenna_def", False),
    ],
)
def test_words_stand_for_variables(game, words, name, flipped):
    for word in words.split():
        found = term(game, word)
        assert (found.variable.name, found.flipped, found.value) == (name, flipped, None)


def test_a_value_is_one_of_the_variables():
    found = term(ZONE, " Zone = Gamma ")
    assert (found.name, found.flipped) == ("mission_zone=gamma", False)
    assert term(ZONE, "zone=omega") is None
    assert term(ZONE, "moon=gamma") is None
    assert term(ANTENNA, "survived=yes") is None


@pytest.mark.parametrize(
    ("said", "ordered"),
    [
        ("mission_zone", False),
        ("mission_zone=beta", True),
        ("altitude_band", True),
        ("emi_level", True),
        ("flight_profile", False),
    ],
)
def test_there_is_more_of_some_things(said, ordered):
    assert term(ZONE, said).ordered == ordered


@pytest.mark.parametrize(
    ("game", "name", "value", "held"),
    [
        *((ANTENNA, "storm", word, 1.0) for word in ("true", "yes", "storm", "stormy", " Rain ")),
        *((ANTENNA, "storm", word, 0.0) for word in ("false", "no", "clear", "calm", "dry")),
        (ANTENNA, "storm", "maybe", None),
        (ANTENNA, "wind_speed", 1e6, 1e6),
        (ANTENNA, "wind_speed", -1e6, -1e6),
        (ANTENNA, "wind_speed", 1e6 + 0.5, None),
        (ANTENNA, "losses", 1, None),
        (ANTENNA, "nothing of the kind", 1, None),
        (ZONE, "zone", " BETA", "beta"),
        (ZONE, "zone", "omega", None),
        (ZONE, "zone=beta", 1, None),
    ],
)
def test_a_variable_is_held_at_what_it_can_be(game, name, value, held):
    found = claims.find_held_value(game, name, value)
    assert (None if found is None else found[1]) == held


def test_stages_count_where_they_differ():
    assert [claims.stages(game) for game in (ANTENNA, ZONE, WEATHER)] == [(1,), (1,), (1, 2)]
    assert claims.stages(paper_game("deployment_zone_trap_env_shift")) == (1, 2)


def test_luck_stays_what_it_was():
    flown = Trials(ANTENNA, 500).natural(1)
    assert flown["wind_speed"].mean() == pytest.approx(52.2228584882, rel=1e-9)


def test_armour_is_held_at_what_is_sane_and_weather_at_what_occurs():
    trials = Trials(ANTENNA, 500)
    for value, allowed in ((0, True), (1000, True), (-1, False), (1001, False)):
        assert trials.allows("engine_def", value) == allowed
    winds = Trials(ANTENNA, 500).natural(1)["wind_speed"]
    low, high = float(winds.min()), float(winds.max())
    for beyond, allowed in ((0.099, True), (0.101, False)):
        room = beyond * (high - low)
        assert trials.allows("wind_speed", low - room) == allowed
        assert trials.allows("wind_speed", high + room) == allowed
    assert Trials(ZONE, 100).allows("mission_zone", "beta")


def test_a_margin_is_two_points_of_a_share_and_a_twentieth_of_a_spread():
    trials = Trials(ANTENNA, 500)
    assert trials.margin(1, term(ANTENNA, "survived")) == 0.02
    winds = trials.natural(1)["wind_speed"]
    assert trials.margin(1, term(ANTENNA, "wind_speed")) == pytest.approx(0.05 * winds.std())
    assert trials.margin(1, term(ANTENNA, "engine_def")) == 1e-9


def test_a_difference_has_the_error_of_its_mean():
    trials = Trials(ANTENNA, 4)
    low, high = np.array([0.0, 0, 0, 0]), np.array([1.0, 3, 1, 3])
    assert trials.difference(low, high) == (2.0, 0.5)


def test_variables_are_read_as_they_are_said():
    columns = {"survived": np.array([True, False, True]), "mission_zone": np.array([0, 2, 2])}
    read = claims._read
    assert read(columns, term(ZONE, "survived")).tolist() == [1, 0, 1]
    assert read(columns, term(ZONE, "losses")).tolist() == [0, 1, 0]
    assert read(columns, term(ZONE, "zone=gamma")).tolist() == [0, 1, 1]


def test_a_mixture_is_read_drone_by_drone():
    trials, survived = Trials(ANTENNA, 100), term(ANTENNA, "survived")
    bare, full = ({"antenna_def": armour} for armour in (0.0, 50.0))
    mixed = trials.read_levels(1, [(0.25, bare), (0.75, full)], survived)
    alone = [trials.fly(1, held)["survived"].astype(float) for held in (bare, full)]
    assert mixed.tolist() == (0.25 * alone[0] + 0.75 * alone[1]).tolist()
    assert len(set(mixed.tolist())) > 2


def test_yes_and_no_are_held_as_such_and_all_else_as_it_is():
    trials = Trials(ANTENNA, 100)
    assert trials._of_its_kind(1, "is_storm", 1.0) is True
    assert trials._of_its_kind(1, "wind_speed", 1.0) == 1.0
    held = trials.natural(1)["is_storm"]
    assert trials._of_its_kind(1, "is_storm", held) is held


def find_steps(game, said, held):
    at = claims.levels(Trials(game, 500), 1, term(game, said), held)
    name = term(game, said).variable.name
    for level in at:
        assert sum(weight for weight, _ in level) == pytest.approx(1)
        assert all(held.items() <= setting.items() for _, setting in level)
    return [{setting[name]: weight for weight, setting in level} for level in at]


def test_a_cause_is_held_at_levels_from_low_to_high():
    assert find_steps(ANTENNA, "engine_def", {"gun_def": 3.0}) == [
        {step: 1.0} for step in (0, 12, 25, 38, 50)
    ]
    assert find_steps(ANTENNA, "is_storm", {}) == [{0.0: 1.0}, {1.0: 1.0}]
    assert find_steps(ZONE, "rounds", {}) == [{0.0: 1.0}, {1.0: 1.0}]
    assert find_steps(ZONE, "altitude", {}) == [{band: 1.0} for band in ("low", "medium", "high")]
    winds = Trials(ANTENNA, 500).natural(1)["wind_speed"]
    shares = np.quantile(winds, (0.01, 0.25, 0.5, 0.75, 0.99)).tolist()
    assert find_steps(ANTENNA, "wind_speed", {}) == [{wind: 1.0} for wind in shares]


def test_one_value_is_held_against_the_default_or_the_others():
    plain, chosen = find_steps(ZONE, "enhancement_module=power_core", {})
    assert (plain, chosen) == ({"radar_boost": 1.0}, {"power_core": 1.0})
    others, gamma = find_steps(ZONE, "zone=gamma", {})
    zones = Trials(ZONE, 500).natural(1)["mission_zone"]
    counts = {name: int((zones == code).sum()) for code, name in enumerate(ZONES)}
    left = 500 - counts.pop("gamma")
    assert others == pytest.approx({name: count / left for name, count in counts.items() if count})
    assert gamma == {"gamma": 1.0}
    default, _ = find_steps(ZONE, "enhancement_module=radar_boost", {})
    assert default == pytest.approx(dict.fromkeys(MODULES, 0.25))


@pytest.mark.parametrize(
    ("mean", "error", "found"),
    [(1, 0.25, "open"), (1, 0.1875, "true"), (-0.5, 0.25, "open"), (-0.5, 0.1875, "false")],
)
def test_three_errors_decide(mean, error, found):
    assert claims._is_above((mean, error), 0.25) == found


@pytest.mark.parametrize(
    ("mean", "margin", "found"),
    [(0.5, 1, "true"), (-0.5, 1, "true"), (0.5, 0.25, "false"), (-0.5, 0.5, "open")],
)
def test_a_difference_is_none_within_the_margin(mean, margin, found):
    assert claims._is_within((mean, 0.05), margin) == found


@pytest.mark.parametrize(
    ("seen", "margin", "relation", "found"),
    [
        ((0, 1, 2), 0.5, "raises", "true"),
        ((0, 1, 2), 0.5, "lowers", "false"),
        ((2, 1, 0), 0.5, "lowers", "true"),
        ((0, 3, 2.5), 0.25, "raises", "false"),
        ((0, 3, 2.5), 1, "raises", "true"),
        ((0, 0.75, 0.5), 0.75, "raises", "false"),
        ((0, 2, 0), 1, "raises", "false"),
        ((0, 0.6, 1.2), 1, "does not affect", "false"),
        ((0, 0.6, 0.9), 1, "does not affect", "true"),
        ((1.2, 0.1, 0), 1, "does not affect", "false"),
    ],
)
def test_a_move_is_decided_by_its_ends_and_its_steps(seen, margin, relation, found):
    trials = SimpleNamespace(
        margin=lambda *_: margin,
        read_levels=lambda stage, level, of: level,
        difference=lambda low, high: (high - low, 1e-9),
    )
    assert claims._decide_move(trials, 1, list(seen), None, relation) == found


def test_more_is_flown_only_while_it_is_open(monkeypatch):
    flown = []

    def look(trials, claim):
        flown.append(trials.size)
        return "open" if trials.size < settled else "true"

    monkeypatch.setattr(claims, "_effect", look)
    monkeypatch.setattr(claims, "_confounder", look)
    settled = 16_000
    decide = claims._decide_claim.__wrapped__
    assert decide(ANTENNA, effect("engine", "raises", "survived")) == "true"
    assert flown == [4_000, 16_000]
    settled = 100_000
    common = Confounder(claim="confounder", confounder="storm", of=["engine", "survived"])
    assert decide(ANTENNA, common) == "open"
    assert flown == [4_000, 16_000, 4_000, 16_000, 64_000]


@pytest.mark.parametrize(
    ("first", "second", "differ"),
    [
        ([1, 1], [2, 2], True),
        ([1, 1], [1, 2], False),
        ([0, 4], [3, 7], True),
        ([0, 6], [2, 8], False),
        ([3, 7], [0, 4], True),
        (["a", "a", "a", "b"], ["a", "a", "b", "b"], True),
        (["a", "a", "b", "b"], ["a", "a", "a", "b"], True),
        (["a"] * 4 + ["b"], ["a"] * 5, False),
        (["a"], ["b"], True),
        ([1, 1], ["a"], True),
    ],
)
def test_armour_differs_by_its_spread_and_options_by_a_quarter(first, second, differ):
    assert claims._differ(first, second) == differ


def make_past(*recipes, rows=50):
    """Return a game with so many rows, and recipes of (what is met, armour, weight)."""
    made = tuple(
        SimpleNamespace(force=force, design=armour, weight=weight)
        for force, armour, weight in recipes
    )
    return SimpleNamespace(past=SimpleNamespace(rows=rows, recipes=made))


@pytest.mark.parametrize(
    ("recipes", "rows", "together"),
    [
        (((0, 10, 1), (1, 20, 1)), 50, True),
        (((0, 10, 1), (1, 20, 1)), 0, False),
        (((0, 10, 1), (1, 10, 1)), 50, False),
        # By weight the means are 11 and 10.5, and the spread is about 3.
        (((0, 20, 1), (0, 10, 9), (1, 10, 1), (1, 11, 1)), 50, False),
        (((0, 20, 9), (0, 10, 1), (1, 10, 1), (1, 11, 1)), 50, True),
        (((0, 10, 1), (None, 20, 1)), 50, False),
        (((0, 10, 1), (1, 10, 1), (2, 20, 1)), 50, True),
    ],
)
def test_history_ties_armour_to_what_was_met(monkeypatch, recipes, rows, together):
    game = make_past(
        *(({} if met is None else {"x": met}, armour, w) for met, armour, w in recipes), rows=rows
    )
    monkeypatch.setattr(claims, "_find_choice", lambda game, design, lever: design)
    for role in ("lever", "equipment", "mediator"):
        lever = SimpleNamespace(role=role)
        found = claims.is_flown_together(game, "x", lever)
        assert found == (together and role != "mediator")


def test_a_choice_is_the_option_or_the_armour():
    design = claims.Design(armour={"engine": 7}, equipment={"coating": "stealth"})
    coating, mode, engine = (
        EQUIPPED.variable(name) for name in ("coating", "antenna_mode", "engine_def")
    )
    found = [claims._find_choice(EQUIPPED, design, one) for one in (coating, mode, engine)]
    assert found == ["stealth", "active", 7]


@pytest.mark.parametrize(
    ("on", "hiding", "open_"),
    [
        ("nothing", "false", "true"),
        (" None ", "false", "true"),
        ("no", "false", "true"),
        ("survived", "true", "false"),
        ("losses", "true", "false"),
        ("detected", "false", "false"),
        ("the moon", "unclear", "unclear"),
    ],
)
def test_a_selection_is_what_the_records_withhold(on, hiding, open_):
    claim = Selection(claim="selection", on=on)
    assert claims._selection(ANTENNA, claim) == hiding
    assert claims._selection(EQUIPPED, claim) == open_


def test_claims_of_one_shape_say_the_same():
    def shape(claim, game=ANTENNA):
        return claims._shape(game, claim)

    raises = ("effect", "engine_def", "raises", "survived")
    assert shape(effect("engine", "raises", "survival")) == raises
    assert shape(effect("engine", "lowers", "losses")) == raises
    assert shape(effect("engine", "does not affect", "losses"))[2] == "does not affect"
    assert shape(effect("losses", "raises", "losses"))[2] == "raises"
    assert shape(effect("engine", "raises", "moon")) is None
    assert shape(effect("moon", "raises", "survived")) is None
    common = Confounder(claim="confounder", confounder="storm", of=["survived", "engine"])
    assert shape(common) == ("confounder", "is_storm", "engine_def", "survived")
    lost = Confounder(claim="confounder", confounder="storm", of=["moon", "engine"])
    assert shape(lost) is None
    on = [shape(Selection(claim="selection", on=said)) for said in ("survived", "None", "moon")]
    assert on == [("selection", "survived"), ("selection", "nothing"), None]


def test_conditions_are_read_or_unclear():
    held = effect("engine", "raises", "survived", storm="yes", camera=3)
    assert claims._conditions(ANTENNA, held) == {"is_storm": 1.0, "camera_def": 3.0}
    assert claims._conditions(ANTENNA, effect("engine", "raises", "survived", moon=1)) is None
    assert claims._conditions(ANTENNA, Selection(claim="selection", on="survived")) == {}


@pytest.mark.parametrize(
    ("golden", "truth", "stated"),
    [
        (True, "true", True),
        (True, "false", False),
        (False, "false", True),
        (False, "true", False),
        (True, "open", False),
    ],
)
def test_held_elsewhere_a_claim_states_another_if_it_is_as_true(monkeypatch, golden, truth, stated):
    monkeypatch.setattr(claims, "truth", lambda *_: truth)
    wanted = effect("engine", "raises", "survived", storm="yes")

    def tell(**under):
        claim = effect("engine", "raises", "survived", **under)
        return claims._states(ANTENNA, claim, wanted, golden=golden)

    assert tell(storm="yes")
    assert tell(storm="no") == stated
    assert not tell(camera=1)
    assert not tell()
    assert not tell(storm="maybe")
    other = effect("engine", "lowers", "survived", storm="yes")
    assert not claims._states(ANTENNA, other, wanted, golden=golden)


def test_sound_ideas_say_what_is_on_record():
    last = {idea.id: idea.golden for idea in claims.list_sound_ideas(ANTENNA)[-2:]}
    assert last == {"survivors": True, "all_shown": False}
    kept = [idea for idea in claims.list_sound_ideas(EQUIPPED) if idea.id == "all_shown"]
    assert [idea.golden for idea in kept] == [True]
    assert "survivors" not in {idea.id for idea in claims.list_sound_ideas(EQUIPPED)}


def test_a_confounder_names_three_variables():
    def tell(confounder, *of):
        claim = Confounder(claim="confounder", confounder=confounder, of=list(of))
        return claims._confounder(Trials(ANTENNA, 500), claim)

    assert tell("storm", "engine", "engine_def") == "unclear"
    assert tell("moon", "engine", "survived") == "unclear"
    assert tell("storm", "moon", "survived") == "unclear"
    assert tell("storm", "wind_speed", "humidity") == "true"
    assert tell("humidity", "wind_speed", "temperature") == "false"
    assert tell("storm", "engine", "survived") == "false"


def test_one_side_that_is_open_leaves_a_confounder_open(monkeypatch):
    reaches = {("engine_def", "survived"): "true", ("survived", "engine_def"): "open"}
    monkeypatch.setattr(
        claims,
        "_reaches",
        lambda trials, cause, one, other: reaches[one.variable.name, other.variable.name],
    )
    claim = Confounder(claim="confounder", confounder="storm", of=["engine", "survived"])
    assert claims._confounder(Trials(ANTENNA, 100), claim) == "open"


@pytest.mark.parametrize(
    ("game", "claim", "moves"),
    [
        (ANTENNA, effect("engine", "raises", "survived"), [(1, "survived", "raises")]),
        (ANTENNA, effect("losses", "raises", "hits"), [(1, "hit_count", "lowers")]),
        (ANTENNA, effect("losses", "lowers", "hits"), [(1, "hit_count", "raises")]),
        (ANTENNA, effect("losses", "does not affect", "hits"), [(1, "hit_count", NO_EFFECT)]),
        (ANTENNA, effect("engine", "raises", "hits", storm="yes"), [(1, "hit_count", "raises")]),
        (WEATHER, effect("engine", "raises", "hits"), [(n, "hit_count", "raises") for n in (1, 2)]),
        (ZONE, effect("zone", "does not affect", "hits"), [(1, "hit_count", NO_EFFECT)]),
        (
            ZONE,
            effect("engine", "does not affect", "zone"),
            [(1, f"mission_zone={zone}", NO_EFFECT) for zone in ZONES],
        ),
        (ZONE, effect("engine", "raises", "zone"), None),
        (ZONE, effect("zone", "raises", "survived"), None),
        (ANTENNA, effect("engine", "raises", "engine_def"), None),
        (ANTENNA, effect("engine", "raises", "survived", engine=3), None),
        (ANTENNA, effect("engine", "raises", "survived", storm="maybe"), None),
        (ANTENNA, effect("engine", "raises", "survived", camera=5000), None),
        (ANTENNA, effect("moon", "raises", "survived"), None),
        (ANTENNA, effect("engine", "raises", "moon"), None),
    ],
)
def test_an_effect_is_decided_at_every_stage_for_all_that_is_said(monkeypatch, game, claim, moves):
    seen = []

    def decide(trials, stage, at, effect, relation):
        seen.append((stage, effect.name, relation))
        return "true"

    monkeypatch.setattr(claims, "_decide_move", decide)
    found = claims._effect(Trials(game, 100), claim)
    assert (found, seen) == (("unclear", []) if moves is None else ("true", moves))
