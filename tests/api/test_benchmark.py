"""Benchmarks: what they offer, and who can play them."""

from pathlib import Path

import pytest

import causarium as cm
from causarium import families
from causarium.contract.player import Player
from causarium.contract.sets.instance_sets import generate_set
from causarium.errors import BadFile, UnknownName, UsageError
from causarium.families import FAMILIES

LINK = cm.load("causallink")


@pytest.mark.parametrize("name", FAMILIES)
def test_a_benchmark_says_what_it_offers(name: str) -> None:
    benchmark = cm.load(name)
    assert name in cm.list_families()
    assert {"smoke", "standard"} <= benchmark.sets.keys()
    assert {"oracle", "random", "silent"} <= set(benchmark.players)
    paper = cm.load(name, edition="paper")
    for one in (benchmark, paper):
        assert one.family.card.headline[one.edition] in one.metrics
    assert {"smoke", "standard", "paper"} <= paper.sets.keys()
    assert not set(benchmark.levels) & set(paper.levels)
    assert {*benchmark.levels, *paper.levels} == set(families.get(name).levels)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: cm.load("causalink"), "did you mean 'causallink'"),
        (lambda: cm.load("causallink", edition="papr"), "did you mean 'paper'"),
        (lambda: LINK.instances("smok"), "did you mean 'smoke'"),
        (lambda: LINK.instance("smoke", 6), "0 to 5"),
        (lambda: LINK.instances("smoke", limit=-1), "0 or more, not -1"),
        (lambda: LINK.rules(interfase="x"), "did you mean 'interface'"),
        (lambda: LINK.rules(context=1), "context"),
        (lambda: LINK.generate("rong-2", size=1, seed=0), "did you mean 'rung-2'"),
        (lambda: LINK.generate("rung-2", size=0, seed=0), "1 or more, not 0"),
        (lambda: LINK.generate("rung-3", size=2.5), "1 or more, not 2.5"),  # type: ignore[arg-type]
        (lambda: LINK.generate("paper-core", size=1, seed=0), "edition='paper'"),
        (lambda: LINK.play("exakt"), "did you mean 'exact'"),
        (lambda: LINK.play(7), "not a int"),  # type: ignore[arg-type]
        (lambda: LINK.play(lambda *given: None), "yields its moves"),  # type: ignore[arg-type]
        (lambda: LINK.play("silent", LINK.instances("smoke"), limit=-1), "0 or more, not -1"),
        (lambda: LINK.play(Player("Mine."), name="oracle"), "is a reference player"),
        (lambda: LINK.find_instance("smoke", "nothing"), "a number from 0 to 5"),
        (lambda: LINK.find_instance("smoke", "9" * 5_000), "a number from 0 to 5"),
        (lambda: list(cm.check("causalink")), "did you mean 'causallink'"),
    ],
)
def test_a_mistake_says_what_would_work(call, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        call()


@pytest.mark.parametrize("name", FAMILIES)
def test_an_instance_of_something_else_is_refused(name: str) -> None:
    other = cm.load("causalab" if name == "causallink" else "causallink").instance("smoke", 0)
    paper = cm.load(name, edition="paper").instance("smoke", 0)
    certified = cm.load(name)
    for item, said in ((other, f"no instance of {name}"), (paper, "edition='paper'")):
        with pytest.raises(UsageError, match=said):
            certified.open(item)
        with pytest.raises(UsageError, match=said):
            certified.play("silent", [item])
        with pytest.raises(UsageError, match=said):
            cm.open_session(name, instance=item)


def test_a_set_file_is_a_set(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    header = LINK.write_set(path, "rung-3", size=3, seed=5)
    assert header.edition == "certified"
    assert LINK.instances(path) == LINK.generate("rung-3", size=3, seed=5)
    assert LINK.instances(str(path), limit=2) == LINK.instances(path)[:2]
    assert LINK.instance(path, 2) == LINK.find_instance(path, "2")
    rows = LINK.play("silent", path)
    assert {row.set for row in rows} == {"mine"}
    with pytest.raises(UsageError, match="0 to 2"):
        LINK.instance(path, 3)
    with pytest.raises(UsageError, match="edition='certified'"):
        cm.load("causallink", edition="paper").instances(path)
    with pytest.raises(BadFile, match="cannot read"):
        LINK.instances(tmp_path / "none.jsonl")
    with pytest.raises(UsageError, match="is a folder"):
        LINK.write_set(tmp_path, "rung-3", size=3, seed=5)
    with pytest.raises(UsageError, match="no released format"):
        LINK.write_released(path, "rung-2", size=1, seed=0)


def test_a_prompt_is_what_a_model_reads() -> None:
    item = LINK.instance("smoke", 0)
    assert LINK.prompt(item) == LINK.family.prompt(item.public, LINK.rules())
    assert LINK.prompt(item, {"interface": "tools"}) != LINK.prompt(item)


def test_a_certificate_proves_an_instance() -> None:
    certificate = LINK.certify(LINK.instance("smoke", 0))
    assert certificate.certified
    assert (certificate.floor, certificate.ceiling) == (0, 1)


def say_no(public, rules, rng):
    kinds = {action.kind: action for action in LINK.actions}
    yield kinds["trial"](hold=(public.asked,))
    yield kinds["answer"](answer="no")


def test_everybody_can_play(tmp_path: Path) -> None:
    tools = {"interface": "tools"}
    items = LINK.instances("smoke")[2:]
    function = LINK.play(say_no, items, rules=tools)
    player = LINK.play(Player("Says no.", moves=say_no), items, rules=tools)
    scores = [row.numbers["right"] for row in function]
    assert scores == [row.numbers["right"] for row in player]
    assert {row.agent for row in player} == {"player/mine"}
    mine = LINK.play(say_no, iter(items), rules=tools, name="no")
    assert {(row.agent, row.set) for row in mine} == {("player/no", "custom")}
    assert [row.numbers for row in LINK.play("random", seed=1)] != [
        row.numbers for row in LINK.play("random")
    ]


def test_named_sets_are_the_frozen_ones() -> None:
    assert LINK.instances("smoke") == generate_set(LINK.family, "certified", "smoke")
    with pytest.raises(UnknownName):
        cm.load("causallink", edition="paper").instances("themes")
