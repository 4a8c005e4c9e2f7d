"""recite-synth: long documents made from drawn causal loop graphs, at four rungs of explicitness.

Nothing in them was ever published, so no model can have read them, and what is a cause of what is
drawn at random, so no knowledge of the world helps. The graph, the words of its nodes, each
edge's sentence, the distractors and the order of everything depend on the pool, the seed and the
index alone. Only what a level changes differs between its document and that of another level:

- at 75, 50 and 25 % some nodes are no longer named. The nodes named at a lower rung are among those
  named at every higher one. Of the others one in four is meant by a circumlocution (label 2) and
  the rest are left out (label 3); where a sentence goes, another one about nothing takes its place;
- without synonyms the same sentences call each node by its own name;
- an edge told with the effect first has another sentence, and nothing else changes.
"""

from dataclasses import dataclass
from functools import cached_property
from random import Random

from causarium.families.recite.config import FAMILY_NAME, ReciteConfig
from causarium.families.recite.generation.loop_graphs import Loops, draw_loops
from causarium.families.recite.generation.sentences import Voice, mention
from causarium.families.recite.generation.synthetic_words import (
    Term,
    grammar,
    lexicon,
    subjects,
    terms,
)
from causarium.families.recite.instance import (
    Decoy,
    Document,
    Explicitness,
    NamedEdge,
    ReciteNode,
)
from causarium.seeds import stream

_MEANT = 4
"""One in so many of the nodes that are not named is meant all the same."""
_WORDS_A_SENTENCE = 21
_PARAGRAPH = (3, 7)
_SECTION = (3, 5)


@dataclass(frozen=True)
class Latent:
    """What documents of one pool, seed and index share, whatever the level tells of it."""

    pool: str
    seed: int
    index: int
    smallest: int
    largest: int

    def rng(self, *address: str | int) -> Random:
        """Return the random stream at an address of this latent."""
        return stream(self.seed, FAMILY_NAME, self.pool, self.index, *address)

    @cached_property
    def area(self) -> int:
        """Which area of the lexicon the document is about."""
        return self.rng("area").randrange(len(lexicon().domains))

    @cached_property
    def loops(self) -> Loops:
        """The graph."""
        rng = self.rng("graph")
        return draw_loops(rng, rng.randint(self.smallest, self.largest))

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """What the nodes are called."""
        return tuple(self.rng("terms").sample(terms(self.area), self.loops.size))

    def labels(self, told: int) -> tuple[Explicitness, ...]:
        """Return each node's label where `told` percent of the nodes are named."""
        size = self.loops.size
        named = round(size * told / 100)
        ranks = self.rng("ranks").sample(range(size), size)
        return tuple(1 if rank < named else 3 if rank % _MEANT else 2 for rank in ranks)


@dataclass(frozen=True, slots=True)
class _Said:
    """One sentence, and which edge or decoy it is for."""

    text: str
    edge: int | None = None
    decoy: tuple[str, str] | None = None


def latent_of(config: ReciteConfig, seed: int, index: int) -> Latent:
    """Return what lies behind a document."""
    return Latent(config.pool, seed, index, config.smallest, config.largest)


def write_document(config: ReciteConfig, seed: int, index: int) -> Document:
    """Write document `index` of a level."""
    latent = latent_of(config, seed, index)
    labels = latent.labels(config.told)
    told = _body(config, latent, labels)
    opening = Voice(latent.rng("title"), grammar())
    field = lexicon().domains[latent.area]
    title = opening.phrase(opening.rng.choice(grammar().headings["titles"]), {"field": field.field})
    names = [term.name for term in latent.terms]
    said = {one.edge: one.text for one in told if one.edge is not None}
    return Document(
        key=f"{config.pool}-{seed}-{index}-{config.told}",
        title=title,
        text=_laid_out(latent, title, told),
        nodes=tuple(
            ReciteNode(name=term.name, explicitness=label, aliases=term.aliases)
            for term, label in zip(latent.terms, labels, strict=True)
        ),
        edges=tuple(
            NamedEdge(
                source=names[cause],
                sink=names[effect],
                evidence=(said[number],) if number in said else (),
            )
            for number, (cause, effect) in enumerate(latent.loops.edges)
        ),
        decoys=tuple(
            Decoy(first=one.decoy[0], second=one.decoy[1], sentence=one.text)
            for one in told
            if one.decoy
        ),
        domains=(field.label,),
        source="synth",
        told=config.told,
        latent=f"{config.pool}/{seed}/{index}",
    )


def _body(config: ReciteConfig, latent: Latent, labels: tuple[Explicitness, ...]) -> list[_Said]:
    """Return all sentences in their order."""
    count = len(latent.loops.edges)
    edges = [_edge(config, latent, labels, number) for number in range(count)]
    decoys = [
        _decoy(config, latent, labels, number)
        for number in range(round(count * config.distractors / 100))
    ]
    alone = [_alone(config, latent, labels, node) for node in range(latent.loops.size)]
    said = [*edges, *decoys, *alone]
    missing = max(0, config.words - _WORDS_A_SENTENCE * len(said)) // (_WORDS_A_SENTENCE - 4)
    said += [_filler(latent, "more", number) for number in range(missing)]
    # Each kind of sentence draws its places from its own stream, so that more of one kind does
    # not put the others into another order.
    kinds = (("edges", count), ("decoys", len(decoys)), ("alone", len(alone)), ("more", missing))
    places = [latent.rng("place", kind, n).random() for kind, size in kinds for n in range(size)]
    return [said[i] for i in sorted(range(len(said)), key=places.__getitem__)]


def _edge(
    config: ReciteConfig, latent: Latent, labels: tuple[Explicitness, ...], number: int
) -> _Said:
    cause, effect = latent.loops.edges[number]
    if 3 in (labels[cause], labels[effect]):
        return _filler(latent, "edge", number)
    rng = latent.rng("edge", number)
    words = [
        mention(latent.terms[node], labels[node], rng, synonyms=config.synonyms)
        for node in (cause, effect)
    ]
    way = "up" if latent.loops.rises[number] else "down"
    if 2 in (labels[cause], labels[effect]):
        way = "oblique"
    if rng.randrange(100) < config.effects_first:
        way += "_reversed"
    template = rng.choice(getattr(grammar().edges, way))
    given = {"c": words[0], "e": words[1], "C": _bare(words[0]), "E": _bare(words[1])}
    return _Said(Voice(rng, grammar()).sentence(template, given, framed=True), edge=number)


def _decoy(
    config: ReciteConfig, latent: Latent, labels: tuple[Explicitness, ...], number: int
) -> _Said:
    rng = latent.rng("decoy", number)
    first, second = rng.sample(range(latent.loops.size), 2)
    linked = {frozenset(edge) for edge in latent.loops.edges}
    with_thing = rng.random() < 0.3 or frozenset((first, second)) in linked
    thing = rng.choice(grammar().slots["thing"])
    named = [labels[first] == 1, with_thing or labels[second] == 1]
    words = [
        mention(latent.terms[node], 1, rng, synonyms=config.synonyms) for node in (first, second)
    ]
    if not all(named):
        return _filler(latent, "decoy", number)
    kind = "things" if with_thing else "nodes"
    given = {"a": words[0], "b": words[1], "thing": thing}
    text = Voice(rng, grammar()).sentence(rng.choice(grammar().decoys[kind]), given)
    other = thing if with_thing else latent.terms[second].name
    return _Said(text, decoy=(latent.terms[first].name, other))


def _alone(
    config: ReciteConfig, latent: Latent, labels: tuple[Explicitness, ...], node: int
) -> _Said:
    """Return a sentence about one node and nothing else, so that every named node is named."""
    if labels[node] != 1:
        return _filler(latent, "alone", node)
    rng = latent.rng("alone", node)
    words = mention(latent.terms[node], 1, rng, synonyms=config.synonyms)
    template = rng.choice(grammar().alone["measures"])
    return _Said(Voice(rng, grammar()).sentence(template, {"a": words}))


def _filler(latent: Latent, *address: str | int) -> _Said:
    rng = latent.rng("filler", *address)
    subject = rng.choice(subjects(latent.area))
    given = {"s": rng.choice((subject.name, subject.other))}
    return _Said(Voice(rng, grammar()).sentence(rng.choice(grammar().filler["sentences"]), given))


def _bare(words: str) -> str:
    return words.removeprefix("the ")


def _laid_out(latent: Latent, title: str, told: list[_Said]) -> str:
    """Return the sentences as markdown, in paragraphs of a line each and sections of several."""
    rng = latent.rng("layout")
    blocks = [f"# {title}"]
    left, paragraphs = [one.text for one in told], 0
    while left:
        if paragraphs == 0:
            heading = Voice(rng, grammar())
            opening = rng.choice(grammar().headings["openings"])
            blocks.append(f"## {heading.phrase(opening, {})}")
            paragraphs = rng.randint(*_SECTION)
        size = rng.randint(*_PARAGRAPH)
        blocks.append(" ".join(left[:size]))
        left, paragraphs = left[size:], paragraphs - 1
    return "\n\n".join(blocks)
