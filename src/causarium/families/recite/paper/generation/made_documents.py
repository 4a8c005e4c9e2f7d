"""Paper edition: write made documents: sentences for edges, distractions, and talk.

A document is a graph of `made_graphs.py`, told by the wordings of a rung in the order of a
discourse, with filler between. They are ciphers, kept for the digests of the paper edition: whoever
holds the wordings can read them back exactly.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from ..levels import ReciteConfig
from ..model.instance import Decoy, Document, NamedEdge, ReciteNode
from ..model.wordings import Rung, fill_form, list_options
from .made_graphs import Latent, Spoken

_BETWEEN = "\n"


class FormDeck:
    """Deals the forms of one function, each as its sentences."""

    def __init__(self, rng: Random, forms: Sequence[Sequence[str]]) -> None:
        self._rng = rng
        self._forms = forms
        self._options: list[list[list[str]]] = [[] for _ in forms]
        self._left: list[int] = []
        self._last = -1

    def deal(self) -> list[str]:
        """Return the next form, with one of its details."""
        if not self._left:
            self._left = self._rng.sample(range(len(self._forms)), len(self._forms))
            if self._left[-1] == self._last:
                self._left.reverse()
        self._last = self._left.pop()
        options = self._options[self._last]
        if not options:
            every = [
                option.split(_BETWEEN)
                for option in list_options(_BETWEEN.join(self._forms[self._last]))
            ]
            options += self._rng.sample(every, len(every))
        return options.pop()


def deck_of(rng: Random, sentences: Sequence[str]) -> FormDeck:
    """Return a deck of forms of one sentence."""
    return FormDeck(rng, [(sentence,) for sentence in sentences])


EARLIEST, LATEST, TELEPHONES = 1871, 1959, 1908
NEIGHBOURS = 16
_ASIDE = 0.35
_ARTICLE = re.compile(r"\b([Aa])(?= [aeio])")
_FILLER = Path(__file__).parents[1] / "model" / "filler.toml"
_PRONOUNS = {"he": "she", "him": "her", "his": "her", "himself": "herself"}


@cache  # 8 ms, for every sentence of small talk
def filler() -> dict[str, Any]:
    """Return the small talk and its words."""
    return tomllib.loads(_FILLER.read_text(encoding="utf-8"))


def _list_people(first: str) -> tuple[str, ...]:
    words = filler()["words"]
    return tuple(f"{one} {last}" for one, last in product(words[first], words["last"]))


def _list_places() -> tuple[str, ...]:
    words = filler()["words"]
    return tuple(map("".join, product(words["place_start"], words["place_end"])))


class Talk:
    """Fills the small talk of one document from one random stream."""

    def __init__(self, latent: Latent, *address: str) -> None:
        rng = latent.rng("talk", *address)
        self.rng = rng
        self._area = latent.area
        self._town, *self._places = latent.rng("places").sample(_list_places(), NEIGHBOURS + 1)
        women, men = _list_people("women"), _list_people("men")
        self._women = rng.sample(women, len(women))
        self._men = rng.sample(men, len(men))
        self._left: dict[str, list[str]] = {}

    def draw(self, kind: str) -> str | None:
        """Return a piece of some kind that was not told yet; None where there is none left."""
        if kind not in self._left:
            every: Sequence[str] = filler()[kind]
            self._left[kind] = self.rng.sample(every, len(every))
        return self.fill(self._left[kind].pop()) if self._left[kind] else None

    def fill(self, template: str) -> str:
        """Return a text with its slots filled."""
        return _ARTICLE.sub(r"\1n", template.format_map(_Slots(self)))

    def insert_asides(self, kind: str, units: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """Return the sentences of some units in order, with asides between some units."""
        sentences = list(units[0])
        for unit in units[1:]:
            aside = self.draw(kind) if self.rng.random() < _ASIDE else None
            sentences += [*([aside] if aside else []), *unit]
        return tuple(sentences)

    def name_person(self, *, woman: bool | None = None) -> tuple[str, bool]:
        """Return somebody who was not told of yet, and whether it is a woman."""
        is_woman = self.rng.random() < 0.5 if woman is None else woman
        return (self._women if is_woman else self._men).pop(), is_woman

    def choose_word(self, slot: str, slots: Mapping[str, str]) -> str:
        """Return a word for a slot that is no person.

        Args:
            slot: Its name.
            slots: Those that are filled already.
        """
        rng, words = self.rng, filler()["words"]
        if slot in words:
            return str(rng.choice(words[slot]))
        if slot in ("place", "field"):
            return self._town if slot == "place" else self._area.field
        if slot == "place2":
            return rng.choice(self._places)
        if slot == "u":
            return rng.choice(self._area.subjects)
        return _draw_number(slot, slots, rng)


class _Slots(dict[str, str]):
    """The slots of one template, filled as they are met."""

    def __init__(self, talk: Talk) -> None:
        super().__init__()
        self._talk = talk
        self._is_woman = False

    def __missing__(self, slot: str) -> str:
        if slot.lower() in _PRONOUNS:
            word = _PRONOUNS[slot.lower()] if self._is_woman else slot.lower()
            return word.capitalize() if slot[0].isupper() else word
        if slot in ("person", "person2", "woman", "man"):
            wanted = {"woman": True, "man": False}.get(slot)
            name, is_woman = self._talk.name_person(woman=wanted)
            if slot == "person":
                self._is_woman = is_woman
        else:
            name = self._talk.choose_word(slot, self)
        self[slot] = name
        return name


def _draw_number(slot: str, slots: Mapping[str, str], rng: Random) -> str:
    """Return a year or a count; small counts are words, and `m` is well above `n`."""
    if slot == "year2":
        return str(int(slots["year"]) + rng.randint(2, 12))
    low, high = {
        "year": (EARLIEST, LATEST - 12),
        "late": (TELEPHONES, LATEST),
        "n": (3, 30),
        "number": (3, 30),
        "decades": (12, 41),
        "m": (35, 90),
    }[slot]
    number = rng.randint(low, high)
    if slot == "n" and number - low < len(filler()["counts"]):
        return str(filler()["counts"][number - low])
    return str(number)


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


_SECTION = (5, 9)


def write_document(config: ReciteConfig, seed: int, index: int) -> Document:
    """Write document `index` of a level."""
    latent = Latent(config, seed, index)
    talk, frame = Talk(latent), Talk(latent, "frame")
    accounts = write_accounts(latent, config.rung, talk)
    decoys = write_pairs(latent, "decoy")
    others = [
        *(*write_names(latent, talk), *write_verdicts(latent, talk)),
        *(*write_pairs(latent, "retracted"), *decoys),
    ]
    passages = _lay_out_passages(latent, accounts, others, talk)
    title = frame.draw("titles") or ""
    text = _as_markdown(latent, title, passages, frame)
    told = list_told_sentences(accounts)
    names = [term.name for term in latent.terms]
    edges = tuple(
        NamedEdge(source=names[cause], sink=names[effect], evidence=told[number])
        for number, (cause, effect) in enumerate(latent.loops.edges)
    )
    return Document(
        key=f"{config.pool}-{seed}-{index}-{config.rung}",
        title=title,
        text=text,
        nodes=tuple(
            ReciteNode(
                name=term.name,
                explicitness=1,
                aliases=tuple(w.removeprefix("the ") for w in (nickname, *term.synonyms)),
                unlinked=number >= latent.linked,
            )
            for number, (term, nickname) in enumerate(
                zip(latent.terms, latent.nicknames, strict=True)
            )
        ),
        edges=edges,
        decoys=tuple(
            Decoy(
                first=names[decoy.pair[0]], second=names[decoy.pair[1]], sentence=decoy.sentences[0]
            )
            for decoy in decoys
            if decoy.pair is not None
        ),
        domains=(latent.area.label,),
        source="synth",
        rung=config.rung,
        latent=f"{config.pool}/{seed}/{index}",
    )


def _lay_out_passages(
    latent: Latent, accounts: list[Passage], others: list[Passage], talk: Talk
) -> list[Passage]:
    """Put passages in order: accounts as they follow one another, all else anywhere.

    An account that only says that its source goes on must not follow a verdict on another one, so
    verdicts stand where the next account names its source. Small talk fills up what is missing, as
    long as there is any that was not told yet.
    """
    rng = latent.rng("layout")
    before: dict[int, list[Passage]] = {}
    for passage in others:
        places = [
            n
            for n in range(len(accounts) + 1)
            if passage.source is None or n == len(accounts) or not accounts[n].continued
        ]
        before.setdefault(rng.choice(places), []).append(passage)
    ordered: list[Passage] = []
    for number in range(len(accounts) + 1):
        group = before.get(number, [])
        rng.shuffle(group)
        ordered += [*group, *accounts[number : number + 1]]
    size, places_left = sum(len(one.text) + 2 for one in ordered), latent.rng("place")
    while size < latent.config.characters and (vignette := talk.draw("vignettes")):
        ordered.insert(round(places_left.random() * len(ordered)), Passage((vignette,)))
        size += len(vignette) + 2
    return ordered


def _as_markdown(latent: Latent, title: str, passages: list[Passage], frame: Talk) -> str:
    """Return passages as markdown, a line each, in sections of several."""
    rng = latent.rng("sections")
    blocks = [f"# {title}", frame.fill(latent.wording.intro)]
    heading, left = frame.draw("first_headings"), 0
    for passage in passages:
        if left == 0 and heading:
            blocks.append(f"## {heading}")
            heading, left = frame.draw("headings"), rng.randint(*_SECTION)
        blocks.append(passage.text)
        left -= 1
    return "\n\n".join([*blocks, frame.draw("endings") or ""])
