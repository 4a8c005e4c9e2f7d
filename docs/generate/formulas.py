r"""Formulas between dollar signs become MathML, which browsers draw without a script.

`$...$` stands in a line and `$$...$$` alone; code is left alone.
"""

import re

from latex2mathml.converter import convert

_PIECES = re.compile(
    r"^ *(?P<ticks>`{3,})[\s\S]*?^ *(?P=ticks)$"
    r"|`[^`\n]+`"
    r"|\$\$(?P<block>[^$]+)\$\$"
    r"|\$(?P<inline>[^$\n]+)\$",
    re.MULTILINE,
)


def write_formulas(text: str) -> str:
    r"""Return a page with its formulas as MathML.

    Example:
        >>> "<math" in write_formulas("half: $\\frac{1}{2}$")
        True
        >>> write_formulas("`$HOME`")
        '`$HOME`'
    """

    def replace(found: re.Match[str]) -> str:
        if found["block"]:
            formula = convert(found["block"].strip(), display="block")
            return f'<div class="formula">{formula}</div>'
        return convert(found["inline"]) if found["inline"] else found.group()

    return _PIECES.sub(replace, text)
