"""Reading replies on an expedition, and the JSON schema that a provider may hold a model to."""

from causarium.contract.texts.read_reply import read_action, read_code
from causarium.contract.texts.replies import MAX_REPLY_CHARS, fit_action
from causarium.contract.texts.reply_schemas import (
    Schema,
    any_schema,
    choice_schema,
    list_schema,
    mapping_schema,
    object_schema,
    text_schema,
)
from causarium.contract.texts.scan_reply import ReplyScan, scan_reply
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action
from causarium.families.causalgame.model.actions import PlayExpedition, RunAnalysis, Status
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.expeditions import (
    ANSWERS,
    MOST_DRONES_AN_ORDER,
    MOST_ORDERS_A_CALL,
    AnswerQuestions,
    Commit,
    ExpeditionPublic,
    Fly,
)

NO_ACTION = "no action"
NO_CODE = "no code"
TOO_LARGE = "too large"
_OTHER_NAMES = {
    "submit": "commit",
    "deploy": "fly",
    "answers": "answer",
    "analysis": "run_analysis",
}
_CODE_CHARS = 2_000


def read_expedition_reply(
    reply: str, allowed_actions: tuple[type[Action], ...], rules: GameRules
) -> Action | Unparsed:
    """Read a reply as an action of an expedition.

    Args:
        reply: What a model wrote.
        allowed_actions: The actions that are expected.
        rules: The rules of the session; under `strict_form` only the form asked for is read.
    """
    if len(reply) > MAX_REPLY_CHARS:
        detail = f"the reply has {len(reply):,} characters; at most {MAX_REPLY_CHARS:,} are read"
        return Unparsed(mode=TOO_LARGE, detail=detail)
    if rules.interface == "code":
        for program in (PlayExpedition, RunAnalysis):
            code = read_code(reply) if program in allowed_actions else None
            if code is not None:
                return program(code=code)
        if PlayExpedition in allowed_actions:
            return Unparsed(mode=NO_CODE, detail="no fenced python block in the reply")
    readable = tuple(action for action in allowed_actions if action is not PlayExpedition)
    scan = scan_reply(reply)
    is_plain = len(scan.objects) == 1 and not any(found.mended for found in scan.values)
    if rules.strict_form:
        return _read_strictly(scan, readable, is_plain=is_plain)
    # Status has no field of its own, so an object fits it whatever it holds: it goes last.
    ordered = (*(action for action in readable if action is not Status), *readable)
    action = read_action(
        scan, tuple(dict.fromkeys(ordered)), mode=NO_ACTION, other_names=_OTHER_NAMES
    )
    if not is_plain and "mended" in type(action).model_fields:
        return action.model_copy(update={"mended": 1})
    return action


def _read_strictly(
    scan: ReplyScan, allowed_actions: tuple[type[Action], ...], *, is_plain: bool
) -> Action | Unparsed:
    if not is_plain:
        detail = f"{len(scan.objects)} JSON objects in the reply" if scan.objects else scan.problem
        return Unparsed(mode=NO_ACTION, detail=f"{detail or 'no JSON object'}; send one as asked")
    fields = scan.objects[0]
    kinds = {action.kind: action for action in allowed_actions}
    word = fields.pop("action", None)
    if not isinstance(word, str) or word not in kinds:
        detail = f"name one action under `action`; actions: {', '.join(kinds)}"
        return Unparsed(mode=NO_ACTION, detail=detail)
    return fit_action(fields, (kinds[word],), mode=NO_ACTION)


def write_expedition_schema(
    public: ExpeditionPublic, allowed_actions: tuple[type[Action], ...], rules: GameRules
) -> Schema:
    """Return the schema of one of the expected actions, in the names of this expedition."""
    del rules
    return any_schema(*(_write_action(action, public) for action in allowed_actions))


def _write_action(action: type[Action], public: ExpeditionPublic) -> Schema:
    own: dict[str, Schema] = {}
    if action is Fly:
        own = {"orders": list_schema(_write_order(public), MOST_ORDERS_A_CALL, least=1)}
    elif action is Commit:
        parts = {
            leg.name: list_schema(choice_schema(*leg.parts), len(leg.parts)) for leg in public.legs
        }
        own = {"fitted": object_schema(parts)}
    elif action is AnswerQuestions:
        count = sum(len(leg.parts) for leg in public.legs)
        chance: Schema = {"type": "number", "minimum": 0, "maximum": 1}
        answer = any_schema(choice_schema(*ANSWERS), mapping_schema(ANSWERS, chance))
        own = {"answers": mapping_schema([f"q{number + 1}" for number in range(count)], answer)}
    elif action is RunAnalysis:
        own = {"code": text_schema(_CODE_CHARS)}
    return object_schema(
        {"thought": text_schema(), "action": choice_schema(action.kind), **own},
        optional=("thought",),
    )


def _write_order(public: ExpeditionPublic) -> Schema:
    flown = [leg for leg in public.legs if leg.drones]
    parts = sorted({part for leg in flown for part in leg.parts})
    readings = sorted({reading.name for leg in flown for reading in leg.readings})
    most = max(len(leg.parts) for leg in flown) if flown else 1
    some = list_schema(choice_schema(*parts), most)
    fields: dict[str, Schema] = {
        "leg": choice_schema(*(leg.name for leg in flown)),
        "fitted": some,
        "vary": some,
        "set": choice_schema(*readings),
        "log": {"type": "boolean"},
        "hangar": {"type": "boolean"},
        "count": {"type": "integer", "minimum": 1, "maximum": MOST_DRONES_AN_ORDER},
    }
    return object_schema(fields, optional=("fitted", "vary", "set", "log", "hangar"))
