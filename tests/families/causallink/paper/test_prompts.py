"""The words: every strategy in every theme, and folders of one's own."""

import re
from itertools import pairwise

import pytest

from causarium.errors import BadFile, UnknownName
from causarium.families.causallink.paper.model.instance import Answer, Choose, Intervene
from causarium.families.causallink.paper.model.theme import theme
from causarium.families.causallink.paper.play.wording import TEXTS_NEEDED, Wording
from tests.families.causallink.paper.worlds import FAMILY, rules_for

STRATEGIES = ("basic", "basic_limit_step", "cot_basic_limit_step", "cot_instructed_limit_step")
INSTANCE = FAMILY.generate(FAMILY.level("paper-advanced-4"), 0, 0)


def show_state(instance, rules):
    return Wording(instance.public, rules).describe(instance.public.start)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("interface", ["json", "tools"])
@pytest.mark.parametrize("level", ["paper-advanced-4", "paper-advanced-6"])
def test_every_slot_is_filled(strategy, interface, level):
    instance = FAMILY.generate(FAMILY.level(level), 0, 0)
    rules = rules_for("repaired", strategy=strategy, interface=interface)
    prompt, wording = FAMILY.prompt(instance.public, rules), Wording(instance.public, rules)
    texts = [prompt.system, prompt.user, show_state(instance, rules)]
    if interface == "json":
        texts += [wording.fill("interaction"), wording.fill("answer")]
    assert not any(re.search(r"\$|\x00|\{\}", text) for text in texts)
    words = theme(instance.public.theme)
    assert words.ask(instance.public.cause, instance.public.effect) in prompt.user
    for shape in instance.public.shapes:
        assert f"{shape} is {words.active}" in prompt.user
    if words.thing != "shape":
        assert "shape" not in prompt.system
        assert "mov" not in prompt.system


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_rules_are_told_in_full_unless_they_are_to_be_terse(strategy):
    full, terse = (
        FAMILY.prompt(INSTANCE.public, rules_for(way, strategy=strategy)).system
        for way in ("repaired", "published")
    )
    assert "directly or through other shapes" in full
    assert "directly or through other shapes" not in terse
    assert len(full) > len(terse)


@pytest.mark.parametrize("interface", ["json", "tools"])
def test_the_repaired_rules_say_the_cap_and_what_ends_a_case(interface):
    rules = rules_for("repaired", interface=interface)
    system = FAMILY.prompt(INSTANCE.public, rules).system
    assert f"at most {INSTANCE.public.cap} times" in system
    assert "a second one in a row ends the case" in system
    strict = rules_for("repaired", interface=interface, strict_form=True)
    assert "in a row" not in FAMILY.prompt(INSTANCE.public, strict).system


@pytest.mark.parametrize("name", ["shapes", "nonsense", "words"])
def test_articles_fit_the_words_of_a_theme(name):
    public = INSTANCE.public.model_copy(update={"theme": name})
    for strategy in STRATEGIES:
        rules = rules_for("repaired", strategy=strategy)
        system = FAMILY.prompt(public, rules).system
        assert not re.search(r"\b[Aa] [aeiou]|\b[Aa]n [^aeiou]", system)


def test_the_key_of_a_reply_follows_the_theme():
    public = INSTANCE.public.model_copy(update={"theme": "nonsense"})
    rules = rules_for("repaired")
    assert '{"object": "", "action": ""}' in FAMILY.prompt(public, rules).user
    schema = FAMILY.replies.schema(public, (Intervene,), rules)
    assert list(schema["properties"]) == ["object", "action"]


def test_the_schema_of_a_choice_is_that_of_the_choice_alone():
    rules = rules_for("repaired")
    schema = FAMILY.replies.schema(INSTANCE.public, (Choose, Intervene, Answer), rules)
    assert list(schema["properties"]) == ["next"]


def test_strategies_differ_where_they_should():
    systems = [
        FAMILY.prompt(INSTANCE.public, rules_for("repaired", strategy=one)).system
        for one in STRATEGIES
    ]
    for shorter, longer in pairwise(systems):
        assert longer.startswith(shorter)
        assert len(longer) > len(shorter)
    assert all(f"{number}." in systems[-1] for number in (1, 2, 3, 4))
    wordings = [
        (show_state(INSTANCE, rules), wording.fill("interaction"), wording.fill("answer"))
        for one in STRATEGIES
        for rules in [rules_for("repaired", strategy=one)]
        for wording in [Wording(INSTANCE.public, rules)]
    ]
    assert wordings[0] == wordings[1] != wordings[2] == wordings[3]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_phase_shows_the_published_keys_and_values(strategy):
    rules = rules_for("repaired", strategy=strategy)
    wording = Wording(INSTANCE.public, rules)
    assert '{"shape": "", "action": ""}' in FAMILY.prompt(INSTANCE.public, rules).user
    assert '{"shape": "", "action": ""}' in wording.fill("interaction")
    assert '{"next": "continue interaction"}' in show_state(INSTANCE, rules)
    assert '{"next": "answer the question"}' in show_state(INSTANCE, rules)
    assert '{"answer": ""}' in wording.fill("answer")


@pytest.fixture
def folder(tmp_path):
    slots = {
        "system": "Rules.",
        "initial": "$states | $question | $shapes | $actions",
        "choice": "$states | $question",
        "interaction": "$shapes | $actions",
        "answer": "$question",
    }
    for name, text in slots.items():
        (tmp_path / f"{name}.md").write_text(text)
    return tmp_path


def prompt_from(folder, **rules):
    return FAMILY.prompt(INSTANCE.public, rules_for("repaired", prompts=str(folder), **rules))


def test_a_folder_of_ones_own_takes_the_place_of_ours(folder):
    prompt = prompt_from(folder)
    assert prompt.system == "Rules."
    assert prompt.user.endswith("['move', 'hold']")


def test_states_may_be_shown_twice_and_texts_may_hold_any_sign(folder):
    (folder / "choice.md").write_text("100 % $states $question %s $states")
    text = show_state(INSTANCE, rules_for("repaired", prompts=str(folder)))
    words = theme(INSTANCE.public.theme)
    states = "\n".join(f"{name} is {words.active}" for name in INSTANCE.public.shapes)
    question = words.ask(INSTANCE.public.cause, INSTANCE.public.effect)
    assert text == f"100 % {states} {question} %s {states}"


def test_a_missing_text_is_named_with_all_that_are_needed(folder):
    with pytest.raises(BadFile, match=r"lacks tools_initial.md, tools_observed.md; .*system.md"):
        prompt_from(folder, interface="tools")
    assert set(TEXTS_NEEDED) == {"json", "tools"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("$question", r"choice.md lacks the slots \$states"),
        ("$states $question $truth", r"unknown slots \$truth; it may use .*\$states"),
        ("$states $question costs $ 5", r"write \$\$ for a dollar sign"),
    ],
)
def test_a_text_with_wrong_slots_is_refused(folder, text, message):
    (folder / "choice.md").write_text(text)
    with pytest.raises(BadFile, match=message):
        prompt_from(folder)


def test_an_unknown_theme_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'shapes'"):
        theme("shape")
