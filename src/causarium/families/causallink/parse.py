"""Reading replies of the text protocol into actions, and the names of what can go wrong."""

import json
from collections.abc import Mapping
from typing import Any

from causarium.contract.texts.replies import (
    MAX_REPLY_CHARS,
    excerpt,
    explain_too_large,
    find_json_object,
    find_json_objects,
    remove_thinking,
)
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action
from causarium.families.causallink.actions import CONTINUE, STOP, Answer, Choose, Intervene
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.interface.spellings import ANSWERS, CHOICES, fold_text
from causarium.families.causallink.mechanics.theme import thing_words

INVALID_ACTION = "invalid action"
INVALID_FORMAT = "invalid format"
INVALID_ANSWER = "invalid answer"
TOO_MANY = "too many attempts"
ERROR_MODES = (INVALID_ACTION, INVALID_FORMAT, INVALID_ANSWER, TOO_MANY)
"""The published error modes; a case without any is filed under `none`."""


def parse(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: LinkRules
) -> Action | Unparsed:
    """Read `reply` as one of the expected actions.

    Keys that no action has are ignored. Values are not judged here: whether a name, an action or
    an answer exists is for the world to say, because that decides between two error modes.
    """
    if not rules.strict_form:
        return _read_loosely(reply, allowed_actions, rules)
    fields = _find_object(reply, rules)
    if isinstance(fields, Unparsed):
        return fields
    if Choose in allowed_actions and "next" in fields:
        return Choose(next=_text(fields["next"]))
    if Intervene in allowed_actions and {"shape", "action"} <= fields.keys():
        return Intervene(shape=_text(fields["shape"]), action=_text(fields["action"]))
    if Answer in allowed_actions and "answer" in fields:
        return Answer(answer=_text(fields["answer"]))
    answer_expected = allowed_actions in {(Answer,), (Intervene, Answer)}
    return _say_what_is_missing(fields, answer_expected=answer_expected)


def read_first_object(reply: str) -> dict[str, Any] | Unparsed:
    """Read what stands between the first { and the next }, and nothing else."""
    if len(reply) > MAX_REPLY_CHARS:
        return Unparsed(mode=INVALID_FORMAT, detail="the reply is too long to be read")
    begin = reply.find("{")
    end = reply.find("}", begin)
    if begin < 0 or end < 0:
        return Unparsed(mode=INVALID_FORMAT, detail="no JSON object in the reply")
    try:
        fields: dict[str, Any] = json.loads(reply[begin : end + 1])
    except (ValueError, RecursionError):
        return Unparsed(mode=INVALID_FORMAT, detail="what stands in the first braces is not JSON")
    return fields or Unparsed(mode=INVALID_FORMAT, detail="the first JSON object is empty")


def _find_object(reply: str, rules: LinkRules) -> dict[str, Any] | Unparsed:
    if rules.first_object_parsing:
        return read_first_object(reply)
    return find_json_object(reply, mode=INVALID_FORMAT)


def _read_loosely(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: LinkRules
) -> Action | Unparsed:
    """Read every form in which only one thing can be meant."""
    if (bare := _read_bare_word(reply, allowed_actions)) is not None:
        return bare
    fields = _find_object(reply, rules)
    if isinstance(fields, Unparsed) and not rules.first_object_parsing:
        fields = _find_mended_object(reply) or fields
    folded = fields if isinstance(fields, Unparsed) else _fold_keys(fields)
    return folded if isinstance(folded, Unparsed) else _pick_action(folded, allowed_actions)


def _pick_action(
    fields: dict[str, str], allowed_actions: tuple[type[Action], ...]
) -> Action | Unparsed:
    """Return the one action that is meant; a choice, where there is one, says which."""
    acts = {"shape", "action"} <= fields.keys()
    intervention = Intervene(shape=fields["shape"], action=fields["action"]) if acts else None
    answer = Answer(answer=fields["answer"]) if "answer" in fields else None
    if Choose in allowed_actions and "next" in fields:
        choice = CHOICES.get(fold_text(fields["next"]))
        meant = {CONTINUE: intervention, STOP: answer}.get(choice or "")
        return meant or Choose(next=fields["next"])
    given = [
        action
        for action in (intervention, answer)
        if action is not None and type(action) in allowed_actions
    ]
    if len(given) > 1:
        detail = "the reply both acts and answers; send one of them"
        return Unparsed(mode=INVALID_FORMAT, detail=detail)
    if given:
        return given[0]
    return _say_what_is_missing(fields, answer_expected=allowed_actions == (Answer,))


def _read_bare_word(reply: str, allowed_actions: tuple[type[Action], ...]) -> Action | None:
    """Read a reply that is nothing but a choice or an answer, where that is asked for."""
    word = fold_text(reply)
    if Choose in allowed_actions and word in CHOICES:
        return Choose(next=word)
    if allowed_actions == (Answer,) and word in ANSWERS:
        return Answer(answer=word)
    return None


def _find_mended_object(reply: str) -> dict[str, Any] | None:
    """Return the object of a reply that says it twice, or lacks one of its outer braces."""
    if explain_too_large(reply):
        return None
    text = remove_thinking(reply)
    objects = find_json_objects(text)
    if not objects:
        objects = find_json_objects(_add_braces(text))
    return objects[0] if objects and all(other == objects[0] for other in objects) else None


def _add_braces(text: str) -> str:
    opening, closing = text.count("{"), text.count("}")
    if opening == closing + 1:
        return f"{text.strip().strip('`').rstrip()}}}"
    if opening == closing - 1 or opening == closing == 0:
        head, quote, rest = text.strip().strip("`").partition('"')
        closed = rest if closing else f"{rest.rstrip()}}}"
        return f"{head}{{{quote}{closed}"
    return text


def _fold_keys(fields: dict[str, Any]) -> dict[str, str] | Unparsed:
    """Return the values that are not blank, as text, under the keys of the protocol."""
    things = thing_words()
    folded: dict[str, str] = {}
    for key, value in fields.items():
        name = fold_text(str(key))
        name = "shape" if name in things else name
        text = _text(value)
        if value is None or not text.strip():
            continue
        if folded.setdefault(name, text) != text:
            detail = f"the JSON object says {excerpt(name)!r} twice"
            return Unparsed(mode=INVALID_FORMAT, detail=detail)
    return folded


def _say_what_is_missing(fields: Mapping[str, Any], *, answer_expected: bool) -> Unparsed:
    if answer_expected:
        return Unparsed(mode=INVALID_ANSWER, detail='the JSON object has no "answer"')
    keys = excerpt(", ".join(map(str, fields)) or "none")
    return Unparsed(mode=INVALID_FORMAT, detail=f"the JSON object has other keys: {keys}")


def _text(value: object) -> str:
    """Keep strings; write anything else as text that is no name, action or answer."""
    return excerpt(value if isinstance(value, str) else repr(value))
