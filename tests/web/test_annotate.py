"""Annotations: what is an arrow, what is a slip, and how far two people agree."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from causarium.families.recite.publication.dataset_files import read_samples
from causarium.scoring.annotated_graphs import Annotation, agreement, read_annotation

NAMES = st.sampled_from(["rain", "floods", "damage", "repair"])
EDGES = st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=10)


def written(edges: list[tuple[str, str]]) -> str:
    return "\n".join(f'"{cause}" -> "{effect}"' for cause, effect in edges)


@given(EDGES)
def test_what_is_written_is_read(edges: list[tuple[str, str]]) -> None:
    assert read_annotation(written(edges)).edges == tuple(dict.fromkeys(edges))


@given(EDGES)
def test_everybody_agrees_with_themselves(edges: list[tuple[str, str]]) -> None:
    one = read_annotation(written(edges))
    found = agreement(one, one)
    assert found is not None
    assert (found.precision, found.recall, found.f1) == (1, 1, 1)


@pytest.mark.parametrize(
    ("line", "about"),
    [
        ("rain floods", "write a line as"),
        ('"rain" -> ""', "write a line as"),
        ('"a" -> "b" -> "c"', "write a line as"),
        ('"rain" -> "rain"', "itself"),
        (f'"{"x" * 300}" -> "y"', "at most"),
        ('"Rain" -> "mud"', "look like one thing"),
        ('"rain" -> "floods"', "the same as line 1"),
    ],
)
def test_a_slip_is_named_with_its_line(line: str, about: str) -> None:
    found = read_annotation(f'"rain" -> "floods"\n{line}')
    assert [slip.line for slip in found.slips] == [2]
    assert about in found.slips[0].about


def test_agreement_worked_by_hand() -> None:
    one = Annotation((("a", "b"), ("b", "c"), ("c", "a")), ())
    other = Annotation((("a", "b"), ("c", "b")), ())
    found = agreement(one, other)
    assert found is not None
    assert (found.both, found.missing, found.spurious) == (1, 2, 1)
    assert found.f1 == pytest.approx(0.4)
    # 9 pairs: 1 both, 2 and 1 by one alone, 5 neither; chance 1/3*2/9 + 2/3*7/9.
    assert found.kappa == pytest.approx((6 / 9 - 16 / 27) / (1 - 16 / 27))
    assert agreement(one, Annotation((), ())) is None


def test_the_export_has_the_published_schema(client: TestClient) -> None:
    fields = {"title": "Mud", "text": "It rained.", "edges": '"rain" -> "mud"\nnonsense'}
    reply = client.post("/annotate/export", data=fields)
    record = json.loads(reply.text)
    assert record["edges"] == [{"source": "rain", "target": "mud"}]
    assert (record["num_nodes"], record["num_edges"]) == (2, 1)
    assert "attachment" in reply.headers["content-disposition"]


def test_an_export_is_a_dataset_of_one_document(client: TestClient, tmp_path: Path) -> None:
    fields = {"title": "Mud", "text": "It rained.", "edges": '"rain" -> "mud"'}
    path = tmp_path / "annotation.json"
    path.write_text(client.post("/annotate/export", data=fields).text)
    [sample] = read_samples(path)
    assert (sample.title, sample.pairs) == ("Mud", (("rain", "mud"),))
    again = json.loads(client.post("/annotate/export", data=fields).text)
    assert again["id"] == sample.id > 0


def test_hostile_names_stay_text(client: TestClient) -> None:
    edges = '"<script>alert(1)</script>" -> "</svg><img src=x>"'
    text = client.post("/annotate/check", data={"edges": edges}).text
    assert "<script>alert" not in text
    assert "<img" not in text
