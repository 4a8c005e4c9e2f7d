"""The passages of a made document: accounts, names, verdicts, what is taken back, small talk.

A passage is a paragraph. Its sentences follow one another in order, and asides may stand between
them. Only the forms of statements differ from rung to rung.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

from causarium.families.recite.catalogue.wordings import fill_form
from causarium.families.recite.generation.form_decks import FormDeck, deck_of
from causarium.families.recite.generation.latent_document import Latent, Spoken
from causarium.families.recite.generation.small_talk import Talk
from causarium.families.recite.mechanics.wording import Rung

NICKNAME, CANONICAL = 0.7, 0.85
"""Up to which draw a node is called by its nickname, and by its name; else by a synonym."""
TOPIC, ANAPHOR, FRAMED, CONTINUED, PAIRED, KEPT_TOGETHER = 0.6, 0.8, 0.35, 0.7, 0.5, 0.35
MOST_IN_ACCOUNT = 3


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph, and which sentences of it state what."""

    sentences: tuple[str, ...]
    told: tuple[tuple[int, tuple[str, ...]], ...] = ()
    """The number of each statement and the sentences that make it."""
    source: int | None = None
    """The source that it names."""
    pair: tuple[int, int] | None = None
    """The two names of a decoy."""
    continued: bool = False
    """Whether it only says that the last source goes on."""

    @property
    def text(self) -> str:
        """The paragraph."""
        return " ".join(self.sentences)


def mention(latent: Latent, node: int, rng: Random) -> str:
    """Return words for a node: mostly its nickname."""
    draw, term = rng.random(), latent.terms[node]
    synonym = rng.choice(term.synonyms)
    return (
        latent.nicknames[node] if draw < NICKNAME else term.spoken if draw < CANONICAL else synonym
    )


class _Sayings:
    """Puts statements into words; the forms of a rung come in turn."""

    def __init__(self, latent: Latent, rung: Rung) -> None:
        self._latent, wording = latent, latent.wording
        rng = latent.rng("forms")
        self._forms = FormDeck(rng, wording.rungs.forms(rung))
        self._steps = rung == "mechanism"
        affirm, deny = (
            (wording.affirm_after, wording.deny_after)
            if self._steps
            else (wording.affirm, wording.deny)
        )
        self._affirm, self._deny = deck_of(rng, affirm), deck_of(rng, deny)
        self._anaphors = deck_of(rng, wording.anaphors)

    def state(self, spoken: Spoken, topic: int | None) -> list[str]:
        """Return the sentences of one statement; a denial is one sentence more, or a frame."""
        latent = self._latent
        rng = latent.rng("statement", spoken.number)
        words = {"c": mention(latent, spoken.cause, rng), "e": mention(latent, spoken.effect, rng)}
        by_anaphor, framed = rng.random() < ANAPHOR, rng.random() < FRAMED
        for slot, node in (("c", spoken.cause), ("e", spoken.effect)):
            if by_anaphor and node == topic:
                words[slot] = self._anaphors.deal()[0]
        words["m"] = latent.mediators[spoken.number]
        rises = dict(zip("ce", spoken.rises, strict=True))
        sentences = [fill_form(part, words, rises) for part in self._forms.deal()]
        denied = spoken.kind == "denied"
        if not denied and not framed:
            return [_sentence(part) for part in sentences]
        [frame] = (self._deny if denied else self._affirm).deal()
        if self._steps:
            return [*map(_sentence, sentences), frame]
        return [_sentence(frame.replace("{S}", sentences[0]))]


def write_accounts(latent: Latent, rung: Rung, talk: Talk) -> list[Passage]:
    """Return what the sources say, in the order of the document."""
    passages: list[Passage] = []
    rng, wording, sayings = latent.rng("accounts"), latent.wording, _Sayings(latent, rung)
    openers, continuations, topics = (
        deck_of(rng, forms) for forms in (wording.openers, wording.continuations, wording.topics)
    )
    last: int | None = None
    for group in _group_statements(latent):
        source = group[0].source
        continued = rng.random() < CONTINUED and last == source
        [form] = (continuations if continued else openers).deal()
        last = source
        parts = [_sentence(fill_form(form, {"s": latent.sources[source].name}, {}))]
        topic = rng.choice((group[0].cause, group[0].effect)) if rng.random() < TOPIC else None
        if topic is not None:
            words = {"t": mention(latent, topic, rng)}
            parts.append(_sentence(fill_form(topics.deal()[0], words, {})))
        told = [(spoken.number, tuple(sayings.state(spoken, topic))) for spoken in group]
        units = [*((part,) for part in parts), *(sentences for _, sentences in told)]
        sentences = talk.insert_asides("asides", units)
        passages.append(Passage(sentences, tuple(told), source, continued=continued))
    return passages


def _group_statements(latent: Latent) -> list[list[Spoken]]:
    """Return the statements in groups of one source; groups of one source may stay together."""
    rng = latent.rng("groups")
    groups: list[list[Spoken]] = []
    for source in range(len(latent.sources)):
        mine = [spoken for spoken in latent.statements if spoken.source == source]
        rng.shuffle(mine)
        while mine:
            size = rng.randint(1, MOST_IN_ACCOUNT)
            groups.append(mine[:size])
            mine = mine[size:]
    rng.shuffle(groups)
    ordered: list[list[Spoken]] = []
    while groups:
        same = [g for g in groups if ordered and g[0].source == ordered[-1][0].source]
        group = same[0] if same and rng.random() < KEPT_TOGETHER else groups[0]
        groups.remove(group)
        ordered.append(group)
    return ordered


def write_names(latent: Latent, talk: Talk) -> list[Passage]:
    """Return the passages that say what each nickname means."""
    rng = latent.rng("names")
    nodes = rng.sample(range(len(latent.terms)), len(latent.terms))
    alone, paired = (FormDeck(rng, f) for f in (latent.wording.named, latent.wording.paired))
    passages = []
    while nodes:
        together = nodes[: 2 if len(nodes) > 1 and rng.random() < PAIRED else 1]
        nodes = nodes[len(together) :]
        forms = alone if len(together) == 1 else paired
        slots: dict[str, str] = {}
        for place, node in enumerate(together, 1):
            mark = str(place) if len(together) > 1 else ""
            slots |= {f"n{mark}": latent.terms[node].spoken, f"k{mark}": latent.nicknames[node]}
        units = [(_sentence(fill_form(form, slots, {})),) for form in forms.deal()]
        passages.append(Passage(talk.insert_asides("pauses", units)))
    return passages


def write_verdicts(latent: Latent, talk: Talk) -> list[Passage]:
    """Return the passages that say what is to be made of each source."""
    passages, rng, wording = [], latent.rng("verdicts"), latent.wording
    forms = {"true": wording.true, "turned": wording.turned, "false": wording.false}
    decks = {role: deck_of(rng, sentences) for role, sentences in forms.items()}
    heard = deck_of(rng, wording.heard)
    for number, source in enumerate(latent.sources):
        opening = _sentence(fill_form(heard.deal()[0], {"s": source.name}, {}))
        units = [(opening,), decks[source.role].deal()]
        passages.append(Passage(talk.insert_asides("delays", units), source=number))
    return passages


def write_pairs(latent: Latent, kind: str) -> list[Passage]:
    """Return the passages that take a pair back, or put one side by side without a claim."""
    rng = latent.rng(kind)
    forms = latent.wording.retractions if kind == "retracted" else latent.wording.decoys
    deck, passages = deck_of(rng, forms), []
    for pair in latent.idle_pairs[kind]:
        order = pair if rng.random() < 0.5 else (pair[1], pair[0])
        words = {slot: mention(latent, node, rng) for slot, node in zip("ab", order, strict=True)}
        sentence = _sentence(fill_form(deck.deal()[0], words, {}))
        passages.append(Passage((sentence,), pair=pair if kind == "decoy" else None))
    return passages


def _sentence(words: str) -> str:
    text = words[0].upper() + words[1:]
    return text if text.endswith(".") else f"{text}."


def list_told_sentences(passages: Iterable[Passage]) -> dict[int, tuple[str, ...]]:
    """Return the sentences of each statement."""
    return {number: sentences for passage in passages for number, sentences in passage.told}
