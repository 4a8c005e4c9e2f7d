"""Forms of a reply that differ from the plain one and leave no doubt.

Everything here is linear in the reply and bounded: one object is mended, once.
"""

import re
from typing import Any

from causarium.contract.texts.scan_reply import scan_reply

_TRIM = " \t\r\n\"'`.,;:!?()[]{}<>*_"
_BARE_FIELDS = re.compile(r'\s*(?:```(?:json)?\s*)?"\w+"\s*:')
_NUMBER = re.compile(
    r"([+-]?(?:\d{1,40}\.?\d{0,40}|\.\d{1,40})(?:[eE][+-]?\d{1,3})?)\s*(?:hz)?", re.I
)
_NUMERIC = ("value", "target_value", "arg1", "arg2", "option", "chosen_dialog_option_int")
_WORD_KEYS = ("action", "kind", "type", "name")
_ARROW = re.compile(r"->|→|=>")


def fold(text: str) -> str:
    """Return the form in which words are compared: trimmed, blanks as one, no case.

    Example:
        >>> fold('  **Submit**. ')
        'submit'
    """
    return " ".join(text.split()).strip(_TRIM).casefold()


def unify_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """Return an object in the plain form: keys and words folded, numbers as numbers."""
    plain = _fold_keys(fields)
    action = plain.get("action")
    if isinstance(action, dict):
        inner = _fold_keys(action)
        word = next((inner.pop(key) for key in _WORD_KEYS if isinstance(inner.get(key), str)), None)
        plain = {**inner, **plain, "action": word}
    if isinstance(plain.get("action"), str):
        plain["action"] = fold(plain["action"]).replace(" ", "_")
    if isinstance(plain.get("experiment"), dict):
        plain["experiment"] = _read_numbers(_fold_keys(plain["experiment"]))
    if "hypothesis" in plain:
        plain["hypothesis"] = _unify_hypothesis(plain["hypothesis"])
    return _read_numbers(plain)


def _fold_keys(fields: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for key, value in fields.items():
        name = fold(key)
        # Of two keys that fold alike the one that was written plainly counts.
        if name not in plain or key == name:
            plain[name] = value
    return plain


def _read_numbers(fields: dict[str, Any]) -> dict[str, Any]:
    texts = {key: fields[key] for key in _NUMERIC if isinstance(fields.get(key), str)}
    return {**fields, **{key: read_number(text) for key, text in texts.items()}}


def _unify_hypothesis(value: object) -> object:
    if isinstance(value, str):
        value = mend_object(value) or value
    if not isinstance(value, dict):
        return value
    plain = _fold_keys(value)
    edges, coefficients = plain.get("edges"), plain.get("coefficients")
    if isinstance(edges, list):
        plain["edges"] = [_split_arrow(edge) for edge in edges]
    if isinstance(coefficients, dict):
        plain["coefficients"] = {
            key: read_number(number) if isinstance(number, str) else number
            for key, number in coefficients.items()
        }
    return plain


def _split_arrow(edge: object) -> object:
    if isinstance(edge, dict):
        return _fold_keys(edge)
    if not isinstance(edge, str):
        return edge
    ends = _ARROW.split(edge)
    return [end.strip() for end in ends] if len(ends) == 2 else edge


def read_number(text: str) -> str | int | float:
    """Return the number that a text is, with or without `Hz`; any other text as it is.

    Example:
        >>> read_number(" 12.5 Hz"), read_number("3"), read_number("about 3")
        (12.5, 3, 'about 3')
    """
    match = _NUMBER.fullmatch(text.strip(" \t\r\n\"'`").replace("−", "-"))
    if match is None:
        return text
    written = match[1]
    return int(written) if re.fullmatch(r"[+-]?\d{1,15}", written) else float(written)


def lacks_first_brace(reply: str) -> bool:
    """Return whether a reply begins with a field where an object should begin."""
    return _BARE_FIELDS.match(reply) is not None


def mend_object(reply: str) -> dict[str, Any] | None:
    """Return the one object that a reply nearly is; None if it is nothing of the kind."""
    objects = scan_reply(reply).objects
    return objects[0] if len(objects) == 1 else None
