"""Attacks of one's own: what they see, what they earn, what they break."""

import sys
from pathlib import Path

import pytest

from causarium import families
from causarium.api.attack_family import YOURS, AttackResult, attack_family
from causarium.api.attack_session import AttackSession, load_attack
from causarium.api.attack_wall import open_attack
from causarium.cli import main
from causarium.engine.sandbox.bubblewrap import no_bubblewrap
from causarium.errors import BadFile, UnknownName, UsageError
from tests.support.ladder import FAMILY as LADDER
from tests.support.lamps import FAMILY as LAMPS
from tests.support.vary_family import vary

FLIP_ALL = """
THEOREM = "looks_away"

def attack(session):
    *tried, last = session.public.switches
    for name in tried:
        if session.step({"kind": "flip", "switch": name}).data["lit"]:
            last = name
            break
    session.step('{"wired": "%s"}' % last)
"""
SAY_FIRST = """
def attack(session):
    session.step({"kind": "answer", "wired": session.public.switches[0]})
"""


LOOK_AROUND = """
from causarium.errors import UsageError

def attack(session):
    names = session.public.switches
    assert ", ".join(names) in session.opening
    assert [one.kind for one in session.actions] == ["flip", "answer"]
    assert 0 <= session.rng.random() < 1
    assert type(session.public).__name__ == "LampsPublic"
    try:
        session.step({"kind": "fly"})
        raise AssertionError
    except UsageError:
        pass
    print("what it prints is nobody's business")
    for name in names[:-1]:
        if session.step({"kind": "flip", "switch": name}).data["lit"]:
            break
    else:
        name = names[-1]
    assert not session.done
    session.step({"kind": "answer", "wired": name})
    assert session.done
"""
needs_wall = pytest.mark.skipif(no_bubblewrap() is not None, reason="bubblewrap does not work here")


@pytest.fixture(autouse=True)
def lamps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(families, "get", lambda *_: LAMPS)


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_attack_that_wins_breaks_the_theorem_it_names(tmp_path: Path) -> None:
    function, theorem = load_attack(write(tmp_path, FLIP_ALL))
    result = attack_family("lamps", function, count=40, theorem=theorem)
    assert (result.yours.reach.value, result.n, result.broken) == (1.0, 40, True)
    assert result.bound == pytest.approx(0.25)
    assert {one.name for one in result.programs} >= {YOURS, "optimal", "random", "generic-vote"}
    assert {level: one.value for level, one in result.by_level.items()} == {
        "small": 1.0,
        "large": 1.0,
    }
    assert result.broken_levels == ("small", "large")


def test_a_bound_is_judged_level_by_level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    function, _ = load_attack(write(tmp_path, FLIP_ALL))
    easy, hard = LAMPS.card.theorems
    wide = easy.model_copy(update={"bounds": {"small": 1.0, "large": 0.6}})
    card = LAMPS.card.model_copy(update={"theorems": (wide, hard)})
    monkeypatch.setattr(families, "get", lambda *_: vary(LAMPS, card=card))
    result = attack_family("lamps", function, count=40, theorem=wide.name)
    assert result.broken_levels == ("large",)


def test_an_attack_that_guesses_breaks_nothing(tmp_path: Path) -> None:
    function, named = load_attack(write(tmp_path, SAY_FIRST))
    result = attack_family("lamps", function, count=40, seed=3, theorem=named or "never_flips")
    assert not result.broken
    assert result.yours.reach.value < 0.5
    assert attack_family("lamps", function, count=4).bound is None


def test_an_attack_on_a_ladder_has_a_reach_and_a_row_among_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(families, "get", lambda *_: LADDER)
    function, _ = load_attack(write(tmp_path, FLIP_ALL))
    result = attack_family("ladder", function, count=32, lines=9)
    reach = result.yours.reach
    assert (reach.value, reach.open, len(reach.rungs)) == (4.0, True, 4)
    assert result.row <= 2
    assert result.yours.lines == 9
    said, _ = load_attack(write(tmp_path, SAY_FIRST))
    guessed = attack_family("ladder", said, count=32, theorem="looks_away")
    assert guessed.row > 2
    assert (guessed.bound, guessed.broken) == (0, False)


def test_an_attack_on_a_level_draws_that_level_alone(tmp_path: Path) -> None:
    function, _ = load_attack(write(tmp_path, FLIP_ALL))
    result = attack_family("lamps", function, level="large", count=8)
    assert (result.level, result.by_level["large"].value) == ("large", 1.0)
    with pytest.raises(UsageError, match="paper edition"):
        attack_family("lamps", function, level="paper")
    with pytest.raises(UnknownName):
        attack_family("lamps", function, level="larger")


def test_other_seeds_draw_other_instances(tmp_path: Path) -> None:
    seen: list[tuple[str, ...]] = []
    for seed in (0, 1, 0, None, None):
        shown: list[str] = []

        def note(session: AttackSession, shown: list[str] = shown) -> None:
            shown.append(session.opening)

        attack_family("lamps", note, count=12, seed=seed)
        seen.append(tuple(shown))
    assert seen[0] == seen[2]
    assert len(set(seen)) == 4


def test_a_session_hands_over_no_secret() -> None:
    def look(session: AttackSession) -> None:
        assert not [name for name in vars(session) if "secret" in name or "instance" in name]
        assert "wired" not in session.public.model_dump()
        assert session.actions
        assert not session.done

    attack_family("lamps", look, count=2)


def test_bad_files_and_theorems_are_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no file"):
        load_attack(tmp_path / "none.py")
    with pytest.raises(BadFile, match="defines no function attack"):
        load_attack(write(tmp_path, "x = 1"))
    with pytest.raises(BadFile, match="cannot be run: ZeroDivisionError"):
        load_attack(write(tmp_path, "1 / 0"))
    with pytest.raises(UnknownName, match="did you mean 'looks_away'"):
        attack_family("lamps", lambda _: None, theorem="look_away")


def play_behind_wall(path: Path, **asked: int) -> AttackResult:
    with open_attack(path, LAMPS) as attack:
        return attack_family(
            *("lamps", attack.function), theorem=attack.theorem, lines=attack.lines, **asked
        )


@needs_wall
def test_behind_the_wall_an_attack_earns_what_it_earns_here(tmp_path: Path) -> None:
    path = write(tmp_path, FLIP_ALL)
    function, theorem = load_attack(path)
    here = attack_family("lamps", function, count=8, seed=5, theorem=theorem, lines=8)
    assert play_behind_wall(path, count=8, seed=5) == here


@needs_wall
def test_behind_the_wall_there_is_our_source_and_no_secret(tmp_path: Path) -> None:
    """It has the same public part, rules, words and random numbers, and may import us."""
    path = write(tmp_path, LOOK_AROUND)
    result = play_behind_wall(path, count=8, seed=5)
    assert result.yours.reach.value == 1.0


@needs_wall
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1", "defines no function attack"),
        ("1 / 0", "ZeroDivisionError"),
        ("def attack(session):\n    return session.public.secret", "no attribute 'secret'"),
        ("def attack(session):\n    session.step({'kind': 'fly'})", "fly"),
        ("def attack(session):\n    import os\n    os._exit(3)", "its process ended"),
    ],
)
def test_what_fails_behind_the_wall_is_said_in_a_sentence(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(BadFile, match=said):
        play_behind_wall(write(tmp_path, text), count=2)


def test_without_a_wall_it_is_said_before_the_file_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("causarium.api.attack_wall.no_bubblewrap", lambda: "no bwrap")
    notes: list[str] = []
    with (
        pytest.raises(BadFile),
        open_attack(write(tmp_path, "1 / 0"), LAMPS, notes.append),
    ):
        pass
    assert notes == [
        f"there is no sandbox here (no bwrap): {tmp_path / 'mine.py'} runs in this process, "
        "beside the truth"
    ]


def test_the_command_exits_with_1_where_a_bound_breaks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["causarium", "attack", "lamps", str(write(tmp_path, FLIP_ALL)), "--n", "8"]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert "It BREAKS looks_away on small, large." in capsys.readouterr().out
