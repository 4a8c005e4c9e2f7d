"""Set files: there and back again, and every way in which one can be wrong."""

import json
import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from causarium.contract.family_card import Part
from causarium.contract.sets.instance_sets import (
    find_set,
    generate_instances,
    generate_one,
    generate_set,
    read_set,
    set_digest,
    write_set,
)
from causarium.errors import BadFile, ContractError, UnknownName
from tests.support.broken_lamps import draw_otherwise
from tests.support.lamps import FAMILY as LAMPS
from tests.support.vary_family import vary

PARTS = (Part(level="small", size=3), Part(level="large", size=2, seed=5, start=7))
parts = st.lists(
    st.builds(
        Part,
        level=st.sampled_from(["small", "large"]),
        size=st.integers(1, 4),
        seed=st.integers(0, 9),
        start=st.integers(0, 20),
    ),
    min_size=1,
    max_size=3,
)


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "set.jsonl"
    write_set(file, LAMPS, "certified", PARTS)
    return file


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts)
def test_a_set_survives_a_trip_through_a_file(tmp_path, chosen):
    header = write_set(tmp_path / "set.jsonl", LAMPS, "certified", chosen)
    again, instances = read_set(tmp_path / "set.jsonl", LAMPS)
    assert again == header
    assert instances == list(generate_instances(LAMPS, chosen))


@given(parts)
def test_a_set_is_its_parts_one_after_another(chosen):
    one_by_one = [instance for part in chosen for instance in generate_instances(LAMPS, [part])]
    assert list(generate_instances(LAMPS, chosen)) == one_by_one


def test_the_digest_depends_on_the_order():
    instances = list(generate_instances(LAMPS, PARTS))
    assert set_digest(instances) != set_digest(instances[::-1])


def test_a_named_set_is_drawn_whole_or_spread_over_its_levels():
    whole = generate_set(LAMPS, "certified", "standard")
    assert len(whole) == 40
    few = generate_set(LAMPS, "certified", "standard", limit=3)
    assert [one.id for one in few] == ["lamps-small-0-0000", "lamps-small-0-0001", few[2].id]
    assert few == [one for one in whole if one in few]
    assert generate_set(LAMPS, "certified", "standard", limit=400) == whole


@pytest.mark.parametrize("split", [None, "train"])
def test_one_instance_is_drawn_alone_as_it_is_in_its_set(split):
    parts_of_set = (PARTS[0], PARTS[1].model_copy(update={"split": split}))
    spec = LAMPS.card.sets["certified"]["smoke"].model_copy(update={"parts": parts_of_set})
    card = LAMPS.card.model_copy(update={"sets": {"certified": {"mine": spec}}})
    family = LAMPS.with_companions(card=card)
    whole = list(generate_instances(family, parts_of_set))
    assert [generate_one(family, "certified", "mine", n) for n in range(len(whole))] == whole


def test_a_generator_that_changed_is_found_out_by_the_digest():
    changed = vary(LAMPS, generate=draw_otherwise)
    with pytest.raises(ContractError, match="the generator changed without a new version"):
        generate_set(changed, "certified", "smoke")


def test_an_unknown_set_level_or_player_is_refused_with_the_nearest_one():
    with pytest.raises(UnknownName, match=r"set 'smke'; did you mean 'smoke'\? certified sets"):
        find_set(LAMPS, "certified", "smke")
    with pytest.raises(UnknownName, match=r"level 'smal'; did you mean 'small'\? levels"):
        LAMPS.level("smal")
    with pytest.raises(UnknownName, match=r"player 'orcale'; did you mean 'oracle'\? players"):
        LAMPS.player("orcale")


def rewrite(path, change):
    lines = path.read_text().splitlines()
    path.write_text("\n".join(change(lines)) + "\n")


def with_header(**changes):
    return lambda lines: [json.dumps({**json.loads(lines[0]), **changes}), *lines[1:]]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: [], r"line 1 of .* is not the header of a set file \(not a JSON object\)"),
        (lambda lines: lines[1:], r"line 1 .* `causarium generate` writes one"),
        (with_header(family="candles"), "holds candles instances, not lamps ones"),
        (with_header(version="0-Z"), "drawn by version 0-Z of lamps and this is version 1-A; draw"),
        (with_header(digest="sha256:0"), "but its first line says sha256:0: it was changed after"),
        (with_header(extra=1), r"not the header of a set file \(extra: "),
        (lambda lines: lines[:-1], "it was changed after it was written; draw it again"),
        (lambda lines: [lines[0], *lines[:0:-1]], "it was changed after it was written"),
        (lambda lines: [*lines[:-1], lines[-1][:-9]], "line 6 of .* is not JSON"),
        (lambda lines: [*lines, "[" * 10_000], "line 7 of .* is not JSON: .*recursion"),
        (lambda lines: [*lines, "{}"], "line 7 of .* is not a lamps instance: id: Field required"),
    ],
)
def test_a_damaged_set_file_says_what_is_wrong(path, change, message):
    rewrite(path, change)
    with pytest.raises(BadFile, match=message):
        read_set(path, LAMPS)


def test_a_missing_or_binary_file_says_so(tmp_path):
    with pytest.raises(BadFile, match="cannot read the set file"):
        read_set(tmp_path / "none.jsonl", LAMPS)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadFile, match="cannot read the set file"):
        read_set(tmp_path / "binary", LAMPS)


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path):
    (tmp_path / "taken").mkdir()
    with pytest.raises(BadFile, match="cannot write"):
        write_set(tmp_path / "taken", LAMPS, "certified", PARTS)
    assert [entry.name for entry in tmp_path.iterdir()] == ["taken"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "Lamps"', "title = ", "is not TOML"),
        ('title = "Lamps"', 'titel = "Lamps"', "is not a card: title: Field required"),
        ("size = 6", "size = 0", "greater than 0"),
    ],
)
def test_a_bad_card_says_what_is_wrong(tmp_path, old, new, message):
    folder = tmp_path / "lamps"
    shutil.copytree(LAMPS.folder, folder)
    card = folder / "card.toml"
    card.write_text(card.read_text().replace(old, new))
    with pytest.raises(BadFile, match=message):
        _ = vary(LAMPS, folder=folder).card
