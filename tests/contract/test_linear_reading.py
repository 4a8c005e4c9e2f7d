"""Replies are read in time that grows with their length alone."""

import pytest

from causarium import families
from causarium.contract.texts.replies import MAX_REPLY_CHARS
from causarium.contract.texts.scan_reply import find_json_object
from tests.support.cpu_time import cpu_seconds
from tests.support.hostile_replies import SHAPES, find_phases, make_shape

LIMITS_S = {"recite": 0.4}
"""What a family may take to read a reply of 200 kB, where that is not 0.2 s."""
LIMIT_S = 0.2
SOON_S = 5.0


@pytest.mark.parametrize("name", SHAPES)
def test_a_long_reply_of_any_shape_is_read_soon(name):
    """A reader that goes over the text again and again takes minutes; `bench` has the ratio."""
    reply = make_shape(name, MAX_REPLY_CHARS)

    assert cpu_seconds(lambda: find_json_object(reply, mode="bad"), rounds=1) < SOON_S


@pytest.mark.long
@pytest.mark.parametrize("family_name", families.names())
def test_every_family_reads_every_shape_in_time_in_every_phase(family_name):
    family, limit = families.get(family_name), LIMITS_S.get(family_name, LIMIT_S)
    late = {}
    for rules, allowed_actions, _ in find_phases(family):
        for name in SHAPES:
            reply = make_shape(name, MAX_REPLY_CHARS)

            def read(rules=rules, allowed_actions=allowed_actions, reply=reply):
                family.replies.parse(reply, allowed_actions, rules)

            seconds = cpu_seconds(read, rounds=1)
            if seconds > limit / 2:
                seconds = cpu_seconds(read)
            if seconds > limit:
                late[name, rules.interface, allowed_actions] = seconds
    assert not late


@pytest.mark.parametrize("family_name", families.names())
def test_thousands_of_different_objects_are_read_soon(family_name):
    family = families.get(family_name)
    reply = " ".join(f'{{"a": {number}}}' for number in range(14_000))
    rules, allowed_actions, _ = next(iter(find_phases(family)))
    lenient = rules.model_copy(update={"strict_form": False})
    assert (
        cpu_seconds(lambda: family.replies.parse(reply, allowed_actions, lenient), rounds=1)
        < SOON_S
    )
