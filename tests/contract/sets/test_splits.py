"""Splits: seed spaces apart, and no instance of one is another's under other names."""

from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from pydantic import SecretStr

import causarium as cm
from causarium import families
from causarium.contract.sets import splits
from causarium.contract.sets.instance_sets import generate_instances, read_set
from causarium.contract.sets.splits import (
    CANARY,
    SALT_VARIABLE,
    read_reserved_kin,
    read_salt,
    shorten_kin,
    split_part,
    split_seed,
)
from causarium.errors import BadFile, UsageError

SALT = SecretStr("nobody has seen this")
DRAWN = ("train", "validation", "private")


def draw(name: str, split: splits.Split, size: int, level: str = "") -> list[object]:
    family = families.get(name)
    part = split_part(level or family.card.ladder[0], split, size=size, seed=3, salt=SALT)
    return list(generate_instances(family, [part]))


def test_a_seed_tells_its_split() -> None:
    spaces = {
        split: {split_seed(split, seed, SALT) >> 60 for seed in (0, 1, 2**56 - 1)}
        for split in DRAWN
    }
    assert spaces == {"train": {1}, "validation": {2}, "private": {3}}
    assert split_seed("private", 1, SALT) != split_seed("private", 1, SecretStr("other"))


@pytest.mark.slow
@pytest.mark.parametrize("name", families.FAMILIES)
def test_splits_have_no_kin_in_common(name: str) -> None:
    family = families.get(name)
    kin = {split: {shorten_kin(family, item) for item in draw(name, split, 4)} for split in DRAWN}
    for one, other in combinations(DRAWN, 2):
        assert not kin[one] & kin[other]
    for split in DRAWN:
        assert not kin[split] & read_reserved_kin(family)


@pytest.mark.long
@pytest.mark.parametrize("name", families.FAMILIES)
def test_the_file_of_reserved_kin_is_that_of_all_named_sets(name: str) -> None:
    family = families.get(name)
    assert (family.folder / splits.RESERVED).read_bytes() == splits.collect_kin(family)


@pytest.mark.parametrize("name", families.FAMILIES)
def test_what_is_in_a_set_is_held_back(name: str) -> None:
    family = families.get(name)
    for edition in ("certified", "paper"):
        for item in cm.load(name, edition=edition).instances("smoke"):
            assert shorten_kin(family, item) in read_reserved_kin(family)


@pytest.mark.parametrize("name", families.FAMILIES)
def test_an_instance_depends_on_its_number_alone(name: str) -> None:
    family, level = families.get(name), families.get(name).card.ladder[0]
    part = split_part(level, "train", size=4, seed=3)
    whole = list(generate_instances(family, [part]))
    assert whole[3] == splits.draw_at(family, part, 3).instance
    assert whole[2:] == list(
        generate_instances(family, [part.model_copy(update={"start": 2, "size": 2})])
    )
    assert whole[3] == cm.open_session(name, level=level, seed=3, index=3).instance
    assert len({item.id for item in whole}) == 4


@pytest.mark.parametrize("name", families.FAMILIES)
def test_ids_say_the_split_and_its_seed(name: str) -> None:
    for split in DRAWN:
        for item in draw(name, split, 2):
            assert f"{split}-s3" in item.id
            assert str(split_seed(split, 3, SALT)) not in item.line()


def test_kin_of_a_case_under_other_names() -> None:
    from causarium.families.causallink.paper.model.instance import ARROW

    family, rng = families.get("causallink", "paper"), Random(1)
    for level in ("paper-core", "paper-advanced-5"):
        item = family.generate(family.level(level), 11, 4)
        shapes = item.public.shapes
        new = dict(zip(shapes, [f"n{place}" for place in range(len(shapes))], strict=True))
        order = rng.sample(shapes, len(shapes))
        public = item.public.model_copy(
            update={
                "shapes": tuple(new[s] for s in order),
                "moving": tuple(new[s] for s in order if s in item.public.moving),
                "cause": new[item.public.cause],
                "effect": new[item.public.effect],
            }
        )
        edges = [edge.split(ARROW) for edge in item.secret.edges]
        renamed = tuple(f"{new[a]}{ARROW}{new[b]}" for a, b in edges)
        secret = item.secret.model_copy(update={"edges": renamed})
        other = item.model_copy(update={"public": public, "secret": secret})
        assert family.proofs.canonical_key(other) == family.proofs.canonical_key(item)


def test_a_level_that_is_all_test_is_refused() -> None:
    for name, level, edition in (
        ("causallink", "paper-core60", "paper"),
        ("recite", "paper-mini", "paper"),
    ):
        with pytest.raises(UsageError, match=f"{name}/{level} leaves nothing for train: its"):
            cm.load(name, edition=edition).generate(level, size=1)


def test_a_number_is_drawn_though_a_thousand_draws_of_it_belong_to_others() -> None:
    part = splits.Part(level="rung-2", size=1, seed=0, split="train")
    assert splits.draw_at(families.get("causallink"), part, 855906522).instance.id.endswith(
        "855906522"
    )


def test_generate_draws_train_and_refuses_test() -> None:
    link = cm.load("causallink")
    assert "train-s0" in link.generate("rung-3", size=1)[0].id
    with pytest.raises(UsageError, match="named sets"):
        link.generate("rung-3", size=1, split="test")


def test_a_salt_comes_from_a_file_or_the_environment_and_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, file = cm.load("causallink"), tmp_path / "private.jsonl"
    monkeypatch.delenv(SALT_VARIABLE, raising=False)
    with pytest.raises(UsageError, match="needs a salt"):
        link.generate("rung-3", size=1, split="private", salt=read_salt())
    (tmp_path / "salt").write_text("nobody has seen this\n")
    monkeypatch.setenv(SALT_VARIABLE, "nobody has seen this")
    assert read_salt(tmp_path / "salt") == read_salt() == SALT
    header = link.write_set(file, "rung-3", size=2, split="private", salt=SALT)
    assert (header.parts[0].canary, header.parts[0].salt_id) == (CANARY, "3f38fec1")
    text = file.read_text()
    assert "nobody" not in text
    assert CANARY in text
    assert read_set(file, link.family)[1] == link.generate(
        "rung-3", size=2, split="private", salt=SALT
    )
    (tmp_path / "salt").write_text("\n")
    with pytest.raises(BadFile, match="is empty"):
        read_salt(tmp_path / "salt")
    with pytest.raises(BadFile, match="cannot read the salt file"):
        read_salt(tmp_path / "none")


def test_no_command_takes_a_salt_itself() -> None:
    import click
    import typer

    from causarium.cli import app

    def options(command: click.Command) -> set[str]:
        inner = getattr(command, "commands", {}).values()
        return {o for p in command.params for o in p.opts}.union(*map(options, inner))

    salts = {option for option in options(typer.main.get_command(app)) if "salt" in option}
    assert salts == {"--salt-file"}


def test_the_canary_is_in_no_prompt() -> None:
    for name in families.FAMILIES:
        assert CANARY not in cm.open_session(name).opening
