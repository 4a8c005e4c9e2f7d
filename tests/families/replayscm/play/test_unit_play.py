"""Playing the certified edition: what is read, what is sent back, what is asked for."""

import json
from math import isnan
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.contract.checks.replies import HOSTILE
from causarium.contract.episode import Episode, play
from causarium.contract.sets.instance_sets import generate_set
from causarium.contract.sets.splits import split_seed
from causarium.contract.world import Action, Unparsed
from causarium.families.replayscm import FAMILY
from causarium.families.replayscm.generation import _read_kept
from causarium.families.replayscm.generation.unit_problems import generate_unit_problem
from causarium.families.replayscm.model.actions import Ask, Explain, Predict
from causarium.families.replayscm.model.config import UNIT_LEVELS
from causarium.families.replayscm.play.read_units import NO_ANSWER, SEVERAL
from causarium.scm.boolean.formula import parse_formula
from tests.families.replayscm.play.reply_forms import KNOWN, MENDED, UNSEEN, Form

RULES = FAMILY.rules_for("certified")
SMOKE = {one.id: one for one in generate_set(FAMILY, "certified", "smoke")}
BY_LEVEL = {one.public.setting: one for one in SMOKE.values()}


def reply_to(level: str, *replies: str) -> Episode:
    episode = Episode(FAMILY, BY_LEVEL[level], RULES)
    for reply in replies:
        episode.step(episode.parse_reply(reply))
    return episode


def gold(level: str) -> dict[str, str]:
    return {name: one.formula for name, one in BY_LEVEL[level].secret.gold.items()}


@pytest.mark.parametrize("level", BY_LEVEL)
def test_the_truth_is_right_and_silence_is_not(level: str) -> None:
    for player in ("oracle", "exact"):
        verdict = play(FAMILY, BY_LEVEL[level], RULES, player).score()
        assert verdict.numbers["exact"] == 1, player
        assert verdict.labels["outcome"] == "right"
    verdict = play(FAMILY, BY_LEVEL[level], RULES, "silent").score()
    assert verdict.numbers["exact"] == 0
    assert verdict.labels == {"outcome": "silent", "fault": "none"}
    unread = reply_to(level, "", "").score()
    assert unread.labels == {"outcome": "unreadable", "fault": "unread"}


def test_the_trait_may_be_named_the_other_way_round() -> None:
    texts = {name: text.replace("H", "(not H)") for name, text in gold("trait").items()}
    verdict = reply_to("trait", json.dumps({"mechanisms": texts})).score()
    assert verdict.numbers["exact"] == 1
    assert isnan(verdict.numbers["touched_right"])


def test_one_kid_the_other_way_round_is_another_model() -> None:
    texts = gold("trait")
    kid = next(name for name, text in texts.items() if "H" in text)
    texts[kid] = texts[kid].replace("H", "(not H)")
    assert reply_to("trait", json.dumps({"mechanisms": texts})).score().numbers["exact"] == 0


def read_in_form(level: str, form: Form) -> str:
    """Say what becomes of the truth in a form: read, sent back, or misread."""
    names = (*BY_LEVEL[level].public.variables, "H")
    trees = {name: parse_formula(text, names).tree for name, text in gold(level).items()}
    episode = reply_to(level, form(trees))
    if episode.world.answer is None:
        assert "Send the whole answer again" in episode.turns[-1].observation
        return "sent back"
    return "read" if episode.score().numbers["exact"] == 1 else "misread"


@pytest.mark.parametrize(("forms", "least"), [(KNOWN, 63), (MENDED, 57), (UNSEEN, 17)])
def test_an_answer_is_read_in_many_forms_and_misread_in_none(
    forms: dict[str, Form], least: int
) -> None:
    for level in ("trait", "both"):
        became = {name: read_in_form(level, form) for name, form in forms.items()}
        assert "misread" not in became.values(), became
        assert list(became.values()).count("read") >= least, became


PHASES: dict[str, tuple[type[Action], ...]] = {
    "whatif": (Predict,),
    "both": (Explain,),
    "ask": (Ask, Explain),
}
WORLDS = [json.dumps({"set": {"X1": 1}}), json.dumps({"set": {"X1": 1, "X2": 0}})]
MODELS = [json.dumps({"mechanisms": {"X4": text, "X5": "X1"}}) for text in ("X1", "X2")]
ROWS = [json.dumps({"X1": bit, "X2": 0}) for bit in (0, 1)]


@pytest.mark.parametrize("level", PHASES)
@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_replies_hold_no_answer(level: str, what: str) -> None:
    assert isinstance(FAMILY.replies.parse(HOSTILE[what], PHASES[level], RULES), Unparsed)


@given(st.text(" \t\n\r\x0b\x0c\x1c\x85\u00a0\u2028`#*:=", max_size=12))
def test_space_and_marks_alone_hold_no_answer(reply: str) -> None:
    for allowed_actions in PHASES.values():
        assert isinstance(FAMILY.replies.parse(reply, allowed_actions, RULES), Unparsed)


@pytest.mark.parametrize(
    ("level", "one", "other"),
    [("whatif", *ROWS), ("both", *MODELS), ("ask", *WORLDS), ("ask", WORLDS[0], MODELS[0])],
)
def test_two_different_answers_leave_a_doubt(level: str, one: str, other: str) -> None:
    for replies in ((one, other), (other, one), (one, other, one)):
        doubt = FAMILY.replies.parse("\n".join(replies), PHASES[level], RULES)
        assert isinstance(doubt, Unparsed)
        # Of two lone questions none is read, be they different or not.
        assert doubt.mode == (NO_ANSWER if {one, other} <= {*WORLDS} else SEVERAL)


@pytest.mark.parametrize(("level", "one"), [("whatif", ROWS[0]), ("both", MODELS[0])])
def test_an_answer_may_be_repeated(level: str, one: str) -> None:
    alone = FAMILY.replies.parse(one, PHASES[level], RULES)
    assert isinstance(alone, Action)
    assert FAMILY.replies.parse(f"{one}\nAgain: {one}", PHASES[level], RULES) == alone


@pytest.mark.parametrize(
    ("level", "step", "whole"),
    [("whatif", '{"H1": 1}', ROWS[0]), ("both", '{"X4": "X2"}', MODELS[0])],
)
def test_a_step_on_the_way_is_no_second_answer(level: str, step: str, whole: str) -> None:
    alone = FAMILY.replies.parse(whole, PHASES[level], RULES)
    part = {"whatif": '{"X2": 0}', "both": '{"X5": "X1"}'}[level]
    for replies in (f"So far {step}. Hence {whole}", f"It is {whole}, as {part} says."):
        assert FAMILY.replies.parse(replies, PHASES[level], RULES) == alone


@pytest.mark.parametrize(
    ("level", "draft", "final"),
    [("whatif", ROWS[0], '{"X1": 1}'), ("both", MODELS[0], '{"X4": "X2"}')],
)
def test_a_smaller_answer_after_a_larger_one_that_it_contradicts_leaves_a_doubt(
    level: str, draft: str, final: str
) -> None:
    found = FAMILY.replies.parse(f"First {draft}. No: {final}", PHASES[level], RULES)
    assert isinstance(found, Unparsed)
    assert found.mode == SEVERAL


@given(st.permutations(["X4", "X5", "X6"]), st.lists(st.sampled_from(["X4", "X5", "X6"])))
def test_of_lines_the_last_of_each_name_counts(names: list[str], others: list[str]) -> None:
    drafts = [f"`{name.lower()}` = X1 or X2" for name in others]
    lines = drafts + [f"{name} = X1 and X2" for name in names]
    found = FAMILY.replies.parse("\n".join(lines), PHASES["both"], RULES)
    assert found == FAMILY.replies.parse("\n".join(lines[-3:]), PHASES["both"], RULES)


def test_a_row_is_read_as_pairs_as_records_and_with_more_beside_it() -> None:
    row = BY_LEVEL["whatif"].secret.row or {}
    records = [{"variable": name, "value": bit} for name, bit in row.items()]
    beside = {"explanation": "because", "H1": 1, "H2": 0}
    for said in (records, list(row.items()), {**row, **beside}, {**beside, "answer": row}):
        assert reply_to("whatif", json.dumps(said)).score().numbers["exact"] == 1
    episode = Episode(FAMILY, BY_LEVEL["whatif"], RULES)
    episode.step(Predict(row={**row, "h1": 1}))
    assert episode.score().numbers["exact"] == 1
    said = json.dumps({**row, "x1": 1 - row["X1"]})
    assert reply_to("whatif", said, said).score().labels["fault"] == "twice"


@pytest.mark.parametrize(
    ("beside", "slips"),
    [
        ({"hidden": "01"}, 1),
        ({"hidden": "of u1 it is 0"}, 1),
        ({"touched": {"w99": ["X1", "X2"]}}, 1),
        ({"touched": {"w0": [], "w1": ["Z9"]}, "hidden": ""}, 3),
        ({"touched": {}}, 0),
    ],
)
def test_what_is_said_beside_the_mechanisms_refuses_no_answer(
    beside: dict[str, object], slips: int
) -> None:
    verdict = reply_to("both", json.dumps({"mechanisms": gold("both"), **beside})).score()
    assert verdict.numbers["exact"] == 1
    assert verdict.numbers["slips"] == slips


@given(st.randoms())
def test_traits_are_read_by_the_names_of_units(rng: Random) -> None:
    instance = BY_LEVEL["both"]
    pairs = list(zip(instance.public.train[0].units, instance.secret.traits or "", strict=True))
    rng.shuffle(pairs)
    said = json.dumps({"mechanisms": gold("both"), "hidden": dict(pairs)})
    assert reply_to("both", said).score().numbers["hidden_right"] == 1


@pytest.mark.parametrize("level", BY_LEVEL)
def test_no_answer_has_nothing_right_in_all_that_an_answer_is_compared_in(level: str) -> None:
    right = play(FAMILY, BY_LEVEL[level], RULES, "exact").score().numbers
    plan = [
        Ask(set={k: int(v) for k, v in q.set.items()}) for q in BY_LEVEL[level].secret.plan or ()
    ]
    silent = Episode(FAMILY, BY_LEVEL[level], RULES)
    for question in plan:
        silent.step(question)
    numbers = silent.score().numbers
    compared = [
        name for name in right if name.endswith("_right") or name in {"parent_f1", "settled"}
    ]
    for name in compared:
        assert numbers[name] == 0 if right[name] == right[name] else isnan(numbers[name]), name


def changed(name: str, text: str) -> str:
    return json.dumps({"mechanisms": {**gold("both"), name: text}})


FIRST = next(iter(gold("both")))
ROOT = (BY_LEVEL["both"].public.roots or ("",))[0]
FAULTS = {
    "formula": changed(FIRST, f"(and {ROOT} Z9)"),
    "unknown variable": json.dumps({"mechanisms": {**gold("both"), "Z9": "H"}}),
    "incomplete": json.dumps({"mechanisms": {FIRST: ROOT}}),
    "cycle": changed(FIRST, f"(and {FIRST} {ROOT})"),
    "causes": changed(
        FIRST, f"(xor {' '.join(v for v in BY_LEVEL['both'].public.variables if v != FIRST)})"
    ),
    "twice": json.dumps({"mechanisms": {**gold("both"), FIRST.lower(): ROOT}}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_cannot_be_taken_is_sent_back_once_with_the_place_named(fault: str) -> None:
    once = reply_to("both", FAULTS[fault])
    assert not once.world.done
    assert "Send the whole answer again" in once.turns[-1].observation
    twice = reply_to("both", FAULTS[fault], FAULTS[fault])
    assert twice.world.done
    verdict = twice.score()
    assert verdict.labels == {"outcome": "unreadable", "fault": fault}
    assert verdict.numbers["exact"] == 0
    mended = reply_to("both", FAULTS[fault], json.dumps({"mechanisms": gold("both")}))
    assert mended.score().numbers["exact"] == 1


def test_the_answer_is_asked_for_when_the_budget_is_spent() -> None:
    instance = BY_LEVEL["ask"]
    name = instance.public.variables[0]
    question = json.dumps({"set": {name: 1}})
    asked = [question] * instance.public.budget
    episode = reply_to("ask", *asked, question)
    assert "Give your answer now" in episode.turns[-1].observation
    assert not episode.world.done
    assert episode.world.allowed_actions == (Explain,)
    verdict = reply_to("ask", *asked, question, json.dumps({"mechanisms": gold("ask")})).score()
    # The truth, but the same world over and over leaves other models.
    assert verdict.numbers["mechanisms_right"] == verdict.numbers["asked"] == 1
    assert verdict.numbers["exact"] == verdict.numbers["settled"] == 0
    for beyond in range(1, 4):
        episode = Episode(FAMILY, instance, RULES)
        for _ in range(instance.public.budget + beyond):
            episode.step(Ask(set={name: 1}))
        assert episode.score().labels == {"outcome": "ran out of budget", "fault": "none"}


def test_a_question_may_spell_names_as_it_likes() -> None:
    episode = Episode(FAMILY, BY_LEVEL["ask"], RULES)
    episode.step(Ask(set={"x_1": 1, "$X2$": 0}))
    assert episode.world.asked[0].targets == ("X1", "X2")


@pytest.mark.parametrize(
    "setting", [{}, {"X1": 2}, {"Z": 1}, {"X1": 0, "X2": 0, "X3": 1}, {"X1": 0, "x1": 1}]
)
def test_a_world_that_cannot_be_made_costs_nothing(setting: dict[str, int]) -> None:
    episode = Episode(FAMILY, BY_LEVEL["ask"], RULES)
    episode.step(Ask(set=setting))
    assert "cannot be made" in episode.turns[-1].observation
    assert episode.world.spent == 0


@settings(max_examples=25)
@given(st.text(max_size=60))
def test_no_reply_breaks_a_game(reply: str) -> None:
    for level in ("trait", "whatif"):
        assert reply_to(level, reply, reply).score().numbers["exact"] == 0


def test_certificates_hold_come_out_alike_and_find_planted_faults() -> None:
    proofs = FAMILY.proofs
    for instance in BY_LEVEL.values():
        one, other = proofs.certify(instance), proofs.recheck(instance)
        claims = {proof.claim: proof.holds for proof in one.proofs}
        assert claims == {proof.claim: proof.holds for proof in other.proofs}
        assert all(claims.values())
        assert one.bounds == other.bounds
        for name, plant in proofs.faults.items():
            spoiled = plant(instance)
            if spoiled is not None:
                for prove in (proofs.certify, proofs.recheck):
                    assert not all(proof.holds for proof in prove(spoiled).proofs), name


@pytest.mark.parametrize("level", ["trait", "touched", "ask"])
def test_a_problem_that_tells_the_wrong_limits_is_not_proven(level: str) -> None:
    instance, public = BY_LEVEL[level], BY_LEVEL[level].public
    assert public.task is not None
    changes: list[dict[str, object]] = [
        {"task": public.task.model_copy(update={"arrows": public.task.arrows + more})}
        for more in (-1, 1)
    ]
    changes.append({"limits": public.limits.model_copy(update={"max_parents": 2})})
    changes += [{"max_targets": 1}] if level == "ask" else []
    for change in changes:
        wrong = instance.model_copy(update={"public": public.model_copy(update=change)})
        for prove in (FAMILY.proofs.certify, FAMILY.proofs.recheck):
            assert not all(proof.holds for proof in prove(wrong).proofs), change


def test_a_variable_that_is_stored_as_touched_and_was_not_is_found_by_both_paths() -> None:
    instance = BY_LEVEL["touched"]
    public, hands = instance.public, instance.secret.touched or ()
    for name in set(public.variables) - set(hands[0]):
        more = instance.secret.model_copy(update={"touched": ((*hands[0], name), *hands[1:])})
        wrong = instance.model_copy(update={"secret": more})
        for prove in (FAMILY.proofs.certify, FAMILY.proofs.recheck):
            assert not all(proof.holds for proof in prove(wrong).proofs), name


def test_another_level_of_a_known_name_is_drawn_and_not_looked_up() -> None:
    mine = FAMILY.level("trait").model_copy(update={"setting": "whatif"})
    drawn = FAMILY.generate(mine, 0, 0)
    assert drawn.id in _read_kept()
    assert drawn.public.setting == "whatif"


@pytest.mark.slow
def test_what_is_kept_is_what_drawing_gives() -> None:
    first = (split_seed("train", 0), 0)
    places = [("whatif", *first), *((level, 0, 0) for level in UNIT_LEVELS)]
    for level, seed, index in places:
        config = FAMILY.level(level)
        drawn = generate_unit_problem(config, seed, index)
        assert config.name_problem(seed, index) in _read_kept()
        assert drawn.line() == FAMILY.generate(config, seed, index).line()


def test_a_lone_reply_to_a_problem_with_questions_is_left_unscored_in_words() -> None:
    from causarium.contract.episode import score_many

    replies = [
        json.dumps(one.secret.row or {"mechanisms": gold(level)}) for level, one in BY_LEVEL.items()
    ]
    verdicts = score_many(FAMILY, list(BY_LEVEL.values()), replies, RULES)
    for level, verdict in zip(BY_LEVEL, verdicts, strict=True):
        if level == "ask":
            assert verdict.unscored is not None
            assert "asks for worlds before the answer" in verdict.unscored
            assert isnan(verdict.numbers["exact"])
        else:
            assert verdict.numbers["exact"] == 1
