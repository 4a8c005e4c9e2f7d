"""ReplaySCM's ladder: what is drawn, what is proven, who plays, and how replies are taken."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.episode import Episode, play
from causarium.families.replayscm.certified import FAMILY
from causarium.families.replayscm.certified.mechanics.case import (
    list_settling,
    list_systems,
    read_case,
    write_rule,
)
from causarium.families.replayscm.certified.mechanics.fits import Evidence, Law, list_fits
from causarium.families.replayscm.certified.mechanics.systems import (
    TABLES,
    Disguise,
    Rule,
    apply_rule,
    list_signs,
)
from causarium.families.replayscm.certified.model import LETTERS, ReplayInstance
from causarium.scm.boolean.formula import tabulate
from causarium.scm.boolean.read_formula import read_formula
from causarium.seeds import stream

RULES = FAMILY.rules_for("certified")
LOW = (1, 2, 3, 4, 5)


def draw(rung: int, index: int = 0) -> ReplayInstance:
    """Return an instance of a rung."""
    return FAMILY.generate(FAMILY.level(f"rung-{rung}"), 0, index)


@pytest.mark.parametrize("rung", LOW)
def test_the_same_address_is_the_same_instance(rung: int) -> None:
    assert draw(rung, 3).line() == draw(rung, 3).line()


@pytest.mark.parametrize("rung", [*LOW, 6])
def test_all_is_proven_and_every_planted_fault_is_found(rung: int) -> None:
    instance = draw(rung)
    proofs = FAMILY.proofs
    assert [proof for proof in proofs.certify(instance).proofs if not proof.holds] == []
    for spoil in proofs.faults.values():
        if (spoilt := spoil(instance)) is not None:
            assert not all(proof.holds for proof in proofs.certify(spoilt).proofs)


@pytest.mark.parametrize("rung", [*LOW, 6])
def test_truth_and_exact_reasoning_score_full_marks(rung: int) -> None:
    for index in range(3):
        instance = draw(rung, index)
        for player in ("oracle", "exact"):
            assert play(FAMILY, instance, RULES, player).score().numbers["score"] == 1
        assert play(FAMILY, instance, RULES, "silent").score().numbers["score"] == 0


def test_a_clan_of_lamps_has_each_answer_once() -> None:
    for clan in range(5):
        said = {
            tuple(world.rows for world in draw(1, 4 * clan + t).public.worlds) for t in range(4)
        }
        names = {
            draw(1, 4 * clan + t)
            .secret.answers[draw(1, 4 * clan + t).public.rules_asked[0]]
            .replace(draw(1, 4 * clan + t).public.outside[0], "S")  # type: ignore[index]
            for t in range(4)
        }
        assert len(said) == 4
        assert names == {"S", "not S", "0", "1"}


def test_constant_answers_earn_nothing_on_whole_clans() -> None:
    for rung, clan in ((1, 4), (2, 9)):
        earned = [
            play(FAMILY, draw(rung, index), RULES, "constant_1").score().numbers["score"]
            for index in range(8 * clan)
        ]
        assert sum(earned) / len(earned) <= 0.25
    whole = [
        play(FAMILY, draw(2, i), RULES, "constant_1").score().numbers["score"] for i in range(18)
    ]
    assert sum(whole) == pytest.approx(0)


@given(st.integers(0, 2**4 - 1), st.tuples(st.booleans(), st.booleans(), st.booleans()))
def test_signs_change_a_rule_as_they_change_its_rows(rows: int, flips: tuple[bool, ...]) -> None:
    signs = tuple(map(int, flips))
    for table in TABLES[2]:
        rule = Rule((0, 1), table)
        change = Disguise((2, 0, 1, 3), (*signs, 0))
        first, second = rows & 1, rows >> 1 & 1
        value = apply_rule(rule, [first, second], 1)
        row = change.change_row(first | second << 1 | value << 2)
        turned = change.change_rule(2, rule)
        columns = [row >> v & 1 for v in range(3)]
        assert apply_rule(turned, columns, 1) == columns[1]
        assert table in list_signs(rule, 9)


def test_every_rule_is_written_as_it_is_read() -> None:
    names = ("X1", "X2", "X3")
    for table in TABLES[2]:
        rule = Rule((0, 2), table)
        assert tabulate(read_formula(write_rule(rule, names), names), names) == (0b101, table)


def test_fits_of_a_small_system_are_those_of_a_search_by_hand() -> None:
    # X3 = X1 and X2 in all four cases: one system, and nothing else fits.
    law = Law(3, frozenset({0, 1}), 2, at_most=False, trait_rules=0)
    rows = (0b000, 0b001, 0b010, 0b111)
    fits = list_fits(law, [Evidence(frozenset(), rows)], 10)
    assert [fit.rules for fit in fits] == [{2: Rule((0, 1), 0b1000)}]
    # Without the last case, the value of one pattern is open, and a rule must have both causes.
    fits = list_fits(law, [Evidence(frozenset(), rows[:3])], 10)
    assert [fit.rules[2].table for fit in fits] == [0b1000]


def test_a_bad_question_costs_nothing_until_the_spare_turns_are_gone() -> None:
    instance = draw(5)
    episode = Episode(FAMILY, instance, RULES)
    name = instance.public.names[0]
    for said in (
        f'{{"set": {{"{name}": "hello"}}}}',
        f'{{"set": {{"{name}": 1}}}}',
        '{"set": {"X99": 1}}',
    ):
        seen = episode.take(episode.parse_reply(said))
        assert not seen.legal
        assert not episode.done
    assert episode.world.spent == 0
    gauge = instance.public.asking.gauges[0]  # type: ignore[union-attr]
    name = next(one for one in instance.public.names if one != gauge)
    asked = f'{{"set": {{"{name}": 1}}, "read": "{gauge}"}}'
    seen = episode.take(episode.parse_reply(asked))
    assert seen.legal
    assert episode.world.spent == 1
    assert not episode.take(episode.parse_reply("hm")).legal
    assert episode.done


@pytest.mark.parametrize("form", ["lines", "object", "prefix", "table"])
def test_every_plain_form_of_an_answer_is_read_without_a_slip(form: str) -> None:
    instance = draw(3)
    answers = instance.secret.answers
    if form == "lines":
        text = "So:\n" + "\n".join(f"- **{k}** = {v}" for k, v in answers.items())
    elif form == "object":
        text = json.dumps({"answers": answers})
    elif form == "prefix":
        names = instance.public.names
        texts = {k: str(read_formula(v, names)) for k, v in answers.items()}
        text = "\n".join(f"{k} = {v}" for k, v in texts.items())
    else:
        text = "\n".join(f"| {k} := {v} |" for k, v in answers.items())
    episode = Episode(FAMILY, instance, RULES)
    episode.take(episode.parse_reply(text))
    assert episode.score().numbers["score"] == 1
    assert episode.score().numbers["slips"] == 0


def test_answers_that_mean_nothing_are_sent_back_once_and_the_rest_counts() -> None:
    instance = draw(3)
    answers = dict(instance.secret.answers)
    spoilt = next(iter(answers))
    answers[spoilt] = "X1 and X77"
    text = "\n".join(f"{k} = {v}" for k, v in answers.items())
    episode = Episode(FAMILY, instance, RULES)
    said = episode.take(episode.parse_reply(text))
    assert "X77" in said.text
    assert not episode.done
    episode.take(episode.parse_reply(text))
    assert episode.score().numbers["score"] == pytest.approx(2 / 3)


def test_the_prompt_of_the_first_rung_is_short_and_holds_no_answer() -> None:
    words = FAMILY.prompt(draw(1).public, RULES)
    assert len(words.system) + len(words.user) <= 1500


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=400))
def test_no_reply_breaks_a_game(text: str) -> None:
    episode = Episode(FAMILY, draw(5), RULES)
    for _ in range(8):
        episode.take(episode.parse_reply(text))
    assert episode.done


def test_all_systems_that_fit_are_listed_with_the_true_one() -> None:
    instance = draw(5, 1)
    assert len(list_systems(read_case(instance.public), 2000)) > 1


@pytest.mark.parametrize("rung", [*LOW, 6])
def test_a_solver_and_a_replay_find_the_same(rung: int) -> None:
    pytest.importorskip("pysat")
    proofs = FAMILY.proofs
    assert proofs.recheck
    instance = draw(rung, 2)
    one, other = proofs.certify(instance), proofs.recheck(instance)
    assert {proof.claim: proof.holds for proof in one.proofs} == {
        proof.claim: proof.holds for proof in other.proofs
    }
    assert one.optimum == other.optimum
    for spoil in proofs.faults.values():
        if (spoilt := spoil(instance)) is not None:
            assert not all(proof.holds for proof in proofs.recheck(spoilt).proofs)


@pytest.mark.parametrize("rung", LOW)
def test_other_names_and_signs_have_the_same_key(
    rung: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = FAMILY.proofs.canonical_key
    first, other = draw(rung, 1), draw(rung, 2)

    def rename(seed: int, *words: object) -> Random:
        return stream(seed + ("disguise" in words), *words)  # type: ignore[arg-type]

    monkeypatch.setattr(f"{FAMILY.package}.generation.stream", rename)
    renamed = draw(rung, 1)
    assert renamed.public != first.public
    assert key(first) != key(other)
    # But for names and signs, the first rung has two systems.
    assert (key(renamed) == key(first)) == (rung > 1)


def test_one_question_of_four_settles_the_rule_asked_about() -> None:
    letters = {draw(5, index).secret.answers["P1"] for index in range(12)}
    assert len(letters) > 1
    for index in range(3):
        instance = draw(5, index)
        case = read_case(instance.public)
        settling = list_settling(case, list_systems(case, 2000), case.plans[0])
        assert [LETTERS[place] for place in settling] == [instance.secret.answers["P1"]]


def test_questions_leave_fewer_systems_until_all_is_settled() -> None:
    instance = draw(6, 3)
    episode = play(FAMILY, instance, RULES, "exact")
    numbers = FAMILY.training.turn_numbers
    progress = FAMILY.training.progress
    assert numbers
    assert progress
    told = numbers(instance, RULES, episode.turns)
    systems = [one["systems"] for one in told]
    assert systems == sorted(systems, reverse=True)
    assert told[-1]["settled"] == progress(instance, RULES, episode.turns) == 1
    assert told[0]["settled"] < 1
    assert progress(instance, RULES, ()) == 0


@pytest.mark.parametrize("rung", LOW)
def test_programs_that_fit_rule_by_rule_answer_every_item(rung: int) -> None:
    for player in ("fewest_mistakes", "agreeing"):
        episode = play(FAMILY, draw(rung, 1), RULES, player)
        assert episode.score().numbers["slips"] == 0
        assert episode.score().numbers["score"] <= 1
