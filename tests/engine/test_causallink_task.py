"""CausalLink through Inspect's registry: scripted models play both protocols to the end."""

import re
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.model import ChatMessage, ChatMessageAssistant

from causarium.contract.sets.instance_sets import generate_set
from causarium.engine.inspect_private import PrerequisiteError
from causarium.families import get
from causarium.players.direct_runner import play_all
from tests.support.logs import newest_rows
from tests.support.scripted import Say, scripted_model

LINK = get("causallink")


def shape_in(messages: list[ChatMessage]) -> str:
    text = "\n".join(message.text for message in messages)
    found = re.search(r"^(\w+) is (?:moving|static)", text, flags=re.MULTILINE)
    assert found, text
    return found.group(1)


def turn_of(messages: list[ChatMessage]) -> int:
    return sum(isinstance(message, ChatMessageAssistant) for message in messages)


def answer_by_text(messages: list[ChatMessage]) -> str:
    del messages
    return '```json\n{"answer": "yes"}\n```'


def answer_by_tool(messages: list[ChatMessage]) -> tuple[str, dict[str, Any]]:
    del messages
    return ("answer", {"answer": "yes"})


def yes_by_text(messages: list[ChatMessage]) -> str:
    return [
        f'I hold it. {{"shape": "{shape_in(messages)}", "action": "hold"}}',
        '{"next": "answer the question"}',
        '```json\n{"answer": "yes"}\n```',
    ][turn_of(messages)]


def yes_by_tools(messages: list[ChatMessage]) -> tuple[str, dict[str, Any]]:
    hold = {"shape": shape_in(messages), "action": "hold"}
    return [("intervene", hold), ("answer", {"answer": "yes"})][turn_of(messages)]


@pytest.mark.parametrize(
    ("edition", "interface", "say", "turns"),
    [
        ("certified", "json", answer_by_text, 1),
        ("certified", "tools", answer_by_tool, 1),
        ("paper", "json", yes_by_text, 3),
        ("paper", "tools", yes_by_tools, 2),
    ],
)
def test_a_model_that_says_yes_earns_what_the_player_earns(
    edition: Any, interface: str, say: Say, turns: int, tmp_path: Path
) -> None:
    name, right = "smoke", {"certified": "right", "paper": "accuracy"}[edition]
    eval(
        "causarium/causallink",
        model=scripted_model(say),
        task_args={"set": name, "edition": edition, "interface": interface, "limit": 6},
        log_dir=str(tmp_path),
        display="none",
    )
    rows = {row.id: row for row in newest_rows([tmp_path])}
    player = play_all(
        LINK,
        generate_set(LINK, edition, name, limit=6),
        "always_yes",
        edition=edition,
        set_name=name,
    )
    for row in player:
        assert rows[row.id].numbers[right] == row.numbers[right]
        assert rows[row.id].turns == turns
        assert rows[row.id].labels["error"] == "none"
        assert rows[row.id].facets == row.facets


def test_epochs_are_rows_of_their_own(tmp_path: Path) -> None:
    eval(
        "causarium/causallink",
        model="none/none",
        task_args={"set": "smoke", "player": "exact"},
        epochs=2,
        limit=3,
        log_dir=str(tmp_path),
        display="none",
    )
    rows = newest_rows([tmp_path])
    assert len(rows) == 6
    assert {row.epoch for row in rows} == {1, 2}


def test_an_argument_that_the_task_does_not_have_is_named(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteError) as refused:
        eval("causarium/causallink", model="none/none", task_args={"sett": "smoke"}, display="none")
    assert "unknown causallink argument 'sett'; did you mean 'set'?" in str(refused.value.message)
