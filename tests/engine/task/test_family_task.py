"""Building a task: what cannot be played is refused in words that reach the user whole."""

from rich.text import Text

from causarium.engine.task.family_task import refuse
from causarium.errors import MissingExtra


def test_what_is_refused_keeps_its_brackets() -> None:
    refused = refuse(MissingExtra("the interface embodied", "discoveryworld"))
    shown = Text.from_markup(refused.message).plain
    assert shown.endswith("pip install 'causarium[discoveryworld]'")
