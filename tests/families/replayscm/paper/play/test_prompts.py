"""Prompts: each setting tells what it should and no more; texts of one's own are checked."""

from functools import cache
from pathlib import Path

import pytest

from causarium.errors import BadFile, UnknownName
from causarium.families.replayscm.paper import FAMILY
from causarium.families.replayscm.paper.model.instance import ReplayInstance

RULES = FAMILY.rules_for("certified")
SETTINGS = ("paper-ordered", "paper-block", "paper-hidden", "paper-roots")


@cache
def _drawn(level: str) -> ReplayInstance:
    return FAMILY.generate(FAMILY.level(level), 0, 0)


def _user(level: str, **changes: str) -> str:
    rules = FAMILY.rules_for("certified", **changes)
    return FAMILY.prompt(_drawn(level).public, rules).user


@pytest.mark.parametrize("level", FAMILY.levels)
@pytest.mark.parametrize("interface", FAMILY.rules.interfaces)
def test_every_slot_is_filled(level: str, interface: str) -> None:
    text = _user(level, interface=interface)
    assert "$" not in text
    assert "\n\n\n" not in text


def test_settings_differ_only_in_what_they_tell() -> None:
    worlds = {
        level: _user(level).split("# The worlds")[1].split("# What is asked")[0]
        for level in SETTINGS
    }
    assert len(set(worlds.values())) == 1
    assert len({_user(level) for level in SETTINGS}) == len(SETTINGS)


def test_only_the_ordered_setting_tells_the_order() -> None:
    instance = _drawn("paper-ordered")
    order = ", ".join(instance.public.order or ())
    assert order in _user("paper-ordered")
    for level in SETTINGS[1:]:
        assert order not in _user(level)
        assert _drawn(level).public.order is None


def test_hidden_roots_are_named_nowhere_and_their_number_is() -> None:
    text = _user("paper-roots")
    assert "Exactly 3 of the variables are roots" in text
    assert _drawn("paper-roots").public.roots is None
    assert '"roots": [...]' in text


def test_the_parent_limit_is_said_unless_the_quirk_hides_it() -> None:
    public = _drawn("paper-hidden").public
    assert "at most 4 variables" in FAMILY.prompt(public, RULES).user
    quirky = FAMILY.rules_for("certified", parent_limit_unsaid=True)
    assert "at most 4 variables" not in FAMILY.prompt(public, quirky).user


def test_every_row_that_is_shown_stands_in_the_text() -> None:
    public = _drawn("paper-hidden").public
    lines = FAMILY.prompt(public, RULES).user.splitlines()
    for world in public.train:
        at = next(n for n, line in enumerate(lines) if line.startswith(f"World {world.id}:"))
        assert lines[at + 1].split()[1:] == list(public.variables)
        for u, unit in enumerate(world.units):
            name, *cells = lines[at + 2 + u].split()
            assert name == unit
            assert cells == [world.columns[variable][u] for variable in public.variables]


def test_held_out_worlds_are_not_in_the_text() -> None:
    instance = _drawn("paper-hidden")
    text = FAMILY.prompt(instance.public, RULES).user
    assert "World h" not in text
    assert text.count("World t") == len(instance.public.train)


def test_a_folder_of_ones_own_is_used_and_checked(tmp_path: Path) -> None:
    (tmp_path / "system.md").write_text("Solve.")
    with pytest.raises(BadFile, match=r"lacks task\.md"):
        FAMILY.prompt(
            _drawn("paper-hidden").public, FAMILY.rules_for("certified", prompts=str(tmp_path))
        )
    (tmp_path / "task.md").write_text("$structure $worlds $goal $reply")
    rules = FAMILY.rules_for("certified", prompts=str(tmp_path), interface="tools")
    assert FAMILY.prompt(_drawn("paper-hidden").public, rules).system == "Solve."
    other = tmp_path / "other"
    other.mkdir()
    for name in ("system", "task", "gaol"):
        (other / f"{name}.md").write_text("$structure $worlds $goal $reply")
    with pytest.raises(UnknownName, match="did you mean 'goal'"):
        FAMILY.prompt(
            _drawn("paper-hidden").public, FAMILY.rules_for("certified", prompts=str(other))
        )
