"""The forms in which an answer or a question may be written, made one.

An answer that asks for a second model may be in the released form, where the experiment has a type
and the witness lists what differs. Bits may be written as digits in quotation marks, or as true and
false. Under the published rules a bad experiment or witness is none, and the model still counts.
"""

from typing import Any

_FIELDS = ("mechanisms", "roots", "experiment", "witness")
_BITS: dict[object, int] = {"0": 0, "1": 1}
_MOST_DIFFERENCES = 100


def flatten_answer(value: dict[str, Any], *, strict: bool) -> tuple[dict[str, Any], int]:
    """Return the fields of an answer, and how many of them had to be forgiven their form.

    Args:
        value: The object that was found.
        strict: Whether it is read as published.
    """
    fields = _flatten_released(value)
    if fields is None:
        fields = {key: value[key] for key in _FIELDS if key in value}
    if strict and not _is_names(fields.get("roots")):
        # Published: roots are looked at only where they are asked for.
        fields.pop("roots", None)
    slips = 0
    for key in ("experiment", "witness"):
        if key not in fields:
            continue
        given = fields[key]
        fields[key] = read_bits(given)
        if fields[key] is None and not strict:
            fields[key] = given
        elif fields[key] is not None and not strict:
            slips += any(type(bit) is not int for bit in given.values())
    return fields, slips


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _flatten_released(value: dict[str, Any]) -> dict[str, Any] | None:
    """Return an answer in the released form as one in ours; None for anything else."""
    inner = value.get("alternative")
    if not isinstance(inner, dict) or "mechanisms" not in inner:
        return None
    experiment, witness = value.get("experiment"), value.get("witness")
    kind, differences = None, []
    if isinstance(experiment, dict):
        kind = experiment.get("type")
        experiment = experiment.get("assignments", experiment)
    if isinstance(witness, dict):
        given = witness.get("differences")
        differences = [_difference(one) for one in (given if isinstance(given, list) else [])]
        witness = witness.get("rootAssignment", witness)
    return {
        "mechanisms": inner["mechanisms"],
        "experiment": experiment,
        "witness": witness,
        "released": {
            "experiment_type": kind if isinstance(kind, str) else None,
            "differences": [difference for difference in differences if difference][
                :_MOST_DIFFERENCES
            ],
        },
    }


def _difference(value: object) -> dict[str, Any] | None:
    if not isinstance(value, dict) or not isinstance(value.get("variable"), str):
        return None
    return {
        "variable": value["variable"],
        "reference": read_bit(value.get("reference")),
        "alternative": read_bit(value.get("alternative")),
    }


def read_bits(value: object) -> dict[str, int] | None:
    """Return the bits of an object; None if it is none, or a value in it is no bit."""
    if not isinstance(value, dict):
        return None
    bits = {name: read_bit(given) for name, given in value.items()}
    found = {name: bit for name, bit in bits.items() if bit is not None}
    return found if len(found) == len(bits) else None


def read_bit(value: object) -> int | None:
    """Return 0 or 1 for what is written for one: a number, a digit, true or false; else None."""
    if isinstance(value, str):
        return _BITS.get(value)
    if isinstance(value, bool | int | float) and value in (0, 1):
        return int(value)
    return None
