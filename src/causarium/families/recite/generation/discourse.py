"""The passages of a made document: accounts, names, verdicts, what is taken back, small talk.

A passage is a paragraph. Its sentences follow one another in order, and asides may stand between
them. Only the forms of statements differ from rung to rung.
"""

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import Any

from causarium.families.recite.catalogue.wordings import fill_form
from causarium.families.recite.generation.latent_document import Latent, Spoken
from causarium.families.recite.mechanics.wording import Rung

NICKNAME, CANONICAL = 0.7, 0.85
"""Up to which draw a node is called by its nickname, and by its name; else by a synonym."""
TOPIC, ANAPHOR, FRAMED, ASIDE, CONTINUED, PAIRED, KEPT_TOGETHER = (
    0.6,
    0.8,
    0.35,
    0.35,
    0.7,
    0.5,
    0.35,
)
MOST_IN_ACCOUNT = 3
EARLIEST, LATEST = 1871, 1959
_ARTICLE = re.compile(r"\b([Aa])(?= [aeio])")
_FILLER = Path(__file__).parents[1] / "catalogue" / "filler.toml"


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

    @property
    def text(self) -> str:
        """The paragraph."""
        return " ".join(self.sentences)


@cache
def filler() -> dict[str, Any]:
    """Return the small talk and its words."""
    return tomllib.loads(_FILLER.read_text(encoding="utf-8"))


class Talk:
    """Fills small talk from one random stream; the town is the document's."""

    def __init__(self, latent: Latent, *address: str | int, elsewhere: bool = False) -> None:
        self.rng = latent.rng("talk", *address)
        self._subjects = latent.area.subjects
        self._field = latent.area.field
        self._town = self._place(self.rng if elsewhere else latent.rng("town"))

    @staticmethod
    def _place(rng: Random) -> str:
        words = filler()["words"]
        return str(rng.choice(words["place_start"]) + rng.choice(words["place_end"]))

    def fill(self, template: str) -> str:
        """Return a text with its slots filled."""
        rng, words = self.rng, filler()["words"]
        year, low = rng.randint(EARLIEST, LATEST - 12), rng.randint(3, 30)
        slots = {
            name: rng.choice(words[name])
            for name in ("month", "season", "weekday", "colour", "smell", "trade", "object")
        }
        people = [f"{rng.choice(words['first'])} {last}" for last in rng.sample(words["last"], 2)]
        text = template.format(
            **slots,
            person=people[0],
            person2=people[1],
            place=self._town,
            place2=self._place(rng),
            year=year,
            year2=year + rng.randint(2, 12),
            n=low,
            m=low + rng.randint(5, 60),
            u=rng.choice(self._subjects),
            b=rng.choice(words["building"]),
            field=self._field,
        )
        return _ARTICLE.sub(r"\1n", text)


def mention(latent: Latent, node: int, rng: Random) -> str:
    """Return words for a node: mostly its nickname."""
    draw, term = rng.random(), latent.terms[node]
    synonym = rng.choice(term.synonyms)
    return (
        latent.nicknames[node] if draw < NICKNAME else term.spoken if draw < CANONICAL else synonym
    )


def state(latent: Latent, rung: Rung, spoken: Spoken, topic: int | None) -> list[str]:
    """Return the sentences of one statement; a denial is one sentence more, or a frame."""
    rng, wording = latent.rng("statement", spoken.number), latent.wording
    words = {"c": mention(latent, spoken.cause, rng), "e": mention(latent, spoken.effect, rng)}
    anaphor, by_anaphor = rng.choice(wording.anaphors), rng.random() < ANAPHOR
    framed, frame_draw, form_draw = rng.random() < FRAMED, rng.random(), rng.random()
    for slot, node in (("c", spoken.cause), ("e", spoken.effect)):
        if by_anaphor and node == topic:
            words[slot] = anaphor
    words["m"] = latent.mediators[spoken.number]
    forms = wording.rungs.forms(rung)
    rises = dict(zip("ce", spoken.rises, strict=True))
    form = forms[int(form_draw * len(forms))]
    sentences = [fill_form(part, words, rises) for part in form]
    denied = spoken.kind == "denied"
    if not denied and not framed:
        return [_sentence(one) for one in sentences]
    if len(sentences) > 1:
        after = wording.deny_after if denied else wording.affirm_after
        return [*map(_sentence, sentences), after[int(frame_draw * len(after))]]
    frames = wording.deny if denied else wording.affirm
    return [_sentence(frames[int(frame_draw * len(frames))].replace("{S}", sentences[0]))]


def write_accounts(latent: Latent, rung: Rung) -> list[Passage]:
    """Return what the sources say, in the order of the document."""
    passages: list[Passage] = []
    asides = _Asides(latent, "asides")
    last: int | None = None
    for number, group in enumerate(_group_statements(latent)):
        rng, source = latent.rng("account", number), group[0].source
        name = latent.sources[source].name
        opener = _sentence(fill_form(rng.choice(latent.wording.openers), {"s": name}, {}))
        continuation = rng.choice(latent.wording.continuations)
        if rng.random() < CONTINUED and last == source:
            opener = continuation
        last = source
        parts: list[str] = [opener]
        topic_form, with_topic = rng.choice(latent.wording.topics), rng.random() < TOPIC
        topic = rng.choice((group[0].cause, group[0].effect)) if with_topic else None
        if topic is not None:
            parts.append(_sentence(fill_form(topic_form, {"t": mention(latent, topic, rng)}, {})))
        told = [(spoken.number, tuple(state(latent, rung, spoken, topic))) for spoken in group]
        units = [*((part,) for part in parts), *(sentences for _, sentences in told)]
        passages.append(Passage(asides.insert_asides(units), tuple(told), source))
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


def write_names(latent: Latent) -> list[Passage]:
    """Return the passages that say what each nickname means."""
    rng, pauses = latent.rng("names"), _Asides(latent, "pauses")
    nodes = rng.sample(range(len(latent.terms)), len(latent.terms))
    passages = []
    while nodes:
        together = nodes[: 2 if len(nodes) > 1 and rng.random() < PAIRED else 1]
        nodes = nodes[len(together) :]
        forms = latent.wording.named if len(together) == 1 else latent.wording.paired
        slots: dict[str, str] = {}
        for place, node in enumerate(together, 1):
            mark = str(place) if len(together) > 1 else ""
            slots |= {f"n{mark}": latent.terms[node].spoken, f"k{mark}": latent.nicknames[node]}
        units = [(_sentence(fill_form(form, slots, {})),) for form in rng.choice(forms)]
        passages.append(Passage(pauses.insert_asides(units)))
    return passages


def write_verdicts(latent: Latent) -> list[Passage]:
    """Return the passages that say what is to be made of each source."""
    passages, pauses = [], _Asides(latent, "pauses", "verdicts")
    for number, source in enumerate(latent.sources):
        rng = latent.rng("verdict", number)
        forms = {
            "true": latent.wording.true,
            "turned": latent.wording.turned,
            "false": latent.wording.false,
        }
        heard = _sentence(fill_form(rng.choice(latent.wording.heard), {"s": source.name}, {}))
        units = [(heard,), (rng.choice(forms[source.role]),)]
        passages.append(Passage(pauses.insert_asides(units), source=number))
    return passages


def write_pairs(latent: Latent, kind: str) -> list[Passage]:
    """Return the passages that take a pair back, or put one side by side without a claim."""
    forms = latent.wording.retractions if kind == "retracted" else latent.wording.decoys
    passages = []
    for number, pair in enumerate(latent.idle_pairs[kind]):
        rng = latent.rng(kind, number)
        order = pair if rng.random() < 0.5 else (pair[1], pair[0])
        words = {slot: mention(latent, node, rng) for slot, node in zip("ab", order, strict=True)}
        sentence = _sentence(fill_form(rng.choice(forms), words, {}))
        passages.append(Passage((sentence,), pair=pair if kind == "decoy" else None))
    return passages


def write_vignette(latent: Latent, number: int) -> Passage:
    """Return small talk; what comes again is told of another town."""
    every = filler()["vignettes"]
    turn, place = divmod(number, len(every))
    talk = Talk(latent, "vignette", number, elsewhere=turn > 0)
    return Passage((talk.fill(every[_vignette_order(latent, turn)[place]]),))


@lru_cache(maxsize=8)
def _vignette_order(latent: Latent, turn: int) -> list[int]:
    every = filler()["vignettes"]
    return latent.rng("vignettes", turn).sample(range(len(every)), len(every))


class _Asides:
    """Puts asides between the parts of passages; each is used once before any comes again."""

    def __init__(self, latent: Latent, kind: str, *address: str) -> None:
        self._talk = Talk(latent, kind, *address)
        self._every: Sequence[str] = filler()[kind]
        self._left: list[str] = []

    def insert_asides(self, units: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """Return the sentences of some units in order, with asides between some units."""
        sentences = list(units[0])
        for unit in units[1:]:
            if self._talk.rng.random() < ASIDE:
                self._left = self._left or self._talk.rng.sample(self._every, len(self._every))
                sentences.append(self._talk.fill(self._left.pop()))
            sentences += unit
        return tuple(sentences)


def _sentence(words: str) -> str:
    text = words[0].upper() + words[1:]
    return text if text.endswith(".") else f"{text}."


def list_told_sentences(passages: Iterable[Passage]) -> dict[int, tuple[str, ...]]:
    """Return the sentences of each statement."""
    return {number: sentences for passage in passages for number, sentences in passage.told}
