"""CausalLink in the words of its release: the texts of each prompt strategy, turn by turn.

The released program fills its texts by position and puts a sentence of its own before the states;
both are read from its source; nothing of it is run.
"""

import ast
from dataclasses import replace
from string import Template
from typing import Any

from causarium.contract.companions import Publication, Release
from causarium.contract.family import AnyFamily, Prompt
from causarium.contract.release import ReleaseFolder, check_words, make_template
from causarium.contract.world import World
from causarium.errors import BadFile, UsageError
from .model.instance import LinkInstance, LinkPublic, LinkSecret
from .model.rules import LinkRules
from .play.wording import Texts, prompt
from .play.world import open_world

_TEXTS, _PROGRAM = "prompt_templates.py", "dancing_shape.py"
_SLOTS = {
    "initial": ("states", "question", "shapes", "actions"),
    "choice": ("question",),
    "interaction": ("shapes", "actions"),
    "answer": ("question",),
}
"""What the released program fills into each of its texts, in order."""


def _play_release(family: AnyFamily, release: ReleaseFolder) -> AnyFamily:
    texts = read_strategies(release)

    def choose_texts(rules: LinkRules) -> Texts:
        check_words(rules.interface, ["json"])
        if rules.strategy not in texts:
            raise UsageError(
                f"the release in {release.path} has no strategy {rules.strategy}; "
                f"it has {', '.join(texts)}"
            )
        return texts[rules.strategy]

    def write_prompt(public: LinkPublic, rules: LinkRules) -> Prompt:
        return prompt(public, rules, choose_texts(rules))

    def open_case(instance: LinkInstance, rules: LinkRules) -> World:
        return open_world(instance, rules, choose_texts(rules))

    return replace(family, prompt=write_prompt, open_world=open_case)


def read_strategies(release: ReleaseFolder) -> dict[str, Texts]:
    """Return the texts of each prompt strategy of a release, with our slots.

    Raises:
        BadFile: A text is missing or has other fields than the released program fills.
    """
    templates = release.read_constant(_TEXTS, "TEMPLATES")
    before = _read_sentence(release)
    return {name: _read_strategy(name, texts, before) for name, texts in templates.items()}


def _read_strategy(name: str, texts: Any, before: str) -> Texts:  # noqa: ANN401
    try:
        found = {turn: make_template(texts[turn], slots) for turn, slots in _SLOTS.items()}
        system = Template(texts["system"].replace("$", "$$"))
    except (KeyError, TypeError, AttributeError) as wrong:
        raise BadFile(f"the strategy {name} in {_TEXTS} of the release lacks {wrong}") from wrong
    # The released program joins two parts of a message by a line's end, also where one is empty.
    heads = {"choice": before.replace("$", "$$") + "$states", "interaction": "", "answer": ""}
    joined = {turn: Template(f"{head}\n{found[turn].template}") for turn, head in heads.items()}
    return {"system": system, "initial": found["initial"], **joined}


def _read_sentence(release: ReleaseFolder) -> str:
    """Return the released sentence before the states after an action."""
    for node in ast.walk(release.read_python(_PROGRAM)):
        if not isinstance(node, ast.BinOp) or not isinstance(node.left, ast.Constant):
            continue
        call = node.right.func if isinstance(node.right, ast.Call) else None
        if isinstance(call, ast.Attribute) and call.attr == "format_current_changes":
            return str(node.left.value)
    raise BadFile(
        f"{_PROGRAM} of the release in {release.path} has no sentence before the states of shapes"
    )


PUBLICATION: Publication[LinkPublic, LinkSecret] = Publication(release=Release(play=_play_release))
