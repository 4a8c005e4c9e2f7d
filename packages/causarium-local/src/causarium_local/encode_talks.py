"""Conversations as tokens, and which of them a model is to learn to write: its replies.

A demonstration is a text, and the tokenizer says which tokens it is. An attempt of the model itself
was drawn token by token, and the tokenizer may cut the same text otherwise.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from causarium_local.open_weights import OpenWeights

Talk = list[dict[str, Any]]
"""Messages, as chat templates take them."""
CUT = "cut"
"""The key of a message that was cut off at its length."""
DRAWN = "drawn"
"""The key of the tokens of a message that the model itself wrote."""


def encode_talks(weights: OpenWeights, talks: Sequence[Talk]) -> list[tuple[list[int], list[bool]]]:
    """Return conversations as tokens, and which of them the model is to learn to write."""
    texts, replies, _ = _find_replies(weights, talks)
    found = weights.tokenizer(texts, add_special_tokens=False, return_offsets_mapping=True)
    encoded = []
    for text, places, tokens, spans in zip(
        *(texts, replies, found["input_ids"], found["offset_mapping"]), strict=True
    ):
        mark = bytearray(len(text) + 1)
        for begin, end in places:
            mark[begin:end] = b"\1" * (end - begin)
        learn = [all(mark[first : max(last, first + 1)]) for first, last in spans]
        encoded.append((list(tokens), learn))
    return encoded


def encode_attempts(
    weights: OpenWeights, talks: Sequence[Talk]
) -> list[tuple[list[int], list[bool]]]:
    """Return conversations as the tokens that were read and drawn, and which were drawn.

    The text of a reply may be cut into other tokens than those that were drawn, and how likely
    those are is not what earned the reward.
    """

    def encode(texts: Sequence[str]) -> list[list[int]]:
        return list(weights.tokenizer(list(texts), add_special_tokens=False)["input_ids"])

    texts, replies, after = _find_replies(weights, talks)
    (end,) = encode([after])
    encoded = []
    for text, places, talk in zip(texts, replies, talks, strict=True):
        starts = [0, *(last for _, last in places)]
        read = encode([text[at:begin] for at, (begin, _) in zip(starts, places, strict=False)])
        tokens: list[int] = []
        learn: list[bool] = []
        written = [message for message in talk if message["role"] == "assistant"]
        for piece, message in zip(read, written, strict=True):
            drawn = [*message[DRAWN], *([] if CUT in message else end)]
            tokens += [*piece, *drawn]
            learn += [False] * len(piece) + [True] * len(drawn)
        encoded.append((tokens, learn))
    return encoded


def _find_replies(
    weights: OpenWeights, talks: Sequence[Talk]
) -> tuple[list[str], list[list[tuple[int, int]]], str]:
    """Return conversations as text, where in each the replies are, and what ends a reply."""
    template = partial(weights.tokenizer.apply_chat_template, tokenize=False)
    # What stands around a reply is seen in a short talk: to write a long one for each is slow.
    asked = [{"role": "user", "content": "?"}]
    before = template(asked, add_generation_prompt=True).removeprefix(template(asked))
    answered = template([*asked, {"role": "assistant", "content": "!"}])
    after = answered.rpartition("!")[2].rstrip("\n")
    texts = [template(talk) for talk in talks]
    found = [_place_replies(*pair, before, after) for pair in zip(texts, talks, strict=True)]
    return texts, found, after


def _place_replies(text: str, talk: Talk, before: str, after: str) -> list[tuple[int, int]]:
    """Return from where to where the model is to learn to write."""
    places, at = [], 0
    for message in talk:
        if message["role"] == "assistant":
            said = message["content"]
            if text.find(before + said, at) < 0:
                said = said.strip()  # some templates leave out the spaces around it
            begin = text.index(before + said, at) + len(before)
            # A reply that was cut off did not say that it is over.
            at = begin + len(said) + (0 if CUT in message else len(after))
            places.append((begin, at))
    return places
