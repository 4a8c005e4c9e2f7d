"""The model whose replies are written down: it says them, counts words, and needs no network."""

import json
import socket
from pathlib import Path

import anyio
import pytest
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, get_model

from causarium.api.evaluate import evaluate
from causarium.engine.play.providers import ProviderDown, read_script
from causarium.errors import BadFile


def script(folder: Path, *replies: object) -> Path:
    path = folder / "replies.jsonl"
    path.write_text("".join(f"{json.dumps(reply)}\n" for reply in replies))
    return path


def reply(model: str, *said: str) -> object:
    messages = [ChatMessageUser(content="How many words?")]
    for text in said:
        messages += [ChatMessageAssistant(content=text), ChatMessageUser(content="And now?")]
    return anyio.run(get_model(f"script/{model}", memoize=False).generate, messages)


def test_silence_and_echoes() -> None:
    assert reply("silent").completion == ""
    echo = reply("echo")
    assert echo.completion == "How many words?"
    assert (echo.usage.input_tokens, echo.usage.output_tokens) == (3, 3)


def test_a_file_is_said_line_by_line_in_each_conversation(tmp_path: Path) -> None:
    path = str(script(tmp_path, "one", {"call": ["answer", {"answer": "yes"}]}, "three"))
    assert reply(path).completion == "one"
    (call,) = reply(path, "one").message.tool_calls
    assert (call.function, call.arguments) == ("answer", {"answer": "yes"})
    assert [reply(path, *"ab").completion, reply(path, *"abcde").completion] == ["three"] * 2


def test_a_failure_is_the_provider_s(tmp_path: Path) -> None:
    with pytest.raises(ProviderDown, match="too warm"):
        reply(str(script(tmp_path, {"fail": "too warm"})))


@pytest.mark.parametrize("bad", [3, [], {}, {"say": "x"}, {"call": "x"}, {"call": ["x", 3]}])
def test_a_file_of_anything_else_is_refused(bad: object, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="not a reply"):
        read_script(script(tmp_path, "good", bad))


def test_an_empty_or_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="holds no reply"):
        read_script(script(tmp_path))
    with pytest.raises(BadFile, match="script/silent"):
        read_script(tmp_path / "missing.jsonl")


def test_a_run_with_it_opens_no_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    run = evaluate(
        "causallink",
        model="script/silent",
        set="smoke",
        limit=2,
        price="1,2",
        log_dir=tmp_path,
        progress=False,
    )
    assert run.complete
    assert all(row.usage is not None and row.usage.agent.cost for row in run.rows)
