"""Levels and the groups that rows belong to."""

from itertools import pairwise

import pytest

from causarium.families.recite.paper.generation.facets import (
    EXPLICITNESS_BINS,
    density_bin,
    explicitness_bin,
    facets_of,
)
from causarium.families.recite.paper.generation.generate import generate
from causarium.families.recite.paper.generation.written_documents import mini_keys
from causarium.families.recite.paper.levels import LEVELS
from causarium.families.recite.paper.model.instance import (
    Document,
    NamedEdge,
    ReciteNode,
    lenient_explicitness,
    strict_explicitness,
)
from causarium.families.recite.paper.model.wordings import RUNGS


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
    drawn = generate(LEVELS["paper-synth-verb-names"], 3, 1)
    assert drawn.id == "recite-paper-synth-verb-names-s3-0001"
    assert drawn.facets == facets_of(drawn.public, drawn.secret)
    assert drawn.facets["rung"] == "verb"
    assert drawn.facets["task"] == "names"
    assert drawn.facets["n_nodes"] == len(drawn.secret.linked) == len(drawn.secret.nodes)
    assert drawn.facets["mechanism"] == "synth2/3/1"
    assert not {"year", "month"} & drawn.facets.keys()


def test_a_written_document_counts_under_all_its_domains_and_its_month() -> None:
    found = generate(LEVELS["paper-mini-names"], 0, mini_keys().index("clinic"))
    assert found.facets["domain"] == "Medicine | Economics & Public Policy"
    assert (found.facets["year"], found.facets["month"]) == ("2025", "2025-03")
    assert found.facets["mechanism"] == "mini/clinic"


def test_both_definitions_of_explicitness_are_facets() -> None:
    """A node between the lines is told under one and not under the other."""
    for at in range(4):
        found = generate(LEVELS["paper-mini"], 0, at)
        labels = list(found.secret.labels.values())
        assert found.facets["explicitness"] == explicitness_bin(lenient_explicitness(labels))
        assert found.facets["explicitness_strict"] == explicitness_bin(strict_explicitness(labels))
        assert EXPLICITNESS_BINS.index(str(found.facets["explicitness_strict"])) <= (
            EXPLICITNESS_BINS.index(str(found.facets["explicitness"]))
        )


@pytest.mark.parametrize(
    ("edges", "name"), [(15, "up to 15"), (16, "16-30"), (60, "31-60"), (61, "over 60")]
)
def test_edges_come_in_four_sizes(edges: int, name: str) -> None:
    nodes = [f"{n:03}" for n in range(edges + 1)]
    made = Document(
        key="k",
        title="t",
        text="t",
        nodes=tuple(ReciteNode(name=n, explicitness=1) for n in nodes),
        edges=tuple(NamedEdge(source=a, sink=b) for a, b in pairwise(nodes)),
        source="mini",
    )
    assert facets_of(made.make_public("no_count"), made.secret())["edges"] == name


def test_levels_carry_their_names() -> None:
    assert all(config.level == name for name, config in LEVELS.items())
    for rung in RUNGS:
        assert LEVELS[f"paper-synth-{rung}"].rung == rung
        assert LEVELS[f"paper-synth-{rung}"].task == "given_count"
    assert {config.edition for config in LEVELS.values()} == {"paper"}
