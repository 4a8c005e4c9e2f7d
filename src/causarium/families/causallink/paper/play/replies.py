"""Replies: reading them into actions, writing actions as replies, and their JSON schemas.

Under `strict_form`, as published, keys count only as they are written in the question, and the
first object counts. Otherwise the shared reader takes every form in which only one thing can be
meant. Values are not judged here: whether a name, an action or an answer exists is for the world to
say, because that decides between two error modes.
"""

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

from causarium.contract.texts.replies import MAX_REPLY_CHARS, excerpt
from causarium.contract.texts.say_action import visible_fields, write_reply
from causarium.contract.world import Action, Unparsed
from ..model.instance import (
    CONTINUE,
    STOP,
    Answer,
    Choose,
    Intervene,
    LinkPublic,
)
from ..model.rules import LinkRules
from ..model.theme import Theme, theme, thing_words

# The tolerant reader and the schemas are imported where they are used: those who only draw, play
# by code or score need neither.
if TYPE_CHECKING:
    from causarium.contract.texts.reply_schemas import Schema

INVALID_ACTION = "invalid action"
INVALID_FORMAT = "invalid format"
INVALID_ANSWER = "invalid answer"
TOO_MANY = "too many attempts"
ERROR_MODES = (INVALID_ACTION, INVALID_FORMAT, INVALID_ANSWER, TOO_MANY)
"""The published error modes; a case without any is filed under `none`."""

ANSWERS: Mapping[str, Literal["yes", "no"]] = {
    **dict.fromkeys(("yes", "y", "true"), "yes"),
    **dict.fromkeys(("no", "n", "false"), "no"),
}
CHOICES: Mapping[str, str] = {
    **dict.fromkeys(("continue interaction", "continue interacting", "continue"), CONTINUE),
    **dict.fromkeys(("answer the question", "answer", "stop"), STOP),
}
_STARTING: Final = {"move", "moving", "moved", "start", "starting", "started"}
_STOPPING: Final = {"hold", "holding", "held", "stop", "stopping", "stopped"}
_AROUND: Final = " \t\r\n\f\v\"'`.,;:!?()[]{}<>*_"
_LONGEST: Final = 400
"""Longer texts are no spelling of anything."""


def fold_text(text: str) -> str:
    """Return `text` as it is compared: `Circle`, `"circle"` and `the circle.` are one name.

    Example:
        >>> fold_text(' **Answer  the question.** ')
        'answer the question'
    """
    if len(text) > _LONGEST:
        return ""
    return " ".join(text.split()).casefold().strip(_AROUND).removeprefix("the ")


def match_name(text: str, names: Iterable[str]) -> str | None:
    """Return the one name that `text` spells; None if it spells none, or several.

    A name that is written exactly is itself, whatever else folds to the same.
    """
    names = tuple(names)
    if text in names:
        return text
    folded = fold_text(text)
    matches = [name for name in names if fold_text(name) == folded]
    return matches[0] if folded and len(matches) == 1 else None


def match_verb(text: str, words: Theme) -> str | None:
    """Return the theme's action that `text` spells; None if it spells neither."""
    folded = fold_text(text)
    if name := match_name(text, (words.start, words.stop)):
        return name
    return words.start if folded in _STARTING else words.stop if folded in _STOPPING else None


def parse(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: LinkRules
) -> Action | Unparsed:
    """Read a reply as one of the expected actions. Keys that no action has are ignored."""
    from causarium.contract.texts.read_reply import read_word
    from causarium.contract.texts.scan_reply import cut_thinking, find_json_object

    tolerant = not rules.strict_form
    if tolerant and Choose in allowed_actions:
        word = fold_text(cut_thinking(reply))
        if word in CHOICES:
            return Choose(next=word)
    if rules.first_object_parsing:
        fields = _read_first_object(reply)
    else:
        fields = _read_fields(reply) if tolerant else find_json_object(reply, mode=INVALID_FORMAT)
    if not isinstance(fields, Unparsed):
        return _pick_action(fields, allowed_actions, rules)
    if tolerant and allowed_actions[:1] == (Answer,):
        answer = read_word(reply, ANSWERS, mode=INVALID_ANSWER)
        return fields if isinstance(answer, Unparsed) else Answer(answer=answer)
    return fields


def _read_first_object(reply: str) -> dict[str, Any] | Unparsed:
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


def _read_fields(reply: str) -> dict[str, Any] | Unparsed:
    """Read the one object of a reply; what one variable is called in any theme means `shape`."""
    from causarium.contract.texts.read_reply import read_object

    things = sorted(thing_words())
    names = ("shape", *things, "action", "next", "answer")
    fields = read_object(reply, mode=INVALID_FORMAT, names=names, only_one=True)
    if isinstance(fields, Unparsed):
        return fields
    filled = {key: value for key, value in fields.items() if value not in ("", None)}
    for thing in things:
        if thing in filled and filled.setdefault("shape", filled[thing]) != filled[thing]:
            return Unparsed(mode=INVALID_FORMAT, detail="the JSON object names two things")
    return filled


def _pick_action(
    fields: Mapping[str, Any], allowed_actions: tuple[type[Action], ...], rules: LinkRules
) -> Action | Unparsed:
    """Return the one action that is meant; a choice, where there is one, says which."""
    meant = _list_meant(fields)
    given = [action for kind, action in meant.items() if kind in allowed_actions]
    if not given:
        asked = {(Answer,), (Intervene, Answer)} if rules.strict_form else {(Answer,)}
        if allowed_actions in asked:
            return Unparsed(mode=INVALID_ANSWER, detail='the JSON object has no "answer"')
        keys = excerpt(", ".join(map(str, fields)) or "none")
        return Unparsed(mode=INVALID_FORMAT, detail=f"the JSON object has other keys: {keys}")
    if rules.strict_form:
        return given[0]
    if isinstance(given[0], Choose):
        chosen = CHOICES.get(fold_text(given[0].next))
        said = {CONTINUE: meant.get(Intervene), STOP: meant.get(Answer)}.get(chosen or "")
        return said or given[0]
    if len(given) > 1:
        detail = "the reply both acts and answers; send one of them"
        return Unparsed(mode=INVALID_FORMAT, detail=detail)
    return given[0]


def _list_meant(fields: Mapping[str, Any]) -> dict[type[Action], Action]:
    """Return every action for which the fields are there, in the order in which they are read."""
    meant: dict[type[Action], Action] = {}
    if "next" in fields:
        meant[Choose] = Choose(next=_text(fields["next"]))
    if "shape" in fields and "action" in fields:
        meant[Intervene] = Intervene(shape=_text(fields["shape"]), action=_text(fields["action"]))
    if "answer" in fields:
        meant[Answer] = Answer(answer=_text(fields["answer"]))
    return meant


def _text(value: object) -> str:
    """Keep strings; write anything else as text that is no name, action or answer."""
    return excerpt(value if isinstance(value, str) else repr(value))


def write_action(action: Action, rules: LinkRules) -> str:
    """Write an action as the reply in which it is read again."""
    # The published reader ends at the first closing brace, wherever it stands.
    return write_reply(visible_fields(action), escaped="<{}" if rules.first_object_parsing else "<")


def make_schema(
    public: LinkPublic, allowed_actions: tuple[type[Action], ...], rules: LinkRules
) -> "Schema":
    """Return the schema of one of the expected actions, in the names of this case.

    Where more is taken than is asked for, it is the schema of what is asked for.
    """
    from causarium.contract.texts import reply_schemas as write

    words = theme(public.theme)
    forms: dict[type[Action], dict[str, Schema]] = {
        Choose: {"next": write.choice_schema(CONTINUE, STOP)},
        Intervene: {
            words.thing: write.choice_schema(*public.shapes),
            "action": write.choice_schema(words.start, words.stop),
        },
        Answer: {"answer": write.choice_schema("yes", "no")},
    }
    # Reasoning may hold braces, and a reply that is read up to the first one would end there.
    reasons = rules.strategy.startswith("cot") and not rules.first_object_parsing
    before: dict[str, Schema] = {"reasoning": write.text_schema()} if reasons else {}
    asked = allowed_actions if rules.strict_form else allowed_actions[:1]
    return write.any_schema(*(write.object_schema({**before, **forms[action]}) for action in asked))
