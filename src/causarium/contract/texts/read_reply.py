r"""One tolerant reader of replies, for every family.

A model writes what was asked for in many spellings. This reader takes every spelling that can mean
one thing only, and nothing else; it never raises for what a model wrote.

=============== ====================================================================================
`read_action`   one of the expected actions, by its fields or by the name under `action`
`read_object`   the first JSON-like object of a reply, with its keys as they are expected
`take_first`    the first of some objects that is a legal action, by a family's own reading
`read_word`     a lone word, such as yes or no, after `answer`, in `\boxed{}` or on the last line
`read_lines`    lines that are a name, a mark such as `=` or `->`, and a text
`read_code`     the last fenced block of code
`read_numeral`  a text that is a number, with or without its unit
`read_arrow`    a text that is two names with an arrow between them
`split_names`   names with commas, lines or `and` between them
`scan_reply`    every JSON-like value of a reply, for a family that chooses among several
`fold_symbols`  a text with the signs of mathematics and typography written in ASCII
=============== ====================================================================================

All but `fold_symbols` leave out thinking, as `cut_thinking` does. Mended are: code fences and text
around a value; single and typographic quotes; Python's and unquoted words; commas too many;
comments; line feeds and odd escapes in texts; tuples; keys in another case; a first brace or last
brackets that are missing. Left in doubt, and so not read, are: a key with two values; a text within
which the reply breaks off.

Of several objects the first that is a legal action counts: a model that writes the next turns by
itself has still made its move. The action is marked `forgiven` if others differ from it.

Reading takes time in proportion to the length of a reply, whatever stands in it.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

from causarium.contract.texts.replies import MAX_REPLY_CHARS, excerpt, fit_action
from causarium.contract.texts.say_action import list_shown_fields
from causarium.contract.texts.scan_reply import Fields, ReplyScan, cut_thinking, scan_reply
from causarium.contract.world import Action, Unparsed

_MOST_WRAPPERS = 3
_MOST_TRIED = 50
"""A reply with more objects is not looked through for a legal one."""

_SYMBOLS: Final = str.maketrans(
    {
        **dict.fromkeys("“”„‟″«»＂", '"'),
        **dict.fromkeys("‘’‚‛′＇´", "'"),
        **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u3000", " "),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff", ""),
        **dict.fromkeys("‐‑‒–—−－", "-"),
        **dict.fromkeys("×·⋅∗", "*"),
        **dict(zip("∧⋀∨⋁¬∼⊕⊻≈：，；（）＝｛｝", "&&||!!^^~:,;()={}", strict=True)),
        **dict.fromkeys("↔⇔⟷≡⊙", "<->"),
        **dict.fromkeys("→⇒⟶⟹", "->"),
        **dict.fromkeys("←⇐", "<-"),
        **dict.fromkeys("≤⩽", "<="),
        **dict.fromkeys("≥⩾", ">="),
        **dict.fromkeys("≠", "!="),
        **dict.fromkeys("…", "..."),
    }
)


def fold_symbols(text: str) -> str:
    """Return `text` with signs of mathematics and typography written in ASCII.

    Example:
        >>> fold_symbols("X1 ∧ ¬X2 → “on” ≤ 3")
        'X1 & !X2 -> "on" <= 3'
    """
    return text if text.isascii() else text.translate(_SYMBOLS)


def read_object(
    reply: str | ReplyScan, *, mode: str, names: Collection[str] = (), only_one: bool = False
) -> Fields | Unparsed:
    """Read the first JSON-like object of a reply.

    Args:
        reply: What a model wrote, or what was found in it.
        mode: The failure mode to report where there is no such object.
        names: The expected keys, as `list_objects` takes them.
        only_one: Whether different objects leave the reply unread, as editions before 4-A read.

    Example:
        >>> read_object("Sure: {'Answer': 'yes'}", mode="bad", names=("answer",))
        {'answer': 'yes'}
    """
    found = list_objects(reply, mode=mode, names=names, only_one=only_one)
    return found if isinstance(found, Unparsed) else found[0]


def list_objects(
    reply: str | ReplyScan, *, mode: str, names: Collection[str] = (), only_one: bool = False
) -> list[Fields] | Unparsed:
    """List the JSON-like objects of a reply that may be meant: at least one, or why there is none.

    Keys in another case or with other marks between their words are folded to the expected `names`;
    a wrapper such as `{"answer": {...}}` is taken off. Objects that have one of the names leave out
    those that have none, and whole ones leave out patterns such as `{"answer": "<yes or no>"}`.
    With `only_one`, as editions before 4-A read, different objects leave the reply unread.
    """
    scan = scan_reply(reply) if isinstance(reply, str) else reply
    whole = scan.objects
    spelled = {_fold_name(name): name for name in names} if whole else {}
    objects = [_fold_keys(_unwrap(value, spelled), names, spelled) for value in whole]
    fields = [value for value in objects if not isinstance(value, str)]
    named = [value for value in fields if any(name in value for name in names)] or fields
    if only_one and len({repr(value) for value in named}) > 1:
        return Unparsed(mode=mode, detail=f"{len(named)} JSON objects in the reply; send one")
    if found := [value for value in named if not _is_pattern(value)] or named:
        return found
    if objects:
        detail = f"the JSON object in the reply has two values for {excerpt(str(objects[-1]))!r}"
        return Unparsed(mode=mode, detail=detail)
    return scan.explain_none(mode)


def _is_pattern(value: Fields) -> bool:
    """Whether an object shows a form with blanks to fill in, as a prompt does."""
    texts = (text.strip() for text in value.values() if isinstance(text, str))
    return any(text in {"...", "…"} or (text[:1] + text[-1:]) == "<>" for text in texts)


def take_first(
    objects: Sequence[Fields],
    read: Callable[[Fields], Action | Unparsed],
    expected: tuple[type[Action], ...] = (Action,),
) -> Action | Unparsed:
    """Return the first object that is an expected action, else the first that is any.

    Where none is, it is what `read` says of the first object. The action is marked if there are
    other objects that say something else.
    """
    others: list[tuple[Fields, Action | Unparsed]] = []
    for value in objects[:_MOST_TRIED]:
        found = read(value)
        if isinstance(found, expected):
            return _mark_forgiven(found, value, objects)
        others.append((value, found))
    for value, found in others:
        if isinstance(found, Action):
            return _mark_forgiven(found, value, objects)
    return others[0][1]


def _mark_forgiven(action: Action, read: Fields, objects: Sequence[Fields]) -> Action:
    said = repr(read)
    is_alone = all(repr(other) == said for other in objects)
    return action if is_alone else action.model_copy(update={"forgiven": 1})


def unwrap(value: Fields, names: Collection[str]) -> Fields:
    """Take off objects around the one that has an expected key.

    Example:
        >>> unwrap({"answer": {"Mechanisms": {}}}, ("mechanisms",))
        {'Mechanisms': {}}
    """
    return _unwrap(value, {_fold_name(name): name for name in names})


def _unwrap(value: Fields, spelled: Mapping[str, str]) -> Fields:
    inner = value
    for _ in range(_MOST_WRAPPERS):
        if any(_fold_name(key) in spelled for key in inner):
            return inner
        parts = [part for part in inner.values() if isinstance(part, dict)]
        if len(parts) != 1:
            break
        inner = parts[0]
    return value


def fold_keys(value: Fields, names: Collection[str]) -> Fields | str:
    """Return an object with its keys as they are expected; other keys stay as they are.

    Returns:
        The object, or the name that has two different values in it.

    Example:
        >>> fold_keys({"Final Answer": "yes", "note": 1}, ("final_answer",))
        {'final_answer': 'yes', 'note': 1}
    """
    return _fold_keys(value, names, {_fold_name(name): name for name in names})


def _fold_keys(value: Fields, names: Collection[str], spelled: Mapping[str, str]) -> Fields | str:
    folded: Fields = {}
    for key, item in value.items():
        name = key if key in names else spelled.get(_fold_name(key), key)
        if name in folded and repr(folded[name]) != repr(item):
            return name
        folded[name] = item
    return folded


def _fold_name(name: str) -> str:
    return name.strip(" \t\n*`_").casefold().replace(" ", "_").replace("-", "_")


def read_action(
    reply: str | ReplyScan,
    allowed_actions: tuple[type[Action], ...],
    *,
    mode: str,
    other_names: Mapping[str, str] | None = None,
    also: Sequence[type[Action]] = (),
    only_one: bool = False,
) -> Action | Unparsed:
    """Read a reply as the first of its objects that is one of the expected actions.

    Args:
        reply: What a model wrote, or what was found in it.
        allowed_actions: The expected kinds of action.
        mode: The failure mode to report where no object is one.
        other_names: Other names of kinds, in small letters.
        also: Kinds that are read too where no object is an expected one.
        only_one: Whether different objects leave the reply unread, as editions before 4-A read.
    """
    shown = {action: list_shown_fields(action) for action in (*allowed_actions, *also)}
    names = ("action", *(name for fields in shown.values() for name in fields))
    objects = list_objects(reply, mode=mode, names=names, only_one=only_one)
    if isinstance(objects, Unparsed):
        return objects

    def read(value: Fields) -> Action | Unparsed:
        return _fit_named(value, shown, mode=mode, other_names=other_names or {})

    return take_first(objects, read, allowed_actions)


def _fit_named(
    value: Fields,
    shown: Mapping[type[Action], Sequence[str]],
    *,
    mode: str,
    other_names: Mapping[str, str],
) -> Action | Unparsed:
    """Make an action of an object, by the name under `action` or by its fields."""
    fields = dict(value)
    names = {name for own in shown.values() for name in own}
    word = fields.pop("action", None)
    if isinstance(word, dict) and isinstance(word.get("name"), str):
        fields, word = {**fields, **word}, word["name"]
    for wrapper in ("arguments", "args", "parameters", "input"):
        if wrapper not in names and isinstance(fields.get(wrapper), dict):
            fields = {**fields, **fields[wrapper]}
    offered = ", ".join(action.kind for action in shown)
    kinds = {_fold_name(action.kind): action for action in shown}
    meant = tuple(shown)
    if word is not None:
        said = _fold_name(word) if isinstance(word, str) else ""
        said = other_names.get(said, said)
        if said not in kinds:
            detail = f"there is no action {excerpt(repr(word))}; actions: {offered}"
            return Unparsed(mode=mode, detail=detail)
        meant = (kinds[said],)
    elif not any(name in fields for name in ("action", *names)):
        return Unparsed(mode=mode, detail=f'the JSON object names no "action"; actions: {offered}')
    known = {name for action in meant for name in shown[action]}
    return fit_action({key: fields[key] for key in fields if key in known}, meant, mode=mode)


_SPOKEN = re.compile(r"\\?\w++(?>(?:[-']\w++)*)|[/:=,.;?!\n]")
_PAUSES = set(":=,.;!")
_ENDS = set(".;?!\n")
_LATEX = {"\\text", "\\textbf", "\\mathrm", "\\mathbf", "\\mbox"}
_LINKS = {":", "=", "is", "was", "be"}
_BEFORE_ANSWER = _LINKS | _LATEX | {"final", "my", "your", "the", "must", "should", "\\boxed", "\n"}
_DOUBT = {"if", "whether"}
_DENIALS = {"not", "cannot", "never", "would", "may", "might", "could"}
_NO_MORE = {"longer", "doubt", "idea", "clue", "matter", "one", "more", "less", "way", "would", "?"}
"""What makes something else of a word before it, as of `no` in `no doubt`."""


def read_word(
    reply: str, words: Mapping[str, str] | Collection[str], *, mode: str
) -> str | Unparsed:
    r"""Read a lone word: after `answer`, in `\boxed{}`, or alone on the last line.

    Args:
        reply: What a model wrote.
        words: The words that may be said, in small letters; as a mapping, spellings and the words
            that they stand for.
        mode: The failure mode to report where no such word was said, or two different ones.

    Example:
        >>> read_word("So the answer is **Yes**.", ("yes", "no"), mode="bad")
        'yes'
        >>> read_word("Answer: yes\nNo.", ("yes", "no"), mode="bad").detail
        'the reply says both no and yes; send one of them'
    """
    text = cut_thinking(reply)
    if len(text) > MAX_REPLY_CHARS:
        return Unparsed(mode=mode, detail=f"the reply has {len(text):,} characters")
    spellings = words if isinstance(words, Mapping) else {word: word for word in words}
    alone = _find_lone_words(fold_symbols(text), spellings)
    said = {spellings[word] for word in alone if word in spellings}
    if len(said) == 1:
        return said.pop()
    if said:
        detail = f"the reply says both {' and '.join(sorted(said))}; send one of them"
    else:
        expected = " or ".join(dict.fromkeys(spellings.values()))
        detail = f"the reply says neither {expected}: {excerpt(text.strip())!r}"
    return Unparsed(mode=mode, detail=detail)


def _find_lone_words(text: str, spellings: Collection[str]) -> Iterator[str]:
    """Yield the words that stand where an answer stands, and every spelling after the first one."""
    words = _split_words(text)
    answers = [place for place, word in enumerate(words) if word in {"answer", "\\boxed"}]
    found = (_find_answer(words, place, spellings) for place in answers)
    first = next((place for place in found if place is not None), len(words))
    for place, word in enumerate(words[first:], first + 1):
        if word in spellings and _NO_MORE.isdisjoint(words[place : place + 1]):
            yield word
    last = text.strip().rpartition("\n")[2][:_MOST_LINE]
    alone = [word for word in _split_words(last) if word not in _PAUSES]
    if len(alone) == 1:
        yield alone[0]


def _split_words(text: str) -> list[str]:
    return [word.casefold().strip("_") or word for word in _SPOKEN.findall(text)]


def _find_answer(words: list[str], place: int, spellings: Collection[str]) -> int | None:
    """Return where the word is that `answer` or a box introduces as the answer."""
    before = words[max(0, place - 4) : place]
    denied = (word in _DENIALS or word.endswith("n't") for word in _cut(before, _ENDS | _PAUSES))
    if any(denied) or not _DOUBT.isdisjoint(_cut(before, _ENDS)):
        return None
    skipped = _LATEX if words[place] == "\\boxed" else _BEFORE_ANSWER
    after = place + 1
    while after < len(words) and words[after] in skipped and after < place + 8:
        after += 1
    # "The answer yes would be wrong" speaks of an answer and gives none.
    is_given = words[place] == "\\boxed" or not before or before[-1] == "\n"
    is_given = is_given or not _LINKS.isdisjoint(words[place + 1 : after])
    word, *following = (words[after : after + 3] + [""] * 2)[:3]
    # "Answer yes or no" repeats the question.
    is_asked = following[0] in {"or", "/"} and any(word in spellings for word in following)
    is_word = word in spellings and following[0] not in _NO_MORE
    return after if is_given and is_word and not is_asked else None


def _cut(words: list[str], marks: Collection[str]) -> list[str]:
    """Return what stands after the last of some marks."""
    marked = [place for place, word in enumerate(words, 1) if word in marks]
    return words[max(marked, default=0) :]


_BULLET = re.compile(r"(?:[-*•]|\d{1,4}+[.)])[ \t]++")
_AROUND = " \t\r\"'`*|,;$"
_MOST_LINE = 1_000


def read_lines(reply: str, marks: Sequence[str] = ("=", ":")) -> list[tuple[str, str]]:
    r"""Return the lines of a reply that are a name, one of `marks`, and a text.

    Bullets, rows of tables, emphasis and quotes around the two are left out. A line in which
    another mark comes after the first is kept: the text after the first mark is what it says.

    Args:
        reply: What a model wrote.
        marks: What stands between the two; `|` reads rows of tables.

    Example:
        >>> read_lines("So:\n- **X4** = X1 and X2\n- `X5` = X3")
        [('X4', 'X1 and X2'), ('X5', 'X3')]
        >>> read_lines("1. rain → floods", marks=("->",))
        [('rain', 'floods')]
    """
    pairs: list[tuple[str, str]] = []
    text = fold_symbols(cut_thinking(reply)[:MAX_REPLY_CHARS])
    for line in text.splitlines() if any(mark in text for mark in marks) else ():
        if not line or len(line) > _MOST_LINE:
            continue
        bare = line.strip()
        bullet = _BULLET.match(bare)
        bare = bare[bullet.end() :] if bullet else bare.strip("|")
        places = [(bare.find(mark), -len(mark)) for mark in marks if mark in bare]
        if places:
            place, length = min(places)
            name, text = bare[:place].strip(_AROUND), bare[place - length :].strip(_AROUND)
            if name and text:
                pairs.append((name, text))
    return pairs


def read_code(reply: str) -> str | None:
    r"""Return the last whole fenced block of Python in a reply.

    Example:
        >>> read_code("First:\n```python\nprint(1)\n```\nDone.")
        'print(1)\n'
    """
    last: str | None = None
    block: list[str] | None = None
    is_wanted = False
    for line in cut_thinking(reply).splitlines(keepends=True):
        is_fence = line.lstrip(" \t").startswith("```")
        if block is None and is_fence:
            block, is_wanted = [], line.strip()[3:].strip().lower() in {"python", "py"}
        elif block is not None and is_fence:
            last = "".join(block) if is_wanted else last
            block = None
        elif block is not None:
            block.append(line)
    return last


_NUMERAL = re.compile(
    r"([+-]?+(?:\d{1,40}+\.?+\d{0,40}+|\.\d{1,40}+)(?>(?:[eE][+-]?+\d{1,3}+)?))\s*+([^\W\d]*+)"
)
_ARROW = re.compile(r"-{1,2}+>|=>")
_NAME_MARKS = re.compile(r"[,;\n]++|\band\b")


def read_numeral(text: str, unit: str = "") -> float | None:
    """Return the number that a text is, an int where it is whole; None for any other text.

    Example:
        >>> read_numeral(" 12.5 Hz", unit="hz"), read_numeral("−3"), read_numeral("about 3")
        (12.5, -3, None)
    """
    match = _NUMERAL.fullmatch(fold_symbols(text[:_MOST_LINE]).strip(" \t\r\n\"'`"))
    if match is None or match[2].lower() not in {"", unit}:
        return None
    digits = match[1]
    return int(digits) if digits.lstrip("+-").isdecimal() else float(digits)


def read_arrow(text: str) -> tuple[str, str] | None:
    """Return the two names that a text has around its one arrow; None for any other text.

    Example:
        >>> read_arrow("rain → floods"), read_arrow("a -> b -> c")
        (('rain', 'floods'), None)
    """
    ends = [end.strip() for end in _ARROW.split(fold_symbols(text))]
    return (ends[0], ends[1]) if len(ends) == 2 else None


def split_names(text: str) -> list[str]:
    """Return names that have commas, semicolons, lines or `and` between them.

    Example:
        >>> split_names("rain, wind and hail")
        ['rain', 'wind', 'hail']
    """
    return [part.strip() for part in _NAME_MARKS.split(text)]
