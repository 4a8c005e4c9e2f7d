"""The rule judge, measured on documents whose aliases are known."""

from causarium_recite_lab.analysis.match_agreement import match_agreement, match_strangers

from causarium.families.recite.paper.generation.written_documents import mini_document, mini_keys
from causarium.families.recite.paper.model.instance import Document, NamedEdge, ReciteNode


def document(key: str, aliases: dict[str, tuple[str, ...]]) -> Document:
    """Return a document with these nodes."""
    return Document(
        key=key,
        title=key,
        text=key,
        nodes=tuple(
            ReciteNode(name=name, explicitness=1, aliases=also) for name, also in aliases.items()
        ),
        edges=tuple(NamedEdge(source=name, sink=name) for name in aliases),
        source="mini",
        latent=key,
    )


def test_aliases_are_held_out_and_foreign_words_put_in() -> None:
    """One alias is found by its words, one not; a foreign word is like a name of another."""
    sea = document("sea", {"Fleet size": ("size of the fleet", "boats")})
    land = document("land", {"Herd size": ("cattle", "fleet")})
    found = match_agreement([sea, land])
    assert (found.words, found.found, found.mistaken) == (4, 1, 0)
    assert found.foreign == 4
    assert found.recall == 0.25
    assert found.precision == found.found / (found.found + found.invented)


def test_nothing_to_measure_is_no_number() -> None:
    """And no error."""
    found = match_agreement([])
    assert found.words == 0
    assert found.recall != found.recall


def test_the_rule_is_strict_and_mostly_right_on_the_written_documents() -> None:
    """It misses most paraphrases that it was not told of, and rarely takes one for another."""
    found = match_agreement([mini_document(key) for key in mini_keys()])
    assert found.words >= 100
    assert 0.15 < found.recall < 0.6
    assert found.precision > 0.75
    assert found.invented <= 0.05 * found.foreign
    assert "found (recall" in str(found)


def test_rules_alone_take_few_names_of_strangers_and_hardly_a_foreign_one() -> None:
    """Of six for every node, by writers who had not seen the judge, beside foreign ones."""
    found = match_strangers()
    assert (found.words, found.foreign) == (3_480, 3_476)
    assert (found.found, found.mistaken, found.invented) == (707, 20, 10)
    assert round(found.kappa, 3) == 0.204
