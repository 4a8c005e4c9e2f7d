"""Opening a session by address, and going on from a snapshot.

An address says where an instance comes from, and holds nothing of it: a level, a split, a seed and
a number; or a named set and a number; or the digest of an instance that somebody else keeps.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import SecretStr, ValidationError

from causarium import families
from causarium.api.session import Session, rebuild_session
from causarium.contract.family import AnyFamily, AnyInstance
from causarium.contract.family_card import Part, Split
from causarium.contract.frozen import Frozen, digest
from causarium.contract.rules import Edition, check_edition
from causarium.contract.sets.instance_sets import generate_one
from causarium.contract.sets.splits import check_split, draw_instance, read_salt, split_part
from causarium.contract.texts.replies import describe_validation_error
from causarium.contract.turn import Turn
from causarium.errors import BadFile, UsageError


class Address(Frozen):
    """Where an instance comes from."""

    family: str
    version: str
    edition: Edition
    level: str | None = None
    split: Split | None = None
    seed: int = 0
    index: int = 0
    """The number of the instance in the split, or in the set."""
    set: str | None = None
    content: str | None = None
    """The digest of an instance that was given by hand."""
    salt_id: str | None = None
    """By what the salt of the private split can be told."""


def open_session(  # noqa: PLR0913 - an address has many parts
    family: str,
    *,
    edition: str = "certified",
    level: str | None = None,
    split: str = "train",
    seed: int = 0,
    index: int = 0,
    set: str | None = None,
    instance: AnyInstance | None = None,
    salt: SecretStr | None = None,
    shaped: bool = False,
    gamma: float = 1.0,
    sandbox: bool = False,
    **rules: Any,  # noqa: ANN401
) -> Session:
    """Open an instance to be played step by step.

    Args:
        family: The family's name.
        edition: `certified`, or `paper` for the published mechanics.
        level: The level to draw from; by default the easiest one that can be trained on.
        split: `train`, `validation` or `private`.
        seed: The seed within the split.
        index: The number of the instance, in the split or in the set.
        set: A named set, in place of a level.
        instance: An instance of your own, in place of both.
        salt: What the private split is drawn with; by default from the environment.
        shaped: Whether each turn earns its share of progress; see `Session`.
        gamma: The discount of the trainer, for shaping.
        sandbox: Whether programs of the agent are run, in a sandbox. Without one, the rules are
            those that need none.
        rules: Changes to the rules of the edition.

    Raises:
        UsageError: There is no such family, level, split, set, instance or rule, or the level is
            held back.

    Example:
        >>> session = open_session("causallink", level="log", index=7, interface="tools")
        >>> restore(session.snapshot()).observation == session.observation
        True
    """
    chosen, checked = families.get(family), check_edition(edition)
    address = Address(family=family, version=chosen.card.version, edition=checked, seed=seed)
    if instance is not None:
        address = address.model_copy(update={"content": digest(instance.line())})
    elif set is not None:
        instance = generate_one(chosen, checked, set, index)
        address = address.model_copy(update={"set": set, "index": index})
    else:
        level = level or easiest_level(chosen, checked)
        address = address.model_copy(
            update={"level": level, "split": check_split(split), "index": index}
        )
        salt = salt or (read_salt() if split == "private" else None)
        instance, part = _draw(chosen, address, salt)
        address = address.model_copy(update={"salt_id": part.salt_id})
    needless = {} if sandbox else chosen.rules.without_programs
    return Session(
        chosen,
        instance,
        chosen.rules_for(checked, **{**needless, **rules}),
        edition=checked,
        address=address,
        shaped=shaped,
        gamma=gamma,
        sandbox=sandbox,
    )


def easiest_level(family: AnyFamily, edition: Edition) -> str:
    """Return the first level of the ladder, or else the first one of the edition."""
    if edition == "certified" and family.card.ladder:
        return family.card.ladder[0]
    return next(name for name, config in family.levels.items() if config.edition == edition)


def _draw(family: AnyFamily, address: Address, salt: SecretStr | None) -> tuple[AnyInstance, Part]:
    """Draw the instance of a split that an address names."""
    level, edition = address.level or "", family.level(address.level or "").edition
    if edition != address.edition:
        raise UsageError(f"the level {level} is of the {edition} edition; give edition={edition!r}")
    split = address.split or "train"
    part = split_part(level, split, size=1, seed=address.seed, salt=salt)
    return draw_instance(family, part, address.index).instance, part


def restore(
    snapshot: Mapping[str, Any],
    *,
    instance: AnyInstance | None = None,
    salt: SecretStr | None = None,
) -> Session:
    """Return the session that a snapshot was taken of.

    Args:
        snapshot: What `Session.snapshot` returned.
        instance: The instance, where it was given by hand.
        salt: What the private split was drawn with; by default from the environment.

    Raises:
        BadFile: It is no snapshot, or of another version of the family, or of another instance.
        ContractError: The world answers otherwise than recorded.
    """
    if not isinstance(snapshot, Mapping):
        raise BadFile(f"a snapshot is what `Session.snapshot` returned, not {snapshot!r:.80}")
    try:
        address = Address.model_validate(snapshot["address"])
        turns = tuple(Turn.model_validate(turn) for turn in snapshot["turns"])
        family = families.get(address.family)
        rules = family.rules.model_validate(snapshot["rules"])
        options = {name: snapshot[name] for name in ("shaped", "gamma", "sandbox")}
    except (KeyError, TypeError) as wrong:
        raise BadFile(
            f"this is not a snapshot of a session: {wrong} is missing or wrong"
        ) from wrong
    except ValidationError as wrong:
        raise BadFile(f"this is not a snapshot: {describe_validation_error(wrong)}") from wrong
    if address.version != family.card.version:
        raise BadFile(
            f"the snapshot is of version {address.version} of {address.family}, and this is "
            f"version {family.card.version}; install the release that has that version"
        )
    instance = _find(family, address, instance, salt)
    options |= {"edition": address.edition, "address": address}
    return rebuild_session(family, instance, rules, options, turns)


def _find(
    family: AnyFamily, address: Address, instance: AnyInstance | None, salt: SecretStr | None
) -> AnyInstance:
    if address.content is not None:
        if instance is None or digest(instance.line()) != address.content:
            raise BadFile("the snapshot is of an instance given by hand; give that one again")
        return instance
    if address.set is not None:
        return generate_one(family, address.edition, address.set, address.index)
    salt = salt or (read_salt() if address.split == "private" else None)
    found, part = _draw(family, address, salt)
    if part.salt_id != address.salt_id:
        raise BadFile("the snapshot is of a private instance of another salt; give that one")
    return found
