"""One game by hand: `python -m bench.blind GAME FAMILY LEVEL SEED INDEX [REPLY]`.

GAME is a file of replies, a JSON string a line. Without REPLY the prompt and all that was said so
far is printed; with it (`-` reads standard input) the reply is added and answered. The score is
printed by `python -m bench.blind --score GAME FAMILY LEVEL SEED INDEX`, and nowhere else.
"""

import json
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from causarium import families
from causarium.contract.episode import Episode
from causarium.contract.family import AnyFamily
from causarium.families import FAMILIES

OVER = "The game is over."


def open_game(game: Path, family: AnyFamily, level: str, seed: int, index: int) -> Episode:
    """Return the episode that the replies of a file have come to."""
    instance = family.generate(family.level(level), seed, index)
    episode = Episode(family, instance, family.rules_for("certified"))
    for line in game.read_text(encoding="utf-8").splitlines() if game.exists() else ():
        if not episode.done:
            episode.take(episode.parse_reply(json.loads(line)))
    return episode


def find_family(name: str) -> AnyFamily:
    """Return the certified edition of a family: its wing, or else the family."""
    if name not in FAMILIES:
        raise SystemExit(f"there is no family {name!r}; families: {', '.join(FAMILIES)}")
    wing = f"causarium.families.{name}.certified"
    if find_spec(wing) is None:  # Not written yet: the edition that is run.
        return families.get(name, "certified")
    return cast("AnyFamily", import_module(wing).FAMILY)


def main(arguments: list[str]) -> int:
    """Print a game, or add a reply to it."""
    scored = arguments[:1] == ["--score"]
    if len(arguments) - scored not in {5, 6}:
        print(__doc__, file=sys.stderr)
        return 2
    path, name, level, seed, index, *reply = arguments[scored:]
    game, family = Path(path), find_family(name)
    episode = open_game(game, family, level, int(seed), int(index))
    if scored:
        print(json.dumps(episode.score().numbers))
        return 0
    if not reply:
        words = family.prompt(episode.instance.public, episode.rules)
        print(*(text for text in (words.system, words.user) if text), sep="\n\n")
        for turn in episode.turns:
            print(f"\n> {turn.observation}")
    elif not episode.done:
        text = sys.stdin.read() if reply == ["-"] else reply[0]
        with game.open("a", encoding="utf-8") as file:
            file.write(json.dumps(text) + "\n")
        print(episode.take(episode.parse_reply(text)).text)
    if episode.done:
        print(OVER)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
