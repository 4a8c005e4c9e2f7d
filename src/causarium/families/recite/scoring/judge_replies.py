"""What a judge wrote about the items of one pass, read and checked item by item.

An item is taken if it is one of those asked for, is judged once in the reply and has exactly the
labels of its place. Everything else is refused and counted by name, and its item asked for again.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from causarium.contract.texts.replies import excerpt
from causarium.families.recite.scoring.judge_labels import FORMS, Form, Legal, Pass, evaluations_key
from causarium.families.recite.scoring.label_scores import Item
from causarium.families.recite.scoring.safe_yaml import BadYaml, Yaml, read_yaml

MOST_PROBLEMS = 12
"""So many problems are told; all of them are counted."""


@dataclass(slots=True)
class Reading:
    """What was taken from one reply, and what was not."""

    taken: dict[int, Item] = field(default_factory=dict)
    refused: Counter[str] = field(default_factory=Counter)
    """How many items were not taken, by the kind of fault."""
    problems: list[str] = field(default_factory=list)
    """The faults in words, for the judge."""

    def refuse(self, kind: str, problem: str, count: int = 1) -> None:
        """Count something as refused, and say why."""
        self.refused[kind] += count
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(problem)


def read_evaluations(reply: str, asked: Pass, wanted: Collection[int]) -> Reading:
    """Read a judge's reply about the items numbered `wanted`."""
    reading = Reading()
    try:
        listed = _list_items(read_yaml(reply), asked)
    except BadYaml as wrong:
        reading.refuse("unreadable", str(wrong))
        return reading
    form, seen = FORMS[asked], Counter[int]()
    found: dict[int, Item] = {}
    for number, item in _number_items(listed, form, reading):
        seen[number] += 1
        if number not in wanted:
            reading.refuse("foreign", f"{number}: no such item was asked for")
        elif seen[number] == 1 and (checked := _check_labels(item, form, number, reading)):
            found[number] = checked
    for number, times in seen.items():
        if times > 1 and number in wanted:
            found.pop(number, None)
            reading.refuse("twice", f"{number}: judged {times} times", times)
    reading.taken = found
    return reading


def _list_items(value: Yaml, asked: Pass) -> list[Yaml]:
    key = evaluations_key(asked)
    found = value.get(key) if isinstance(value, dict) else value
    if not isinstance(found, list):
        raise BadYaml(f"there is no list called {key}")
    return found


def _number_items(
    listed: list[Yaml], form: Form, reading: Reading
) -> Iterator[tuple[int, Mapping[str, Yaml]]]:
    for place, item in enumerate(listed, 1):
        number = item.get(form.number) if isinstance(item, dict) else None
        if isinstance(item, dict) and isinstance(number, str) and _is_number(number):
            yield int(number), item
        else:
            reading.refuse("unnumbered", f"entry {place}: there is no {form.number}")


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 8


def _check_labels(
    item: Mapping[str, Yaml], form: Form, number: int, reading: Reading
) -> dict[str, object] | None:
    """Return an item with its labels alone, or None where one is missing or out of place."""
    found: dict[str, object] = {form.number: number}
    for name, legal in form.blocks.items():
        block = item if not name else item.get(name)
        if not isinstance(block, Mapping):
            reading.refuse("incomplete", f"{number}: {name} is missing")
            return None
        labels = {key: _label(block.get(key)) for key in legal}
        wrong = [key for key, label in labels.items() if label not in legal[key]]
        if wrong:
            reading.refuse("illegal", f"{number}: {_complaint(name, wrong[0], labels, legal)}")
            return None
        found |= {name: labels} if name else labels
    return found


def _label(said: object) -> str:
    return said.strip().upper().replace(" ", "_") if isinstance(said, str) else ""


def _complaint(name: str, key: str, labels: Mapping[str, str], legal: Legal) -> str:
    where = f"{name}.{key}" if name else key
    return f"{where} is {excerpt(labels[key])!r}, not one of {', '.join(legal[key])}"
