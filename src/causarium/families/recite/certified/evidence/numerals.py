"""Whole numbers in words, as the texts write them."""

import re

_SMALL: tuple[str, ...] = tuple(
    re.findall(
        r"\w+",
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen",
    )
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {
    **{word: value for value, word in enumerate(_SMALL)},
    **{word: 20 + 10 * place for place, word in enumerate(_TENS)},
}
_SCALES = {"hundred": 100, "thousand": 1000}
_COUNTING = [word for word in _VALUES if word not in {"zero", "one"}]
_WORD = rf"(?:{'|'.join(sorted(_VALUES, key=len, reverse=True))}|hundred|thousand)"
_FIRST = rf"(?:{'|'.join(sorted(_COUNTING, key=len, reverse=True))}|(?:a|one) (?:hundred|thousand))"
NUMERAL = re.compile(rf"\b{_FIRST}(?:[- ](?:and )?{_WORD})*\b|\d+", re.IGNORECASE)
"""A number in words or digits; a lone `one` is a pronoun as often, and so none."""


def write_numeral(value: int) -> str:
    """Return a number below ten thousand in words.

    Example:
        >>> write_numeral(41), write_numeral(120), write_numeral(2300)
        ('forty-one', 'a hundred and twenty', 'two thousand three hundred')
    """
    if value < 20:
        return _SMALL[value]
    if value < 100:
        tens, ones = divmod(value, 10)
        return _TENS[tens - 2] + (f"-{_SMALL[ones]}" if ones else "")
    scale, word = (1000, "thousand") if value >= 1000 else (100, "hundred")
    count, rest = divmod(value, scale)
    head = f"{'a' if count == 1 else write_numeral(count)} {word}"
    if not rest:
        return head
    tail = write_numeral(rest)
    tail = f"one{tail[1:]}" if tail.startswith("a ") else tail
    return f"{head} {'and ' if rest < 100 else ''}{tail}"


def read_numeral(words: str) -> int | None:
    """Return the number that some words or digits are; None if they are none.

    Example:
        >>> read_numeral("A hundred and sixty-two"), read_numeral("forty hens")
        (162, None)
    """
    text = words.strip().casefold()
    if text.isdecimal():
        return int(text)
    total = part = 0
    for word in text.replace("-", " ").split():
        if word == "and":
            continue
        if word == "a":
            part = 1
        elif word in _VALUES:
            part += _VALUES[word]
        elif word == "hundred":
            part *= 100
        elif word == "thousand":
            total, part = total + part * 1000, 0
        else:
            return None
    return total + part if text and not text.endswith(" and") else None


def find_numerals(text: str) -> list[str]:
    """Return every number in a text, in words or digits.

    Example:
        >>> find_numerals("One of the sheep had forty-one ticks, and 3 had none.")
        ['forty-one', '3']
    """
    return [found.group() for found in NUMERAL.finditer(text)]
