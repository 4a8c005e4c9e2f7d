"""The written documents: what their graphs say of them is true of their texts."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from causarium.errors import BadFile, UsageError
from causarium.families.recite.paper.generation.facets import explicitness_bin, nodes_on_cycles
from causarium.families.recite.paper.generation.generate import generate
from causarium.families.recite.paper.generation.written_documents import (
    FOLDER,
    mini_document,
    mini_keys,
    read_document,
)
from causarium.families.recite.paper.levels import LEVELS
from causarium.families.recite.paper.model.instance import DOMAINS, Document, lenient_explicitness
from causarium.families.recite.paper.publication.dataset_row import is_named

KEYS = mini_keys()
ACYCLIC = {"embankment"}

every_document = pytest.mark.parametrize("document", [mini_document(key) for key in KEYS], ids=KEYS)


def pairs(document: Document) -> set[tuple[str, str]]:
    return {(edge.source, edge.sink) for edge in document.edges}


def test_there_are_at_least_twenty_four_of_them_in_all_published_domains() -> None:
    assert len(KEYS) >= 24
    assert sum(len(mini_document(key).text) >= 20_000 for key in KEYS) >= 14
    assert {domain for key in KEYS for domain in mini_document(key).domains} == set(DOMAINS)
    assert len({mini_document(key).domains[0] for key in KEYS}) == len(DOMAINS)


@every_document
def test_a_document_has_a_length_and_a_graph_of_the_promised_size(document: Document) -> None:
    assert 1500 <= len(document.text.split()) <= 6000
    assert 8 <= len(document.nodes) <= 40
    assert document.title in document.text
    assert document.abstract


@every_document
def test_its_labels_are_true_of_its_text(document: Document) -> None:
    text = document.text.casefold()
    for node in document.nodes:
        named = [name for name in (node.name, *node.aliases) if is_named(name, text)]
        assert bool(named) == (node.explicitness == 1), (node.name, named)


@every_document
def test_its_evidence_stands_in_it_word_for_word(document: Document) -> None:
    sentences = [said for edge in document.edges for said in edge.evidence]
    for said in (*sentences, *(decoy.sentence for decoy in document.decoys)):
        assert said in document.text
        assert said[-1] in '.!?"'


@every_document
def test_a_stated_edge_names_both_of_its_ends_where_they_are_named_at_all(
    document: Document,
) -> None:
    nodes = {node.name: node for node in document.nodes}
    for edge in document.edges:
        ends = [nodes[edge.source], nodes[edge.sink]]
        if any(end.explicitness == 3 for end in ends):
            assert not edge.evidence
        for said in edge.evidence:
            for end in (end for end in ends if end.explicitness == 1):
                assert any(is_named(n, said.casefold()) for n in (end.name, *end.aliases))


@every_document
def test_nearly_all_edges_between_named_nodes_are_stated(document: Document) -> None:
    labels = {node.name: node.explicitness for node in document.nodes}
    named = [e for e in document.edges if labels[e.source] == labels[e.sink] == 1]
    assert sum(bool(edge.evidence) for edge in named) >= 0.9 * len(named)


@every_document
def test_it_is_cyclic_where_that_is_said(document: Document) -> None:
    assert bool(nodes_on_cycles(pairs(document))) == (document.key not in ACYCLIC)


@every_document
def test_every_node_has_an_edge_and_no_edge_stands_twice(document: Document) -> None:
    assert {name for pair in pairs(document) for name in pair} == {n.name for n in document.nodes}
    assert len(pairs(document)) == len(document.edges)
    assert all(source != sink for source, sink in pairs(document))


@every_document
def test_its_distractors_are_no_edges(document: Document) -> None:
    assert len(document.decoys) >= 3
    for decoy in document.decoys:
        both = {(decoy.first, decoy.second), (decoy.second, decoy.first)}
        assert not both & pairs(document)
        assert decoy.first in {node.name for node in document.nodes}


@every_document
def test_no_name_can_be_taken_for_another(document: Document) -> None:
    spoken = [
        (node.name, name.casefold())
        for node in document.nodes
        for name in (node.name, *node.aliases)
    ]
    assert len({name for _, name in spoken}) == len(spoken)


@every_document
def test_the_table_of_documents_is_true(document: Document) -> None:
    table = (FOLDER / "README.md").read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in table if line.startswith(f"| `{document.key}` |")]
    counts = Counter(node.explicitness for node in document.nodes)
    words = f"{len(document.text.split()):,}"
    labels = f"{counts[1]} / {counts[2]} / {counts[3]}"
    assert f"| {words} | {len(document.nodes)} | {len(document.edges)} | {labels} |" in line


def test_they_differ_in_how_much_they_tell() -> None:
    shares = [
        lenient_explicitness(node.explicitness for node in mini_document(key).nodes) for key in KEYS
    ]
    assert len({explicitness_bin(share) for share in shares}) > 1
    assert max(shares) == 1.0


def test_the_graph_beside_a_text_has_no_key_that_is_not_read() -> None:
    for key in KEYS:
        found = tomllib.loads((FOLDER / f"{key}.toml").read_text(encoding="utf-8"))
        assert set(found["aliases"]) <= set(found["nodes"])


def test_index_i_is_document_i_under_each_task() -> None:
    for suffix, task in (("", "given_count"), ("-open", "no_count"), ("-names", "names")):
        drawn = generate(LEVELS[f"paper-mini{suffix}"], 0, 3)
        assert drawn.public.task == task
        assert drawn.public.text == mini_document(KEYS[3]).text
        assert (drawn.public.n_nodes is None) == (task != "given_count")
        assert (drawn.public.names is None) == (task != "names")
        if drawn.public.names is not None:
            assert drawn.public.names == drawn.secret.names


def test_more_documents_than_there_are_cannot_be_drawn() -> None:
    with pytest.raises(UsageError, match=f"{len(KEYS)} documents"):
        generate(LEVELS["paper-mini-names"], 0, len(KEYS))


def test_a_damaged_document_is_refused_with_its_field(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_text("Nothing.", encoding="utf-8")
    lines = ['title = "x"', 'abstract = ""', "domains = []", 'date = ""', "edges = []"]
    lines += ["[nodes]", '"A" = 4']
    (tmp_path / "x.toml").write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(BadFile, match=r"nodes\.A"):
        read_document(tmp_path / "x.toml")
    with pytest.raises(BadFile, match="cannot read"):
        read_document(tmp_path / "y.toml")
