"""Shards: every item is in exactly one, dealt or in blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causarium.contract.shard import WHOLE, Shard
from causarium.errors import UsageError


@given(st.integers(0, 60), st.integers(1, 9))
def test_shards_share_everything_out_once(size, count):
    shards = [Shard(number, count) for number in range(1, count + 1)]
    dealt = [list(shard.deal(range(size))) for shard in shards]
    assert sorted(item for share in dealt for item in share) == list(range(size))
    assert [item for shard in shards for item in shard.block(size)] == list(range(size))


@pytest.mark.parametrize("text", ["0/4", "5/4", "a/b", "1", "1/0", "-1/3", "1/2/3", ""])
def test_what_is_no_shard_is_refused_with_an_example(text):
    with pytest.raises(UsageError, match="such as 1/4"):
        Shard.parse(text)


def test_nothing_is_the_whole():
    assert Shard.parse(None) is WHOLE
    assert WHOLE.is_whole
    assert str(Shard.parse(" 2/4 ")) == "2/4"
