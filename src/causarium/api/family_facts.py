"""What a family offers, as plain data: for `list` without its code, for one family with it."""

from typing import Any, get_args

from causarium import families
from causarium.contract.family import AnyFamily, Config
from causarium.contract.family_card import FamilyCard
from causarium.contract.rules import EDITIONS, Rules


def list_facts() -> tuple[list[dict[str, Any]], list[str]]:
    """Return what every family's card says, and why others cannot be loaded.

    No code of our own families is loaded.
    """
    read = families.read_cards()
    return [_card_facts(name, card) for name, card in read.cards.items()], [*read.problems.values()]


def _card_facts(name: str, card: FamilyCard) -> dict[str, Any]:
    return {
        "name": name,
        "title": card.title,
        "about": card.about,
        "version": card.version,
        "headline": card.headline.get("certified", ""),
        "editions": list(card.sets),
        "levels": list(card.levels),
        "sets": list(dict.fromkeys(label for sets in card.sets.values() for label in sets)),
        "digests": {
            edition: {label: {"size": s.size, "digest": s.digest} for label, s in sets.items()}
            for edition, sets in card.sets.items()
        },
        "players": list(card.players),
    }


def family_facts(name: str) -> dict[str, Any]:
    """Return everything that can be named on the command line for one family, each with a line.

    Raises:
        UnknownName: There is no such family; the nearest name is suggested.
    """
    family = families.get(name)
    card = family.card
    return {
        "name": name,
        "title": card.title,
        "about": card.about,
        "version": card.version,
        "paper": card.paper.model_dump(),
        "headline": card.headline,
        "numbers": list(card.numbers),
        "sets": {
            edition: {
                label: {"size": spec.size, "about": spec.about, "digest": spec.digest}
                for label, spec in sets.items()
            }
            for edition, sets in card.sets.items()
        },
        "levels": {
            label: {"edition": config.edition, "about": describe_level(config)}
            for label, config in family.levels.items()
        },
        "players": {
            label: {"about": player.about, "sees_truth": player.sees_truth}
            for label, player in family.players.items()
        },
        "metrics": {
            label: {"about": metric.about, "better": metric.better}
            for label, metric in family.metrics.items()
        },
        "rules": rule_facts(family),
    }


def describe_level(config: Config) -> str:
    """Return what sets a level apart, in one line: every field that is not the default."""
    values = config.model_dump(mode="json")
    fields = type(config).model_fields.items()
    return ", ".join(
        f"{name}={values[name]}"
        for name, field in fields
        if name not in {"level", "edition"}
        and getattr(config, name) != field.get_default(call_default_factory=True)
    )


def rule_facts(family: AnyFamily) -> dict[str, dict[str, Any]]:
    """Return each rule of a family: its type, its default in each edition that has it, its use."""
    defaults: dict[str, Rules] = {edition: family.rules_for(edition) for edition in EDITIONS}
    return {
        name: {
            "type": _type_name(name, field.annotation, family),
            "default": {
                edition: getattr(rules, name)
                for edition, rules in defaults.items()
                if name in type(rules).model_fields
            },
            "about": field.description or "",
        }
        for name, field in family.rules.model_fields.items()
    }


def _type_name(name: str, annotation: Any, family: AnyFamily) -> str:  # noqa: ANN401
    if name == "interface":
        return " | ".join(family.rules.interfaces)
    text = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    if text.startswith("typing.Literal["):
        return " | ".join(map(str, get_args(annotation)))
    return text.replace("typing.", "").replace("NoneType", "None")
