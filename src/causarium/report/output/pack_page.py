"""A page in fewer bytes: what drawings repeat is written once, as classes of the page's style."""

import re

_DRAWING = re.compile(
    r'<svg xmlns="http://www\.w3\.org/2000/svg" [^>]*viewBox=.*?</svg>', re.DOTALL
)
"""Drawings of a fixed size; strips have classes already."""
_FALLBACK = re.compile(r"var\((--[\w-]+), [^()]*\)")
"""A colour of the page with the one that stands in for it where there is no page."""
_ELEMENT = re.compile(r"<(text|line|rect|circle|path|polygon|g)( [^<>]*?)(/?)>")
_LOOKS = re.compile(
    r" (fill|stroke|stroke-width|stroke-dasharray|font-size|font-weight|text-anchor)"
    r'="([\w#().,% -]*)"'
)
_DECIMALS = re.compile(r"(\d\.\d)\d+(?![\d%])")
"""A tenth of a pixel is enough."""
_INDENT = re.compile(r"\n[ ]+")
_KEPT = re.compile(r"(<(?:pre|code|textarea)\b.*?</(?:pre|code|textarea)>)", re.DOTALL)


def pack_page(body: str) -> tuple[str, str]:
    """Return a page's body with shorter drawings and without indents, and the rules it needs.

    Args:
        body: The page, with drawings as they are written to files.
    """
    classes: dict[str, str] = {}

    def pack_element(match: re.Match[str]) -> str:
        name, attributes, end = match.groups()
        attributes = _DECIMALS.sub(r"\1", attributes)
        looks = _LOOKS.findall(attributes)
        if not looks or " class=" in attributes:
            return f"<{name}{attributes}{end}>"
        rule = "".join(f"{key}:{_write_value(key, value)};" for key, value in looks)
        short = classes.setdefault(rule, f"q{len(classes)}")
        return f'<{name} class="{short}"{_LOOKS.sub("", attributes)}{end}>'

    def pack_drawing(match: re.Match[str]) -> str:
        drawing = _FALLBACK.sub(r"var(\1)", match[0])
        head, bracket, rest = drawing.partition(">")
        head = head.replace(' xmlns="http://www.w3.org/2000/svg"', "")
        head = re.sub(r' font-family="[^"]*"', "", head)
        return head + bracket + _ELEMENT.sub(pack_element, rest)

    packed = _DRAWING.sub(pack_drawing, body)
    parts = _KEPT.split(packed)
    parts[::2] = [_INDENT.sub("\n", part) for part in parts[::2]]
    rules = "".join(f".{short}{{{rule}}}" for rule, short in classes.items())
    return "".join(parts), rules


def _write_value(key: str, value: str) -> str:
    return f"{value}px" if key == "font-size" and value.replace(".", "").isdigit() else value
