"""The families of wordings: in which forms a document says what it says.

A form is a sentence with slots. `{c}` and `{e}` are a cause and an effect, `{m}` whoever stands
between them, `{s}` a source, `{n}` a name and `{k}` a nickname, `{t}` a topic, `{a}` and `{b}` two
things of which nothing is claimed, `{S}` a statement. `[c:rose|fell]` is the first word where the
cause goes up, and the second where it goes down. Each form is in one family only.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Literal, get_args

from pydantic import Field, ValidationError

from causarium.contract.frozen import Frozen
from causarium.contract.replies import describe_validation_error
from causarium.errors import BadFile
from causarium.families.recite.catalogue.lexicon import Split

Rung = Literal["connective", "verb", "nominal", "mechanism", "counterfactual"]
"""How an edge is told, from the most explicit form on; every edge is told at every rung."""
RUNGS: tuple[Rung, ...] = get_args(Rung)

_FOLDER = Path(__file__).parent / "wordings"
_SLOT = re.compile(r"\{(\w+)\}")
_CHOICE = re.compile(r"\[([ce]):([^\]|]*)\|([^\]|]*)\]")

Two = tuple[str, str]
Three = tuple[str, str, str]


class Rungs(Frozen):
    """The forms of a statement at each rung."""

    connective: tuple[str, ...] = Field(min_length=1)
    verb: tuple[str, ...] = Field(min_length=1)
    nominal: tuple[str, ...] = Field(min_length=1)
    mechanism: tuple[Three, ...] = Field(min_length=1)
    counterfactual: tuple[str, ...] = Field(min_length=1)

    def forms(self, rung: Rung) -> tuple[tuple[str, ...], ...]:
        """Return the forms of a rung, each as its sentences."""
        if rung == "mechanism":
            return self.mechanism
        single: tuple[str, ...] = getattr(self, rung)
        return tuple((form,) for form in single)


class Wording(Frozen):
    """One family of wordings."""

    key: str
    split: Split
    anaphors: tuple[str, ...] = Field(min_length=1)
    """What stands for the topic of a paragraph."""
    intro: str
    openers: tuple[str, ...] = Field(min_length=1)
    continuations: tuple[str, ...] = Field(min_length=1)
    """What says that the source is still the last one."""
    topics: tuple[str, ...] = Field(min_length=1)
    affirm: tuple[str, ...] = Field(min_length=1)
    deny: tuple[str, ...] = Field(min_length=1)
    affirm_after: tuple[str, ...] = Field(min_length=1)
    deny_after: tuple[str, ...] = Field(min_length=1)
    """The same for statements of several sentences."""
    named: tuple[Two, ...] = Field(min_length=1)
    paired: tuple[Two, ...] = Field(min_length=1)
    heard: tuple[str, ...] = Field(min_length=1)
    """What opens a verdict, whatever it says."""
    true: tuple[str, ...] = Field(min_length=1)
    turned: tuple[str, ...] = Field(min_length=1)
    false: tuple[str, ...] = Field(min_length=1)
    retractions: tuple[str, ...] = Field(min_length=1)
    decoys: tuple[str, ...] = Field(min_length=1)
    rungs: Rungs

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield every form with the slots it must have; of several sentences, each with its own."""
        plain = {
            "s": (*self.openers, *self.heard),
            "t": self.topics,
            "S": (*self.affirm, *self.deny),
            "": (
                *self.continuations,
                *(*self.affirm_after, *self.deny_after),
                *(*self.true, *self.turned, *self.false),
            ),
            "ab": (*self.retractions, *self.decoys),
        }
        for slots, sentences in plain.items():
            yield from ((sentence, slots) for sentence in sentences)
        for rung in RUNGS:
            for form in self.rungs.forms(rung):
                yield " ".join(form), "cemmm" if rung == "mechanism" else "ce"
        for first, second in self.named:
            yield from ((first, "n"), (second, "k"))
        for first, second in self.paired:
            yield from ((first, "n1 n2"), (second, "k1 k2"))


@cache
def wordings() -> tuple[Wording, ...]:
    """Return all families that are shipped, by their keys."""
    return tuple(read_wording(path) for path in sorted(_FOLDER.glob("*.toml")))


@cache
def read_wording(path: Path) -> Wording:
    """Read a family of wordings.

    Raises:
        BadFile: It lacks a function, or a form lacks a slot.
    """
    try:
        text = path.read_text(encoding="utf-8")
        wording = Wording.model_validate({"key": path.stem, **tomllib.loads(text)})
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as wrong:
        raise BadFile(f"cannot read the wordings {path}: {wrong}") from wrong
    except ValidationError as wrong:
        raise BadFile(
            f"{path} is no family of wordings: {describe_validation_error(wrong)}"
        ) from wrong
    for form, slots in wording.forms():
        wanted = sorted(slots.split() if " " in slots else slots)
        if sorted(_SLOT.findall(form)) != wanted:
            raise BadFile(
                f"{path}: the form {form!r} must have just the slots {', '.join(wanted) or 'none'}"
            )
    return wording


def wording_hash(path: Path) -> str:
    """Return eight digits that tell a private file of wordings from all others."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:8]


def fill_form(form: str, slots: Mapping[str, str], rises: Mapping[str, bool]) -> str:
    """Return a form with its slots and its choices filled.

    Example:
        >>> fill_form("{e} [e:rose|fell]", {"e": "the tide"}, {"e": False})
        'the tide fell'
    """
    chosen = _CHOICE.sub(lambda found: found.group(2 if rises[found.group(1)] else 3), form)
    return _SLOT.sub(lambda found: slots[found.group(1)], chosen)


def form_variants(form: str) -> Iterator[str]:
    """Yield a form with each combination of its choices; slots stay.

    Example:
        >>> list(form_variants("{e} [e:rose|fell]"))
        ['{e} rose', '{e} fell']
    """
    parts = _CHOICE.split(form)
    words = [(up, down) for up, down in zip(parts[2::4], parts[3::4], strict=True)]
    for chosen in product(*words):
        yield "".join(part + word for part, word in zip(parts[::4], (*chosen, ""), strict=True))


def slot_order(form: str) -> tuple[str, ...]:
    """Return the slots of a form as they come."""
    return tuple(_SLOT.findall(form))
