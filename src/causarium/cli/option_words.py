"""Words of the command line that are not causarium's own become values, once, here.

Options that go to Inspect keep their texts: `engine.run.options` knows their types.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from causarium.errors import UsageError

_TEXT_RULES = ("prompts", "release")
"""Rules that are paths, whatever characters are in them."""
_BARE = {"retry_on_error": 1}
"""What an option stands for that may be typed without a value, and is then not `true`."""


class Words(NamedTuple):
    """What was typed beside causarium's own options."""

    options: dict[str, Any]
    """Options for Inspect, by the names of its parameters."""
    others: list[str]
    """What is no option, in order."""


def split_words(words: Sequence[str], own: Sequence[str] = ()) -> Words:
    """Tell options for Inspect from what stands between them.

    Args:
        words: What was typed.
        own: Options of the verb's own, to suggest where one is misspelt.

    Raises:
        UsageError: There is no such option, or it lacks its value.

    Example:
        >>> split_words(["--epochs", "3", "-M", "a=1", "--no-log-images", "mine"])
        Words(options={'epochs': '3', 'log_images': False, 'model_args': {'a': 1}}, others=['mine'])
    """
    from causarium.engine.run.options import PAIRS, check_name, option_kinds, read_pairs

    kinds = option_kinds()
    names = {word: name for name, word in PAIRS.items()}
    options: dict[str, Any] = {}
    pairs: dict[str, list[str]] = {}
    others: list[str] = []
    left = list(words)
    while left:
        word, sign, text = left.pop(0).partition("=")
        if not word.startswith("-") or word == "-":
            others.append(word + sign + text)
        elif word in names:
            pairs.setdefault(names[word], []).append(text if sign else _take(word, left))
        else:
            name = word.lstrip("-").replace("-", "_")
            off = name.removeprefix("no_")
            check_name(name if name in kinds else off, own)
            if name not in kinds:
                options[off] = [] if off == "epochs_reducer" else False
            else:
                options[name] = text if sign else _read_value(name, left)
    for name, given in pairs.items():
        options[name] = read_pairs(given, PAIRS[name])
    return Words(options, others)


def _read_value(name: str, left: list[str]) -> Any:  # noqa: ANN401
    """Return the value of an option; takes the word that follows where that is it."""
    from causarium.engine.run.options import may_stand_alone, option_word

    alone = may_stand_alone(name)
    if alone or ((alone is None or name in _BARE) and (not left or left[0].startswith("-"))):
        return _BARE.get(name, True)
    return _take(option_word(name), left)


def _take(word: str, left: list[str]) -> str:
    if not left:
        raise UsageError(f"{word} requires an argument")
    return left.pop(0)


def read_words(
    family: str, words: Sequence[str], own: Sequence[str] = ()
) -> tuple[str, dict[str, Any]]:
    """Return the family and the options for Inspect, in whatever order they came.

    Args:
        family: What stands where the family is expected: a family, `all`, or an option.
        words: The other words.
        own: Options of the verb's own, to suggest where one is misspelt.

    Raises:
        UsageError: There is no family, or more than one, or an option cannot be read.
    """
    if family.startswith("-"):
        options, others = split_words([family, *words], own)
        if len(others) != 1:
            raise UsageError("name one family, or all: causarium run FAMILY --model PROVIDER/MODEL")
        return others[0], options
    options, others = split_words(words, own)
    if others:
        raise UsageError(f"Unexpected argument {others[0]!r}; give one family or `all`.")
    return family, options


def read_rules(texts: Sequence[str]) -> dict[str, Any]:
    """Read rules that were typed as NAME=VALUE, each value as YAML.

    Raises:
        UsageError: One has no `=`, or its value is not YAML.
    """
    from causarium.engine.run.options import read_pairs

    rules: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign:
            raise UsageError(f"a rule must be NAME=VALUE; {text!r} has no '='")
        # A rule's name is a rule's name: a dash in it is no underscore.
        read = read_pairs([f"value={value}"], f"--rule {name}")["value"]
        rules[name] = value if name in _TEXT_RULES else read
    return rules
