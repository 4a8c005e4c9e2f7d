"""Reading a made document: who says what, who is to be believed, and what each name means.

It gets the text alone and holds every family of wordings; of the generator it knows nothing. What
it reads is what the text determines, so that where it reads the whole graph, so can anybody. That
whoever holds the wordings can read them is the proof, and no attack on the test.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

from causarium.families.recite.model.wordings import (
    RUNGS,
    Wording,
    form_variants,
    lexicon,
    list_options,
    make_term,
    slot_order,
    wordings,
)

NODE, SOURCE, MEDIATOR = "§", "$", "%"
ANAPHOR = "the topic"
"""What a mention stands for that stands for the topic."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A sentence with marks, and what the marks stand for, in order."""

    form: str
    nodes: tuple[str, ...]
    """Names as they are listed, nicknames with their article, or `ANAPHOR`."""
    sources: tuple[str, ...]
    mediators: tuple[str, ...]


class Tokenizer:
    """Finds what a sentence speaks of."""

    def __init__(self, wordings: Sequence[Wording]) -> None:
        words = lexicon()
        halves = (words.test, words.dev)
        subjects = _match_any(s for area in words.areas for s in area.subjects)
        tails = _match_any(p.name.removeprefix("{s} ") for p in words.properties)
        heads = _match_any(o.removesuffix(" the {s}") for p in words.properties for o in p.others)
        nicknames = "|".join(
            f"{_match_any(half.nickname_adjectives)} {_match_any(half.nickname_nouns)}"
            for half in halves
        )
        people = "|".join(
            f"{_match_any(words.shared.mediator_adjectives)} {_match_any(half.trades)}"
            for half in halves
        )
        sources = "|".join(
            f"{_match_any(half.surnames)} {_match_any(half.kinds)}" for half in halves
        )
        topics = _match_any(phrase for wording in wordings for phrase in wording.anaphors)
        self._pattern = re.compile(
            rf"\b(?:(?P<alias>the {heads} the {subjects})|(?P<name>the {subjects} {tails})"
            rf"|(?P<nickname>the (?:{nicknames}))|(?P<mediator>the (?:{people}))"
            rf"|(?P<source>the (?:{sources}))|(?P<topic>{topics}))\b",
            re.IGNORECASE,
        )
        self._names = {
            spoken.casefold(): term.name
            for area in words.areas
            for subject in area.subjects
            for term in (make_term(subject, property_) for property_ in words.properties)
            for spoken in (term.spoken, *term.synonyms)
        }

    def read(self, sentence: str) -> Skeleton:
        """Return the skeleton of a sentence."""
        nodes: list[str] = []
        sources: list[str] = []
        mediators: list[str] = []

        def mark(match: re.Match[str]) -> str:
            spoken = match.group().casefold()
            if match.lastgroup == "source":
                sources.append(spoken)
                return SOURCE
            if match.lastgroup == "mediator":
                mediators.append(spoken)
                return MEDIATOR
            topic = ANAPHOR if match.lastgroup == "topic" else spoken
            nodes.append(self._names.get(spoken, topic))
            return NODE

        form = self._pattern.sub(mark, sentence).casefold().rstrip(".")
        return Skeleton(form, tuple(nodes), tuple(sources), tuple(mediators))


def _match_any(words: Iterable[str]) -> str:
    """Return a pattern for any of some words, longer ones first."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(map(re.escape, ordered)) + ")"


Edge = tuple[str, str]
TRUE, TURNED, FALSE = "true", "turned", "false"
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_MARKS = {"s": SOURCE, "m": MEDIATOR}


@dataclass(frozen=True, slots=True)
class Statement:
    """What one source says of two things."""

    source: str
    cause: str
    effect: str
    denied: bool = False


@dataclass(slots=True)
class Reading:
    """Everything that a document says, in the order in which it says it."""

    statements: list[Statement] = field(default_factory=list)
    nicknames: dict[str, str] = field(default_factory=dict)
    """What each nickname means."""
    verdicts: dict[str, str] = field(default_factory=dict)
    """What is to be made of each source: true, turned or false."""
    retractions: list[Edge] = field(default_factory=list)

    def meaning(self, mention: str) -> str:
        """Return the name that a mention means, or the mention."""
        return self.nicknames.get(mention, mention)

    def name_pair(self, statement: Statement) -> Edge:
        """Return the pair of a statement in names."""
        return self.meaning(statement.cause), self.meaning(statement.effect)

    def edges(self, *, gullible: bool = False, retract: bool = True) -> set[Edge]:
        """Return the graph that was read.

        Args:
            gullible: Believe every source, as it stands.
            retract: Leave out what is taken back.
        """
        taken_back = (
            {frozenset(map(self.meaning, pair)) for pair in self.retractions} if retract else set()
        )
        edges: set[Edge] = set()
        for one in self.statements:
            cause, effect = self.name_pair(one)
            verdict = TRUE if gullible else self.verdicts.get(one.source)
            if one.denied or verdict not in (TRUE, TURNED) or {cause, effect} in taken_back:
                continue
            edges.add((effect, cause) if verdict == TURNED else (cause, effect))
        return edges


@dataclass(frozen=True, slots=True)
class _Use:
    """What a sentence of some form does."""

    kind: str
    slots: tuple[str, ...] = ()
    denied: bool = False
    form: int = 0
    part: int = 0


@lru_cache(maxsize=8)  # 90 ms each, a seventh of drawing, playing and certifying otherwise
def _read_forms(families: tuple[Wording, ...]) -> tuple[Tokenizer, Mapping[str, _Use]]:
    """Return the tokenizer of some families, and what every form of theirs is for."""
    table: dict[str, _Use] = {}
    for wording in families:
        for form, use in _family_uses(wording):
            for variant in form_variants(form):
                table[_mark_form(variant)] = use
    return Tokenizer(families), table


def _family_uses(wording: Wording) -> Iterator[tuple[str, _Use]]:
    for kind, forms in {
        "opener": wording.openers,
        "continuation": wording.continuations,
        "topic": wording.topics,
        "heard": wording.heard,
        TRUE: wording.true,
        TURNED: wording.turned,
        FALSE: wording.false,
        "retraction": wording.retractions,
        "affirmed": wording.affirm_after,
        "denied": wording.deny_after,
    }.items():
        yield from ((form, _Use(kind)) for form in forms)
    for kind, pairs in {"named": wording.named, "paired": wording.paired}.items():
        for number, pair in enumerate(pairs):
            for part, said in enumerate(pair):
                yield said, _Use(kind, slot_order(said), form=number, part=part)
    frames = [
        ("{S}", False),
        *((option, False) for form in wording.affirm for option in list_options(form)),
        *((option, True) for form in wording.deny for option in list_options(form)),
    ]
    for rung in RUNGS:
        for number, sentences in enumerate(wording.rungs.forms(rung)):
            if rung == "mechanism":
                for part, sentence in enumerate(sentences):
                    slots = tuple(slot for slot in slot_order(sentence) if slot != "m")
                    yield sentence, _Use("step", slots, form=number, part=part)
                continue
            for (frame, denied), only in product(frames, list_options(sentences[0])):
                yield frame.replace("{S}", only), _Use("statement", slot_order(only), denied)


def _mark_form(form: str) -> str:
    marked = re.sub(r"\{(\w+)\}", lambda found: _MARKS.get(found.group(1), NODE), form)
    return marked.casefold().rstrip(".")


class _Reader:
    """Goes through a text once, paragraph by paragraph."""

    def __init__(self, families: tuple[Wording, ...]) -> None:
        self.reading = Reading()
        self._tokens, self._table = _read_forms(families)
        self._source = ""
        self._start()

    def _start(self) -> None:
        """Forget what holds for one paragraph only."""
        self._topic = ""
        self._named: dict[str, str] = {}
        self._heard = ""
        self._steps: dict[str, str] = {}

    def read(self, text: str) -> Reading:
        """Return what a text says."""
        for paragraph in text.split("\n"):
            self._start()
            for sentence in _SENTENCE.split(paragraph):
                skeleton = self._tokens.read(sentence)
                use = self._table.get(skeleton.form)
                if use is not None:
                    self._take(use, skeleton)
        return self.reading

    def _take(self, use: _Use, found: Skeleton) -> None:
        if use.kind == "opener":
            self._source = found.sources[0]
        elif use.kind == "topic":
            self._topic = found.nodes[0]
        elif use.kind == "statement":
            ends = dict(zip(use.slots, found.nodes, strict=True))
            self._state(ends, denied=use.denied)
        elif use.kind == "step":
            self._step(use, found)
        elif use.kind in ("affirmed", "denied"):
            self._settle(denied=use.kind == "denied")
        elif use.kind in ("named", "paired"):
            self._name(use, found)
        elif use.kind == "heard":
            self._heard = found.sources[0]
        elif use.kind in (TRUE, TURNED, FALSE):
            self.reading.verdicts[self._heard] = use.kind
        elif use.kind == "retraction":
            self.reading.retractions.append((found.nodes[0], found.nodes[1]))

    def _state(self, ends: Mapping[str, str], *, denied: bool) -> None:
        cause, effect = (self._topic if ends[at] == ANAPHOR else ends[at] for at in ("c", "e"))
        self.reading.statements.append(Statement(self._source, cause, effect, denied))

    def _step(self, use: _Use, found: Skeleton) -> None:
        if use.part == 0:
            self._steps = {}
        self._steps |= dict(zip(use.slots, found.nodes, strict=True))
        if use.part == 2 and len(self._steps) == 2:
            self._state(self._steps, denied=False)

    def _settle(self, *, denied: bool) -> None:
        """Let a sentence that comes after several steps affirm or deny them."""
        if denied and self.reading.statements:
            last = self.reading.statements.pop()
            self.reading.statements.append(
                Statement(last.source, last.cause, last.effect, denied=True)
            )

    def _name(self, use: _Use, found: Skeleton) -> None:
        self._named |= dict(zip(use.slots, found.nodes, strict=True))
        for slot, nickname in list(self._named.items()):
            name = self._named.get("n" + slot[1:])
            if slot.startswith("k") and name is not None:
                self.reading.nicknames[nickname] = name


def read_document(text: str, more: Iterable[Wording] = ()) -> Reading:
    """Read a made document.

    Args:
        text: The document, and nothing else.
        more: Families of wordings beside those that are shipped.
    """
    return _Reader((*wordings(), *more)).read(text)
