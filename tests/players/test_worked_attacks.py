"""The attacks of the page "Break it": short, of a class of the card or none, and played out."""

from pathlib import Path
from random import Random

import pytest

from causarium import families
from causarium.api.attack_family import FRESH_SEEDS, AttackSession, load_attack
from causarium.contract.episode import Episode

ATTACKS = sorted((Path(__file__).parents[2] / "examples" / "attacks").glob("*.py"))
PAGE = Path(__file__).parents[2] / "docs" / "break-it.md"


def test_every_family_has_one_and_the_page_shows_them() -> None:
    assert {path.stem.partition("_")[0] for path in ATTACKS} == set(families.FAMILIES)
    page = PAGE.read_text(encoding="utf-8")
    assert all(f"build: script examples/attacks/{path.name} " in page for path in ATTACKS)


@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_an_attack_is_short_and_answers(path: Path) -> None:
    family = families.get(path.stem.partition("_")[0])
    function, claimed = load_attack(path)
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 60
    assert claimed in {"", *(one.name for one in family.card.classes)}
    rules = family.rules_for("certified")
    levels = dict.fromkeys(part.level for part in family.card.sets["certified"]["smoke"].parts)
    for level in list(levels)[:3]:
        instance = family.generate(family.level(level), FRESH_SEEDS[0], 0)
        session = AttackSession(Episode(family, instance, rules), Random(0))
        function(session)
        assert session.latest.legal, (level, session.latest.text)
