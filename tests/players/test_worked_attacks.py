"""The attacks among the examples: short, under a theorem of the card or none, and played out."""

from pathlib import Path

import pytest

from causarium import families
from causarium.api.attack_family import FRESH_SEEDS
from causarium.api.attack_session import load_attack, open_session
from causarium.contract.episode import Episode

ATTACKS = sorted((Path(__file__).parents[2] / "examples" / "attacks").glob("*.py"))
PAGE = Path(__file__).parents[2] / "docs" / "break-it.md"


def test_the_page_shows_one_of_them() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert any(f"build: script examples/attacks/{path.name} " in page for path in ATTACKS)


@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_an_attack_is_short_and_answers(path: Path) -> None:
    family = families.get(path.stem.partition("_")[0], "certified")
    function, theorem = load_attack(path)
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 60
    assert theorem in {"", *(one.name for one in family.card.theorems)}
    rules = family.rules_for("certified")
    levels = dict.fromkeys(part.level for part in family.card.sets["certified"]["smoke"].parts)
    for level in list(levels)[:3]:
        instance = family.generate(family.level(level), FRESH_SEEDS[0], 0)
        session = open_session(Episode(family, instance, rules), 0)
        function(session)
        assert session.latest.legal or family.rungs is None, (level, session.latest.text)
