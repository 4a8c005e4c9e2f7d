"""Levels and the groups that rows belong to."""

import pytest

from causarium.families.recite.config import LEVELS, RUNGS
from causarium.families.recite.facets import density_bin, explicitness_bin, facets_of
from causarium.families.recite.generate import generate


@pytest.mark.parametrize(
    ("share", "name"),
    [(0.0, "0-25 %"), (0.25, "25-50 %"), (0.74, "50-75 %"), (0.75, "75-100 %"), (1.0, "75-100 %")],
)
def test_a_share_lies_in_one_of_four_bins(share: float, name: str) -> None:
    assert explicitness_bin(share) == name


@pytest.mark.parametrize(
    ("value", "name"), [(0.149, "sparse"), (0.15, "moderate"), (0.3, "dense"), (1, "dense")]
)
def test_density_is_binned_as_published(value: float, name: str) -> None:
    assert density_bin(value) == name


def test_facets_say_what_a_row_may_be_grouped_by() -> None:
    drawn = generate(LEVELS["synth-50-names"], 3, 1)
    assert drawn.id == "recite-synth-50-names-s3-0001"
    assert drawn.facets == facets_of(drawn.public, drawn.secret)
    assert drawn.facets["told"] == 50
    assert drawn.facets["task"] == "names"
    assert drawn.facets["n_nodes"] == len(drawn.secret.nodes)
    assert "year" not in drawn.facets
    assert generate(LEVELS["mini"], 0, 0).facets["year"].isdigit()


def test_levels_of_both_editions_carry_their_names() -> None:
    assert all(config.level == name for name, config in LEVELS.items())
    for told in RUNGS:
        assert LEVELS[f"synth-{told}"].told == LEVELS[f"paper-synth-{told}"].told == told
    assert {c.edition for n, c in LEVELS.items() if n.startswith("paper-")} == {"paper"}


def test_single_changes_are_single() -> None:
    plain = LEVELS["synth-plain"].model_dump()
    for name in ("synth-synonyms", "synth-reversed", "synth-distracted"):
        changed = LEVELS[name].model_dump()
        assert len([key for key in plain if plain[key] != changed[key] and key != "level"]) == 1
