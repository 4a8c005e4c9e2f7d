"""Single columns of files in the published schema, whatever wrote them.

Lists and tables may come as native values, as JSON in a string or, from tables saved by other
tools, as Python literals in a string. Texts may be missing, or nan where a table had a gap.
"""

import ast
import json
import math
from typing import Annotated

from pydantic import BeforeValidator

from causarium.contract.frozen import make_writable

_SEPARATORS = {0x85: "\n", 0x2028: "\n", 0x2029: "\n"}
"""Rare ends of lines, that texts from PDF files have and files of lines cannot hold."""


def make_plain(value: object) -> object:
    """Return a value whose texts can stand in a file of lines."""
    if isinstance(value, str):
        return value.translate(_SEPARATORS)
    if isinstance(value, dict):
        return {make_plain(key): make_plain(item) for key, item in value.items()}
    return [make_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _decode_value(value: object) -> object:
    """Return what a string holds; anything else as it is."""
    if isinstance(value, str):
        value = _read(value) if value.strip() else None
    return None if _is_gap(value) else make_plain(make_writable(value))


def _read(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as wrong:
        try:
            # Literals alone: nothing in the string is ever run.
            return ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            raise ValueError(f"expected a list or a table, or JSON of one: {wrong}") from wrong


def _is_gap(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _read_list(value: object) -> object:
    found = _decode_value(value)
    return [] if found is None else found


def _table(value: object) -> object:
    found = _decode_value(value)
    if found is None:
        return {}
    # A columnar file has a place for every name of every row, and most of them are empty.
    return {k: v for k, v in found.items() if v is not None} if isinstance(found, dict) else found


def _text(value: object) -> object:
    return "" if _is_gap(value) else make_plain(make_writable(value))


def _digit(value: object) -> object:
    return int(value) if isinstance(value, str) and value.strip() in {"1", "2", "3"} else value


Text = Annotated[str, BeforeValidator(_text)]
"""A text; a gap is an empty one."""
LISTED = BeforeValidator(_read_list)
"""Decodes a list; a gap is an empty one."""
TABLE = BeforeValidator(_table)
"""Decodes a table; a gap is an empty one."""
DIGIT = BeforeValidator(_digit)
"""Takes a label that is written as text."""
