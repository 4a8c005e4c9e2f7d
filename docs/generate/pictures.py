"""Instances and episodes in pictures, drawn as the replay pages draw them."""

from html import escape
from math import isnan, nan

from causarium import families
from causarium.contract.episode import play
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.rules import Edition
from causarium.contract.sets.instance_sets import generate_one
from causarium.contract.views.scene import ReplayScene
from causarium.web.world_picture import draw_beliefs, draw_world
from docs.generate.markdown import fence, fold, place_svg

MOST_STEPS = 12
"""So many steps are described where there is no picture of them."""


def draw_walk(family_name: str, set_name: str, number: str, player: str) -> str:
    """Return one instance played by one player, step by step."""
    family = families.get(family_name)
    instance = generate_one(family, "certified", set_name, int(number))
    rules = family.rules_for("certified")
    episode = play(family, instance, rules, player)
    views = family.views
    scene = views.scene(instance, rules, episode.turns) if views.scene else None
    figure = views.draw_episode(instance, rules, episode.turns) if views.draw_episode else None
    prompt = family.prompt(instance.public, rules)
    numbers = episode.score().numbers
    shown = family.card.shown("certified")
    applying = [name for name in shown if not isnan(numbers.get(name, nan))]
    scores = ", ".join(f"`{name}` {numbers[name]:.4g}" for name in applying)
    parts = [
        f"`{instance.id}`, played by the reference player `{player}`.",
        f"**The question.** {scene.question}" if scene else "",
        fold("What the agent reads", f"{fence(prompt.system)}\n\n{fence(_cut(prompt.user, 6000))}"),
        _draw_steps(scene) if scene else "",
        place_svg(figure.svg, escape(figure.caption)) if figure else "",
        f"**How it ended.** {_end(scene)}{scores}.",
    ]
    return "\n\n".join(part for part in parts if part)


def _end(scene: ReplayScene | None) -> str:
    if scene is None:
        return ""
    sentences = (scene.outcome, scene.answer.rstrip("."))
    return "".join(f"{sentence}. " for sentence in sentences if sentence)


def _draw_steps(scene: ReplayScene) -> str:
    pictures = [(step, draw_world(scene, step, 0)) for step in scene.steps]
    cards = [
        f"<li><p><strong>{escape(step.title)}</strong> {escape(step.note)}</p>{svg}</li>"
        for step, svg in pictures
        if svg
    ]
    if cards:
        return f'<ol class="steps">{"".join(cards)}</ol>'.replace("\n", " ")
    lines = [f"1. **{step.title}** {step.note}" for step in scene.steps[:MOST_STEPS]]
    left = len(scene.steps) - len(lines)
    return "\n".join(lines) + (f"\n\nand {left} more steps." if left else "")


def draw_truth(family: AnyFamily, instance: AnyInstance, edition: Edition) -> str:
    """Return a picture of what is hidden in an instance, nothing if it has none."""
    if family.views.scene is None:
        return ""
    beliefs = draw_beliefs(family.views.scene(instance, family.rules_for(edition), []), 0)
    if beliefs is None:
        return ""
    return place_svg(beliefs.graphs[-1].svg)


def show_public(
    family: AnyFamily, instance: AnyInstance, edition: Edition, most: int = 1500
) -> str:
    """Return what an agent reads of an instance, its beginning if it is long.

    Args:
        family: The family of the instance.
        instance: The instance.
        edition: The edition that it is played in.
        most: So many letters are shown.
    """
    prompt = family.prompt(instance.public, family.rules_for(edition))
    return fence(_cut(prompt.user, most))


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return f"{text[:most].rsplit(chr(10), 1)[0]}\n[… {len(text):,} characters in all]"
