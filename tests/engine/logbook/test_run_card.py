"""The card of a run: what must agree for two runs to be the same, and how others are told apart."""

from pathlib import Path

import pytest

from causarium.engine.logbook.log_book import LogBook
from causarium.engine.logbook.log_files import find_logs, read_header, write_run_card
from causarium.engine.logbook.run_card import UNKNOWN, RunCard, differences, labels
from causarium.report.data.build_report import build_report
from tests.support.inspect_runs import run_task, task_of
from tests.support.lamps import FAMILY as LAMPS
from tests.support.scripted import in_turn, scripted_model


def play(folder: Path, rules: dict[str, object] | None = None, **given: object) -> RunCard:
    task = task_of(LAMPS, **(rules or {}))
    model = scripted_model(in_turn(["nothing"]))
    log = run_task(task, folder, model, **{"limit": 1, **given})
    return read_header(Path(log.location)).card


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cards")


@pytest.fixture(scope="module")
def cards(folder: Path) -> dict[str, RunCard]:
    return {
        "plain": play(folder / "plain"),
        "again": play(folder / "again", max_connections=3, epochs=2, limit=2),
        "warm": play(
            folder / "warm", {"join_system": True}, temperature=0.7, seed=5, token_limit=10_000
        ),
    }


def test_a_card_says_what_a_run_was(cards: dict[str, RunCard]) -> None:
    warm = cards["warm"]
    assert (warm.family, warm.version) == (LAMPS.name, LAMPS.card.version)
    assert warm.set_digest == LAMPS.card.sets["certified"]["smoke"].digest
    assert warm.prompt_digest.startswith("sha256:")
    assert (warm.settings["temperature"], warm.seed) == (0.7, 5)
    assert (warm.epochs, warm.limit, warm.instances) == (1, "1", 1)
    assert {"python", "causarium", "inspect_ai"} == warm.versions.keys()
    assert UNKNOWN not in warm.versions.values()
    assert warm.rules["interface"] == "json"
    assert RunCard.model_validate_json(warm.model_dump_json()) == warm


def test_a_card_knows_the_command_that_makes_its_run_again(cards: dict[str, RunCard]) -> None:
    words = " ".join(cards["warm"].command())
    assert words.startswith("causarium run lamps --model mockllm/model --edition certified")
    assert "--rule join_system=true --limit 1" in words
    assert {"--temperature 0.7", "--seed 5", "--token-limit 10000"} == {
        part for part in ("--temperature 0.7", "--seed 5", "--token-limit 10000") if part in words
    }
    assert "--epochs 2" in " ".join(cards["again"].command())


def test_pace_and_size_make_no_other_run(cards: dict[str, RunCard]) -> None:
    assert cards["plain"].key == cards["again"].key
    assert differences([cards["plain"], cards["again"]]) == []
    assert cards["plain"].key != cards["warm"].key


def test_what_differs_is_named_with_both_values(cards: dict[str, RunCard]) -> None:
    found = {str(one) for one in differences([cards["plain"], cards["warm"]])}
    assert found == {
        "temperature (default / 0.7)",
        "seed (default / 5)",
        "rule join_system (default / true)",
        "token limit (default / 10000)",
    }


def test_a_version_a_set_and_a_judge_can_differ() -> None:
    one = RunCard(family="f", version="1-A", edition="certified", set="s", agent="m")
    changes = {
        "version": {"version": "2-A"},
        "edition": {"edition": "paper"},
        "set digest": {"set_digest": "sha256:beef"},
        "prompts": {"prompt_digest": "sha256:beef"},
        "judge": {"roles": {"judge": ({"model": "openai/j"},)}},
        "argument organization": {"arguments": {"organization": "x"}},
    }
    for name, change in changes.items():
        (found,) = differences([one, one.model_copy(update=change)])
        assert found.name == name


def test_runs_are_labelled_by_what_sets_them_apart(cards: dict[str, RunCard]) -> None:
    cool = cards["warm"].model_copy(update={"settings": {"seed": 5}})
    found = labels([cool, cards["warm"]])
    assert found[cards["warm"].key] == "temperature=0.7"
    assert found[cool.key] == "temperature=default"


def test_two_runs_of_one_model_do_not_overwrite_one_another(
    cards: dict[str, RunCard], folder: Path
) -> None:
    assert cards
    book = LogBook.read([folder / name for name in ("plain", "warm", "again")])
    apart = {row.variant for row in book.rows}
    assert len(apart) == 2
    assert any("temperature=0.7" in variant for variant in apart)
    # Two instances, one of them twice and one of them once more in the log of the slower run.
    assert len(book.rows) == 4 + 1
    assert len(book.run_cards) == 2
    report = build_report(book.rows, cards=book.run_cards)
    (section,) = report.sections
    shown = {agent.agent for agent in section.agents}
    assert shown == {f"mockllm/model ({variant})" for variant in apart}
    assert shown == {card.name for card in section.cards}
    assert len(section.comparisons) == 1


def test_one_run_alone_has_no_label(cards: dict[str, RunCard], folder: Path) -> None:
    assert cards
    (row,) = LogBook.read([folder / "plain"]).rows
    assert row.variant == ""
    (agent,) = build_report([row]).sections[0].agents
    assert (agent.agent, agent.rows) == ("mockllm/model", 1)


def test_the_card_is_kept_beside_the_log(
    cards: dict[str, RunCard], folder: Path, tmp_path: Path
) -> None:
    write_run_card(tmp_path)
    assert not list(tmp_path.iterdir())
    write_run_card(folder / "warm")
    kept = (folder / "warm" / "card.json").read_text(encoding="utf-8")
    assert RunCard.model_validate_json(kept) == cards["warm"]
    assert len(find_logs([folder / "warm"])) == 1
