"""What the theorems rest on: clans that look alike, and points that cancel out."""

import pytest

from causarium.contract.episode import Episode
from causarium.families.replayscm.certified import FAMILY
from causarium.families.replayscm.certified.mechanics.case import write_rule
from causarium.families.replayscm.certified.mechanics.systems import Rule, list_signs
from causarium.families.replayscm.certified.model import LETTERS, TRAIT, ReplayInstance

RULES = FAMILY.rules_for("certified")


def draw(rung: int, index: int = 0) -> ReplayInstance:
    return FAMILY.generate(FAMILY.level(f"rung-{rung}"), 0, index)


def earn(instance: ReplayInstance, answers: dict[str, str]) -> float:
    """Return the score of answers, sent twice where some items have none."""
    episode = Episode(FAMILY, instance, RULES)
    text = "\n".join(f"{name} = {said}" for name, said in answers.items())
    for _ in range(2):
        if not episode.done:
            episode.take(episode.parse_reply(text))
    return episode.score().numbers["score"]


def test_each_row_of_the_first_rung_leaves_two_of_four_rules() -> None:
    """T2."""
    for clan in range(4):
        members = [draw(1, 4 * clan + member) for member in range(4)]
        shown = []
        for member in members:
            switch = member.public.names.index(member.public.outside[0])  # type: ignore[index]
            rows = [world.rows[0] for world in member.public.worlds]
            shown.append({row[switch]: row[1 - switch] for row in rows})
        for value in "01":
            assert sorted(one[value] for one in shown) == ["0", "0", "1", "1"]


def test_the_nine_systems_of_a_clan_look_alike_where_nothing_is_set() -> None:
    """T3."""
    for clan in range(3):
        members = [draw(2, 9 * clan + member) for member in range(9)]
        seen = [
            [world.rows[0] for world in member.public.worlds if world.hand == ()]
            for member in members
        ]
        assert len({tuple(sorted(zip(*rows, strict=True))) for rows in seen}) == 1
        said = [member.secret.rules for member in members]
        assert len({tuple(sorted((v, r.causes) for v, r in one.items())) for one in said}) > 1


@pytest.mark.parametrize("rung", [3, 5])
def test_the_signs_of_a_rule_cancel_out(rung: int) -> None:
    """T1."""
    instance = draw(rung)
    public = instance.public
    names = (*public.names, TRAIT)
    name = public.rules_asked[0]
    true = instance.secret.rules[name]
    rule = Rule(tuple(names.index(cause) for cause in true.causes), true.table)
    tables = list_signs(rule, len(public.names))
    scores = [earn(instance, {name: write_rule(rule._replace(table=one), names)}) for one in tables]
    assert max(scores) > 0
    assert sum(scores) == pytest.approx(0)


def test_what_ifs_and_letters_cancel_out_and_what_ifs_count_a_quarter() -> None:
    """T1."""
    instance = draw(5)
    scores = [earn(instance, {"Q1": said}) for said in "01?"]
    assert max(scores) == pytest.approx(0.25)
    assert sum(scores) == pytest.approx(0)
    assert sum(earn(instance, {"P1": said}) for said in LETTERS) == pytest.approx(0)
