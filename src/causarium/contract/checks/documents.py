"""Promises about what people read: the README and the words in the declarations."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from causarium.contract.checks.checked_family import Check, Subject
from causarium.contract.world import Action

_BLOCK = re.compile(r"^ *```(?:sh|shell|bash|console)[^\n]*\n(.*?)^ *```", re.DOTALL | re.MULTILINE)


def readme_commands(path: Path) -> list[list[str]]:
    """Return the `causarium` commands in the shell blocks of a Markdown file, split into words.

    In a `console` block, lines that begin with `$ ` are commands and the others their output.

    Raises:
        ValueError: A command cannot be split, because a quotation in it does not end.
    """
    commands = []
    for block in _BLOCK.findall(path.read_text(encoding="utf-8")):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line.strip().removeprefix("$ "), comments=True)
            if words[:1] == ["causarium"]:
                commands.append(words)
    return commands


def the_readme_shows_commands_that_parse(subject: Subject) -> Iterator[str]:
    """There is a README with commands, and one of them is about this family."""
    path = subject.family.folder / "README.md"
    if not path.is_file():
        yield "the family's folder has no README.md"
        return
    try:
        commands = readme_commands(path)
    except ValueError as wrong:
        yield f"a command in the README cannot be read: {wrong}"
        return
    if not any(subject.family.name in words for words in commands):
        yield f"no ```sh block of the README has a `causarium` command on {subject.family.name}"


def every_prompt_says_something(subject: Subject) -> Iterator[str]:
    """Each instance has words to open with, under every interface, and the same each time."""
    for drawn, rules in subject.tables():
        for instance in drawn.instances:
            prompt = subject.family.prompt(instance.public, rules)
            if not prompt.user.strip():
                yield f"{instance.id} opens with no words under the {rules.interface} interface"
            if subject.family.prompt(instance.public, rules) != prompt:
                yield f"{instance.id} opens with other words each time"


def declarations_are_described(subject: Subject) -> Iterator[str]:
    """Actions, their arguments, rules, players and metrics each have a sentence."""
    family = subject.family
    for action in family.actions:
        if not action.__doc__ or action.__doc__ == Action.__doc__:
            yield f"the action {action.kind} has no docstring, and so its tool no description"
        for name, field in action.model_fields.items():
            if not field.description:
                yield f"the field {name} of the action {action.kind} has no description"
    for name, field in family.rules.model_fields.items():
        if not field.description or field.is_required():
            yield f"the rule {name} lacks a description or a default"
    abouts = {f"the player {name}": player.about for name, player in family.players.items()}
    abouts |= {f"the metric {name}": metric.about for name, metric in family.metrics.items()}
    yield from (f"{what} is not described" for what, sentence in abouts.items() if not sentence)


def the_card_names_the_helpers(subject: Subject) -> Iterator[str]:
    """The card lists the roles for which a run may name models, so that a run can refuse early."""
    listed, asked = set(subject.family.card.roles), set(subject.family.helpers.roles)
    for role in sorted(listed ^ asked):
        where = (
            "card lists the role {}, and no helper asks it"
            if role in listed
            else ("helpers ask the role {}, and the card does not list it")
        )
        yield f"the {where.format(role)}"


CHECKS: tuple[Check, ...] = (
    the_readme_shows_commands_that_parse,
    every_prompt_says_something,
    declarations_are_described,
    the_card_names_the_helpers,
)
