"""The scanner under the one reader of replies: every JSON-like value of a text, in linear time.

It goes forward only. A token is matched without a way back, and after something that is no value it
goes on where that broke, or behind it.
"""

import json
import re
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

from causarium.contract.texts.replies import MAX_DEPTH, MAX_REPLY_CHARS, excerpt
from causarium.contract.world import Unparsed

Fields = dict[str, Any]

_MOST_DIGITS, _MOST_PLAIN_DIGITS = 300, 4_000
"""Longer whole numbers are read as floats: where we read them, and in valid JSON."""


_SPACE = r"[\s\u200b\u2060\ufeff]"
_QUOTE = "[\"'“”„«‘’‚]"
_AFTER = rf"{_SPACE}*+[,:，：]?"
_TOKEN = re.compile(
    rf"(?>(?:{_SPACE}++|//[^\n]*+|\#[^\n]*+)*)"
    rf"(?:([{{\[(])|([}}\])]{_AFTER})"
    rf'|"(?!"")([^"\\]*+(?>(?:\\.[^"\\]*+)*))("{_AFTER}|)'
    rf"|'([^'\\]*+(?>(?:(?:\\.|(?<=\w)'(?=\w))[^'\\]*+)*))('{_AFTER}|)"
    rf"|([^\s{{}}\[\](),:：，\"'“”„«‘’‚\u200b\u2060\ufeff]++)({_AFTER})"
    rf'|"""([^"\\]*+(?>(?:(?:\\.|"(?!""))[^"\\]*+)*))("""{_AFTER}|)'
    rf'|[“”„«]([^“”"»\\]*+(?>(?:\\.[^“”"»\\]*+)*))([“”"»]{_AFTER}|)'
    rf"|[‘’‚]([^‘’'\\]*+(?>(?:(?:\\.|(?<=\w)[’'](?=\w))[^‘’'\\]*+)*))([‘’']{_AFTER}|)"
    r"|([,:，：])|(\Z))",
    re.DOTALL,
)
"""A token with the space before it and the comma or colon behind it.

It matches everywhere, and nothing in it is tried twice: repetitions of one character are
possessive, and those of groups atomic, as Python 3.11.2 loses its place in possessive groups."""
_OPEN, _CLOSE, _STRING, _WORD, _BARE, _SEPARATOR, _END = 1, 2, 4, 7, 8, 15, 16
"""The groups that match last. Of a string it is the quote at its end, empty where that lacks."""
_STRINGS = {_STRING: 1, 6: 1, _BARE: 0, 10: 3, 12: 1, 14: 1}
"""How many quotes stand before what the group before each of these holds."""
_CLOSING = {"{": "}", "[": "]", "(": ")"}
_COMMAS, _COLONS = (",", "，"), (":", "：")
_KEY = rf"{_SPACE}*+(?:{_QUOTE}|\w++{_SPACE}*+[:：]|//|\#)"
_OBJECT_START = re.compile(rf"\{{(?={_KEY})")
_PLAIN_START = re.compile(rf"\{{(?={_KEY}|\s*+\}})")
_VALUE_START = re.compile(rf"\{{(?={_KEY})|\[(?={_SPACE}*+(?:{_QUOTE}|[\[({{]))")
_MEMBER_START = re.compile(rf"{_SPACE}*+(?:```\w*+)?{_SPACE}*+(?={_QUOTE}\w++{_QUOTE}{_SPACE}*+:)")
_SKIPPED = re.compile(r'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)("?)|([\[{])|([\]}])', re.DOTALL)
_MARKS = re.compile(r'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)"?|[\[\](){}]', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", **{c: c for c in "\"'\\/`"}}
_JSON_WORDS: dict[str, float | None] = {"true": True, "false": False, "null": None}
_JSON_WORDS |= {word: float(word) for word in ("NaN", "Infinity", "-Infinity")}
_WORDS = {**_JSON_WORDS, "True": True, "False": False, "None": None}
_NUMERAL = re.compile(r"[+-]?+(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?+\d++)?")
_MOST_VALUES = 1_000
"""A reply with more values, whole or broken, is not read further: none of them is meant."""
_MOST_SALVAGED, _FEW_SALVAGED, _SHORTEST = 4_000, 100, 24
"""Of a broken reply more is looked at, but no more values than edges fit in it: a few, and one for
every so many characters."""
_PLAIN_TRIES = 20
"""So many values are tried as valid JSON and are none; then our own scanner reads the rest."""
_MOST_TOKENS = 32_000
"""A value that is no valid JSON is read no further than this."""

SPELLING, CLOSED, OPENED, CUT_OFF = "spelling", "last brackets", "first brace", "cut off"
"""What may be mended in a value: only `CUT_OFF` means that something was left out."""


_TAG = re.compile(r"</?think>")


def cut_thinking(reply: str) -> str:
    """Return what a reply says after the last of its thinking, or before it if nothing follows.

    A tag in a valid JSON object is text like any other. A closing tag that none opens ends
    thinking that began with the reply.

    Example:
        >>> cut_thinking('<think>{"answer": "no"}? Hm.</think> {"answer": "yes"}')
        ' {"answer": "yes"}'
        >>> cut_thinking('{"answer": "yes"} <think>Sure?</think>')
        '{"answer": "yes"}'
    """
    said, begin, place, tries, is_thinking = "", 0, 0, _PLAIN_TRIES, False
    for tag in _TAG.finditer(reply):
        is_opening = tag[0] == "<think>"
        if is_thinking:
            if not is_opening:
                is_thinking, begin, place = False, tag.end(), tag.end()
            continue
        while place <= tag.start() and tries:
            if (start := _OBJECT_START.search(reply, place, tag.start())) is None:
                break
            plain = _read_plain(reply, start.start())
            place = plain.end if plain else start.end()
            tries -= plain is None
        if place > tag.start():
            continue
        if is_opening:
            said, is_thinking = reply[begin : tag.start()].rstrip() or said, True
        else:
            said, begin, place = "", tag.end(), tag.end()
    rest = "" if is_thinking else reply[begin:]
    return rest if rest.strip() else said


class FoundValue(NamedTuple):
    """A JSON-like object or list in a reply."""

    value: Any
    start: int
    end: int
    mended: str = ""
    """What was mended: `SPELLING`, `CLOSED`, `OPENED`, `CUT_OFF` or nothing."""


class ReplyScan(NamedTuple):
    """The JSON-like values of a reply, in order, none within another."""

    text: str
    """The reply without its thinking."""
    values: tuple[FoundValue, ...]
    problem: str = ""
    """Why the last thing that was meant as a value is none; nothing if there is no such thing."""
    is_too_large: bool = False
    """Whether the reply, or a value in it, is longer or deeper than what is read."""

    @property
    def objects(self) -> list[Fields]:
        """The objects that are whole."""
        whole = [found.value for found in self.values if found.mended != CUT_OFF]
        return [value for value in whole if isinstance(value, dict)]

    def explain_none(self, mode: str) -> Unparsed:
        """Say by `mode` why there is no object in the reply."""
        detail = f"no JSON object in the reply: {excerpt(self.text.strip())!r}"
        if self.problem:
            detail = f"the JSON object in the reply cannot be read: {self.problem}"
        return Unparsed(mode=mode, detail=detail)


def scan_reply(
    reply: str, *, lists: bool = False, salvage: bool = False, strict: bool = False
) -> ReplyScan:
    """Find the JSON-like values of a reply.

    Args:
        reply: What a model wrote.
        lists: Whether lists outside of objects are values too; else their brackets are passed over.
        salvage: Whether what is whole in a broken or cut-off value is taken too, marked `CUT_OFF`;
            what comes behind the break then stands for itself.
        strict: Whether only valid JSON counts; of other values nothing is mended.

    Example:
        >>> scan_reply("I think {so}. Hence {'answer': True,}").objects
        [{'answer': True}]
        >>> scan_reply('{"plan": {"answer": "yes"} and more}').objects
        []
    """
    text = cut_thinking(reply)
    if len(text) > MAX_REPLY_CHARS:
        reason = f"the reply has {len(text):,} characters; at most {MAX_REPLY_CHARS:,} are read"
        return ReplyScan(text, (), reason, is_too_large=True)
    values: list[FoundValue] = []
    problem, place, plain_tries = "", 0, _MOST_VALUES if strict else _PLAIN_TRIES
    if not strict and (start := _MEMBER_START.match(text)) is not None:
        with suppress(_BrokenError):
            values.append(_Scanner(text, start.end()).read_members())
            place = values[0].end
    starts = _PLAIN_START if strict else _VALUE_START if lists else _OBJECT_START
    salvaged = min(_MOST_SALVAGED, _FEW_SALVAGED + len(text) // _SHORTEST)
    for _ in range(salvaged if salvage else _MOST_VALUES):
        if (start := starts.search(text, place)) is None:
            break
        if plain_tries and (plain := _read_plain(text, start.start())) is not None:
            values.append(plain)
            place = plain.end
            continue
        plain_tries = max(0, plain_tries - 1)
        scanner = _Scanner(text, start.start())
        try:
            found = scanner.read()
            place = found.end
            if strict:
                problem = "it is no valid JSON as it stands"
            else:
                values.append(found)
        except _TooMuchError as wrong:
            return ReplyScan(text, (), wrong.problem, is_too_large=True)
        except _BrokenError as wrong:
            place = wrong.place
            if scanner.is_meant:
                problem = wrong.problem
                place = place if salvage else _skip_broken(text, place, scanner.depth)
            if salvage and wrong.part:
                values.append(FoundValue(wrong.part, start.start(), wrong.place, CUT_OFF))
    return ReplyScan(text, tuple(values), problem)


def find_json_objects(reply: str) -> list[Fields]:
    """Return the outermost objects of a reply that are valid JSON; prose around them is skipped.

    Example:
        >>> find_json_objects('I think {so}. Hence: {"answer": "yes"}')
        [{'answer': 'yes'}]
        >>> find_json_objects('{"plan": {"answer": "yes"}, }')
        []
    """
    return scan_reply(reply, strict=True).objects


def find_json_object(reply: str, *, mode: str) -> Fields | Unparsed:
    """Return the first object of a reply that is valid JSON; none or too much is `Unparsed`.

    An empty one counts only where there is no other.
    """
    scan = scan_reply(reply, strict=True)
    return next(filter(None, scan.objects), {}) if scan.objects else scan.explain_none(mode)


def list_open_brackets(text: str) -> str:
    """Return the brackets that are still open at the end of a text, the first one first."""
    opened: list[str] = []
    for mark in _MARKS.findall(text):
        if mark in {"{", "[", "("}:
            opened.append(mark)
        elif opened and not mark.startswith('"'):
            opened.pop()
    return "".join(opened)


def _skip_broken(text: str, place: int, depth: int) -> int:
    """Return where the brackets close that are open at `place`: nothing in them is for itself."""
    for mark in _SKIPPED.finditer(text, place):
        if mark.lastindex == 1:
            if not mark[1]:
                break
        else:
            depth += 1 if mark.lastindex == 2 else -1
            if depth <= 0:
                return mark.end()
    return len(text)


def _read_plain(text: str, start: int) -> FoundValue | None:
    """Read a value that is valid JSON, which needs no scanner of ours; None if it is not."""
    try:
        value, end = _PLAIN.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    # With so few brackets it cannot be deep; to look into it takes longer than to read it.
    is_shallow = text.count("[", start, end) + text.count("{", start, end) <= MAX_DEPTH
    if not is_shallow and is_deeper(value, MAX_DEPTH):
        return None
    return FoundValue(value, start, end)


def _refuse_repeats(pairs: list[tuple[str, Any]]) -> Fields:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a key stands there twice")
    return fields


def _read_integer(digits: str) -> int | float:
    # Python refuses to read more digits; what is not finite is refused by whoever wants a number.
    return int(digits) if len(digits) <= _MOST_PLAIN_DIGITS else float(digits)


_PLAIN = json.JSONDecoder(object_pairs_hook=_refuse_repeats, parse_int=_read_integer)


def is_deeper(value: object, most: int) -> bool:
    """Whether a value nests deeper than `most`; walks no deeper than that."""
    level = [value]
    for _ in range(most):
        holders = [holder for holder in level if isinstance(holder, dict | list)]
        if not holders:
            return False
        level = [
            item
            for holder in holders
            for item in (holder.values() if isinstance(holder, dict) else holder)
        ]
    return any(isinstance(holder, dict | list) for holder in level)


class _BrokenError(Exception):
    """What stands at a place fits no value; never leaves this module."""

    def __init__(self, problem: str, place: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.place = place
        self.part: Any = None
        """What was read of the value."""


class _TooMuchError(_BrokenError):
    """A value is too deep or too long."""


class _EndError(_BrokenError):
    """The text ends where nothing but closing brackets is missing."""


class _Scanner:
    """Reads one value, by descent; how deep that may go is bounded."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self.depth = 0
        self.is_meant = False
        """Whether a key in quotes and a colon show that this is no prose."""
        self._is_mended = False
        self._tokens = islice(_TOKEN.finditer(text, start), _MOST_TOKENS)

    def read(self) -> FoundValue:
        """Read the object or list at the start."""
        return self._read_whole(next(self._tokens)[_OPEN])

    def read_members(self) -> FoundValue:
        """Read the members of an object that lacks its first brace."""
        return self._read_whole("{")._replace(mended=OPENED)

    def _read_whole(self, opening: str) -> FoundValue:
        try:
            value, closing = self._read_brackets(opening)
        except _EndError as wrong:
            return FoundValue(wrong.part, self.start, wrong.place, CLOSED)
        except StopIteration:
            problem = f"a value in the reply has more than {_MOST_TOKENS:,} parts"
            raise _TooMuchError(problem, len(self.text)) from None
        end = closing.start(_CLOSE) + 1
        return FoundValue(value, self.start, end, SPELLING if self._is_mended else "")

    def _read_brackets(self, opening: str) -> tuple[Any, re.Match[str]]:
        """Read what stands in brackets, and return it with the bracket at its end."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _TooMuchError(f"the reply nests deeper than {MAX_DEPTH} levels", len(self.text))
        value: Any = {} if opening == "{" else []
        try:
            end = self._fill_object(value) if opening == "{" else self._fill_list(value)
            if end.lastindex != _CLOSE or end[_CLOSE][0] != _CLOSING[opening]:
                raise self._break(end, f"a comma or {_CLOSING[opening]}")
        except _BrokenError as wrong:
            wrong.part = value
            raise
        self.depth -= 1
        return value, end

    def _fill_object(self, fields: Fields) -> re.Match[str]:
        """Read members, and return the token after them."""
        tokens = self._tokens
        while (token := next(tokens)).lastindex != _CLOSE:
            key = self._read_key(token)
            try:
                value, after = self._read_value(next(tokens))
            except _BrokenError as wrong:
                if wrong.part is not None:
                    fields[key] = wrong.part
                raise
            if fields.setdefault(key, value) is not value and repr(value) != repr(fields[key]):
                # One and the same value twice leaves no doubt; 1 and True are two.
                raise _BrokenError(f"the key {excerpt(key)!r} has two values", token.start())
            if after != "," and after[-1:] not in _COMMAS and (end := self._find_end()):
                return end
        return token

    def _fill_list(self, items: list[Any]) -> re.Match[str]:
        """Read items, and return the token after them."""
        tokens = self._tokens
        while (token := next(tokens)).lastindex != _CLOSE:
            try:
                value, after = self._read_value(token)
            except _BrokenError as wrong:
                if wrong.part is not None:
                    items.append(wrong.part)
                raise
            items.append(value)
            if after != "," and after[-1:] not in _COMMAS and (end := self._find_end()):
                return end
        return token

    def _find_end(self) -> re.Match[str] | None:
        """Return the bracket after a value without a comma; None: the comma stands apart."""
        token = next(self._tokens)
        kind = token.lastindex
        if kind == _SEPARATOR and token[_SEPARATOR] in _COMMAS:
            return None
        is_fence = kind == _BARE and token[_WORD] == "```"
        if kind == _END or (is_fence and next(self._tokens).lastindex == _END):
            raise _EndError("", token.start())
        return token

    def _read_key(self, token: re.Match[str]) -> str:
        kind = token.lastindex
        if kind == _BARE:
            key, after = token[_WORD], token[_BARE]
            self._is_mended = True
        elif kind in {_OPEN, _SEPARATOR, _END}:
            raise self._break(token, "a key")
        else:
            key, after = self._read_string(token)
        if after[-1:] not in _COLONS:
            token = next(self._tokens)
            if token.lastindex != _SEPARATOR or token[_SEPARATOR] not in _COLONS:
                raise self._break(token, "a colon")
        if kind != _BARE:
            self.is_meant = True
        return key

    def _read_value(self, token: re.Match[str]) -> tuple[Any, str]:
        """Read a value, and return it with what comes after it."""
        kind = token.lastindex
        if kind == _BARE:
            return self._read_bare(token), token[_BARE]
        if kind == _OPEN:
            self._is_mended = self._is_mended or token[_OPEN] == "("
            value, end = self._read_brackets(token[_OPEN])
            return value, end[_CLOSE]
        if kind in {_CLOSE, _SEPARATOR, _END}:
            raise self._break(token, "a value")
        return self._read_string(token)

    def _read_string(self, token: re.Match[str]) -> tuple[str, str]:
        kind = token.lastindex or 0
        after: str = token[kind]
        if not after:
            place = token.start(kind - 1)
            raise _BrokenError(f"the text from character {place} on never ends", len(self.text))
        if kind != _STRING:
            self._is_mended = True
        text: str = token[kind - 1]
        return (_unescape(text) if "\\" in text else text), after

    def _read_bare(self, token: re.Match[str]) -> float | str | None:
        """Read a number or a word of JSON or Python; any other single word is a text."""
        word: str = token[_WORD]
        if word[0] in "0123456789+-.−":
            if word.isdecimal() and len(word) <= _MOST_DIGITS:
                return int(word)
            numeral = word.replace("−", "-")
            if _NUMERAL.fullmatch(numeral):
                is_whole = numeral.lstrip("+-").isdecimal() and len(numeral) <= _MOST_DIGITS
                return int(numeral) if is_whole else float(numeral)
        if word not in _JSON_WORDS:
            self._is_mended = True
            if not word[0].isalnum():
                raise self._break(token, "a value")
        return _WORDS.get(word, word)

    def _break(self, token: re.Match[str], needed: str) -> _BrokenError:
        kind = token.lastindex or 0
        place = token.start(kind)
        if kind in _STRINGS:
            place = token.start(kind - 1) - _STRINGS[kind]
        shown = repr(self.text[place : place + 20]) if place < len(self.text) else "the end"
        return _BrokenError(f"at character {place} stands {shown} in place of {needed}", place)


def _unescape(text: str) -> str:
    """Put characters for escapes; a backslash before any other character is one itself."""
    plain = _ESCAPE.sub(_put_character, text)
    if "\\u" not in text:
        return plain
    # Characters beyond the first plane are escaped in two halves.
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _put_character(escape: re.Match[str]) -> str:
    if escape[1]:
        return chr(int(escape[1], 16))
    return _ESCAPES.get(escape[2], escape[0])
