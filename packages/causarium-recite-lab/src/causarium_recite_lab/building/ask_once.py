"""Asking a model in a way that survives being killed: what was answered is never asked again."""

import json
from collections import defaultdict
from collections.abc import Callable
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

    The n-th time that one question is put gets the n-th reply to it.
    """

    def __init__(self, path: Path, reply: Reply | None) -> None:
        self._path = path
        self._reply = reply
        self._known: dict[str, list[str]] = defaultdict(list)
        self._put: dict[str, int] = defaultdict(int)
        self.asked = 0
        """How many questions were put, remembered ones included."""
        for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
            try:
                record = json.loads(line)
                self._known[record["ask"]].append(str(record["reply"]))
            except (ValueError, KeyError, TypeError):
                # The last line of a process that was killed.
                continue

    def __call__(self, ask: Ask) -> str:
        """Answer one question."""
        key = digest(ask.role, ask.system, ask.user)
        nth = self._put[key]
        self._put[key] += 1
        self.asked += 1
        if nth < len(self._known[key]):
            return self._known[key][nth]
        if self._reply is None:
            raise NoModel("it asks a model, and none was named; use --model")
        reply = self._reply(ask)
        self._known[key].append(reply)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            # A line that was cut off stays on a line of its own.
            file.write("\n" + json.dumps({"ask": key, "reply": reply}) + "\n")
        return reply

    def forget(self) -> None:
        """Put the replies of a failed step aside, so that it can be tried anew."""
        if self._path.is_file():
            self._path.replace(self._path.with_suffix(".failed"))
