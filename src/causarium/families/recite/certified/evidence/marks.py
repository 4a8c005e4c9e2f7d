"""Marked prose: words that readers see, with the cells of a table behind them.

A mark is `[[words|cell; cell]]`; a reader sees the words. The cells:

=================================== ============================================================
`fig PLACE TIME 41 [BOOK]`          a figure of the outcome; the words read as this number
`set PLACE TIME VARIABLE [LEVEL]`   the level of a cause, or of anything else that differs; 1
                                    unless given, 0 where nothing is set
`is NAME WORD`                      two words for one place, time or book
`unsound BOOK`                      figures of this book do not count
`chosen VARIABLE [PLACE]`           those concerned chose it themselves, everywhere or in a place
`idle`                              a number that means nothing for the slot
=================================== ============================================================

Two shorthands spare a writer both versions of a passage: `{left ~ right}` is `left` in version one
and `right` in version two, and `<PLACE TIME 20~40>` is the mark of a figure with its number in
words, with another one in version two; `<a may & b may 20 @BOOK>` gives several cells one figure.

A place may be `PLACE/CASE`: one of several cases of one place. A figure's book is its place unless
it names one. Times are in the order of their spelling; `*` is every time. `_` stands for a space
in a variable's name.
"""

import re
from dataclasses import dataclass

from causarium.errors import ContractError
from .numerals import find_numerals, read_numeral, write_numeral

Cell = tuple[str, ...]
_MARK = re.compile(r"\[\[([^\[\]|]+)\|([^\[\]|]+)\]\]")
_EITHER = re.compile(r"\{([^{}~]*?) ?~ ?([^{}~]*?)\}")
_FIGURE = re.compile(r"<([^<>]*?) (\d+)(?:~(\d+))?(?: @(\w+))?>")
_WIDTHS = {
    "fig": (4, 5),
    "set": (4, 5),
    "is": (3,),
    "unsound": (2,),
    "chosen": (2, 3),
    "idle": (1,),
}


@dataclass(frozen=True)
class Mark:
    """Some words of a passage, and the cells behind them."""

    words: str
    cells: tuple[Cell, ...]

    @property
    def figure(self) -> int | None:
        """The number of the mark's figure; None if it has none."""
        return next(iter(self.figures), None)

    @property
    def figures(self) -> frozenset[int]:
        """The numbers of the mark's figures; they are all its words' number."""
        return frozenset(int(cell[3]) for cell in self.cells if cell[0] == "fig")


@dataclass(frozen=True)
class Passage:
    """Prose with marks: pieces in order."""

    pieces: tuple[str | Mark, ...]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of all marks."""
        return tuple(cell for one in self.pieces if isinstance(one, Mark) for cell in one.cells)

    def render(self, figures: dict[int, int] | None = None) -> str:
        """Return the words that readers see, with other figures in the place of some."""
        return "".join(
            one if isinstance(one, str) else _write_mark(one, figures or {}) for one in self.pieces
        )


def _write_mark(mark: Mark, figures: dict[int, int]) -> str:
    if mark.figure is None or mark.figure not in figures:
        return mark.words
    words = write_numeral(figures[mark.figure])
    return words.capitalize() if mark.words[0].isupper() else words


def read_passage(text: str) -> Passage:
    """Read marked prose.

    Raises:
        ContractError: A cell has another form, or its words another number.

    Example:
        >>> read_passage("Ada's hens laid [[forty|fig ada may 40]] eggs.").render({40: 52})
        "Ada's hens laid fifty-two eggs."
    """
    split = _MARK.split(text)
    pieces: list[str | Mark] = [split[0]]
    for words, cells, rest in zip(split[1::3], split[2::3], split[3::3], strict=True):
        pieces += [Mark(words, tuple(_read_cell(one) for one in cells.split(";"))), rest]
    passage = Passage(tuple(piece for piece in pieces if piece))
    if "[[" in passage.render() or "]]" in passage.render():
        raise ContractError(f"a mark is not of the form [[words|cells]]: {text[:80]!r}")
    for one in passage.pieces:
        if isinstance(one, Mark) and one.figures - {read_numeral(one.words)}:
            raise ContractError(f"the words {one.words!r} do not read as {one.figure}")
    return passage


def _read_cell(text: str) -> Cell:
    cell = tuple(text.split())
    if not cell or len(cell) not in _WIDTHS.get(cell[0], ()):
        raise ContractError(
            f"there is no cell {text.strip()!r}; cells: fig PLACE TIME NUMBER [BOOK], set PLACE "
            "TIME VARIABLE [LEVEL], is NAME WORD, unsound BOOK, chosen VARIABLE [PLACE], idle"
        )
    numbers = cell[3:4] if cell[0] == "fig" else cell[4:] if cell[0] == "set" else ()
    if not all(number.isdecimal() for number in numbers):
        raise ContractError(f"the cell {text.strip()!r} needs a whole number")
    return cell


def write_versions(text: str) -> tuple[str, ...]:
    """Return the versions of a passage that is written with shorthands: one, or two.

    Example:
        >>> write_versions("Ada was {early ~ late} and laid <ada may 20>.")[1]
        'Ada was late and laid [[twenty|fig ada may 20]].'
    """
    first, second = (_write_version(text, version) for version in (0, 1))
    return (first, second) if first != second else (first,)


def _write_version(text: str, version: int) -> str:
    chosen = _EITHER.sub(lambda found: found[version + 1], text)
    return _FIGURE.sub(lambda found: _write_figure(found, version), chosen)


def _write_figure(found: re.Match[str], version: int) -> str:
    where, first, second, book = found.groups()
    value = int(second if version and second else first)
    cells = (f"fig {' '.join(one.split())} {value} {book or ''}" for one in where.split("&"))
    return f"[[{write_numeral(value)}|{'; '.join(cell.strip() for cell in cells)}]]"


def find_unmarked(passage: Passage) -> list[str]:
    """Return the numbers of a passage that stand in no mark."""
    return [
        number
        for piece in passage.pieces
        if isinstance(piece, str)
        for number in find_numerals(piece)
    ]
