"""Texts that come from logs, made harmless for terminals and pages."""

import re

_UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff\ufffe\uffff]"
)


def replace_unprintable(text: str) -> str:
    """Replace what XML cannot show and what terminals would obey: names come from logs.

    Example:
        >>> replace_unprintable(f"{chr(27)}[31mred") == f"{chr(0xFFFD)}[31mred"
        True
    """
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
