"""Themes: the words in which a world is dressed. They are data, one file each in `themes/`."""

import tomllib
from functools import lru_cache
from pathlib import Path

from pydantic import Field

from causarium.contract.frozen import Frozen
from causarium.errors import UnknownName

_FOLDER = Path(__file__).parent / "themes"


class Theme(Frozen):
    """The words in which a world is dressed."""

    thing: str
    things: str
    """What one variable is called, and several."""
    active: str
    inactive: str
    """What a variable is when it is active, and when it is not."""
    start: str
    stop: str
    """The two actions."""
    question: str
    """The question, with slots for cause and effect."""
    names: tuple[str, ...]
    stories: tuple[tuple[str, str, str], ...] = ()
    """A believable cause, something that merely comes along, and an effect; a case with a log
    is about one of them. Where there are none, names say nothing."""

    pictures: dict[str, str] = Field(default_factory=dict)
    """Outlines of some of the names, as SVG paths 64 wide and high."""

    @property
    def a_thing(self) -> str:
        """What one variable is called, with its article."""
        return f"{'an' if self.thing[0] in 'aeiou' else 'a'} {self.thing}"

    def ask(self, cause: str, effect: str) -> str:
        """Return the question whether `cause` causes `effect`."""
        return self.question.replace("$cause", cause).replace("$effect", effect)

    def suggests(self, cause: str, effect: str) -> bool | None:
        """Say whether the words alone suggest that `cause` brings about `effect`.

        Returns:
            None where they suggest nothing.
        """
        for believable, companion, outcome in self.stories:
            if effect == outcome and cause in {believable, companion}:
                return cause == believable
        return None


@lru_cache(maxsize=32)  # 0.8 ms each: half the time of a game, as all its words ask
def theme(name: str) -> Theme:
    """Return the theme called `name`.

    Raises:
        UnknownName: There is none; the nearest one is suggested.
    """
    path = _FOLDER / f"{name}.toml"
    if name not in (known := sorted(p.stem for p in _FOLDER.glob("*.toml"))):
        raise UnknownName("theme", name, known)
    return Theme.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))


def thing_words() -> frozenset[str]:
    """Return what one variable is called, in all themes."""
    return frozenset(theme(path.stem).thing for path in _FOLDER.glob("*.toml"))
