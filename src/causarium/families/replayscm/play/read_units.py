"""Reading replies of the certified edition: a question, formulas or a row, in any plain form.

Objects are found by the reader that all families share. An answer may be wrapped, be a bare map, a
list of pairs or of records, or lines `X4 = ...`; of several answers the last one counts.
"""

import re
from typing import Any

from causarium.contract.texts.read_reply import fold_keys, read_lines, unwrap
from causarium.contract.texts.replies import excerpt
from causarium.contract.texts.scan_reply import ReplyScan, scan_reply
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action
from causarium.families.replayscm.model.actions import Ask, Explain, Predict
from causarium.families.replayscm.play.answer_forms import read_bit

NO_ANSWER = "extraction: no answer"
_FIELDS = ("mechanisms", "hidden", "touched")
_SYNONYMS = {"formulas": "mechanisms", "equations": "mechanisms", "model": "mechanisms"}
_NAME = re.compile(r"[$`*]*[A-Za-z]\w{0,3}(?:\{\d+\})?[$`*]*")
_RECORD_NAMES = ("variable", "name", "target", "var")
_RECORD_TEXTS = ("formula", "mechanism", "expression", "value", "equation")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+|[|`]")


def read_unit_reply(
    reply: str, allowed_actions: tuple[type[Action], ...]
) -> Ask | Explain | Predict | Unparsed:
    """Read a reply as one of the actions that are expected now."""
    scan = scan_reply(reply, lists=True)
    values = [found.value for found in scan.values]
    readers = {Ask: _read_question, Explain: _read_explanation, Predict: _read_prediction}
    expected = [read for kind, read in readers.items() if kind in allowed_actions]
    for value in reversed(values):
        for read in expected:
            if (action := read(value)) is not None:
                return action
    lines = _read_as_lines(scan)
    for read in expected[-1:]:
        if lines and (action := read(lines)) is not None:
            return action
    shown = scan.problem or f"the reply is {excerpt(scan.text.strip())!r}"
    return Unparsed(mode=NO_ANSWER, detail=f"no answer was found in it: {shown}")


def _read_as_lines(scan: ReplyScan) -> dict[str, Any]:
    text = "\n".join(_BULLET.sub(" ", line).strip() for line in scan.text.splitlines())
    pairs = read_lines(text, (":=", "=", ":", "<-"))
    return {name: value for name, value in pairs if _NAME.fullmatch(name.strip())}


def _read_question(value: object) -> Ask | None:
    if not isinstance(value, dict):
        return None
    inner = fold_keys(unwrap(value, ("set",)), ("set",))
    if isinstance(inner, str) or not isinstance(inner.get("set"), dict):
        return None
    bits = {name: read_bit(given) for name, given in inner["set"].items()}
    if any(bit is None for bit in bits.values()):
        return None
    return Ask(set={name: bit for name, bit in bits.items() if bit is not None})


def _read_explanation(value: object) -> Explain | None:
    if isinstance(value, list):
        formulas = _read_formulas(value)
        return Explain(mechanisms=formulas) if formulas else None
    if not isinstance(value, dict):
        return None
    inner = fold_keys(unwrap(value, (*_FIELDS, *_SYNONYMS)), (*_FIELDS, *_SYNONYMS))
    if isinstance(inner, str):
        return None
    inner = {_SYNONYMS.get(key, key): part for key, part in inner.items()}
    if "mechanisms" not in inner:
        # A bare map: every key that is no field of ours is a variable.
        bare = {key: part for key, part in inner.items() if key not in _FIELDS}
        inner = {**inner, "mechanisms": bare}
    formulas = _read_formulas(inner["mechanisms"])
    if not formulas:
        return None
    return Explain(
        mechanisms=formulas,
        hidden=_read_digits(inner.get("hidden")),
        touched=_read_touched(inner.get("touched")),
    )


def _read_formulas(value: object) -> dict[str, str] | None:
    """Return formulas as texts, by variable; None if these are none."""
    if isinstance(value, list):
        value = dict(pair for pair in map(_read_pair, value) if pair is not None)
    if not isinstance(value, dict) or not value:
        return None
    texts = {str(key): _write_text(part) for key, part in value.items()}
    if any(text is None for text in texts.values()):
        return None
    if not all(_NAME.fullmatch(key.strip()) for key in texts):
        return None
    return {key: text for key, text in texts.items() if text is not None}


def _read_pair(value: object) -> tuple[str, object] | None:
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str):
        return value[0], value[1]
    if isinstance(value, dict):
        folded = {str(key).lower(): part for key, part in value.items()}
        name = next((folded[key] for key in _RECORD_NAMES if key in folded), None)
        text = next((folded[key] for key in _RECORD_TEXTS if key in folded), None)
        if isinstance(name, str) and text is not None:
            return name, text
        if len(value) == 1:
            return next(iter(value.items()))
    if isinstance(value, str) and "=" in value:
        name, _, text = value.partition("=")
        return name.strip(" :"), text
    return None


def _write_text(value: object) -> str | None:
    """Return a formula as a text, whether it is one, a nested list or a record with one."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        inner = [part for key, part in value.items() if str(key).lower() in _RECORD_TEXTS]
        return _write_text(inner[0]) if len(inner) == 1 else None
    if isinstance(value, list) and value:
        parts = [_write_text(part) for part in value]
        return None if None in parts else f"({' '.join(part for part in parts if part)})"
    return None


def _read_digits(value: object) -> str | None:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return "".join(str(read_bit(one)) for one in value)
    return None if value is None else str(value)


def _read_touched(value: object) -> dict[str, tuple[str, ...]] | None:
    if not isinstance(value, dict):
        return None
    found = {}
    for world, given in value.items():
        names = given if isinstance(given, list) else re.split(r"[\s,]+", str(given).strip())
        found[str(world)] = tuple(str(name) for name in names if str(name))
    return found


def _read_prediction(value: object) -> Predict | None:
    if not isinstance(value, dict):
        return None
    for _ in range(3):
        bits = {str(name): read_bit(given) for name, given in value.items()}
        found = {name: bit for name, bit in bits.items() if bit is not None}
        if found and len(found) == len(bits) and all(_NAME.fullmatch(n.strip()) for n in found):
            return Predict(row=found)
        inner = [part for part in value.values() if isinstance(part, dict)]
        if len(inner) != 1:
            return None
        value = inner[0]
    return None
