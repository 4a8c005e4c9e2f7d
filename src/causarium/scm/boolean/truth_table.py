"""Truth tables as integers: bit `p` is the value at pattern `p`; its bit `j` is argument `j`."""

from collections.abc import Sequence

from causarium.scm.dag import bits, mask_of


def all_rows(arity: int) -> int:
    """Return the table that is true everywhere."""
    return (1 << (1 << arity)) - 1


def column(argument: int, arity: int) -> int:
    """Return the table of one argument by itself.

    Example:
        >>> bin(column(0, 2)), bin(column(1, 2))
        ('0b1010', '0b1100')
    """
    width = 1 << argument
    return all_rows(arity) // ((1 << width) + 1) << width


def essential(table: int, arity: int) -> int:
    """Return the mask of the arguments that can change the value by themselves (the flip test).

    Example:
        >>> essential(0b1010, 2)
        1
    """
    mask, everywhere = 0, all_rows(arity)
    for j in range(arity):
        if (table ^ table >> (1 << j)) & ~column(j, arity) & everywhere:
            mask |= 1 << j
    return mask


def pattern(row: int, mask: int) -> int:
    """Return the bits of `row` at `mask`, packed, lowest first.

    Example:
        >>> bin(pattern(0b1010, 0b1100))
        '0b10'
    """
    table = 0
    for j, bit in enumerate(bits(mask)):
        table |= (row >> bit & 1) << j
    return table


def spread(index: int, mask: int) -> int:
    """Return the row with the bits of the pattern `index` at `mask`; `pattern` undone."""
    row = 0
    for j, bit in enumerate(bits(mask)):
        row |= (index >> j & 1) << bit
    return row


def rewrite(table: int, old: Sequence[int], new: Sequence[int]) -> int:
    """Return the table over the arguments `new` of the function with `table` over `old`.

    Arguments of `old` that are not in `new` are read as 0, so they should not be essential.

    Example:
        >>> bin(rewrite(0b10, [7], [3, 7]))
        '0b1100'
    """
    places = [(j, new.index(argument)) for j, argument in enumerate(old) if argument in new]
    found = 0
    for p in range(1 << len(new)):
        index = 0
        for j, place in places:
            index |= (p >> place & 1) << j
        found |= (table >> index & 1) << p
    return found


def transpose(words: Sequence[int], width: int) -> list[int]:
    """Return rows as columns, or columns as rows: bit `j` of word `i` is bit `i` of word `j`.

    Example:
        >>> transpose([0b10, 0b11], 2)
        [2, 3]
    """
    return [mask_of(i for i, word in enumerate(words) if word >> j & 1) for j in range(width)]


def look_up(table: int, inputs: Sequence[int], ones: int) -> int:
    """Return the value of a function in many rows at once.

    Args:
        table: Its truth table.
        inputs: For each argument, an integer with a bit for each row.
        ones: The integer with every such bit.

    Example:
        >>> bin(look_up(0b1000, [0b1100, 0b1010], 0b1111))
        '0b1000'
    """
    values = [ones if table >> p & 1 else 0 for p in range(1 << len(inputs))]
    for rows in inputs:
        pairs = zip(values[::2], values[1::2], strict=True)
        values = [low ^ (low ^ high) & rows for low, high in pairs]
    return values[0]
