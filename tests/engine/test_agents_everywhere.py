"""Every family is played by every kind of agent: the oracle's moves score what it scores."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval
from inspect_ai.model import ChatMessage, ChatMessageAssistant

from causarium import families, tasks
from causarium.contract.episode import Episode, play
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.row import Row
from causarium.contract.rules import Rules
from causarium.contract.sets.instance_sets import find_set, read_set, write_set
from causarium.contract.world import Action, Unparsed, gives_answer
from tests.support.logs import newest_rows
from tests.support.scripted import Say, scripted_model

REACT = f"{Path(__file__).resolve().parents[2] / 'examples' / 'react_agent.py'}@react_agent"
ONE = {"size": 1}
WAYS = ["json", "tools", "react"]


def said(episode: Episode, move: Action, way: str) -> Any:
    """Return a reply that makes a move, by text or by a tool call."""
    fields = move.model_dump(mode="json")
    if way in {"tools", "react"}:
        offered = move.model_json_schema()["properties"]
        return move.kind, {key: value for key, value in fields.items() if key in offered}
    for form in (fields, {"action": move.kind, **fields}):
        read = episode.parse_reply(json.dumps(form))
        if not isinstance(read, Unparsed) and read.is_final == move.is_final:
            return json.dumps(form)
    raise AssertionError(f"no reply makes {move}")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Give the file of a set with the first instance of a family's smallest set alone."""
    folder = tmp_path_factory.mktemp("drawn")

    @cache
    def file(name: str) -> str:
        family = families.get(name)
        part = find_set(family, "certified", "smoke").parts[0]
        write_set(folder / f"{name}.jsonl", family, "certified", [part.model_copy(update=ONE)])
        return str(folder / f"{name}.jsonl")

    return file


def replies(family: AnyFamily, rules: Rules, way: str, file: str) -> tuple[list[Any], Row]:
    """Return what a model says that plays like the oracle but guesses first, and the oracle's row.

    The first answer is held back, so that the guess does no harm.
    """
    (instance,) = read_set(Path(file), family)[1]
    oracle, episode = play(family, instance, rules, "oracle"), Episode(family, instance, rules)
    says: list[Any] = []
    for turn in oracle.turns:
        move = turn.move(family.actions)
        assert isinstance(move, Action)
        if gives_answer(episode.world, move):
            says.append(said(episode, _guess(family, instance, rules) or move, way))
        says.append(said(episode, move, way))
        episode.step(move)
    verdict = oracle.score()
    row = Row(
        family=family.name,
        version="",
        edition="certified",
        set="smoke",
        agent="oracle",
        interface=rules.interface,
        id=instance.id,
        facets={},
        numbers=verdict.numbers,
        turns=len(oracle.turns),
    )
    return says, row


def _guess(family: AnyFamily, instance: AnyInstance, rules: Rules) -> Action | None:
    """Return the answer of a player that guesses."""
    moves = [turn.move(family.actions) for turn in play(family, instance, rules, "random").turns]
    return next((one for one in moves if isinstance(one, Action) and one.is_final), None)


def saying(says: list[Any]) -> Say:
    def say(messages: list[ChatMessage]) -> Any:
        turn = sum(isinstance(message, ChatMessageAssistant) for message in messages)
        return says[turn] if turn < len(says) else "That is all."

    return say


def played(task: Task, says: list[Any], folder: Path) -> Row:
    model = scripted_model(saying(says))
    (log,) = eval(task, model=model, limit=1, log_dir=str(folder), display="log")
    assert log.status == "success", log.error
    (row,) = newest_rows([folder])
    return row


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", families.names())
def test_an_agent_that_checks_its_answer_plays_every_family(
    name: str, way: str, drawn: Callable[[str], str], tmp_path: Path
) -> None:
    family = families.get(name)
    given: dict[str, Any] = {"recheck": "true"}
    rules = family.rules_for("certified", interface="json" if way == "json" else "tools", **given)
    says, oracle = replies(family, rules, way, drawn(name))
    who = {"agent": REACT} if way == "react" else {"interface": way}
    row = played(getattr(tasks, name)(file=drawn(name), **who, **given), says, tmp_path)
    headline = family.card.headline["certified"]
    assert row.unscored is None
    assert row.numbers[headline] == pytest.approx(oracle.numbers[headline])
    assert row.turns == oracle.turns
    # A guess may be right; nothing else can be better than what the oracle says.
    assert row.labels["recheck"] in {"raised", "kept", "changed"}


@pytest.mark.slow
@pytest.mark.parametrize("name", families.names())
def test_replies_without_a_call_are_answered_until_the_world_ends(
    name: str, drawn: Callable[[str], str], tmp_path: Path
) -> None:
    given: dict[str, Any] = {"interface": "tools"}
    task = getattr(tasks, name)(file=drawn(name), **given)
    row = played(task, ["Let me think."] * 400, tmp_path)
    assert row.unscored is None
    assert 1 <= row.turns < 400


def test_a_page_that_takes_the_answer_is_known_by_the_world(tmp_path: Path) -> None:
    family = families.get("causalab", "paper")
    part = find_set(family, "paper", "smoke").parts[0]
    file = str(tmp_path / "one.jsonl")
    write_set(Path(file), family, "paper", [part.model_copy(update=ONE)])
    rules = family.rules_for("paper", interface="dialog", recheck="true")
    says, oracle = replies(family, rules, "dialog", file)
    assert len(says) == oracle.turns + 1
    says[-2] = json.dumps({"action": "enter", "value": 1})
    task = tasks.causalab(file=file, edition="paper", interface="dialog", recheck="true")
    row = played(task, says, tmp_path / "logs")
    assert row.labels["recheck"] == "raised"
    assert row.turns == oracle.turns
    assert row.numbers["prediction"] == oracle.numbers["prediction"]
