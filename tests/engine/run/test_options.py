"""Options for Inspect: read before anything happens, as Inspect's own command reads them."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import read_eval_log

from causarium.api.plan_run import RunRequest, plan_run
from causarium.cli.options import read_rules, read_words, split_words
from causarium.engine.gate import AGENT, Price, find_prices, read_prices
from causarium.engine.run.options import OPTION_KINDS, REFUSED, Options, option_word, read_options
from causarium.engine.run.run_plan import RunPlan, run_plan
from causarium.errors import UsageError
from causarium.families import get


def read(words: list[str]) -> Options:
    """Return options as they are typed behind `causarium run causallink`."""
    return read_options(read_words("causallink", words, ["--player", "--model"])[1])


def test_a_typed_option_and_a_python_value_are_the_same() -> None:
    words = "--temperature 0.60 --seed=1 --reasoning-effort high --epochs 3 --stop-seqs a,b"
    words += " -M device=cpu --model-role judge=openai/a --no-log-images --fail-on-error"
    values = {"temperature": 0.6, "seed": 1, "reasoning_effort": "high", "epochs": 3}
    values |= {"stop_seqs": ["a", "b"], "model_args": {"device": "cpu"}, "log_images": False}
    values |= {"model_roles": {"judge": "openai/a"}, "fail_on_error": True, "top_p": None}
    typed = read(words.split())
    assert typed == read_options(values)
    assert typed.outcome() == read_options(values).outcome()
    assert typed.epochs == 3
    assert typed.given["temperature"] == 0.6


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--temprature", "1"], "did you mean --temperature"),
        (["--plyer", "x"], "did you mean --player"),
        (["--temperature", "hot"], "--temperature cannot be read: Input should be a valid number"),
        (["--epochs"], "requires an argument"),
        (["--solver", "x"], "--solver cannot be set here"),
        (["-T", "edition=paper"], "--rule NAME=VALUE"),
        (["--limit", "3"], "an option of `causarium run` itself"),
        (["--no-temperature"], "--temperature takes a value"),
        (["--epochs", "0"], "--epochs must be 1 or more, not 0"),
        (["--max-connections", "0"], "--max-connections must be 1 or more, not 0"),
        (["--max-samples", "0"], "--max-samples must be 1 or more, not 0"),
        (["--message-limit=-2"], "--message-limit must be 1 or more, not -2"),
        (["--time-limit=-1"], "--time-limit must be 1 or more, not -1"),
        (["--temperature=-3"], "--temperature must be 0 or more, not -3"),
        (["--temperature=.nan"], "--temperature must be 0 or more, not nan"),
        (["--top-p", "7"], "--top-p must be from 0 to 1, not 7"),
        (["--max-tokens", "0"], "--max-tokens must be 1 or more, not 0"),
        (["--timeout=-3"], "--timeout must be 1 or more, not -3"),
        (["--max-retries=-1"], "--max-retries must be 0 or more, not -1"),
        (["--token-limit", "0"], "--token-limit must be 1 or more, not 0"),
        (["--token-limit", "output:0"], "--token-limit must be 1 or more, not 0"),
        (["--token-limit", "5kk"], "not a token limit"),
        (["--extra-body", "secret" * 99], "--extra-body cannot be read"),
        (["-M", "day=2020-13-45"], "-M cannot be read: '2020-13-45' is not YAML"),
        (["--no-log-samples"], "cannot be scored again"),
        (["lamps"], "Unexpected argument 'lamps'"),
        (["--model-role", "judge"], "NAME=VALUE"),
        (["--model-role", "judge="], "names no model"),
        (["--logit-bias", "x"], "42=10"),
        (["--token-limit", "many"], "not a token limit"),
        (["--sample-shuffle=x"], "--sample-shuffle cannot be read"),
        (["-M", "x"], "NAME=VALUE"),
        (["--scan-name", "x"], "scans and sentinels are not passed on"),
        (["--adaptive-connections", "x"], "expected 'min-max'"),
        (["--extra-headers", "{key: secret"], "--extra-headers cannot be read: it is not JSON"),
    ],
)
def test_what_cannot_work_is_refused_with_what_would(words: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)) as refused:
        read(words)
    assert "secret" not in str(refused.value)


def test_a_file_of_settings_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError, match=r"there is no file none\.yaml"):
        read(["--generate-config", "none.yaml"]).arguments()


def test_roles_are_read_in_every_form_that_inspect_has() -> None:
    forms = {
        "judge=openai/a": ("openai/a",),
        "judge=openai/a,google/b": ("openai/a", "google/b"),
        "judge={model: openai/a, temperature: 0.5}": ("openai/a",),
    }
    for form, models in forms.items():
        assert read(["--model-role", form]).roles == {"judge": models}


def test_a_role_must_be_asked_by_a_family_that_is_run() -> None:
    def plan(family: str, role: str, *beside: str) -> RunPlan:
        options = {"model_roles": {role: "openai/x"}}
        return plan_run(
            RunRequest(
                family, model="openai/gpt-5", set="smoke", options=options, beside=(family, *beside)
            )
        )

    assert [get(name).card.roles for name in ("causallink", "causalgame", "recite")] == [
        (),
        ("judge", "interpreter"),
        ("judge", "repair"),
    ]
    assert plan("causallink", "judge", "recite").options.roles == {"judge": ("openai/x",)}
    with pytest.raises(UsageError, match=r"did you mean 'judge'.*roles: judge, repair"):
        plan("recite", "jugde")
    with pytest.raises(UsageError, match="role of causallink 'judge'; roles: none"):
        plan("causallink", "judge")


def test_the_pace_and_the_order_of_options_make_no_other_run() -> None:
    def outcome(words: str) -> dict[str, str]:
        return read(words.split()).outcome()

    one = outcome("--temperature 0.6 --max-connections 3 --seed 1")
    assert one == outcome("--seed=1 --temperature=0.60 --max-retries 9")
    assert one != outcome("--seed 2 --temperature 0.6")
    assert outcome("") == {}


def test_the_family_is_found_wherever_it_stands() -> None:
    assert read_words("--seed", ["1", "lamps"]) == ("lamps", {"seed": "1"})
    words = ["lamps", "lamps", "--epochs", "2"]
    assert read_words("--tags", words) == ("lamps", {"tags": "lamps", "epochs": "2"})
    for wrong in (["1"], ["1", "lamps", "other"]):
        with pytest.raises(UsageError, match="name one family"):
            read_words("--seed", wrong)


def test_rules_become_values_but_for_paths() -> None:
    typed = ["max_turns=3", "claims=false", "prompts=12", "strategy=careful"]
    values = {"max_turns": 3, "claims": False, "prompts": "12", "strategy": "careful"}
    assert read_rules(typed) == values
    with pytest.raises(UsageError, match="NAME=VALUE"):
        read_rules(["strategy"])


def test_prices_are_read_by_role() -> None:
    assert read_prices(["2,8,0.5", "judge=1,2"]) == {
        AGENT: Price(input=2, output=8, cached=0.5),
        "judge": Price(input=1, output=2),
    }
    for wrong in ("2", "2,x", "2,8,1,1", "judge=", "-1,2", "inf,1", "1,nan"):
        with pytest.raises(UsageError, match="IN,OUT"):
            read_prices([wrong])


def test_a_price_is_known_from_a_file_of_prices(tmp_path) -> None:
    def costs() -> dict[str, Any]:
        return read_options({"model_cost_config": str(file)}).given["model_cost_config"]

    file = tmp_path / "prices.yaml"
    with pytest.raises(UsageError, match="there is no file"):
        costs()
    file.write_text(
        "openai/gpt-5: {input: 2, output: 8, input_cache_write: 2, input_cache_read: 0.2}\n"
    )
    roles = {AGENT: ["openai/gpt-5"], "judge": ["nobody/else"], "repair": []}
    assert find_prices(roles, costs()) == {AGENT: Price(input=2, output=8, cached=0.2)}
    assert find_prices({"judge": ["nobody/else"]}, {}) == {}
    file.write_text("openai/gpt-5: {input: 2}\n")
    with pytest.raises(UsageError, match="--model-cost-config cannot be read"):
        costs()


RECORDED = json.loads(Path(__file__).with_name("recorded_commands.json").read_text())


@pytest.mark.parametrize("command", RECORDED, ids=lambda command: command["folder"])
def test_a_command_finds_the_folder_that_it_had_before(command: dict[str, Any]) -> None:
    options, _ = split_words(command["options"])
    arguments = dict(command["arguments"])
    named = {name: arguments.pop(name, None) for name in ("edition", "set", "file", "player")}
    plan = RunPlan(
        family=command["family"],
        task=f"causarium/{command['family']}",
        version="1.0",
        digest="sha256:ab",
        **named,
        rules=read_rules([f"{name}={value}" for name, value in arguments.items()]),
        model=command["model"],
        options=read_options(options),
        limit=command.get("limit"),
    )
    assert plan.name == command["folder"]


def test_options_become_what_inspect_takes(tmp_path: Path) -> None:
    settings, models = tmp_path / "settings.yaml", tmp_path / "models.json"
    settings.write_text("temperature: 0.1\nseed: 5\n")
    models.write_text('{"device": "cpu"}')
    words = f"--generate-config {settings} --model-config {models} -M dtype=half --temperature 0.7"
    words += " --stop-seqs a,b --logit-bias 42=10,43=-1 --sample-id x,y --tags p,q"
    words += " --fail-on-error --retry-on-error=0 --sample-shuffle --no-sandbox-cleanup"
    words += " --metadata k=1 --cache 7D --batch --adaptive-connections 4-80 --no-log-realtime"
    words += ' --extra-body {"a":1} --sandbox docker:c.yaml --ctl-server false --acp-server'
    words += " --no-parallel-tool-calls --internal-tools --token-limit output:2k --epochs 2"
    arguments = read(words.split()).arguments()
    epochs = arguments.pop("epochs")
    assert (epochs.epochs, epochs.reducer) == (2, None)
    assert arguments.pop("token_limit").tokens == 2_000
    assert arguments.pop("cache").expiry == "7D"
    assert (arguments["adaptive_connections"].min, arguments["adaptive_connections"].max) == (4, 80)
    del arguments["adaptive_connections"]
    assert [arguments.pop(name) for name in ("max_retries", "timeout")] == [6, 3600]
    assert arguments.pop("attempt_timeout") == 1200
    assert arguments == {
        "temperature": 0.7,
        "seed": 5,
        "model_args": {"device": "cpu", "dtype": "half"},
        "stop_seqs": ["a", "b"],
        "logit_bias": {42: 10.0, 43: -1.0},
        "sample_id": ["x", "y"],
        "tags": ["p", "q"],
        "fail_on_error": True,
        "retry_on_error": 0,
        "sample_shuffle": True,
        "sandbox_cleanup": False,
        "metadata": {"k": 1},
        "batch": True,
        "log_realtime": False,
        "extra_body": {"a": 1},
        "sandbox": ("docker", "c.yaml"),
        "ctl_server": False,
        "acp_server": True,
        "parallel_tool_calls": False,
        "internal_tools": True,
    }


def test_variables_of_inspect_are_options_where_none_are_given(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("INSPECT_EVAL_MAX_CONNECTIONS", "3")
    monkeypatch.setenv("INSPECT_EVAL_TEMPERATURE", "0.5")
    monkeypatch.setenv("INSPECT_EVAL_NO_LOG_IMAGES", "1")
    options = read(["--temperature", "0.6"])
    arguments = options.arguments()
    assert (arguments["max_connections"], arguments["temperature"]) == (3, 0.6)
    assert arguments["log_images"] is False
    assert options.outcome() == {"temperature": "0.6", "log_images": "False"}
    assert read([]).outcome() == {"temperature": "0.5", "log_images": "False"}
    request = RunRequest(
        "causallink",
        player="silent",
        set="smoke",
        limit=1,
        options={"ctl_server": False},
        log_dir=tmp_path,
    )
    folder = run_plan(plan_run(request), progress=False)
    (log,) = Path(folder).glob("*.eval")
    assert read_eval_log(str(log), header_only=True).plan.config.max_connections == 3


def test_variables_of_one_run_are_not_those_of_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SET_BEFORE", "1")
    with read(["--env", "SET_BEFORE=2", "--env", "SET_NOW=3"]).environment():
        assert (os.environ["SET_BEFORE"], os.environ["SET_NOW"]) == ("2", "3")
    assert os.environ["SET_BEFORE"] == "1"
    assert "SET_NOW" not in os.environ


def test_a_role_of_a_variable_is_checked_and_priced(monkeypatch: pytest.MonkeyPatch) -> None:
    def plan(family: str) -> RunPlan:
        return plan_run(
            RunRequest(family, model="script/silent", set="smoke", prices=["1,1"], budget=1.0)
        )

    monkeypatch.setenv("INSPECT_EVAL_EPOCHS", "2")
    assert plan("recite").options.epochs == 2
    monkeypatch.setenv("INSPECT_EVAL_MODEL_ROLE", "judge=script/echo")
    with pytest.raises(UsageError, match="--budget needs the price of judge"):
        plan("recite")
    with pytest.raises(UsageError, match="role of causallink 'judge'"):
        plan("causallink")


def test_every_option_of_inspects_command_is_taken_or_refused() -> None:
    """A newer Inspect may have more; this says which ones are not passed on yet."""
    from inspect_ai._cli.eval import eval_set_command

    theirs = {
        word for param in eval_set_command.params for word in (*param.opts, *param.secondary_opts)
    }
    ours = {option_word(name) for name in (*OPTION_KINDS, *REFUSED)}
    ours |= {word.replace("--", "--no-", 1) for word in ours}
    dropped = {word for word in theirs - ours if word.startswith(("--scan", "--sentinel"))}
    assert theirs - ours - dropped <= {"tasks", "-F"}
