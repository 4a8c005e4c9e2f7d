"""The bench through dialogs and by a body: the same science, other ways there."""

import pytest

import causarium as cm
from causarium.contract.episode import Episode, play
from causarium.families.causalab import FAMILY
from causarium.families.causalab.model.actions import Answer, Choose, Enter, Go, Talk, Teleport
from causarium.families.causalab.play.dialog import BenchDialogWorld
from tests.support.extras import needs_discoveryworld

INSTANCE = FAMILY.generate(FAMILY.level("bench-4"), 5, 0)
PUBLIC, SECRET = INSTANCE.public, INSTANCE.secret
WITHOUT_BODY = ("json", "plain", "tools", "dialog")
WITH_BODY = ("embodied", "embodied_tools")


def _score(interface: str, player: str) -> dict[str, float]:
    rules = FAMILY.rules_for("certified", interface=interface)
    return play(FAMILY, INSTANCE, rules, player).score().numbers


@pytest.mark.parametrize("player", ["oracle", "scientist", "superposition"])
def test_dialogs_change_no_number_of_the_science(player: str) -> None:
    plain, dialog = _score("json", player), _score("dialog", player)
    names = ("answered", "one_hold", "acts", "settled", "asked", "refusals")
    assert [plain[name] for name in names] == [dialog[name] for name in names]


@needs_discoveryworld
@pytest.mark.parametrize("interface", WITH_BODY)
def test_a_body_changes_no_number_of_the_science(interface: str) -> None:
    plain, body = _score("json", "scientist"), _score(interface, "scientist")
    for name in ("answered", "one_hold", "acts", "settled", "asked", "refusals"):
        assert plain[name] == body[name]


def _open() -> Episode:
    return Episode(FAMILY, INSTANCE, FAMILY.rules_for("certified", interface="dialog"))


def test_the_reactor_s_dialog_locks_the_manipulator_and_asks() -> None:
    episode = _open()
    for action in (Go(place="reactor lab"), Talk()):
        episode.step(action)
    assert episode.world.allowed_actions == (Answer,)
    assert "questions" in episode.latest.data
    episode.step(Answer(answers=SECRET.answers))
    assert episode.score().numbers["answered"] == 1


def test_a_page_refuses_what_it_cannot_take_and_nothing_is_lost() -> None:
    episode = _open()
    episode.step(Go(place="manipulator"))
    assert "eactor's" not in episode.turns[-1].observation
    episode.step(Talk())
    episode.step(Choose(option=1))
    for value in (1.5, 9999.0, 1e300):
        episode.step(Enter(value=value))
        assert not episode.turns[-1].legal
        assert len(episode.turns[-1].observation) < 300
    assert episode.world.spent == 0
    name = PUBLIC.holdable[0]
    rest = PUBLIC.manipulator[PUBLIC.names.index(name)]
    episode.step(Enter(value=float(rest + 1)))
    assert episode.world.spent == 1
    assert f"{name} held at {rest + 1}" in episode.turns[-1].observation


def test_the_turn_cap_leads_to_the_questions() -> None:
    rules = FAMILY.rules_for("certified", interface="dialog", max_turns=3)
    episode = Episode(FAMILY, INSTANCE, rules)
    for _ in range(3):
        episode.step(Go(place="the moon"))
    assert episode.world.allowed_actions == (Answer,)
    episode.step(Answer(answers=SECRET.answers))
    numbers = episode.score().numbers
    assert (numbers["answered"], numbers["asked"]) == (1, 1)


@pytest.mark.parametrize("max_turns", [1, 2, 5, 9])
@pytest.mark.parametrize("interface", ["json", "dialog"])
def test_players_answer_wherever_the_turns_run_out(interface: str, max_turns: int) -> None:
    rules = FAMILY.rules_for("certified", interface=interface, max_turns=max_turns)
    for player in ("oracle", "scientist", "script_half", "prior", "copy"):
        verdict = play(FAMILY, INSTANCE, rules, player).score()
        assert verdict.answer is not None
        assert verdict.numbers["unread"] == 0


@pytest.mark.parametrize(
    "reply",
    [
        '{"action": "answer", "answers": [1]}',
        '{"Answers": ["−1"]}',
        '{"action": "submit", "answers": [1, null], "arrows": []}',
    ],
)
@pytest.mark.parametrize(
    "interface",
    ["dialog", *(pytest.param(one, marks=needs_discoveryworld) for one in WITH_BODY)],
)
def test_an_answer_before_the_lock_opens_the_questions(interface: str, reply: str) -> None:
    episode = Episode(FAMILY, INSTANCE, FAMILY.rules_for("certified", interface=interface))
    move = episode.parse_reply(reply)
    assert isinstance(move, Answer)
    assert "questions" in episode.step(move).data
    assert episode.score().numbers["unread"] == 0


def test_other_replies_are_read_as_before_and_the_paper_edition_has_no_answer() -> None:
    episode = _open()
    assert episode.parse_reply('{"action": "go", "place": "reactor lab"}') == Go(
        place="reactor lab"
    )
    paper = FAMILY.generate(FAMILY.level("paper-linear-3"), 0, 0)
    other = Episode(FAMILY, paper, FAMILY.rules_for("paper", interface="dialog"))
    read = other.parse_reply('{"action": "answer", "answers": [1]}')
    assert read.mode == "unknown action"


@pytest.mark.parametrize("interface", [*WITHOUT_BODY, *WITH_BODY, "released_world"])
def test_the_opening_speaks_of_the_interface(interface: str) -> None:
    rules = FAMILY.rules_for("certified", interface=interface)
    opening = FAMILY.prompt(PUBLIC, rules)
    assert ("`#` is a wall" in opening.system) == (interface in WITH_BODY)
    assert "$" not in opening.system + opening.user


@needs_discoveryworld
def test_a_step_of_a_session_carries_the_picture() -> None:
    lab = cm.load("causalab")
    session = lab.open(lab.instance("smoke", 2), interface="embodied", frames=True)
    assert isinstance(session.episode.world, BenchDialogWorld)
    step = session.step(Teleport(to="manipulator"))
    assert step.frame.startswith("data:image/png;base64,")
    scenes = FAMILY.views.scene(session.instance, session.rules, session.turns).scenes
    assert scenes[1].frame == step.frame
