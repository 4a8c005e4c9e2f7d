"""Options for Inspect: read before anything happens, by Inspect's own command."""

import re

import pytest

from causarium.engine.run.inspect_options import check_roles, lasting, read_options, split_family
from causarium.engine.run.prices import AGENT, Price, known_price, read_prices
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
        (["--solver", "x"], "--solver is set by causarium itself"),
        (["-T", "edition=paper"], "--rule NAME=VALUE"),
        (["--limit", "3"], "before the --"),
        (["--no-log-samples"], "cannot be scored again"),
        (["recite"], "stands alone"),
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
    known = {name: get(name).roles for name in ("causallink", "causalgame", "recite")}
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
    one = lasting(["--temperature", "0.6", "--max-connections", "3", "--seed", "1"])
    assert one == lasting(["--seed=1", "--temperature=0.60", "--max-retries", "9"])
    assert one != lasting(["--seed", "2", "--temperature", "0.6"])
    assert lasting(["--limit", "3"]) != lasting([])
    assert lasting([]) == ()


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
    assert known_price("openai/gpt-5", str(file)) == Price(input=2, output=8, cached=0.2)
    assert known_price("nobody/else", str(file)) is None
    assert known_price("nobody/else", None) is None
    with pytest.raises(UsageError, match="there is no file"):
        known_price("openai/gpt-5", str(tmp_path / "none.yaml"))
    file.write_text("openai/gpt-5: {input: 2}\n")
    with pytest.raises(UsageError, match="cannot be read as prices"):
        known_price("openai/gpt-5", str(file))
