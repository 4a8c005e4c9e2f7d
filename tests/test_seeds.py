"""Streams: every draw has an address, and nothing else decides it."""

import os
import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from causarium.seeds import entropy, stream

parts = st.integers(-5, 50) | st.text(alphabet="ab1", max_size=3)
addresses = st.lists(parts, max_size=4)


@given(st.integers(), addresses)
def test_an_address_always_leads_to_the_same_stream(seed, address):
    first, second = stream(seed, *address), stream(seed, *address)
    assert [first.random() for _ in range(5)] == [second.random() for _ in range(5)]


@given(st.integers(0, 5), addresses, st.integers(0, 5), addresses)
def test_different_addresses_lead_to_different_streams(seed, address, other_seed, other):
    same = (seed, address) == (other_seed, other)
    assert (entropy(seed, *address) == entropy(other_seed, *other)) == same


@given(addresses, st.integers(1, 20))
def test_drawing_from_one_stream_does_not_move_another(address, draws):
    untouched = stream(0, "other").random()
    one = stream(0, *address)
    for _ in range(draws):
        one.random()
    assert stream(0, "other").random() == untouched


def test_numbers_and_their_names_are_different_addresses():
    assert entropy(0, 1) != entropy(0, "1")
    assert entropy(0, "a", "b") != entropy(0, "ab")
    assert entropy(0, True) != entropy(0, 1)


def test_the_stream_is_the_same_for_ever():
    assert entropy(0, "golden", 1) >> 224 == 0x5D2D82FB
    assert stream(0, "golden", 1).randrange(10**9) == 65841390


def test_the_stream_is_the_same_in_another_process():
    code = "from causarium.seeds import stream; print(stream(7, 'x', 3).random())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "99"},
    )
    assert float(done.stdout) == stream(7, "x", 3).random()
