"""Truth tables as integers."""

from hypothesis import given
from hypothesis import strategies as st

from causarium.scm.boolean.truth_table import all_rows, column, essential, pattern, rewrite, spread
from causarium.scm.dag import bits, mask_of
from tests.scm.boolean.made import some


def test_columns_are_the_bits_of_the_pattern():
    for arity in range(6):
        for j in range(arity):
            assert column(j, arity) == mask_of(p for p in range(1 << arity) if p >> j & 1)


@some
@given(st.integers(0, all_rows(4)))
def test_an_argument_is_essential_if_a_flip_of_it_changes_the_value(table):
    flips = mask_of(
        j
        for j in range(4)
        if any((table >> p & 1) != (table >> (p ^ 1 << j) & 1) for p in range(16))
    )
    assert essential(table, 4) == flips


@some
@given(st.integers(0, 1023), st.integers(0, 1023))
def test_a_pattern_spread_out_again_is_the_row_at_the_mask(row, mask):
    assert spread(pattern(row, mask), mask) == row & mask
    assert pattern(row, mask) < 1 << mask.bit_count()


@some
@given(st.integers(0, all_rows(3)), st.permutations([2, 5, 7, 9]))
def test_a_table_written_over_other_arguments_is_the_same_function(table, new):
    old = [5, 9, 2]
    wide = rewrite(table, old, new)
    for p in range(16):
        value = dict(zip(new, (p >> j & 1 for j in range(4)), strict=True))
        index = sum(value[argument] << j for j, argument in enumerate(old))
        assert wide >> p & 1 == table >> index & 1
    assert mask_of(new[j] for j in bits(essential(wide, 4))) == mask_of(
        old[j] for j in bits(essential(table, 3))
    )
