"""Asking a model in a way that survives being killed: what was answered is never asked again."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from causarium.contract.frozen import digest
from causarium.contract.texts.role_questions import Ask
from causarium.errors import UsageError

ROLE = "build"
MOST_TRIES = 3
"""How often a question is put before a step gives up."""

Reply = Callable[[Ask], str]
"""Answers questions: a model, or a script in its place."""


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
