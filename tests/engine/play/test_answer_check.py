"""The check before an answer counts, in every interface, with scripted models."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import ChatMessage, ChatMessageAssistant

from causarium.contract.sets.instance_sets import generate_set
from causarium.engine.logbook.log_files import read_story
from causarium.engine.play.inspect_episode import ASKED
from causarium.engine.record.episode_record import AnswerCheck, EpisodeStore
from tests.engine.play.test_inspect_episode import run
from tests.support.inspect_runs import task_of
from tests.support.lamps import FAMILY as LAMPS
from tests.support.lamps.play import TEXTS
from tests.support.logs import find_logs, newest_rows, rescore
from tests.support.scripted import in_turn

FIRST = generate_set(LAMPS, "certified", "smoke", limit=1)[0]
NAMES = FIRST.public.switches


def answer(name: str, interface: str) -> Any:
    return ("answer", {"wired": name}) if interface == "tools" else f'{{"wired": "{name}"}}'


def flip(name: str, interface: str) -> Any:
    return ("flip", {"switch": name}) if interface == "tools" else f'{{"switch": "{name}"}}'


def first(log: EvalLog) -> EvalSample:
    assert log.samples
    return next(sample for sample in log.samples if sample.id == FIRST.id)


def kinds(sample: EvalSample) -> list[str]:
    return [turn["action"]["kind"] for turn in sample.store["causarium:turns"]]


def found(sample: EvalSample) -> AnswerCheck:
    checked = EpisodeStore(sample.store).answer_check
    assert checked is not None
    return checked


@pytest.fixture(params=["json", "tools"])
def interface(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def play(says: list[Any], interface: str, folder: Path, **rules: Any) -> EvalSample:
    rules = {"interface": interface, "recheck": True, **rules}
    return first(run(task_of(LAMPS, **rules), folder, in_turn(says)))


def test_the_first_answer_is_held_back_and_costs_nothing(interface: str, tmp_path: Path) -> None:
    sample = play([answer(NAMES[0], interface)], interface, tmp_path)
    assert kinds(sample) == ["answer"]
    assert [m.text for m in sample.messages if m.text == ASKED] == [ASKED]
    told = next(m for m in sample.messages if m.text == ASKED)
    assert told.role == ("tool" if interface == "tools" else "user")
    assert found(sample).changed is False
    assert found(sample).turn == 0
    assert min(row.turns for row in newest_rows([tmp_path])) == 1


def test_what_comes_after_the_check_counts(interface: str, tmp_path: Path) -> None:
    says = [answer(NAMES[0], interface), flip(NAMES[1], interface), answer(NAMES[1], interface)]
    sample = play(says, interface, tmp_path)
    assert kinds(sample) == ["flip", "answer"]
    checked = found(sample)
    assert checked.intended == {"kind": "answer", "wired": NAMES[0]}
    assert checked.next == {"kind": "flip", "switch": NAMES[1]}
    assert checked.answer == {"kind": "answer", "wired": NAMES[1]}
    assert checked.changed is True


@pytest.mark.parametrize(
    ("first_guess", "second_guess", "label"),
    [(0, 0, "kept"), (0, 1, "raised"), (1, 0, "lowered"), (0, 2, "changed")],
)
def test_rows_say_what_the_check_was_worth_and_scoring_again_agrees(
    first_guess: int, second_guess: int, label: str, tmp_path: Path
) -> None:
    wired = FIRST.secret.wired
    others = [name for name in NAMES if name != wired]
    names = [others[0], wired, others[1]]
    says = [answer(names[first_guess], "json"), answer(names[second_guess], "json")]
    sample = play(says, "json", tmp_path)
    rows = {row.id: row for row in newest_rows([tmp_path])}
    assert rows[FIRST.id].labels["recheck"] == label
    gains = {"raised": 1.0, "lowered": -1.0, "changed": 0.0, "kept": None}
    assert found(sample).gain == gains[label]
    (path,) = find_logs([tmp_path])
    assert all(pair.same for pair in rescore(path, lambda name: LAMPS))


def test_an_agent_that_falls_silent_after_the_check_has_no_answer(tmp_path: Path) -> None:
    sample = play([answer(NAMES[0], "json"), "Let me think."], "json", tmp_path)
    assert found(sample).label == "no answer"
    assert found(sample).next is None


def test_without_the_rule_nothing_is_held_back(interface: str, tmp_path: Path) -> None:
    sample = play([answer(NAMES[0], interface)], interface, tmp_path, recheck=False)
    assert EpisodeStore(sample.store).answer_check is None
    assert all("recheck" not in row.labels for row in newest_rows([tmp_path]))


def test_a_second_answer_in_the_same_reply_is_held_back_too(tmp_path: Path) -> None:
    def say(messages: list[ChatMessage]) -> Any:
        said = sum(isinstance(message, ChatMessageAssistant) for message in messages)
        return [answer(NAMES[0], "tools"), answer(NAMES[1], "tools")] if said == 0 else "enough"

    log = run(task_of(LAMPS, interface="tools", recheck=True), tmp_path, say)
    sample = first(log)
    assert [m.text for m in sample.messages if m.role == "tool"] == [ASKED, ASKED]
    assert found(sample).intended["wired"] == NAMES[0]
    assert found(sample).changed is None


def test_a_folder_of_prompts_may_have_other_words(tmp_path: Path) -> None:
    (tmp_path / "words").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "words" / f"{name}.md").write_text(text, "utf-8")
    (tmp_path / "words" / "recheck.md").write_text("Sure?\n", "utf-8")
    folder = str(tmp_path / "words")
    sample = play([answer(NAMES[0], "json")], "json", tmp_path, prompts=folder)
    assert [m.text for m in sample.messages if m.role == "user"][-1] == "Sure?"


def test_a_replay_shows_each_turn_with_the_words_that_made_it(tmp_path: Path) -> None:
    says = [answer(NAMES[0], "json"), flip(NAMES[1], "json"), answer(NAMES[1], "json")]
    sample = play(says, "json", tmp_path)
    (path,) = find_logs([tmp_path])
    story = read_story(path, str(sample.id))
    assert story.said == [f"{says[0]}\n\n{says[1]}", says[2]]
