"""Sets in parts: shards in any order give the bytes of one process, and a kill costs a part."""

import json
import os
import random
import signal
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

pytest.importorskip("pyarrow")

from causarium import families
from causarium.api.benchmark import load
from causarium.api.scale.make_parts import make_parts, merge_parts, write_parts
from causarium.api.scale.workers import Workers
from causarium.api.verify import is_set_in_parts, verify_parts
from causarium.contract.places import Place
from causarium.contract.sets.instance_sets import open_set, read_set
from causarium.contract.sets.part_files import (
    SetAddress,
    list_parts,
    make_row,
    read_manifest,
    read_mark,
    read_part,
)
from causarium.contract.sets.splits import (
    CANARY,
    SALT_VARIABLE,
    read_reserved_kin,
    shorten_kin,
    split_seed,
)
from causarium.contract.shard import Shard
from causarium.errors import BadFile, RunError, UsageError
from tests.support.forked_run import start

SALT = SecretStr("nobody has seen this")
LINK = families.get("causallink")


def address(**changes):
    asked = {"level": "rung-3", "seed": 3, "size": 7, "rows": 3, **changes}
    return SetAddress(family="causallink", version=LINK.card.version, **asked)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.slow
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    size=st.integers(1, 12),
    rows=st.integers(1, 5),
    count=st.integers(1, 4),
    start=st.integers(0, 9),
    certified=st.booleans(),
    order=st.randoms(use_true_random=False),
)
def test_shards_in_any_order_write_what_one_process_writes(
    tmp_path_factory, size, rows, count, start, certified, order
):
    folder = tmp_path_factory.mktemp("sets")
    asked = address(size=size, rows=rows, start=start, certified=certified)
    whole = make_parts(folder / "one", asked)
    shards = [Shard(number, count) for number in range(1, count + 1)]
    order.shuffle(shards)
    made = [make_parts(folder / "many", asked, shard=shard) for shard in shards]
    assert contents(folder / "one") == contents(folder / "many")
    assert made[-1].manifest == whole.manifest
    assert sum(len(one.made) for one in made) == asked.count
    header, instances = read_set(folder / "many", LINK)
    expected = [LINK.generate(LINK.level("rung-3"), 3, start + n) for n in range(size)]
    assert instances == expected
    assert header.digest == whole.manifest.digest


@pytest.mark.parametrize(
    ("split", "rows", "count"), [("train", 2, 3), ("validation", 5, 2), ("private", 9, 1)]
)
def test_a_folder_holds_what_a_file_holds_and_nothing_of_a_test(tmp_path, split, rows, count):
    folder, link = tmp_path, load("causallink")
    asked = {"size": 9, "seed": 2, "split": split, "salt": SALT}
    for number in range(count, 0, -1):
        shard = Shard(number, count)
        write_parts(link, folder / "set", "rung-3", rows=rows, shard=shard, certify=False, **asked)
    header, instances = read_set(folder / "set", LINK)
    link.write_set(folder / "set.jsonl", "rung-3", **asked)
    of_file, same = read_set(folder / "set.jsonl", LINK)
    assert (header.parts, instances) == (of_file.parts, same)
    assert not {shorten_kin(LINK, item) for item in instances} & read_reserved_kin(LINK)
    held_back = sum(part.held_back for part in read_manifest(Place.parse(folder / "set")).parts)
    assert held_back > 0


def test_a_private_folder_has_the_canary_and_not_the_salt(tmp_path, monkeypatch):
    asked = {"size": 4, "rows": 2, "split": "private", "salt": SALT}
    write_parts(load("causallink"), tmp_path, "rung-3", **asked)
    manifest = read_manifest(Place.parse(tmp_path))
    assert (manifest.canary, manifest.salt_id, manifest.seed) == (CANARY, "3f38fec1", 0)
    drawn = str(split_seed("private", 0, SALT)).encode()
    for content in contents(tmp_path).values():
        assert b"nobody has seen" not in content
        assert drawn not in content
    monkeypatch.delenv(SALT_VARIABLE, raising=False)
    proof = verify_parts(tmp_path)
    assert (proof.is_verified, proof.drawn, "not drawn again" in proof.notes[0]) == (True, 0, True)
    monkeypatch.setenv(SALT_VARIABLE, SALT.get_secret_value())
    assert verify_parts(tmp_path).drawn == 4


def test_a_level_that_is_all_test_makes_no_parts(tmp_path):
    with pytest.raises(UsageError, match="leaves nothing for"):
        write_parts(load("causallink", edition="paper"), tmp_path, "paper-core60", size=3)
    with pytest.raises(UsageError, match="named sets"):
        write_parts(load("causallink"), tmp_path, "rung-2", size=3, split="test")
    assert not list_parts(Place.parse(tmp_path))


def test_two_processes_write_what_one_writes(tmp_path):
    make_parts(tmp_path / "one", address())
    make_parts(tmp_path / "two", address(), workers=Workers(2))
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


@pytest.mark.parametrize("name", families.FAMILIES)
def test_a_row_is_the_canonical_line_and_its_key(name):
    family = families.get(name)
    level = next(level for level in family.levels.values() if level.edition == "certified")
    instance = family.generate(level, 1, 1)
    row = make_row(1, instance, None)
    assert row.line == instance.line()
    other = make_row(2, instance.model_copy(update={"id": "another"}), None)
    assert other.key == row.key
    assert other.line != row.line


def test_certificates_are_beside_the_instances(tmp_path):
    manifest = make_parts(tmp_path / "set", address()).manifest
    folder = Place.parse(tmp_path / "set")
    link = load("causallink")
    for row in read_part(folder, manifest.parts[0]):
        instance = LINK.read_instance(json.loads(row.line))
        assert json.loads(row.certificate) == json.loads(
            make_row(0, instance, link.certify(instance)).certificate
        )


def test_what_is_there_is_not_made_again(tmp_path):
    make_parts(tmp_path, address())
    (tmp_path / "part-000001.json").unlink()
    (tmp_path / "part-000001.parquet").write_bytes(b"half of it")
    (tmp_path / "manifest.json").unlink()
    again = make_parts(tmp_path, address())
    assert again.made == (1,)
    assert again.found == 2
    assert verify_parts(tmp_path, full=True).is_verified


@pytest.mark.parametrize(
    ("changes", "words"),
    [({"seed": 4}, "seed 3, and 4 is asked"), ({"rows": 2}, "rows 3"), ({"start": 1}, "start 0")],
)
def test_a_folder_of_another_set_is_refused_with_both_values(tmp_path, changes, words):
    make_parts(tmp_path, address(), shard=Shard(1, 2))
    before = contents(tmp_path)
    with pytest.raises(UsageError, match=words):
        make_parts(tmp_path, address(**changes), shard=Shard(2, 2))
    assert contents(tmp_path) == before


def test_no_resume_refuses_a_folder_that_is_not_empty(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="not empty"):
        make_parts(tmp_path, address(), resume=False)


def test_more_shards_than_parts_is_said_and_is_no_error(tmp_path):
    made = make_parts(tmp_path, address(size=2), shard=Shard(2, 4))
    assert not made.made
    assert "more shards than parts" in made.describe()


def test_an_incomplete_folder_is_refused_and_merge_names_what_is_missing(tmp_path):
    make_parts(tmp_path, address(), shard=Shard(2, 2))
    with pytest.raises(BadFile, match="causarium merge"):
        read_set(tmp_path, LINK)
    with pytest.raises(UsageError, match=r"lacks 2 of 3 parts \(0, 2\)"):
        merge_parts(tmp_path)
    with pytest.raises(UsageError, match="holds no part"):
        merge_parts(tmp_path / "elsewhere")


def test_merge_writes_the_manifest_that_was_lost(tmp_path):
    manifest = make_parts(tmp_path, address()).manifest
    (tmp_path / "manifest.json").unlink()
    assert merge_parts(tmp_path) == manifest == read_manifest(Place.parse(tmp_path))


def test_a_set_of_another_version_is_refused(tmp_path):
    with pytest.raises(UsageError, match="version 0-X"):
        make_parts(tmp_path, address().model_copy(update={"version": "0-X"}))
    assert not list_parts(Place.parse(tmp_path))


def test_a_crash_names_the_instance_and_leaves_the_other_parts(tmp_path, monkeypatch):
    from dataclasses import replace

    def generate(config, seed, index):
        if index == 4:
            raise ZeroDivisionError("a bug")
        return LINK.generate(config, seed, index)

    broken = replace(LINK, generate=generate)
    monkeypatch.setattr("causarium.api.scale.make_parts.families.get", lambda *_: broken)
    with pytest.raises(RunError, match=r"instance 4 of rung-3, seed 3: ZeroDivisionError"):
        make_parts(tmp_path, address())
    assert list_parts(Place.parse(tmp_path)) == [0]


def test_an_instance_that_is_not_certified_is_counted(tmp_path, monkeypatch):
    from causarium.players.direct_runner import certify_instance

    def doubt(family, instance, rules):
        certificate = certify_instance(family, instance, rules)
        return certificate.model_copy(update={"certified": not instance.id.endswith("2")})

    monkeypatch.setattr("causarium.api.scale.make_parts.certify_instance", doubt)
    made = make_parts(tmp_path, address())
    assert made.uncertified == 1
    assert [part.uncertified for part in made.manifest.parts] == [1, 0, 0]
    assert "NOT CERTIFIED" in made.describe()


def test_a_set_is_read_in_shards_and_by_rows(tmp_path):
    make_parts(tmp_path, address())
    opened = open_set(tmp_path / "manifest.json", LINK)
    everything = list(opened.instances())
    assert opened.size == len(everything) == 7
    assert list(opened.instances(Shard(2, 3))) == everything[1::3]
    assert [row.number for row in opened.rows(2, 5)] == [2, 3, 4]


def test_every_kind_of_damage_is_found_and_the_part_named(tmp_path):
    make_parts(tmp_path, address())
    assert is_set_in_parts(tmp_path)
    assert verify_parts(tmp_path).is_verified
    whole = contents(tmp_path)

    def spoil(name, content):
        for file, good in whole.items():
            (tmp_path / file).write_bytes(good)
        (tmp_path / name).write_bytes(content)
        return verify_parts(tmp_path, full=True)

    part = whole["part-000001.parquet"]
    assert "part 1" in spoil("part-000001.parquet", part[:-20] + b"x" * 20).problems[0]
    mark = json.loads(whole["part-000002.json"])
    wrong = json.dumps({**mark, "lines": "sha256:0"}).encode()
    assert "part 2" in spoil("part-000002.json", wrong).problems[0]
    manifest = json.loads(whole["manifest.json"])
    wrong = json.dumps({**manifest, "digest": "sha256:0"}).encode()
    assert spoil("manifest.json", wrong).problems == (
        "the manifest's digest is not that of its parts",
    )
    other = json.dumps({**manifest, "seed": 4}).encode()
    assert any("not what the family generates" in p for p in spoil("manifest.json", other).problems)


@pytest.mark.parametrize("damage", [lambda content: content[:-9], lambda content: content[::-1]])
def test_a_damaged_part_is_made_again(tmp_path, damage):
    whole = make_parts(tmp_path, address())
    before = contents(tmp_path)
    part = tmp_path / "part-000001.parquet"
    part.write_bytes(damage(part.read_bytes()))
    with pytest.raises(BadFile, match=r"part-000001\.parquet is damaged"):
        merge_parts(tmp_path)
    again = make_parts(tmp_path, address())
    assert (again.damaged, again.made) == ((1,), (1,))
    assert "part-000001.parquet was damaged and is made again" in again.describe()
    assert again.manifest == whole.manifest
    assert contents(tmp_path) == before


def test_files_that_a_kill_left_are_named_and_ignored(tmp_path):
    make_parts(tmp_path, address())
    (tmp_path / ".part-000001.parquet.77.partial").write_bytes(b"half")
    proof = verify_parts(tmp_path)
    assert proof.is_verified
    assert "killed" in proof.notes[0]
    assert len(read_set(tmp_path, LINK)[1]) == 7


def test_a_file_is_no_folder_of_parts(tmp_path):
    with pytest.raises(UsageError, match="name a folder"):
        write_parts(load("causallink"), tmp_path / "a.jsonl", "rung-3", size=3, seed=0)


KILLS = 30
GENERATE = ["generate", "causalab", "--level", "rung-3", "--size", "120", "--seed", "5"]


@pytest.mark.long
@pytest.mark.xdist_group("survival")
def test_thirty_kills_of_generate_lose_at_most_the_part_in_hand(tmp_path):
    killed, draw = tmp_path / "killed", random.Random(20261116)
    folder, kills = Place.parse(killed), 0
    command = [*GENERATE, "--rows", "2", "--out", str(killed)]
    for _ in range(KILLS):
        before = set(list_parts(folder))
        process = start(command, tmp_path / "said", {})
        while process.process.exitcode is None and set(list_parts(folder)) == before:
            time.sleep(0.005)
        time.sleep(0.05 * draw.random())
        os.kill(process.pid, signal.SIGKILL)
        kills += process.wait() == -signal.SIGKILL
        # What counted before still counts, whole.
        assert before < set(list_parts(folder))
        for part in list_parts(folder):
            read_part(folder, read_mark(folder, part).facts())
    assert kills == KILLS
    last = start(command, tmp_path / "said", {})
    assert last.wait() == 0, last.err
    write_parts(load("causalab"), tmp_path / "calm", "rung-3", size=120, seed=5, rows=2)
    left = [name for name in folder.list_names() if not name.endswith(".partial")]
    assert {n: (killed / n).read_bytes() for n in left} == contents(tmp_path / "calm")


def test_a_killed_merge_leaves_the_parts_and_the_next_one_ends_it(tmp_path):
    whole = make_parts(tmp_path, address())
    before = contents(tmp_path)
    (tmp_path / "manifest.json").unlink()
    child = os.fork()
    if not child:
        # Dies when all is written and nothing is in its place yet.
        Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        merge_parts(tmp_path)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert not (tmp_path / "manifest.json").exists()
    assert merge_parts(tmp_path) == whole.manifest
    left = {name: content for name, content in contents(tmp_path).items() if "partial" not in name}
    assert left == before
