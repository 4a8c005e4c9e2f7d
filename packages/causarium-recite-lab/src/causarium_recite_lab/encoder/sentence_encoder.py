"""all-MiniLM-L6-v2 in numpy: names as vectors, where a run asks for it.

Nothing is fetched and no code of the weights' package runs: a folder with two files is read, and
other bytes than the known ones are refused, so that a score means the same on every machine.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from causarium.errors import UsageError
from causarium.families.recite.paper.levels import ReciteRules

HASHES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""The SHA-256 of each file of the folder."""
LAYERS, HEADS, MOST_TOKENS = 6, 12, 64
_BATCH = 64
_DEEP = 3
_Array = npt.NDArray[np.float32]


class Meaning(NamedTuple):
    """A name as vectors of length 1."""

    whole: _Array
    """The mean of its words at the last layer, as the model's makers use it."""
    deep: _Array
    """The mean of its words over the upper layers."""
    words: _Array
    """Each word, or piece of a word, at the last layer; a row each."""


class SentenceEncoder:
    """Turns names into vectors of length 1."""

    def __init__(self, folder: Path) -> None:
        for name, known in HASHES.items():
            path = folder / name
            if not path.is_file():
                raise UsageError(f"the encoder folder {folder} has no {name}")
            if hashlib.sha256(path.read_bytes()).hexdigest() != known:
                raise UsageError(
                    f"{path} is not that of all-MiniLM-L6-v2: its SHA-256 is not {known}"
                )
        self._weights: dict[str, _Array] = _import("safetensors.numpy").load_file(
            folder / "model.safetensors"
        )
        self._tokens = _import("tokenizers").Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokens.no_padding()
        self._tokens.enable_truncation(MOST_TOKENS)
        self._meanings: dict[str, Meaning] = {}

    def encode_names(self, names: Sequence[str]) -> list[Meaning]:
        """Return the meaning of each name."""
        fresh = [name for name in dict.fromkeys(names) if name not in self._meanings]
        ids = {name: self._tokens.encode(name.casefold()[:500]).ids for name in fresh}
        if fresh:
            # Products of this size take longer on several threads than on one.
            with _import("threadpoolctl").threadpool_limits(limits=1):
                self._encode_fresh(fresh, ids)
        return [self._meanings[name] for name in names]

    def _encode_fresh(self, fresh: Sequence[str], ids: Mapping[str, Sequence[int]]) -> None:
        # Names of one length make a batch without padding.
        for size in sorted({len(one) for one in ids.values()}):
            alike = [name for name in fresh if len(ids[name]) == size]
            for start in range(0, len(alike), _BATCH):
                batch = alike[start : start + _BATCH]
                layers = self._run_layers(np.array([ids[name] for name in batch]))
                wholes = _scale_rows(layers[-1].mean(axis=1))
                deeps = _scale_rows(np.mean(layers[_DEEP:], axis=0).mean(axis=1))
                # The first and the last token are marks of the model, not words.
                words = _scale_rows(layers[-1][:, 1:-1] if size > 2 else layers[-1])
                for name, *parts in zip(batch, wholes, deeps, words, strict=True):
                    self._meanings[name] = Meaning(*parts)

    def _run_layers(self, ids: npt.NDArray[np.int64]) -> list[_Array]:
        """Return the state of each token before the first layer and after each."""
        weights, size = self._weights, ids.shape[1]
        at = "embeddings."
        state = weights[f"{at}word_embeddings.weight"][ids]
        state = state + weights[f"{at}position_embeddings.weight"][:size]
        state = state + weights[f"{at}token_type_embeddings.weight"][0]
        state = self._normalize_layer(state, f"{at}LayerNorm")
        layers = [state]
        for layer in range(LAYERS):
            at = f"encoder.layer.{layer}."
            state = self._normalize_layer(
                state + self._attend(state, at), f"{at}attention.output.LayerNorm"
            )
            inner = _gelu(self._linear(state, f"{at}intermediate.dense"))
            state = self._normalize_layer(
                state + self._linear(inner, f"{at}output.dense"), f"{at}output.LayerNorm"
            )
            layers.append(state)
        return layers

    def _attend(self, state: _Array, at: str) -> _Array:
        rows, size, width = state.shape
        query, key, value = (
            self._linear(state, f"{at}attention.self.{name}")
            .reshape(rows, size, HEADS, width // HEADS)
            .transpose(0, 2, 1, 3)
            for name in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / math.sqrt(width // HEADS)
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = scores / scores.sum(axis=-1, keepdims=True) @ value
        joined = mixed.transpose(0, 2, 1, 3).reshape(rows, size, width)
        return self._linear(joined, f"{at}attention.output.dense")

    def _linear(self, state: _Array, name: str) -> _Array:
        return cast(
            "_Array", state @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        )

    def _normalize_layer(self, state: _Array, name: str) -> _Array:
        centred = state - state.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        return cast(
            "_Array",
            centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"],
        )


def _scale_rows(rows: _Array) -> _Array:
    return cast("_Array", rows / np.linalg.norm(rows, axis=-1, keepdims=True))


def _gelu(x: _Array) -> _Array:
    """Return x times the normal distribution function of x (Abramowitz and Stegun 7.1.26)."""
    z = np.abs(x) / math.sqrt(2)
    t = 1 / (1 + 0.3275911 * z)
    poly = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
    )
    erf = np.sign(x) * (1 - poly * np.exp(-z * z))
    return cast("_Array", 0.5 * x * (1 + erf))


def _import(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as wrong:
        raise UsageError(
            f"names cannot be compared by an encoder: the package {name.partition('.')[0]} is not "
            "installed; `pip install 'causarium[embeddings]'` does, or leave the rule out"
        ) from wrong


def encoder_of(rules: ReciteRules) -> SentenceEncoder:
    """Return the encoder that the rules ask for.

    Raises:
        UsageError: A file of it, or a package, is missing, or other weights were given.
    """
    if rules.encoder is None:
        raise UsageError(
            "the rule embeddings=minilm needs encoder=DIR, a folder with "
            f"{' and '.join(HASHES)} of all-MiniLM-L6-v2"
        )
    return load_encoder(rules.encoder)


@lru_cache(maxsize=2)  # reading weights takes seconds
def load_encoder(folder: str) -> SentenceEncoder:
    """Return the encoder of a folder, read once."""
    return SentenceEncoder(Path(folder))
