"""Attacks of one's own: what they see, what they earn, what they break."""

import sys
from pathlib import Path

import pytest

from causarium import families
from causarium.api.attack_family import AttackSession, attack_family, load_attack
from causarium.cli import main
from causarium.errors import BadFile, UnknownName, UsageError
from tests.support.lamps import FAMILY as LAMPS
from tests.support.vary_family import vary

FLIP_ALL = """
CLASS = "looks_away"

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


@pytest.fixture(autouse=True)
def lamps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(families, "get", lambda *_: LAMPS)


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_attack_that_wins_breaks_the_bound_of_the_class_it_claims(tmp_path: Path) -> None:
    function, claimed = load_attack(write(tmp_path, FLIP_ALL))
    result = attack_family("lamps", function, count=40, class_name=claimed)
    assert (result.value, result.n, result.broken) == (1.0, 40, True)
    assert result.bound == pytest.approx(0.25)
    assert set(result.beside) >= {"optimal", "random"}
    assert result.by_level == {"small": 1.0, "large": 1.0}
    assert result.broken_levels == ("small", "large")


def test_a_bound_is_judged_level_by_level(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    function, _ = load_attack(write(tmp_path, FLIP_ALL))
    easy, hard = LAMPS.card.classes
    wide = easy.model_copy(update={"bounds": {"small": 1.0, "large": 0.6}})
    card = LAMPS.card.model_copy(update={"classes": (wide, hard)})
    monkeypatch.setattr(families, "get", lambda *_: vary(LAMPS, card=card))
    result = attack_family("lamps", function, count=40, class_name=wide.name)
    assert result.broken_levels == ("large",)


def test_an_attack_that_guesses_breaks_nothing(tmp_path: Path) -> None:
    function, claimed = load_attack(write(tmp_path, SAY_FIRST))
    claimed = claimed or "never_flips"
    result = attack_family("lamps", function, count=40, seed=3, class_name=claimed)
    assert not result.broken
    assert result.value < 0.5
    assert attack_family("lamps", function, count=4).bound is None


def test_an_attack_on_a_level_draws_that_level_alone(tmp_path: Path) -> None:
    function, _ = load_attack(write(tmp_path, FLIP_ALL))
    result = attack_family("lamps", function, level="large", count=8)
    assert (result.level, result.by_level) == ("large", {"large": 1.0})
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


def test_bad_files_and_classes_are_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no file"):
        load_attack(tmp_path / "none.py")
    with pytest.raises(BadFile, match="defines no function attack"):
        load_attack(write(tmp_path, "x = 1"))
    with pytest.raises(BadFile, match="cannot be run: ZeroDivisionError"):
        load_attack(write(tmp_path, "1 / 0"))
    with pytest.raises(UnknownName, match="did you mean 'looks_away'"):
        attack_family("lamps", lambda _: None, class_name="look_away")


def test_the_command_exits_with_1_where_a_bound_breaks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["causarium", "attack", "lamps", str(write(tmp_path, FLIP_ALL)), "--n", "8"]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert "BREAKS the bound of looks_away" in capsys.readouterr().out
