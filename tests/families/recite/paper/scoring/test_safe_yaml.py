"""YAML from strangers: what is plain is read, everything else refused by name."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causarium.families.recite.paper.helpers.safe_yaml import MAX_CHARS, BadYaml, read_yaml

BOMB = "a: &a [x, x, x]\n" + "\n".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("```yaml\na: 1\n```", {"a": "1"}),
        ("Thinking first.\n```YAML\n- no\n- 1e5\n```\nAnd after.", ["no", "1e5"]),
        ("```yml\na: b\n```\n```yaml\nc: d\n```", {"a": "b"}),
        ("```\na: b\n```", {"a": "b"}),
        ("a: {b: [c]}", {"a": {"b": ["c"]}}),
        ('{"a": [1, null]}', {"a": ["1", "null"]}),
        ("<think>```yaml\nx: y\n```</think>\na: b", {"a": "b"}),
        ("the opening tag was ours</think>\na: b", {"a": "b"}),
        ("```yaml\na: cut off here", {"a": "cut off here"}),
    ],
)
def test_plain_yaml_is_read(reply: str, said: object) -> None:
    """In a fence or bare; all values stay texts."""
    assert read_yaml(reply) == said


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        ("", "nothing in the YAML"),
        ("<think>never ends", "nothing in the YAML"),
        (BOMB, "anchors and aliases"),
        ("a: &x 1", "anchors and aliases"),
        ("a: *x", "anchors and aliases"),
        ("!!python/object/apply:os.system ['true']", "tags are not read"),
        ("a: 1\na: 2", "twice"),
        ("? [a, b]\n: c", "not a plain text"),
        ("a: [", "not YAML"),
        ("\x00", "not YAML"),
        ("[" * 5_000, "deeper than"),
        ("{a: " * 5_000, "deeper than"),
        ("x" * (MAX_CHARS + 1), "at most"),
        ("[" + "1," * 150_000 + "1]", "more than"),
    ],
)
def test_everything_else_is_refused_by_name(reply: str, message: str) -> None:
    """And quickly."""
    with pytest.raises(BadYaml, match=message):
        read_yaml(reply)


@given(st.text(max_size=200))
@settings(max_examples=100, deadline=None)
def test_whatever_is_written_is_read_or_refused(reply: str) -> None:
    """Nothing else is ever raised."""
    with contextlib.suppress(BadYaml):
        assert isinstance(read_yaml(reply), str | list | dict)
