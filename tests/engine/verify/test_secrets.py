"""Planted secrets: none of them is on a card, in a report, on a terminal, in a message."""

import os
import string
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from inspect_ai.log import EvalError, EvalLog
from inspect_ai.model import GenerateConfig, ModelConfig
from typer.testing import CliRunner

from causarium.api.reporting import write_report
from causarium.cli import main
from causarium.cli.commands import app
from causarium.contract.places import Place
from causarium.engine.logbook.log_files import read_header, write_run_card
from causarium.engine.play.inspect_episode import ask_until_readable
from causarium.engine.record.secrets import find_secrets, redact, show_address, show_settings
from causarium.engine.run.options import ALLOW, refuse_secrets
from causarium.errors import UsageError
from tests.support.tampered_logs import play_log, samples_of, tamper

MARK = "sk-canary"


def plant() -> Iterator[str]:
    number = 0
    while True:
        yield f"{MARK}{number:02d}-8f3kq0z7Xw2v"
        number += 1


CANARIES = plant()
HEADERS = ("Authorization", "X-Api-Key", "Cookie", "X-Org", "api-key", "X-Goog", "Proxy", "Plain")
BODY = {
    "user": next(CANARIES),
    "metadata": {"trace": next(CANARIES), "deep": [{"very": next(CANARIES)}]},
    "auth": {"bearer": next(CANARIES)},
    "plain": next(CANARIES),
}
ARGUMENTS = {
    "auth": next(CANARIES),
    "access_token": next(CANARIES),
    "client_secret": next(CANARIES),
    "default_headers": {"Authorization": next(CANARIES)},
    "http": [next(CANARIES), {"proxy": f"http://me:{next(CANARIES)}@proxy:1"}],
    "project": next(CANARIES),
    "tokenizer": next(CANARIES),
    "note": f"my key is {next(CANARIES)}, keep it",
    "unknown": next(CANARIES),
}
CONFIG = GenerateConfig(
    temperature=0.5,
    reasoning_effort="high",
    extra_headers={name: next(CANARIES) for name in HEADERS},
    extra_body=BODY,
    system_message=next(CANARIES),
)
ROLE = ModelConfig(
    model="openai/judge",
    config=GenerateConfig(extra_headers={"A": next(CANARIES)}, extra_body={"a": next(CANARIES)}),
    args={"auth": next(CANARIES), "nested": {"k": next(CANARIES)}},
)
BASE_URL = f"https://me:{next(CANARIES)}@host:8/v1?key={next(CANARIES)}#{next(CANARIES)}"
ERROR = next(CANARIES)
PLANTED = int(ERROR.removeprefix(MARK)[:2]) + 1


def plant_in(log: EvalLog) -> None:
    log.eval.model_generate_config = CONFIG
    log.plan.config = CONFIG
    log.eval.model_args = ARGUMENTS
    log.eval.model_base_url = BASE_URL
    log.eval.model_roles = {"judge": ROLE}
    card = (log.eval.metadata or {})["card"]
    card["roles"] = ["judge"]
    message = f"401: {ERROR} is wrong"
    samples_of(log)[0].error = EvalError(message=message, traceback=message, traceback_ansi="")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("secrets")
    tamper(play_log(folder, "causallink", "start_alone"), plant_in)
    return folder


def test_there_are_as_many_as_were_asked_for() -> None:
    assert PLANTED >= 30


def test_no_planted_secret_gets_out(folder: Path, tmp_path: Path) -> None:
    write_run_card(folder)
    report = write_report(folder, out=tmp_path)
    texts = {"card.json": (folder / "card.json").read_text("utf-8")}
    texts |= {
        path.name: path.read_bytes().decode("utf-8", "replace")
        for path in tmp_path.iterdir()
        if path.is_file()
    }
    texts["data"] = report.data.model_dump_json()
    for words in (
        ["score"],
        ["score", "--json"],
        ["score", "--card"],
        ["score", "--card", "--json"],
        ["verify"],
    ):
        result = CliRunner().invoke(app, [*words, str(folder)])
        texts[" ".join(words)] = f"{result.stdout}{result.stderr}{result.exception}"
    assert len(texts) >= 9
    assert {name: text.count(MARK) for name, text in texts.items() if MARK in text} == {}


def test_what_is_no_secret_is_shown(folder: Path) -> None:
    (log,) = folder.glob("*.eval")
    card = read_header(log).card
    assert (card.settings["temperature"], card.settings["reasoning_effort"]) == (0.5, "high")
    assert card.base_url == "https://host:8/v1"
    assert set(ARGUMENTS) == set(card.arguments)
    assert "-M" not in card.command()


def test_other_values_tell_runs_apart() -> None:
    one, two = (show_settings(GenerateConfig(extra_headers={"a": value})) for value in "xy")
    assert one != two
    assert one == show_settings(GenerateConfig(extra_headers={"a": "x"}))


def test_an_address_that_is_none_is_hidden() -> None:
    assert show_address("http://me:hush@localhost:1/v1?key=hush") == "http://localhost:1/v1"
    assert "hush" not in str(show_address("http://[hush"))
    assert show_address(None) is None


@pytest.mark.parametrize(
    "arguments",
    [
        {"extra_headers": {"Authorization": "Bearer abcdefgh"}},
        {"extra_headers": {"X-Custom": "sk-abcdefghijklmnop"}},
        {"extra_body": {"deep": [{"api_token": "abcdefgh1"}]}},
        {"model_args": {"client_secret": "abcdefgh1"}},
        {"model_args": {"client": {"headers": {"cookie": "abcdefgh1"}}}},
        {"model_base_url": "https://me:hush1234@host/v1"},
        {"model_base_url": "https://hush1234@host/v1"},
        {"model_base_url": "https://host/v1?api_key=hush"},
        {"model_base_url": "https://host/v1?sig=hush"},
        {"model_base_url": "https://host/v1?x=8f3kq0z7Xw2vabcdefgh"},
        {"model_base_url": "https://host/v1#access_token=hush"},
        {"model_args": {"deep": [{"endpoint": "https://host/v1?token=hush"}]}},
        {"extra_body": {"callback": "https://hush:1234@host/"}},
        {"model_args": {"project": "a8f3kq0z7Xw2vabcdefgh"}},
        {"extra_headers": {"X-Org": "team 8f3kq0z7Xw2vabcdefgh"}},
        {"extra_body": {"user": ["0d9f3a2b7c61e8"]}},
    ],
)
def test_a_run_that_would_log_a_secret_does_not_start(
    arguments: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="the log would show it") as raised:
        refuse_secrets(arguments)
    assert "abcdefgh" not in str(raised.value)
    assert "hush" not in str(raised.value)
    monkeypatch.setenv(ALLOW, "1")
    refuse_secrets(arguments)


def test_a_secret_on_the_command_line_is_not_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["run", "causallink", "--model", "mockllm/model", "--set", "smoke", "--limit", "1"]
    headers = f'{{"Authorization": "{ERROR}"}}'
    monkeypatch.setattr(sys, "argv", ["causarium", *words, "--extra-headers", headers])
    with pytest.raises(SystemExit) as left:
        main()
    said = capsys.readouterr()
    assert left.value.code == 2
    assert "extra_headers.Authorization" in said.err
    assert MARK not in said.err + said.out
    assert not list(tmp_path.rglob("*.eval"))


def test_what_is_ordinary_is_no_secret() -> None:
    ordinary = {
        "max_tokens": 100,
        "tokenizer": "gpt2-large",
        "stop_seqs": ["\n\n", "Answer:"],
        "extra_body": {"chat_template_kwargs": {"enable_thinking": False}, "top_k": 20},
        "model_args": {"api_key": "not in the log", "device": "cuda:0", "torch_dtype": "bfloat16"},
        "tags": ["first try", "skilful", "3f2a9b1c0d4e5f60718293a4b5c6d7e8f9012345"],
        "model_base_url": "http://10.12.0.7:8000/v1beta1/openai",
    }
    ordinary["model_args"] |= {
        "project": "my-project-2026-eu",
        "tokenizer": "meta-llama/Llama-3.1-8B-Instruct-Q4_K_M",
        "api_version": "2024-08-01-preview",
        "arn": "inference-profile/us.anthropic.claude-sonnet-4-20250514-v1:0",
    }
    refuse_secrets(ordinary)
    assert find_secrets({"messages": "the key idea is a basic token of the author"}) == []


def test_an_error_that_repeats_a_key_is_redacted(monkeypatch: pytest.MonkeyPatch) -> None:
    import anyio

    monkeypatch.setenv("SOME_API_KEY", "plainwords12")

    async def ask() -> str:
        raise ValueError("401: plainwords12 is wrong, and so is sk-0123456789abcdef")

    with pytest.raises(ValueError, match=r"401: \[hidden\] is wrong, and so is \[hidden\]"):
        anyio.run(ask_until_readable, ask)
    assert redact("nothing to hide") == "nothing to hide"
    assert os.environ["SOME_API_KEY"] == "plainwords12"


def test_no_planted_value_reaches_a_log_under_any_name() -> None:
    """A run that was given one of them, wherever a provider is told something, does not start."""
    places = [
        lambda secret: {"model_args": {"project": secret}},
        lambda secret: {"model_args": {"client": {"options": [secret]}}},
        lambda secret: {"extra_headers": {"X-Plain": secret}},
        lambda secret: {"extra_body": {"note": f"mine is {secret}"}},
    ]
    draw = Random(1)
    letters = string.ascii_letters + string.digits
    drawn = ["".join(draw.choices(letters, k=40)) for _ in range(30)]
    for number, secret in enumerate(drawn):
        with pytest.raises(UsageError, match="looks like a secret") as raised:
            refuse_secrets(places[number % len(places)](secret))
        assert secret not in str(raised.value)


@pytest.mark.parametrize(
    "url",
    ["https://host:8/v1", "https://host/v1?version=2", "s3://bucket/set", "az://box@account/x"],
)
def test_an_address_without_a_secret_is_let_through(url: str) -> None:
    refuse_secrets({"model_base_url": url})
    assert not find_secrets(url, "model_base_url", random=True)


def test_a_token_in_the_address_of_a_set_is_refused() -> None:
    for url in ("s3://bucket/set?token=hush", "https://host/set.jsonl?sig=hush"):
        with pytest.raises(UsageError, match="must not hold a password or a token") as raised:
            Place.parse(url)
        assert "hush" not in str(raised.value)


def test_a_token_in_an_address_is_taken_out_of_errors() -> None:
    said = redact("404 for https://host/v1?api_key=hush-hush&x=1")
    assert "hush" not in said
