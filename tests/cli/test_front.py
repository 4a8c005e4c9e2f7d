"""The command line as a layer: short files, quick answers, what one family offers."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import causarium as package
from causarium.cli import app
from causarium.families import FAMILIES
from tests.support.typed import Command

CLI = Path(package.__path__[0]) / "cli"
SCREEN = 24


@pytest.mark.parametrize("path", sorted(CLI.rglob("*.py")), ids=lambda path: path.stem)
def test_the_command_line_knows_no_family(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "recite" not in text.lower()


def test_help_names_what_most_people_need_and_where_the_rest_is(causarium: Command) -> None:
    first = causarium("--help").stdout.splitlines()
    assert len(first) <= 32
    commands = [line.split()[0] for line in first if line.startswith("  ")]
    assert len(commands) == 14
    whole = causarium("--help-all").stdout
    assert all(f" {command} " in whole for command in commands)
    run = causarium("run", "--help").stdout.splitlines()
    assert len(run) <= 26
    assert sum(line.startswith("  --") for line in run) == 11
    every = causarium("run", "--help-all").stdout
    assert all(line.split()[0] in every for line in run if line.startswith("  --"))
    assert max(map(len, [*first, *run])) <= 82


def test_list_fits_one_screen(causarium: Command) -> None:
    done = causarium("list")
    assert len(done.stdout.splitlines()) <= SCREEN
    assert all(name in done.stdout for name in FAMILIES)


def test_list_loads_no_familys_code_and_nothing_heavy() -> None:
    code = (
        "import sys; from causarium.cli import app; "
        "from typer.testing import CliRunner; "
        "assert CliRunner().invoke(app, ['list']).exit_code == 0; "
        "loaded = {n for n in sys.modules if n.startswith('causarium.families.')}; "
        "loaded |= {'inspect_ai', 'numpy', 'networkx'} & sys.modules.keys(); "
        "sys.exit(str(loaded) if loaded else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", FAMILIES)
def test_list_of_a_family_names_everything_on_a_line_of_its_own(
    name: str, causarium: Command
) -> None:
    done = causarium("list", name, "--levels", "--baselines", "--metrics", "--rules")
    assert done.returncode == 0, done.stderr
    lines = [line.strip() for line in done.stdout.splitlines()]
    facts = json.loads(causarium("list", name, "--json").stdout)
    for label in [*facts["levels"], *facts["players"], *facts["rules"]]:
        assert any(line.startswith(f"{label} ") for line in lines), label
    for label in facts["metrics"]:
        assert any(line.startswith((f"{label} ", f"{label}*")) for line in lines), label
    assert all(fact["about"] for part in ("players", "metrics") for fact in facts[part].values())
    assert all(rule["about"] and rule["type"] for rule in facts["rules"].values())


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_fits_one_screen_and_names_its_rungs(name: str, causarium: Command) -> None:
    lines = causarium("list", name).stdout.splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 88
    facts = json.loads(causarium("list", name, "--json").stdout)
    assert {"top", "standard", "dials"} == facts["rungs"].keys()
    shown = [line.strip().partition(" ")[0] for line in lines]
    names = {one.rstrip(",") for one in shown}
    assert {*facts["sets"]["certified"], *facts["rungs"]["dials"]} <= names


def test_show_rules_says_type_defaults_and_meaning(causarium: Command) -> None:
    done = causarium("show", "causallink", "--rules")
    assert "interface  json | tools  (certified: json, paper: json)" in done.stdout
    rules = json.loads(causarium("show", "causallink", "--rules", "--json").stdout)
    assert rules["terse_rules"]["default"] == {"paper": True}


def test_show_reads_a_set_file(causarium: Command) -> None:
    words = [
        "generate",
        "causallink",
        "--level",
        "paper-advanced-5",
        "--size",
        "2",
        "--out",
        "a.jsonl",
    ]
    assert causarium(*words).returncode == 0
    first = json.loads(causarium("show", "causallink", "--file", "a.jsonl", "--json").stdout)
    second = json.loads(causarium("show", "causallink", "1", "--file", "a.jsonl", "--json").stdout)
    assert first["id"] != second["id"]
    shown = causarium("show", "causallink", second["id"], "--file", "a.jsonl", "--secret")
    assert second["prompt"]["user"] in shown.stdout
    assert "--- hidden answer ---" in shown.stdout
    missing = causarium("show", "causallink", "7", "--file", "a.jsonl")
    assert (missing.returncode, "a number from 0 to 1" in missing.stderr) == (2, True)


def test_show_writes_the_prompt_of_other_rules(causarium: Command) -> None:
    words = ("show", "causalab", "--edition", "paper", "--set", "smoke")
    usual = causarium(*words, "0").stdout
    dialog = causarium(*words, "--rule", "interface=dialog").stdout
    assert "corridor" in dialog
    assert "corridor" not in usual
    wrong = causarium(*words, "--rule", "interface=nothing")
    assert (wrong.returncode, "interface" in wrong.stderr) == (2, True)


def test_the_card_and_its_json(causarium: Command) -> None:
    assert "Paper: Findings of ACL" in causarium("show", "causallink").stdout
    card = json.loads(causarium("show", "causallink", "--json").stdout)
    assert card["name"] == "causallink"
    assert {"title", "version", "sets", "headline", "tour"} <= card.keys()


def test_version(causarium: Command) -> None:
    assert causarium("--version").stdout == f"causarium {package.__version__}\n"
    again = CliRunner().invoke(app, ["--version"])
    assert again.stdout == f"causarium {package.__version__}\n"
