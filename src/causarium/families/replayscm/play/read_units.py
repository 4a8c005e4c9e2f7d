"""Certified edition: read replies, which are a question, formulas or a row in any plain form.

Objects are found by the reader that all families share. An answer may be wrapped, be a bare map, a
list of pairs or of records, or lines `X4 = ...`. An answer on fewer variables than one that comes
after it is a step on the way; other answers that differ are not read. Of lines the last counts.
"""

from collections.abc import Callable, Sequence
from typing import Any

from causarium.contract.texts.read_reply import fold_keys, fold_symbols, read_lines, unwrap
from causarium.contract.texts.replies import excerpt
from causarium.contract.texts.scan_reply import ReplyScan, scan_reply
from causarium.contract.world import Action, Unparsed
from causarium.scm.boolean.read_formula import fold_name
from ..model.actions import Ask, Explain, Predict, UnitAction

NO_ANSWER = "extraction: no answer"
SEVERAL = "extraction: several answers"
_FIELDS = ("mechanisms", "hidden", "touched")
_SYNONYMS = dict.fromkeys(
    ("mechanism", "formulas", "functions", "equations", "structural_equations", "model", "scm"),
    "mechanisms",
)
_RECORD_NAMES = ("variable", "name", "target", "var")
_RECORD_TEXTS = ("formula", "mechanism", "expression", "value", "equation", "function")
_TREE_NAMES = ("op", "operator", "operation")
_TREE_PARTS = ("args", "arguments", "operands", "inputs", "children")
_MARKS = (":=", "<-", "=", ":", "|", " is ", " - ")
_LONGEST_NAME, _MOST_WRAPPERS = 4, 3
_BITS: dict[object, int] = {"0": 0, "1": 1}


def read_unit_reply(reply: str, allowed_actions: tuple[type[Action], ...]) -> UnitAction | Unparsed:
    """Read a reply as one of the actions that are expected now."""
    scan = scan_reply(reply, lists=True)
    readers = {Ask: _read_question, Explain: _read_explanation, Predict: _read_prediction}
    expected = [read for kind, read in readers.items() if kind in allowed_actions]
    values = [found.value for found in scan.values]
    if len(values) > 1 and all(map(_read_pair, values)):
        values = [values]
    found = [_read_value(value, expected) for value in values]
    if whole := _leave_out_parts([action for action in found if action is not None]):
        if all(action == whole[-1] for action in whole):
            return whole[-1]
        detail = f"{len(whole)} answers in the reply are not all the same; send one"
        return Unparsed(mode=SEVERAL, detail=detail)
    # Lines of an object, whole or broken, are no answer of their own.
    lines = {} if scan.problem else _read_as_lines(_leave_out_objects(scan))
    for read in expected[-1:]:
        if lines and (action := read(lines)) is not None:
            return action
    shown = scan.problem or f"the reply is {excerpt(scan.text.strip())!r}"
    return Unparsed(mode=NO_ANSWER, detail=f"no answer was found in it: {shown}")


def _read_value(
    found: object, expected: Sequence[Callable[[object], UnitAction | None]]
) -> UnitAction | None:
    """Read one value of a reply, or what stands in it, as the first action that it can be."""
    for value in (found, *_list_inner(found)):
        for read in expected:
            if (action := read(value)) is not None:
                return action
    return None


def _leave_out_parts(found: list[UnitAction]) -> list[UnitAction]:
    """Return all but answers that say a part of another, or less than one that comes later."""
    kept, longest = list[UnitAction](), 0
    said = [_list_said(one) for one in found]
    for one, mine in reversed(list(zip(found, said, strict=True))):
        is_part = len(mine) < longest or any(mine < other for other in said)
        longest = max(longest, len(mine))
        if isinstance(one, Ask) or not is_part:
            kept.insert(0, one)
    return kept


def _list_said(action: UnitAction) -> frozenset[tuple[str, object]]:
    if isinstance(action, Predict):
        return frozenset(action.row.items())
    return frozenset(action.mechanisms.items() if isinstance(action, Explain) else ())


def _leave_out_objects(scan: ReplyScan) -> str:
    """Return the lines of a reply in which no part of an object stands."""
    parts, place = [], 0
    for found in scan.values:
        if isinstance(found.value, dict):
            parts.append(scan.text[place : found.start].rpartition("\n")[0])
            line_end = scan.text.find("\n", found.end)
            place = line_end if line_end >= 0 else len(scan.text)
    return "".join((*parts, scan.text[place:]))


def read_bit(value: object) -> int | None:
    """Return 0 or 1 for what is written for one: a number, a digit, true or false; else None."""
    if isinstance(value, str):
        return _BITS.get(value)
    if isinstance(value, bool | int | float) and value in (0, 1):
        return int(value)
    return None


def _list_inner(value: object) -> list[Any]:
    """Return what stands in a wrapper: one object in another, in a list, or in a text."""
    found = []
    for _ in range(_MOST_WRAPPERS):
        parts = list(value.values()) if isinstance(value, dict) else value
        if not isinstance(parts, list):
            break
        parts = parts[0] if len(parts) == 1 and isinstance(parts[0], list) else parts
        inner = [part for part in parts if isinstance(part, dict)]
        if not inner and len(parts) == 1 and isinstance(parts[0], str) and "{" in parts[0]:
            inner = scan_reply(parts[0]).objects
        if len(inner) != 1:
            break
        value = inner[0]
        found.append(value)
    return found


def _read_as_lines(text: str) -> dict[str, str]:
    pairs = [(_clean_name(name), said) for name, said in read_lines(text, _MARKS)]
    exact = {name: said for name, said in pairs if _is_name(name)}
    # "const X4 = ..." counts where no line says "X4 = ...".
    after_word = {name.rpartition(" ")[2]: said for name, said in pairs if name.count(" ") < 3}
    found = {name: said for name, said in after_word.items() if _is_name(name)} | exact
    last = {fold_name(name): (name, said) for name, said in found.items()}
    return dict(last.values()) or _read_as_blocks(text)


def _read_as_blocks(text: str) -> dict[str, str]:
    """Read lines that are in turn a name with a mark, and a formula."""
    stripped = [line.strip() for line in text.splitlines()]
    lines = [line for line in stripped if line.strip(" `")]
    names = [_clean_name(line.rstrip(":= *")) for line in lines[::2]]
    is_marked = all(line[0] in "#*" or line[-1] in ":=" for line in lines[::2])
    if len(lines) % 2 or not is_marked or not all(map(_is_name, names)):
        return {}
    return dict(zip(names, lines[1::2], strict=True))


def _clean_name(text: str) -> str:
    """Return the name that stands left of a mark, without what may stand around it."""
    name = fold_symbols(text).strip(" >&$`*#")
    if name.endswith(")"):
        name = name.partition("(")[0].rstrip().removeprefix("f_")
    return name


def _is_name(text: str) -> bool:
    """Say whether a key may be meant as the name of a variable."""
    plain = fold_name(text)
    return plain[:1].isalpha() and plain.isalnum() and len(plain) <= _LONGEST_NAME


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
        # A bare map: every key that is no field of ours is a variable, if formulas stand there.
        bare = {key: part for key, part in inner.items() if key not in _FIELDS}
        if any(isinstance(part, str) and not any(map(str.isalnum, part)) for part in bare.values()):
            return None
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
    texts = {str(key): _write_text(part) for key, part in (_read_map(value) or {}).items()}
    if not texts:
        return None
    if any(text is None for text in texts.values()):
        return None
    if not all(map(_is_name, texts)):
        return None
    return {key: text for key, text in texts.items() if text is not None}


def _read_map(value: object) -> dict[str, Any] | None:
    """Return a map, or pairs or lines as one; None for all else, and for pairs at odds."""
    if isinstance(value, str):
        return _read_as_lines(value.replace(";", "\n"))
    if not isinstance(value, list):
        return value if isinstance(value, dict) else None
    pairs = [pair for pair in map(_read_pair, value) if pair is not None]
    found = dict(pairs)
    return found if all(found[name] == said for name, said in pairs) else None


def _read_pair(value: object) -> tuple[str, object] | None:
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str):
        return value[0], value[1]
    if isinstance(value, dict):
        folded = {str(key).lower(): part for key, part in value.items()}
        name = next((folded[key] for key in _RECORD_NAMES if key in folded), None)
        text = next((folded[key] for key in _RECORD_TEXTS if key in folded), None)
        if isinstance(name, str) and text is not None:
            return name, text
        if len(value) == 1 and _is_name(next(iter(value))):
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
        folded = {str(key).lower(): part for key, part in value.items()}
        inner = [part for key, part in folded.items() if key in _RECORD_TEXTS]
        if len(inner) == 1:
            return _write_text(inner[0])
        names = [folded[key] for key in _TREE_NAMES if key in folded]
        parts = [folded[key] for key in _TREE_PARTS if key in folded]
        is_tree = len(names) == len(parts) == 1 and isinstance(parts[0], list)
        return _write_text([names[0], *parts[0]]) if is_tree else None
    if isinstance(value, list) and value:
        parts = [_write_text(part) for part in value]
        return None if None in parts else f"({' '.join(part for part in parts if part)})"
    return None


def _read_digits(value: object) -> str | None:
    if isinstance(value, dict):
        # Units are numbered: u2 comes before u10, wherever it stands.
        value = [value[unit] for unit in sorted(value, key=lambda unit: (len(unit), unit))]
    if isinstance(value, list):
        return "".join(str(read_bit(one)) for one in value)
    return None if value is None else str(value)


def _read_touched(value: object) -> dict[str, tuple[str, ...]] | None:
    if not isinstance(value, dict):
        return None
    found = {}
    for world, given in value.items():
        names = given if isinstance(given, list) else str(given).replace(",", " ").split()
        found[str(world)] = tuple(str(name) for name in names if str(name))
    return found


def _read_prediction(value: object) -> Predict | None:
    value = _read_map(value)
    if value is None or any(isinstance(part, dict | list) for part in value.values()):
        return None
    # What is said beside the row, of traits or in words, is no part of it.
    bits = {name: read_bit(given) for name, given in value.items() if fold_name(name)[:1] == "x"}
    found = {name: bit for name, bit in bits.items() if bit is not None}
    return Predict(row=found) if found and len(found) == len(bits) else None
