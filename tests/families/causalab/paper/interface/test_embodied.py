"""The embodied interface: the same science through a body, and nothing that an agent can break."""

import base64
import json
import math
import sys

import pytest

from causarium.contract.checks.checked_family import Subject
from causarium.contract.checks.worlds import CHECKS
from causarium.contract.episode import Episode, play, replay
from causarium.contract.turn import Turn
from causarium.contract.world import Unparsed, frame_of
from causarium.errors import MissingExtra, RunError
from causarium.families.causalab.paper import FAMILY
from causarium.families.causalab.paper.levels import LabRules
from causarium.families.causalab.paper.model.actions import (
    BODY_ACTIONS,
    PAGE_ACTIONS,
    Choose,
    Enter,
    Go,
    Handle,
    Measure,
    Move,
    Read,
    Rotate,
    Talk,
    Teleport,
)
from causarium.families.causalab.paper.model.lab_plan import DIRECTIONS, THINGS, VERBS
from causarium.seeds import stream
from tests.families.causalab.paper.test_protocol import written
from tests.support.extras import needs_discoveryworld

PER_TURN = ("_area", "_steps", "turns_after_fit")
"""Ends of the names of numbers that depend on how many turns something took."""
TELEPORT = (Teleport(to="manipulator"), Talk(device="manipulator"))


def rules_of(edition="certified", **changes):
    return FAMILY.rules_for(edition, **{"interface": "embodied", **changes})


def draw(level="paper-linear-4", index=0):
    return FAMILY.generate(FAMILY.level(level), 0, index)


def outcome(episode):
    verdict = episode.score()
    numbers = {
        name: "nan" if math.isnan(number) else number
        for name, number in verdict.numbers.items()
        if not name.endswith(PER_TURN)
    }
    labels = {name: label for name, label in verdict.labels.items() if name != "navigation"}
    return numbers, labels, verdict.answer


def assert_the_body_changes_nothing(instance, player, edition, **changes):
    body = play(FAMILY, instance, rules_of(edition, **changes), player)
    plain = play(FAMILY, instance, rules_of(edition, **changes, interface="json"), player)
    assert outcome(body) == outcome(plain)
    return body


@needs_discoveryworld
@pytest.mark.parametrize("player", ["oracle", "scientist"])
@pytest.mark.parametrize(
    ("edition", "level"), [("certified", "paper-linear-5"), ("paper", "paper-linear-5")]
)
def test_a_body_changes_neither_experiments_nor_verdicts(edition, level, player):
    episode = assert_the_body_changes_nothing(draw(level), player, edition)
    assert episode.score().numbers["prediction"] == 1.0
    assert episode.score().numbers["refusals"] == 0.0
    assert replay(FAMILY, episode.instance, episode.rules, episode.turns).turns == episode.turns


@needs_discoveryworld
@pytest.mark.parametrize("level", ["paper-golden-4", "paper-hidden-n1"])
def test_chains_and_checks_can_be_walked_to(level):
    for player in ("scientist", "random"):
        episode = assert_the_body_changes_nothing(
            draw(level), player, "certified", verification="required"
        )
        assert all(turn.legal for turn in episode.turns)


@needs_discoveryworld
@pytest.mark.long
@pytest.mark.parametrize("player", ["oracle", "scientist"])
@pytest.mark.parametrize("size", [4, 5, 6, 7, 8])
def test_fifty_instances_get_the_same_verdicts_with_a_body(size, player):
    for index in range(10):
        assert_the_body_changes_nothing(draw(f"paper-linear-{size}", index), player, "paper")


@needs_discoveryworld
def test_by_teleport_an_episode_takes_the_published_number_of_steps():
    instance = draw("paper-linear-5")
    episode = play(FAMILY, instance, rules_of("paper"), "scientist")
    kinds = [turn.action["kind"] for turn in episode.turns]
    made = int(episode.score().numbers["interventions"])
    script = ["teleport", "talk", *["choose", "enter"] * made, "choose"]
    assert kinds == [*script, "teleport", "talk", "choose", "enter"]
    assert len(kinds) == 2 * made + 7
    assert episode.world.max_turns == 54
    numbers = episode.score().numbers
    assert (numbers["science_steps"], numbers["walking_steps"]) == (2 * made + 5, 2)
    assert episode.score().labels["navigation"] == "under a quarter of the steps"


@needs_discoveryworld
def test_walking_is_counted_apart():
    episode = play(FAMILY, draw(), rules_of(), "oracle")
    numbers = episode.score().numbers
    assert (numbers["walking_steps"], numbers["science_steps"]) == (1, 3)
    assert episode.score().labels["navigation"] == "up to half the steps"
    assert "walking_steps" not in play(FAMILY, draw(), LabRules(), "oracle").score().numbers


BAD = [
    (Move(direction="south"), (Teleport(to="desk"),), "desk is in the way"),
    (Move(direction="north"), (Move(direction="west"),) * 2, "wall is in the way"),
    (Talk(device="manipulator"), (), "not in front of you"),
    (Talk(device="the king"), (), "there is no thing 'the king'"),
    (Talk(), (), "say which device"),
    (Talk(device="table"), (Teleport(to="table"),), "one cannot talk to the table"),
    (Talk(device="manipulator"), TELEPORT, "a dialog is open already"),
    (Teleport(to="the moon"), (), "there is no place or thing"),
    (Teleport(to="99999"), (), "there is no place or thing"),
    (Teleport(to="notebook"), (), "there is no place or thing"),
    (Read(thing="record book"), (), "neither in front of you nor in your hands"),
    (Read(thing="7"), (Teleport(to="7"),), "nothing to read"),
    (Handle(verb="pickup", thing="manipulator"), (Teleport(to="1"),), ""),
    (Handle(verb="pickup", thing="5"), (Teleport(to="1"),), ""),
    (Handle(verb="eat", thing="3"), (Teleport(to="3"),), ""),
    (Handle(verb="use", thing="3", other="unicorn"), (Teleport(to="3"),), "no thing 'unicorn'"),
    (Choose(option=1), (), "no dialog is open"),
    (Enter(value=3.0), (), "no page is asking"),
    (Choose(option=77), TELEPORT, "the options are 1 to"),
    (Choose(option=-1), TELEPORT, "the options are 1 to"),
    (Enter(value=3.0), TELEPORT, "no page is asking"),
    (Choose(option=1), (*TELEPORT, Choose(option=1)), "takes a value and nothing else"),
    (Enter(value=1e300), (*TELEPORT, Choose(option=1)), "not a number between"),
    (Move(direction="east"), TELEPORT, "a dialog is open"),
    (Rotate(direction="east"), TELEPORT, "a dialog is open"),
    (Teleport(to="reactor"), TELEPORT, "a dialog is open"),
    (Read(), TELEPORT, "a dialog is open"),
    (Handle(verb="drop", thing="3"), TELEPORT, "a dialog is open"),
    (Go(place="desk"), (), "not an action of this interface"),
    (Measure(), (), "not an action of this interface"),
    (Unparsed(mode="no json", detail="nothing"), (), "no action could be read"),
]


@needs_discoveryworld
@pytest.mark.parametrize(("move", "before", "reason"), BAD)
def test_bad_input_is_answered_and_counted_and_changes_nothing(move, before, reason):
    episode, twin = (Episode(FAMILY, draw(), rules_of()) for _ in range(2))
    for action in before:
        assert episode.step(action) == twin.step(action)
        assert episode.turns[-1].legal
    seen = episode.step(move)
    assert not seen.legal
    assert reason in seen.text
    assert episode.score().numbers["refusals"] == 1.0
    assert (episode.world.place, episode.world.page) == (twin.world.place, twin.world.page)
    after = Rotate(direction="east") if twin.world.page is None else Choose(option=1)
    assert episode.step(after) == twin.step(after)


@needs_discoveryworld
def test_opening_the_reactor_locks_the_manipulator_and_what_is_free_costs_nothing():
    episode = Episode(FAMILY, draw(), rules_of())
    for action in (Teleport(to="record book"), Read(thing="record book")):
        episode.step(action)
    assert "record 1" in episode.turns[-1].observation
    for action in (*TELEPORT, Choose(option=1)):
        episode.step(action)
    assert episode.world.spent == 0
    assert episode.step(Enter(value=5.0)).cost == 1
    assert episode.world.spent == 1
    left = len(episode.world.page.options)
    for action in (Choose(option=left), Teleport(to="reactor"), Talk(device="reactor")):
        assert episode.step(action).legal
    for action in (Choose(option=2), *TELEPORT):
        seen = episode.step(action)
    assert "Locked" in seen.text
    assert "values" not in seen.data


@needs_discoveryworld
def test_a_book_can_be_carried_and_read_anywhere():
    episode = Episode(FAMILY, draw(), rules_of())
    for action in (
        Teleport(to="3"),
        Handle(verb="pickup", thing="3"),
        Teleport(to="reactor lab"),
        Read(thing="3"),
        Handle(verb="drop", thing="3"),
    ):
        assert episode.step(action).legal, action
    assert "You carry" in episode.turns[1].observation
    assert "You carry" not in episode.turns[-1].observation


@needs_discoveryworld
@pytest.mark.parametrize("interface", ["embodied", "embodied_tools"])
def test_replies_and_actions_lead_to_the_same_turns(interface):
    rules, instance = rules_of(interface=interface), draw()
    acted = play(FAMILY, instance, rules, "scientist")
    spoken = Episode(FAMILY, instance, rules)
    for turn in acted.turns:
        spoken.step(spoken.parse_reply(written(turn.action)))
    assert spoken.turns == acted.turns
    assert spoken.score() == acted.score()


@needs_discoveryworld
def test_tools_are_all_offered_from_the_start():
    world = FAMILY.open_world(draw(), rules_of(interface="embodied_tools"))
    assert world.allowed_actions == (*BODY_ACTIONS, *PAGE_ACTIONS)
    assert all(action.in_tools for action in world.allowed_actions)
    text = FAMILY.open_world(draw(), rules_of())
    for action in TELEPORT:
        text.act(action)
    assert text.allowed_actions == (Choose,)


@needs_discoveryworld
def test_frames_come_with_every_answer_and_are_drawn_again_for_a_replay():
    episode = Episode(FAMILY, draw(), rules_of(frames=True))
    first = frame_of(episode.world)
    seen = episode.step(Move(direction="west"))
    assert base64.b64decode(seen.frame.partition(",")[2]).startswith(b"\x89PNG")
    assert seen.frame != first
    assert episode.step(Move(direction="east")).frame != first, "it faces another way"
    scene = FAMILY.views.scene(episode.instance, episode.rules, episode.turns)
    assert [s.frame for s in scene.scenes[:2]] == [first, seen.frame]
    assert len(scene.scenes) == 3
    without = Episode(FAMILY, draw(), rules_of())
    assert without.step(Move(direction="west")).frame == ""
    assert frame_of(Episode(FAMILY, draw(), LabRules()).world) == ""


@needs_discoveryworld
@pytest.mark.parametrize("fault", [KeyError("x"), SystemExit(1), RecursionError()])
def test_a_crash_inside_the_library_is_a_fault_of_the_machine(fault, monkeypatch):
    episode = Episode(FAMILY, draw(), rules_of())
    episode.step(Move(direction="west"))

    def crash(*_):
        raise fault

    monkeypatch.setattr(episode.world.body._world, "tick", crash)
    with pytest.raises(RunError, match="DiscoveryWorld broke down"):
        episode.step(Move(direction="west"))


@needs_discoveryworld
def test_the_library_says_nothing_on_the_terminal(capsys):
    play(FAMILY, draw(), rules_of(frames=True), "oracle")
    assert capsys.readouterr() == ("", "")


@needs_discoveryworld
@pytest.mark.long
def test_whatever_a_body_does_is_answered():
    """Random moves of every kind, on pages and off them: no fault of the machine, and an end."""
    names = [thing.name for thing in THINGS] + ["corridor", "desk", "nonsense", "", "3"]
    for seed in range(20):
        rng = stream(seed, "test", "embodied")
        episode = Episode(FAMILY, draw(index=seed % 3), rules_of(max_turns=200))
        while not episode.done:
            kind = rng.choice([*episode.world.allowed_actions, *BODY_ACTIONS])
            fields = {
                "direction": rng.choice(DIRECTIONS),
                "to": rng.choice(names),
                "device": rng.choice(names),
                "thing": rng.choice(names),
                "other": rng.choice(names),
                "verb": rng.choice(VERBS),
                "option": rng.randrange(-1, 7),
                "value": rng.choice([0.0, -3.5, 1e9, 1e300]),
            }
            episode.step(
                kind(**{name: fields[name] for name in kind.model_fields if name in fields})
            )
        assert episode.score().numbers["refusals"] == sum(not t.legal for t in episode.turns)
        again = replay(FAMILY, episode.instance, episode.rules, episode.turns)
        assert again.world.lab.rows == episode.world.lab.rows


@needs_discoveryworld
@pytest.mark.long
def test_the_contract_of_worlds_holds_with_a_body():
    class WithBody(Subject):
        def seats(self):
            yield draw("paper-linear-4"), rules_of()

        players = ("oracle", "scientist")

    subject = WithBody(FAMILY, sets=["smoke"], quick=True)
    for check in CHECKS:
        assert list(check(subject)) == [], check.__name__


def test_the_score_of_a_recorded_episode_needs_no_library():
    """Whoever reads a log may not have the extra: what was legal says where the body stood."""
    instance, rules = draw(), rules_of()
    target = instance.secret.target
    legal = {"observation": "", "legal": True, "cost": 0}
    actions = [
        Teleport(to="1"),
        Talk(device="1"),
        Choose(option=1),
        Enter(value=5.0),
        Choose(option=len(instance.public.names) + 1),
        Teleport(to="reactor"),
        Talk(device="reactor"),
        Choose(option=1),
        Enter(value=target),
    ]
    turns = [Turn(action=action.record(), **legal) for action in actions]
    refused = Turn(action=Talk(device="reactor").record(), observation="", legal=False, cost=0)
    verdict = FAMILY.score(instance, rules, [refused, *turns])
    assert verdict.numbers["prediction"] == 1.0
    assert verdict.numbers["interventions"] == 1.0
    assert verdict.numbers["refusals"] == 1.0
    assert (verdict.numbers["science_steps"], verdict.numbers["walking_steps"]) == (8.0, 2.0)


def test_the_absence_of_the_library_is_explained(monkeypatch):
    monkeypatch.setitem(sys.modules, "discoveryworld", None)
    with pytest.raises(MissingExtra, match=r"interface embodied .*causarium\[discoveryworld\]"):
        FAMILY.open_world(draw(), rules_of())


@pytest.mark.parametrize(
    ("reply", "move"),
    [
        ({"action": "MOVE_DIRECTION", "arg1": "north"}, Move(direction="north")),
        ({"action": "ROTATE_DIRECTION", "arg1": "west"}, Rotate(direction="west")),
        ({"action": "TELEPORT_TO_OBJECT", "arg1": 2}, Teleport(to="2")),
        ({"action": "TELEPORT_TO_LOCATION", "arg1": "reactor lab"}, Teleport(to="reactor lab")),
        ({"action": "TALK", "arg1": 1, "arg2": None}, Talk(device="1")),
        ({"action": "READ", "arg1": 3}, Read(thing="3")),
        ({"action": "PUT", "arg1": 3, "arg2": 7}, Handle(verb="put", thing="3", other="7")),
        ({"chosen_dialog_option_int": 2}, Choose(option=2)),
        ({"value": 12.5}, Enter(value=12.5)),
    ],
)
def test_the_published_forms_are_read(reply, move):
    for edition in ("certified", "paper"):
        assert FAMILY.replies.parse(json.dumps(reply), BODY_ACTIONS, rules_of(edition)) == move


@pytest.mark.parametrize(
    ("reply", "mode"),
    [
        ({"action": "move", "direction": "up"}, "bad name"),
        ({"action": "move"}, "missing field"),
        ({"action": "move", "direction": ["north"]}, "bad name"),
        ({"action": "teleport"}, "missing field"),
        ({"action": "teleport", "to": 1.5}, "bad name"),
        ({"action": "teleport", "to": "x" * 500}, "bad name"),
        ({"action": "handle", "thing": "3"}, "missing field"),
        ({"action": "handle", "verb": "kick", "thing": "3"}, "bad name"),
        ({"action": "enter", "value": "much"}, "bad value"),
        ({"action": "fly"}, "unknown action"),
        ({}, "no json"),
    ],
)
def test_what_cannot_be_read_is_named(reply, mode):
    read = FAMILY.replies.parse(json.dumps(reply), BODY_ACTIONS, rules_of())
    assert isinstance(read, Unparsed)
    assert read.mode == mode


def test_arrow_keys_stand_for_steps():
    for fields in Move.keys.values():
        Move.model_validate(fields)
    assert {fields["direction"] for fields in Move.keys.values()} == set(DIRECTIONS)


def test_frames_need_a_laboratory_and_the_published_protocol_may_have_one():
    with pytest.raises(ValueError, match="frames show a laboratory"):
        LabRules(frames=True)
    assert LabRules(published_protocol=True).interface == "dialog"
    assert LabRules(published_protocol=True, interface="embodied").has_body
