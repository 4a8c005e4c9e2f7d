"""Reading replies: an experiment, or the answers, in any spelling that leaves no doubt."""

from typing import TYPE_CHECKING, Any

from causarium.contract.texts.replies import excerpt, fit_action
from causarium.contract.world import Action, Unparsed
from ..levels import LadderRules
from ..model.actions import Answer, Hold
from ..model.instance import LETTERS, LEVELS, NONE_TELLS, READINGS, UNKNOWN, LadderPublic

# The tolerant reader and the schemas are imported where they are used: those who only draw, play
# by code or score need neither.
if TYPE_CHECKING:
    from causarium.contract.texts.reply_schemas import Schema

UNREADABLE = "unreadable"
"""The one way in which a reply can fail to be read."""
_KEYS = ("hold", "answers", "answer")
_WORDS = (*READINGS.values(), UNKNOWN, *LETTERS, NONE_TELLS)


def parse(
    reply: str,
    allowed_actions: tuple[type[Action], ...],
    rules: LadderRules,  # noqa: ARG001 - the form of `Replies.parse`
) -> Action | Unparsed:
    """Read a reply as an experiment or as answers; the world says what is expected now."""
    from causarium.contract.texts.read_reply import list_objects, read_word, take_first

    objects = list_objects(reply, mode=UNREADABLE, names=_KEYS)
    if not isinstance(objects, Unparsed):
        return take_first(objects, _read_object, allowed_actions)
    if Answer in allowed_actions:
        word = read_word(reply, _WORDS, mode=UNREADABLE)
        return Answer(answers=(word,)) if isinstance(word, str) else word
    return objects


def _read_object(fields: dict[str, Any]) -> Action | Unparsed:
    answers = fields.get("answers", fields.get("answer"))
    if isinstance(answers, dict):
        answers = [*answers.values()]
    if answers is not None and fields.get("hold"):
        return Unparsed(mode=UNREADABLE, detail="the reply both holds and answers; send one")
    if answers is not None:
        return fit_action({"answers": answers}, (Answer,), mode=UNREADABLE)
    if "hold" in fields:
        return fit_action({"hold": fields["hold"] or {}}, (Hold,), mode=UNREADABLE)
    detail = f"the JSON object has other keys: {excerpt(', '.join(map(str, fields)) or 'none')}"
    return Unparsed(mode=UNREADABLE, detail=detail)


def make_schema(
    public: LadderPublic,
    allowed_actions: tuple[type[Action], ...],
    rules: LadderRules,  # noqa: ARG001 - the form of `Replies.schema`
) -> "Schema":
    """Return the schema of one of the expected actions, in the names of this crystal."""
    from causarium.contract.texts import reply_schemas as write

    levels = write.mapping_schema(public.holdable, write.choice_schema(*LEVELS))
    words = dict.fromkeys(word for kind in public.asked for word in public.list_answers(kind))
    count = len(public.asked)
    answers = write.list_schema(write.choice_schema(*words), count, least=count)
    forms: dict[type[Action], Schema] = {
        Hold: write.object_schema({"hold": levels}),
        Answer: write.object_schema({"answers": answers}),
    }
    return write.any_schema(*(forms[action] for action in allowed_actions))
