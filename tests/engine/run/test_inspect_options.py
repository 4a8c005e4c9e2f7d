"""Options for Inspect: read before anything happens, as Inspect's own command reads them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import read_eval_log

from causarium.engine.run.inspect_options import (
    check_roles,
    outcome_options,
    parse_options,
    read_options,
    split_family,
)
from causarium.engine.run.option_table import TASKS, option_command
from causarium.engine.run.prices import AGENT, Price, find_price, read_prices
from causarium.engine.run.start_run import RunSpec, run
from causarium.errors import UsageError
from causarium.families import get


def test_what_inspect_understands_is_passed_on_as_it_was_typed() -> None:
    words = ["--temperature", "0.6", "--seed=1", "--reasoning-effort", "high", "--epochs", "3"]
    options = read_options(words)
    assert options.words == tuple(words)
    assert options.epochs == 3
    assert options.given["temperature"] == 0.6
    assert options.given["seed"] == 1
    assert options.roles == {}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--temprature", "1"], "did you mean --temperature"),
        (["--plyer", "x"], "did you mean --player"),
        (["--temperature", "hot"], "not a valid float"),
        (["--epochs"], "requires an argument"),
        (["--solver", "x"], "--solver cannot be set here"),
        (["-T", "edition=paper"], "--rule NAME=VALUE"),
        (["--limit", "3"], "before the --"),
        (["--no-log-samples"], "cannot be scored again"),
        (["recite"], "Unexpected argument 'recite'"),
        (["--model-role", "judge"], "ROLE=PROVIDER/MODEL"),
        (["--model-role", "judge="], "names no model"),
    ],
)
def test_what_cannot_work_is_refused_with_what_would(words: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        read_options(words, ["--player", "--model"])


def test_roles_are_read_in_every_form_that_inspect_has() -> None:
    forms = {
        "judge=openai/a": ("openai/a",),
        "judge=openai/a,google/b": ("openai/a", "google/b"),
        "judge={model: openai/a, temperature: 0.5}": ("openai/a",),
    }
    for form, models in forms.items():
        assert read_options(["--model-role", form]).roles == {"judge": models}


def test_a_role_must_be_asked_by_a_family_that_is_run() -> None:
    known = {name: get(name).card.roles for name in ("causallink", "causalgame", "recite")}
    assert known == {
        "causallink": (),
        "causalgame": ("judge", "interpreter"),
        "recite": ("judge", "repair"),
    }
    check_roles({"judge": 1, "repair": 1}, known)
    with pytest.raises(UsageError, match=r"did you mean 'judge'.*roles: judge, repair"):
        check_roles({"jugde": 1}, {"recite": known["recite"]})
    with pytest.raises(UsageError, match="role of causallink 'judge'; roles: none"):
        check_roles({"judge": 1}, {"causallink": ()})


def test_the_pace_and_the_order_of_options_make_no_other_run() -> None:
    one = outcome_options(["--temperature", "0.6", "--max-connections", "3", "--seed", "1"])
    assert one == outcome_options(["--seed=1", "--temperature=0.60", "--max-retries", "9"])
    assert one != outcome_options(["--seed", "2", "--temperature", "0.6"])
    assert outcome_options(["--limit", "3"]) != outcome_options([])
    assert outcome_options([]) == ()


def test_the_family_is_found_wherever_it_stands() -> None:
    assert split_family(["--seed", "1", "recite"]) == ("recite", ["--seed", "1"])
    words = ["--tags", "recite", "recite", "--epochs", "2"]
    assert split_family(words) == ("recite", ["--tags", "recite", "--epochs", "2"])
    for wrong in (["--seed", "1"], ["--seed", "1", "recite", "causallink"]):
        with pytest.raises(UsageError, match="name one family"):
            split_family(wrong)


def test_prices_are_read_by_role() -> None:
    assert read_prices(["2,8,0.5", "judge=1,2"]) == {
        AGENT: Price(input=2, output=8, cached=0.5),
        "judge": Price(input=1, output=2),
    }
    for wrong in ("2", "2,x", "2,8,1,1", "judge=", "-1,2"):
        with pytest.raises(UsageError, match="IN,OUT"):
            read_prices([wrong])


def test_a_price_is_known_from_a_file_of_prices(tmp_path) -> None:
    file = tmp_path / "prices.yaml"
    file.write_text(
        "openai/gpt-5: {input: 2, output: 8, input_cache_write: 2, input_cache_read: 0.2}\n"
    )
    assert find_price("openai/gpt-5", str(file)) == Price(input=2, output=8, cached=0.2)
    assert find_price("nobody/else", str(file)) is None
    assert find_price("nobody/else", None) is None
    with pytest.raises(UsageError, match="there is no file"):
        find_price("openai/gpt-5", str(tmp_path / "none.yaml"))
    file.write_text("openai/gpt-5: {input: 2}\n")
    with pytest.raises(UsageError, match="cannot be read as prices"):
        find_price("openai/gpt-5", str(file))


RECORDED = json.loads(Path(__file__).with_name("recorded_commands.json").read_text())


@pytest.mark.parametrize("command", RECORDED, ids=lambda command: command["folder"])
def test_a_command_finds_the_folder_that_it_had_before(command: dict[str, Any]) -> None:
    spec = RunSpec(
        task=f"causarium/{command['family']}",
        version="1.0",
        digest="sha256:ab",
        arguments=command["arguments"],
        model=command["model"],
        options=tuple(command["options"]),
    )
    assert spec.folder == command["folder"]


def test_options_become_what_inspect_takes(tmp_path: Path) -> None:
    settings, models = tmp_path / "settings.yaml", tmp_path / "models.json"
    settings.write_text("temperature: 0.1\nseed: 5\n")
    models.write_text('{"device": "cpu"}')
    words = f"--generate-config {settings} --model-config {models} -M dtype=half --temperature 0.7"
    words += " --stop-seqs a,b --limit 3-9 --logit-bias 42=10,43=-1 --sample-id x,y --tags p,q"
    words += " --fail-on-error --retry-on-error=0 --sample-shuffle --no-sandbox-cleanup"
    words += " --metadata k=1 --cache 7D --batch --adaptive-connections 4-80 --no-log-realtime"
    words += ' --extra-body {"a":1} --sandbox docker:c.yaml --ctl-server false --acp-server'
    words += " --no-parallel-tool-calls --internal-tools --token-limit output:2k --epochs 2"
    arguments = parse_options(words.split()).arguments()
    epochs = arguments.pop("epochs")
    assert (epochs.epochs, epochs.reducer) == (2, None)
    assert arguments.pop("token_limit").tokens == 2_000
    assert arguments.pop("cache").expiry == "7D"
    assert (arguments["adaptive_connections"].min, arguments["adaptive_connections"].max) == (4, 80)
    del arguments["adaptive_connections"]
    assert arguments == {
        "temperature": 0.7,
        "seed": 5,
        "model_args": {"device": "cpu", "dtype": "half"},
        "stop_seqs": ["a", "b"],
        "limit": (2, 9),
        "logit_bias": {42: 10.0, 43: -1.0},
        "sample_id": ["x", "y"],
        "tags": ["p", "q"],
        "fail_on_error": True,
        "retry_on_error": None,
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
        "internal_tools": None,
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--generate-config", "none.yaml"], "there is no file none.yaml"),
        (["--limit", "few"], "a number or a range"),
        (["--logit-bias", "x"], "42=10"),
        (["--token-limit", "many"], "not a token limit"),
        (["--sample-shuffle=x"], "not a seed"),
        (["-M", "x"], "NAME=VALUE"),
        (["--scan-name", "x"], "scans and sentinels are not passed on"),
        (["--adaptive-connections", "x"], "adaptive_connections"),
    ],
)
def test_a_value_that_cannot_be_read_is_named(words: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        parse_options(words).arguments()


def test_variables_of_inspect_are_read_and_make_no_other_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("INSPECT_EVAL_MAX_CONNECTIONS", "3")
    monkeypatch.setenv("INSPECT_EVAL_TEMPERATURE", "0.5")
    options = parse_options(["--temperature", "0.6"])
    assert options.arguments() == {"max_connections": 3, "temperature": 0.6}
    assert outcome_options([]) == ()
    spec = RunSpec(
        task="causarium/causallink",
        version="1",
        digest="a",
        arguments={"edition": "certified", "set": "smoke", "player": "silent"},
        options=("--limit", "1", "--ctl-server", "false"),
    )
    (log,) = run(spec, tmp_path, display="none").path.glob("*.eval")
    assert read_eval_log(str(log), header_only=True).plan.config.max_connections == 3


def test_every_option_of_inspects_command_is_taken_or_refused() -> None:
    """A newer Inspect may have more; this says which ones are not passed on yet."""
    from inspect_ai._cli.eval import eval_set_command

    theirs = {
        name for param in eval_set_command.params for name in (*param.opts, *param.secondary_opts)
    }
    ours = {
        name for param in option_command().params for name in (*param.opts, *param.secondary_opts)
    }
    dropped = {name for name in theirs - ours if name.startswith(("--scan", "--sentinel"))}
    assert theirs - ours - dropped <= {TASKS, "-F", "--debug-port", "--no-detach"}
