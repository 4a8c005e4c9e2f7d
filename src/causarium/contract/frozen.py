"""The base of everything that reaches a file or a log, and its canonical bytes."""

import hashlib
import json
import math
import re
from collections.abc import Iterable
from typing import Annotated, Any, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PlainSerializer,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

Json: TypeAlias = bool | int | float | str | list[Any] | dict[str, Any] | None
"""A value that JSON can hold."""


class Frozen(BaseModel):
    """A record that cannot be changed and refuses fields it does not know."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", ser_json_inf_nan="null", allow_inf_nan=True
    )


class Sparse(Frozen):
    """A record that is written without what it does not have, as it was before it could."""

    @model_serializer(mode="wrap")
    def _leave_none_out(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = write(self)
        return {name: value for name, value in fields.items() if value is not None}


class AgentInput(Frozen):
    """A record of what an agent sent. Text that no file could hold is mended on the way in.

    Numbers are finite: JSON has no others, and what a log holds as null nobody could score again.
    """

    model_config = ConfigDict(allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _mend(cls, value: object) -> object:
        try:
            return make_writable(value)
        except RecursionError:
            raise ValueError("it nests too deep") from None


def make_writable(value: object) -> object:
    """Return `value` with every lone surrogate in its texts replaced by a question mark.

    Example:
        >>> make_writable({"shape": [chr(0xD800), "disc"]})
        {'shape': ['?', 'disc']}
    """
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {make_writable(key): make_writable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [make_writable(item) for item in value]
    return value


def _null_is_nan(value: object) -> object:
    if isinstance(value, dict):
        return {key: math.nan if number is None else number for key, number in value.items()}
    return value


def nan_to_null(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return `value` with None, which JSON has, for every number that is none."""
    if isinstance(value, dict):
        return {key: nan_to_null(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [nan_to_null(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


Numbers = Annotated[dict[str, float], BeforeValidator(_null_is_nan)]
"""Named numbers. One that does not apply is nan, which a file holds as null."""


Names = Annotated[frozenset[str], PlainSerializer(sorted, return_type=list[str])]
"""Some names. A file holds them in order, so that its bytes are always the same."""


def canonical_json(value: Json) -> str:
    """Write `value` as JSON in the one form that digests are taken of.

    Example:
        >>> canonical_json({"b": 1, "a": [1.5, None]})
        '{"a":[1.5,null],"b":1}'
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def digest(*texts: str) -> str:
    """Return the sha256 of `texts`, one a line, as `sha256:<hex>`."""
    return digest_lines(texts)


def digest_lines(texts: Iterable[str]) -> str:
    """Return the digest of texts without holding them all."""
    sha = hashlib.sha256()
    for text in texts:
        sha.update(text.encode())
        sha.update(b"\n")
    return f"sha256:{sha.hexdigest()}"


_UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\ud800-\udfff\ufffe\uffff]"
)


def replace_unprintable(text: str) -> str:
    """Replace what XML cannot show and what terminals would obey: names come from logs.

    Example:
        >>> replace_unprintable(f"{chr(27)}[31mred") == f"{chr(0xFFFD)}[31mred"
        True
    """
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def put_in_one_line(text: str) -> str:
    """Return a text as one line of printable characters, so that no name passes for a line."""
    return replace_unprintable(" ".join(text.split()))
