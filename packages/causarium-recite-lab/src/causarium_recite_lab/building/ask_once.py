"""Asking a model: until a reply can be used, and in a way that survives being killed.

What was answered is never asked again.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from causarium.contract.frozen import digest
from causarium.contract.texts.prompt_texts import read_text
from causarium.contract.texts.replies import describe_validation_error
from causarium.contract.texts.role_questions import Ask, Consultation
from causarium.contract.texts.scan_reply import find_json_objects
from causarium.errors import UsageError

ROLE = "build"
MOST_TRIES = 3
"""How often a question is put before a step gives up."""

Reply = Callable[[Ask], str]
"""Answers questions: a model, or a script in its place."""

_PROMPTS = Path(__file__).parent / "prompts"
FoundT = TypeVar("FoundT")
ItemT = TypeVar("ItemT", bound=BaseModel)


class UnusableReply(Exception):
    """A reply that cannot be used; the model reads why."""


def ask_until_usable(
    name: str, material: str, read: Callable[[str], FoundT]
) -> Consultation[tuple[FoundT | None, int, str]]:
    """Ask with a step's instructions until `read` takes a reply; each time with what was wrong.

    Returns what was read, or None if no reply could be used; how many replies were refused; and
    what was wrong with the last one, if none could be used.
    """
    system = read_text(_PROMPTS / f"{name}.md", needed=(), allowed=()).substitute()
    problem = ""
    for refused in range(MOST_TRIES):
        again = f"\n\nYour last reply could not be used: {problem}. Reply again." if problem else ""
        reply = yield Ask(role=ROLE, system=system, user=material + again)
        try:
            return read(reply), refused, ""
        except UnusableReply as wrong:
            problem = str(wrong)
    return None, MOST_TRIES, problem


def wrap_in_tag(tag: str, text: str) -> str:
    """Put material between tags that it cannot close."""
    return f"<{tag}>\n{text.replace(f'</{tag}>', f'</ {tag}>')}\n</{tag}>"


def read_list(reply: str, key: str) -> list[object] | None:
    """Return the list under a key of the last JSON object that has it; None if it is no list."""
    values = [value[key] for value in find_json_objects(reply) if key in value]
    return values[-1] if values and isinstance(values[-1], list) else None


def read_items(
    reply: str, key: str, kind: type[ItemT], noun: str, most: int | None = None
) -> list[ItemT]:
    """Read a list of records.

    Raises:
        UnusableReply: There is none, it is too long, or one of them has another form.
    """
    found = read_list(reply, key)
    if found is None:
        raise UnusableReply(f'there is no JSON object with a list "{key}"')
    if most is not None and len(found) > most:
        raise UnusableReply(f"there are {len(found)} {noun}s; at most {most} are taken at a time")
    items: list[ItemT] = []
    for number, item in enumerate(found, 1):
        try:
            items.append(kind.model_validate(item))
        except ValidationError as wrong:
            detail = describe_validation_error(wrong)
            raise UnusableReply(f"{noun} {number}: {detail}") from wrong
    return items


class NoModel(UsageError):
    """A question that nobody is there to answer."""


class Remembered:
    """Answers questions from a file of replies first, and by a model where that has none.

    The n-th time that one question is put gets the n-th reply of that model to it.
    """

    def __init__(self, path: Path, reply: Reply | None, model: str) -> None:
        self._path = path
        self._reply = reply
        self._model = model
        self._known: dict[str, list[str]] = defaultdict(list)
        self._put: dict[str, int] = defaultdict(int)
        self.asked = 0
        """How many questions were put, remembered ones included."""
        for key, reply_ in self._read_file():
            self._known[key].append(reply_)

    def _read_file(self) -> Iterator[tuple[str, str]]:
        text = self._path.read_text("utf-8") if self._path.is_file() else ""
        for line in text.splitlines():
            try:
                record = json.loads(line)
                yield record["ask"], str(record["reply"])
            except (ValueError, KeyError, TypeError):
                # The last line of a process that was killed.
                continue

    def __call__(self, ask: Ask) -> str:
        """Answer one question."""
        key = digest(self._model, ask.role, ask.system, ask.user)
        nth = self._put[key]
        self._put[key] += 1
        self.asked += 1
        if nth < len(self._known[key]):
            return self._known[key][nth]
        if self._reply is None:
            raise NoModel("it asks a model, and none was named; use --model")
        reply = self._reply(ask)
        self._known[key].append(reply)
        _write(self._path, [(key, reply)])
        return reply

    def forget(self) -> None:
        """Put aside the replies to what was asked here, so that it can be asked anew."""
        every = list(self._read_file())
        _write(self._path.with_suffix(".failed"), [one for one in every if one[0] in self._put])
        kept = [one for one in every if one[0] not in self._put]
        self._path.unlink(missing_ok=True)
        _write(self._path, kept)


def _write(path: Path, replies: Sequence[tuple[str, str]]) -> None:
    """Add replies to a file, where there are any."""
    if replies:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            for key, reply in replies:
                # A line that was cut off stays on a line of its own.
                file.write("\n" + json.dumps({"ask": key, "reply": reply}) + "\n")
