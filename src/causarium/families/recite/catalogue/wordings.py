"""The families of wordings: in which forms a document says what it says.

A form is a sentence with slots. `{c}` and `{e}` are a cause and an effect, `{m}` whoever stands
between them, `{s}` a source, `{n}` a name and `{k}` a nickname, `{t}` a topic, `{a}` and `{b}` two
things of which nothing is claimed, `{S}` a statement. `[c:rose|fell]` is the first word where the
cause goes up, and the second where it goes down; `<a boat/a cart>` is one of several details, the
same one in all sentences of a form. Each form is in one family only.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path

from pydantic import ValidationError

from causarium.contract.texts.replies import describe_validation_error
from causarium.errors import BadFile
from causarium.families.recite.mechanics.wording import Wording

_FOLDER = Path(__file__).parent / "wordings"
_SLOT = re.compile(r"\{(\w+)\}")
_OPTIONS = re.compile(r"<([^<>]*)>")
_CHOICE = re.compile(r"\[([ce]):([^\]|]*)\|([^\]|]*)\]")


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
    for form in (*(form for form, _ in wording.forms()), *map(" ".join, wording.pairs())):
        if len({group.count("/") for group in _OPTIONS.findall(form)}) > 1:
            raise BadFile(f"{path}: the form {form!r} must have as many details in each <…>")
    return wording


def list_options(form: str) -> list[str]:
    """Return a form with each of its details.

    Example:
        >>> list_options("by <boat/cart>"), list_options("on foot")
        (['by boat', 'by cart'], ['on foot'])
    """
    first = _OPTIONS.search(form)
    count = first.group(1).count("/") + 1 if first else 1
    return [
        _OPTIONS.sub(lambda match, n=number: match.group(1).split("/")[n], form)  # type: ignore[misc]
        for number in range(count)
    ]


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
    for option in list_options(form):
        parts = _CHOICE.split(option)
        words = [(up, down) for up, down in zip(parts[2::4], parts[3::4], strict=True)]
        for chosen in product(*words):
            yield "".join(part + word for part, word in zip(parts[::4], (*chosen, ""), strict=True))


def slot_order(form: str) -> tuple[str, ...]:
    """Return the slots of a form as they come."""
    return tuple(_SLOT.findall(form))
