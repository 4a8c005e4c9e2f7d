"""Exports: they load, they play again to the same reward, and hold nothing that is held out."""

import json
from pathlib import Path

import pytest
from causarium_data.export_data import default_player, export_data

import causarium as cm
from causarium import families
from causarium.contract.sets.splits import CANARY, read_reserved_kin
from causarium.errors import UnknownName, UsageError

COLUMNS = {"id", "messages", "reward", "family", "level", "split", "seed", "index", "kin", "canary"}


def read_lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("name", families.FAMILIES)
def test_a_demonstration_earns_its_reward_when_it_is_said_again(name: str, tmp_path: Path) -> None:
    file = tmp_path / "data.jsonl"
    assert export_data(cm.load(name), file, form="sft", size=1) == 1
    (row,) = read_lines(file)
    assert set(row) == COLUMNS
    assert (row["reward"], row["canary"]) == (1.0, CANARY)
    texts = [message["content"] for message in row["messages"]]
    assert CANARY not in "".join(texts)
    assert bytes.fromhex(row["kin"].removeprefix("sha256:"))[:8] not in read_reserved_kin(
        families.get(name)
    )
    place = {key: row[key] for key in ("level", "split", "seed", "index")}
    session = cm.open_session(name, **place)
    assert session.instance.id == row["id"]
    assert session.family.proofs.canonical_key(session.instance) == row["kin"]
    assert [message["content"] for message in session.messages] == texts[: len(session.messages)]
    for message in row["messages"]:
        if message["role"] == "assistant":
            session.step(message["content"])
    assert (session.done, session.reward) == (True, 1.0)


def test_every_format_holds_the_same_rows(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    lab, given = cm.load("causalab"), {"size": 3, "seed": 4, "split": "validation"}
    export_data(lab, tmp_path / "a.jsonl", form="sft", **given)
    export_data(lab, tmp_path / "b.parquet", form="parquet", **given)
    export_data(lab, tmp_path / "c", form="hf", **given)
    rows = read_lines(tmp_path / "a.jsonl")
    assert parquet.read_table(tmp_path / "b.parquet").to_pylist() == rows
    assert parquet.read_table(tmp_path / "c/data/validation.parquet").to_pylist() == rows
    files = {p.relative_to(tmp_path / "c").as_posix() for p in (tmp_path / "c").rglob("*.*")}
    assert files >= {"README.md", "croissant.json", "data/validation.parquet"}
    assert (tmp_path / "c/LICENSE").read_text().strip()
    assert CANARY in (tmp_path / "c/README.md").read_text()
    croissant = json.loads((tmp_path / "c/croissant.json").read_text())
    assert {field["name"] for field in croissant["recordSet"][0]["field"]} == COLUMNS


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"split": "test"}, "named sets"),
        ({"split": "private"}, "held out"),
        ({"player": "oracle"}, "sees the truth"),
        ({"player": "silent", "level": "rung-2"}, "in 0 of"),
        ({"player": "exakt"}, "did you mean"),
        ({"form": "csv"}, "format"),
        ({"out": Path()}, "not the folder"),
        ({"form": "hf", "out": Path("x.jsonl")}, "hf writes a folder"),
        ({"size": 0}, "1 or more, not 0"),
    ],
)
def test_what_must_not_be_exported_is_refused(
    given: dict[str, object], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("causarium_data.export_data.MOST_TRIES", 1)
    asked = {"out": tmp_path / "out.jsonl", "form": "sft", "size": 1, **given}
    with pytest.raises((UsageError, UnknownName), match=message):
        export_data(cm.load("causallink"), **asked)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", families.FAMILIES)
def test_the_player_of_demonstrations_sees_no_secret(name: str) -> None:
    family = families.get(name)
    assert not family.player(default_player(family)).sees_truth
