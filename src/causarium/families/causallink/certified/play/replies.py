"""Replies: reading them into actions, writing actions as replies, and their JSON schemas.

Names and answers are not judged here: whether they exist is for the world to say. Of several
objects in a reply the first that is a trial or an answer counts.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from causarium.contract.texts.replies import excerpt
from causarium.contract.world import Action, Unparsed
from ..levels import LinkRules
from ..model import Answer, LinkPublic, Trial

# The tolerant reader and the schemas are imported where they are used: those who only draw, play
# by code or score need neither.
if TYPE_CHECKING:
    from causarium.contract.texts.reply_schemas import Schema

INVALID_FORMAT = "invalid format"
INVALID_NAME = "invalid name"
INVALID_ANSWER = "invalid answer"
TOO_MANY = "too many trials"
TOO_FEW_HANDS = "too few hands"
ERROR_MODES = (INVALID_FORMAT, INVALID_NAME, INVALID_ANSWER, TOO_MANY, TOO_FEW_HANDS)
"""Why a case can end without an answer."""
ANSWERS: Mapping[str, Literal["yes", "no"]] = {
    **dict.fromkeys(("yes", "y", "true"), "yes"),
    **dict.fromkeys(("no", "n", "false"), "no"),
}
_FIELDS = ("start", "hold", "answer")
_EMPTY = {"", "none", "nothing", "nobody", "...", "-"}
"""Texts that name no object."""


def parse(
    reply: str,
    allowed_actions: tuple[type[Action], ...],
    rules: LinkRules,  # noqa: ARG001 - the form of `Replies.parse`
) -> Action | Unparsed:
    """Read a reply as a trial or an answer; a lone yes or no is an answer."""
    from causarium.contract.texts.read_reply import list_objects, read_word, take_first

    objects = list_objects(reply, mode=INVALID_FORMAT, names=_FIELDS)
    if not isinstance(objects, Unparsed):
        return take_first(objects, _pick_action, allowed_actions)
    if Answer in allowed_actions:
        answer = read_word(reply, ANSWERS, mode=INVALID_FORMAT)
        if not isinstance(answer, Unparsed):
            return Answer(answer=answer)
    return objects


def _pick_action(fields: Mapping[str, Any]) -> Action | Unparsed:
    """Return the one action that the fields of an object mean."""
    given = {name: fields[name] for name in _FIELDS if fields.get(name) is not None}
    answer = given.pop("answer", None)
    if answer is None and given:
        return Trial(**{name: _list_names(value) for name, value in given.items()})
    if answer is not None and not any(_list_names(value) for value in given.values()):
        return Answer(answer=excerpt(answer if isinstance(answer, str) else repr(answer)))
    if given:
        detail = "the reply holds both a trial and an answer; send one of them"
    else:
        detail = f"the JSON object has other keys: {excerpt(', '.join(map(str, fields)) or 'none')}"
    return Unparsed(mode=INVALID_FORMAT, detail=detail)


def _list_names(value: object) -> tuple[str, ...]:
    """Return the names of a list, or of a text with commas or lines between them."""
    from causarium.contract.texts.read_reply import split_names

    items = split_names(value) if isinstance(value, str) else value
    names = items if isinstance(items, list | tuple) else (items,)
    texts = (excerpt(name if isinstance(name, str) else repr(name)) for name in names)
    return tuple(text for text in texts if text.strip().casefold() not in _EMPTY)


def fold_name(text: str) -> str:
    """Return a name as it is compared: `Bell`, `"bell"` and `the bell.` are one.

    Example:
        >>> fold_name(' The **Bell**. ')
        'bell'
    """
    folded = " ".join(text.casefold().replace("*", "").split()).strip(" \t\"'`.,;:!?()[]{}<>_")
    return folded.removeprefix("the ")


def write_action(action: Action, rules: LinkRules) -> str:  # noqa: ARG001
    """Write an action as the reply in which it is read again."""
    from causarium.contract.texts.say_action import visible_fields, write_reply

    return write_reply(visible_fields(action))


def make_schema(
    public: LinkPublic,
    allowed_actions: tuple[type[Action], ...],
    rules: LinkRules,  # noqa: ARG001 - the form of `Replies.schema`
) -> "Schema":
    """Return the schema of one of the expected actions, in the names of this table."""
    from causarium.contract.texts import reply_schemas as write

    names = write.list_schema(write.choice_schema(*public.objects), len(public.objects))
    forms: dict[type[Action], Schema] = {
        Trial: write.object_schema({"start": names, "hold": names}),
        Answer: write.object_schema({"answer": write.choice_schema("yes", "no")}),
    }
    if len(allowed_actions) == 1:
        return forms[allowed_actions[0]]
    return write.any_schema(*(forms[action] for action in allowed_actions))
