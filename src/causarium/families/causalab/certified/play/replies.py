"""Reading replies: an experiment, or the answers, in any spelling that leaves no doubt.

Of several JSON objects the first that is an action counts.
"""

from typing import Any

from causarium.contract.texts.read_reply import fold_keys, read_word, unwrap
from causarium.contract.texts.replies import excerpt, fit_action
from causarium.contract.texts.scan_reply import scan_reply
from causarium.contract.world import Action, Unparsed

from ..levels import LadderRules
from ..model.actions import Answer, Hold
from ..model.instance import LETTERS, NONE_TELLS, READINGS, UNKNOWN

UNREADABLE = "unreadable"
"""The one way in which a reply can fail to be read."""
_KEYS = ("hold", "answers", "answer", "action")
_WORDS = (*READINGS.values(), UNKNOWN, *LETTERS, NONE_TELLS)


def parse(
    reply: str,
    allowed_actions: tuple[type[Action], ...],
    rules: LadderRules,  # noqa: ARG001 - the form of `Replies.parse`
) -> Action | Unparsed:
    """Read a reply as an experiment or as answers; the world says what is expected now."""
    scan = scan_reply(reply)
    if scan.is_too_large:
        return Unparsed(mode=UNREADABLE, detail=scan.problem)
    found = [_read_object(value) for value in scan.objects]
    actions = [one for one in found if isinstance(one, Action)]
    if actions:
        return next((one for one in actions if type(one) in allowed_actions), actions[0])
    if not found and Answer in allowed_actions:
        word = read_word(reply, _WORDS, mode=UNREADABLE)
        return Answer(answers=(word,)) if isinstance(word, str) else word
    if found:
        return found[0]
    missing = f"no JSON object in the reply: {excerpt(scan.text.strip())!r}"
    return Unparsed(mode=UNREADABLE, detail=scan.problem or missing)


def _read_object(value: dict[str, Any]) -> Action | Unparsed:
    fields = fold_keys(unwrap(value, _KEYS), _KEYS)
    if isinstance(fields, str):
        return Unparsed(mode=UNREADABLE, detail=f"there are two values for {excerpt(fields)!r}")
    if isinstance(fields.get("answer"), dict):
        fields = {**fields, **fields["answer"]}
    answers = fields.get("answers", fields.get("answer"))
    if answers is not None and "hold" in fields:
        return Unparsed(mode=UNREADABLE, detail="the JSON object both holds and answers")
    if answers is not None:
        return fit_action({"answers": answers}, (Answer,), mode=UNREADABLE)
    if "hold" in fields:
        return fit_action({"hold": fields["hold"]}, (Hold,), mode=UNREADABLE)
    detail = 'the JSON object has neither "hold" nor "answers"'
    return Unparsed(mode=UNREADABLE, detail=detail)
