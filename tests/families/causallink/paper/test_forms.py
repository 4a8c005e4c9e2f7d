"""Form apart from reasoning: each spelling of a right case scores like the plain one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.episode import Episode, replay
from causarium.contract.texts.replies import MAX_REPLY_CHARS
from causarium.families.causallink.paper.model.instance import Answer, Intervene
from causarium.families.causallink.paper.model.theme import theme
from causarium.families.causallink.paper.play.replies import fold_text, match_name
from tests.families.causallink.paper.worlds import (
    FAMILY,
    GO_ON,
    NO,
    READY,
    YES,
    act,
    converse,
    rules_for,
    world_of,
)

PAIR = world_of("AB", "A>B", "AB", "A>B")
HOLD = act("A", "hold")
PLAIN = [HOLD, READY, YES]

FORMS = {
    "plain": PLAIN,
    "capital name": [act("a", "hold"), READY, YES],
    "capital action": [act("A", "Hold"), READY, YES],
    "quoted name": [act("'A'", "hold."), READY, YES],
    "capital keys": ['{"Shape": "A", "ACTION": "hold"}', '{"Next": "answer the question"}', YES],
    "capital answer": [HOLD, READY, '{"answer": "Yes"}'],
    "answer with a full stop": [HOLD, READY, '{"answer": "yes."}'],
    "answer in bold": [HOLD, READY, '{"answer": "**YES**"}'],
    "answer y": [HOLD, READY, '{"answer": "y"}'],
    "answer true as text": [HOLD, READY, '{"answer": "True"}'],
    "answer true": [HOLD, READY, '{"answer": true}'],
    "answer as a bare word": [HOLD, READY, "Yes."],
    "short choice": [HOLD, '{"next": "answer"}', YES],
    "choice to stop": [HOLD, '{"next": "Stop."}', YES],
    "choice as bare words": [HOLD, "Answer the question", YES],
    "answer at the choice": [HOLD, YES],
    "choice and answer at once": [HOLD, '{"next": "answer the question", "answer": "yes"}'],
    "code fence": [f"```json\n{HOLD}\n```", READY, f"So:\n```json\n{YES}\n```"],
    "prose with braces": [f"Both {{A, B}} move. {HOLD}", READY, YES],
    "thinking": [f"<think>{NO}?</think>{HOLD}", READY, f"<think>{NO}</think>{YES}"],
    "said twice": [f"{HOLD}\n{HOLD}", READY, f"{YES} {YES}"],
    "no closing brace": [HOLD[:-1], READY, YES[:-1]],
    "no opening brace": [HOLD[1:], READY, YES[1:]],
    "no braces": [HOLD[1:-1], READY[1:-1], YES[1:-1]],
    "keys that were not asked for": [
        '{"shape": "A", "action": "hold", "answer": ""}',
        '{"next": "answer the question", "shape": "", "action": null}',
        '{"answer": "yes", "shape": "B"}',
    ],
    "choice to stop beside an act": [
        HOLD,
        '{"next": "answer the question", "shape": "B", "action": "hold"}',
        YES,
    ],
}
"""Each with no reply more than the plain form, and no slip."""

LONGER = {
    "plain": [HOLD, GO_ON, act("B", "move"), READY, YES],
    "act at the choice": [HOLD, act("B", "move"), READY, YES],
    "choice and act at once": [
        HOLD,
        '{"next": "continue interaction", "shape": "B", "action": "move"}',
        READY,
        YES,
    ],
    "short choice": [HOLD, '{"next": "Continue"}', act("B", "move"), READY, YES],
    "continue interacting": [HOLD, '{"next": "continue interacting"}', act("B", "move"), YES],
    "answer when an act is asked for": [HOLD, act("B", "move"), GO_ON, YES],
}
"""Two interventions, and again no slip."""

SLIPS = {
    "nonsense first": ["?", *PLAIN],
    "an answer before any act": [YES, *PLAIN],
    "two objects, the first of them wrong": [f"{act('Z', 'hold')} {HOLD}", *PLAIN],
    "an unknown name": [act("C", "hold"), *PLAIN],
    "an unknown action": [act("A", "push"), *PLAIN],
    "a longer answer": [HOLD, READY, '{"answer": "yes, because B stops"}', YES],
    "a number for an answer": [HOLD, READY, '{"answer": 1}', YES],
    "both an act and an answer": [
        HOLD,
        '{"shape": "B", "action": "hold", "answer": "yes"}',
        READY,
        YES,
    ],
    "a key twice": [HOLD, READY, '{"answer": "yes", "Answer": "no"}', YES],
    "an array": ['["A", "hold"]', *PLAIN],
    "a number for a name": ['{"shape": 1, "action": "hold"}', *PLAIN],
    "too long": ["x" * (MAX_REPLY_CHARS + 1), *PLAIN],
}
"""One reply that cannot be taken, asked for again."""


def numbers_of(episode: Episode) -> dict[str, float]:
    numbers = dict(episode.score().numbers)
    assert numbers["slips"] == episode.world.slips
    return {
        name: numbers[name]
        for name in ("accuracy", "interventions", "steps", "effort", "invalid_format", "slips")
    }


@pytest.mark.parametrize("form", FORMS)
def test_each_form_scores_like_the_plain_one(form):
    plain = numbers_of(converse(PAIR, PLAIN, "repaired"))
    assert plain["accuracy"] == 1
    assert numbers_of(converse(PAIR, FORMS[form], "repaired")) == plain


@pytest.mark.parametrize("form", LONGER)
def test_each_form_of_a_longer_case_scores_like_the_plain_one(form):
    plain = numbers_of(converse(PAIR, LONGER["plain"], "repaired"))
    assert plain["interventions"] == 2
    assert numbers_of(converse(PAIR, LONGER[form], "repaired")) == plain


@pytest.mark.parametrize("slip", SLIPS)
def test_one_reply_in_a_row_is_asked_for_again_at_no_cost(slip):
    plain = numbers_of(converse(PAIR, PLAIN, "repaired"))
    episode = converse(PAIR, SLIPS[slip], "repaired")
    assert numbers_of(episode) == {**plain, "slips": 1}
    asked_again = [turn for turn in episode.turns if not turn.legal]
    assert len(asked_again) == 1
    assert asked_again[0].cost == 0
    assert "That reply cannot be taken: " in asked_again[0].observation


@pytest.mark.parametrize("slip", SLIPS)
def test_two_in_a_row_end_the_case_under_an_error_mode(slip):
    replies = SLIPS[slip]
    bad = next(i for i, (a, b) in enumerate(zip(replies, PLAIN, strict=False)) if a != b)
    episode = converse(PAIR, [*replies[:bad], replies[bad], replies[bad]], "repaired")
    verdict = episode.score()
    assert episode.done
    assert verdict.labels["error"] in {"invalid format", "invalid action", "invalid answer"}
    assert verdict.numbers["slips"] == 1
    assert verdict.numbers["accuracy"] == 0


@pytest.mark.parametrize("form", [name for name in FORMS if name != "plain"])
def test_the_paper_edition_reads_as_published(form):
    """Nothing is forgiven there: what was lost is lost, and nothing is counted as a slip."""
    lost = {
        "capital action", "capital keys", "capital answer", "answer with a full stop",
        "answer in bold", "answer y", "answer true as text", "answer true",
        "answer as a bare word", "short choice", "choice to stop", "choice as bare words",
        "answer at the choice", "choice and answer at once", "prose with braces", "thinking",
        "no closing brace", "no opening brace", "no braces",
    }  # fmt: skip
    verdict = converse(PAIR, FORMS[form], "published").score()
    assert verdict.numbers["slips"] == 0
    plain = verdict.numbers["accuracy"] == 1 and verdict.labels["error"] == "none"
    assert plain == (form not in lost | {"capital name", "quoted name"})


@pytest.mark.parametrize("interface", ["json", "tools"])
def test_slips_come_out_of_the_replay_alone(interface):
    rules = rules_for("repaired", interface=interface)
    episode = Episode(FAMILY, PAIR, rules)
    moves = ["?", HOLD, "?", READY if interface == "json" else HOLD, "?", YES]
    for reply in moves:
        episode.step(episode.parse_reply(reply))
    assert episode.score().numbers["slips"] == 3
    again = replay(FAMILY, PAIR, rules, episode.turns)
    assert again.turns == episode.turns
    assert again.score() == episode.score()


def test_tools_are_read_loosely_too():
    episode = Episode(FAMILY, PAIR, rules_for("repaired", interface="tools"))
    assert episode.step(Intervene(shape="a", action="HOLD")).legal
    assert not episode.step(Intervene(shape="C", action="hold")).legal
    assert episode.step(Answer(answer="Yes.")).legal
    assert episode.score().numbers["accuracy"] == 1
    assert episode.score().numbers["slips"] == 1


def test_alternating_nonsense_uses_turns_and_nothing_else():
    replies = ["?", HOLD, *["?", GO_ON, "?", HOLD] * 3, "?", READY, "?", YES]
    episode = converse(PAIR, replies, "repaired")
    assert episode.score().numbers["accuracy"] == 1
    assert episode.score().numbers["interventions"] == 4
    assert episode.score().numbers["slips"] == 9


def test_who_asks_for_more_than_there_is_is_asked_for_the_answer():
    episode = converse(PAIR, [HOLD, *[GO_ON, HOLD] * 3, GO_ON, "?", "?"], "repaired")
    assert episode.score().labels["error"] == "too many attempts"
    assert episode.world.asked


def test_names_that_fold_alike_must_be_written_exactly():
    names = ("Star", "star", "heart")
    assert match_name("star", names) == "star"
    assert match_name("STAR", names) is None
    assert match_name(" Heart! ", names) == "heart"
    assert match_name("...", ("", "x")) is None


@pytest.mark.parametrize("name", ["shapes", "nonsense", "words"])
def test_no_two_words_of_a_theme_fold_alike(name):
    words = theme(name)
    assert len({fold_text(word) for word in words.names}) == len(words.names)
    assert fold_text(words.start) != fold_text(words.stop)
    assert all(fold_text(word) == word for word in words.names)


@given(st.text(max_size=60))
def test_folding_twice_is_folding_once(text):
    assert fold_text(fold_text(text)) == fold_text(text)
