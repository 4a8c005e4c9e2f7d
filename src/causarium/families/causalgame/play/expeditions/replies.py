"""Certified edition: how replies and answers are read, and the schemas that constrain them."""

from math import isfinite

from causarium.contract.texts.read_reply import read_action, read_code
from causarium.contract.texts.replies import MAX_REPLY_CHARS
from causarium.contract.texts.reply_schemas import (
    Schema,
    any_schema,
    choice_schema,
    list_schema,
    mapping_schema,
    object_schema,
    text_schema,
)
from causarium.contract.texts.scan_reply import scan_reply
from causarium.contract.world import Action, Unparsed
from ...model.actions import PlayExpedition
from ...model.expeditions import (
    ANSWERS,
    MOST_DRONES_AN_ORDER,
    MOST_ORDERS_A_CALL,
    AnswerQuestions,
    Commit,
    ExpeditionPublic,
    Fly,
)
from ...shared.actions import RunAnalysis, Status
from ...shared.rules import GameRules

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
    """Read a reply as an action of an expedition; by `strict_form` only in the form asked for."""
    if len(reply) > MAX_REPLY_CHARS:
        detail = f"the reply has {len(reply):,} characters; at most {MAX_REPLY_CHARS:,} are read"
        return Unparsed(mode=TOO_LARGE, detail=detail)
    if rules.interface == "code":
        for program in (PlayExpedition, RunAnalysis):
            code = read_code(reply) if program in allowed_actions else None
            if code is not None:
                return program(code=code)
        if PlayExpedition in allowed_actions and "{" not in reply:
            return Unparsed(mode=NO_CODE, detail="no fenced python block in the reply")
    readable = tuple(action for action in allowed_actions if action is not PlayExpedition)
    scan = scan_reply(reply)
    is_plain = len(scan.objects) == 1 and not any(found.mended for found in scan.values)
    said = scan.objects[0].get("action") if is_plain else None
    # Status has no field of its own, so an object fits it whatever it holds: it goes last.
    ordered = (*(action for action in readable if action is not Status), *readable)
    action = read_action(
        scan,
        tuple(dict.fromkeys(ordered)),
        mode=NO_ACTION,
        other_names=_OTHER_NAMES,
        only_one=True,
    )
    if isinstance(action, Unparsed):
        return action
    if rules.strict_form and said != action.kind:
        kinds = ", ".join(one.kind for one in readable)
        detail = f"send one JSON object that names one action under `action`; actions: {kinds}"
        return Unparsed(mode=NO_ACTION, detail=detail)
    is_slip = not is_plain and "mended" in type(action).model_fields
    return action.model_copy(update={"mended": 1}) if is_slip else action


def write_expedition_schema(
    public: ExpeditionPublic, allowed_actions: tuple[type[Action], ...], _rules: GameRules
) -> Schema:
    """Return the schema of one of the expected actions, in the names of this expedition."""
    return any_schema(*(_write_action_schema(action, public) for action in allowed_actions))


def _write_action_schema(action: type[Action], public: ExpeditionPublic) -> Schema:
    own: dict[str, Schema] = {}
    if action is Fly:
        own = {"orders": list_schema(_write_order_schema(public), MOST_ORDERS_A_CALL, least=1)}
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


def _write_order_schema(public: ExpeditionPublic) -> Schema:
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


def read_chances(answer: object) -> dict[str, float] | None:
    """Return the chances that an answer states, or None if it states none.

    Chances must be at least 0 and add up to 1, within a hundredth.
    """
    if isinstance(answer, str):
        word = answer.strip().lower()
        return {one: float(one == word) for one in ANSWERS} if word in ANSWERS else None
    if not isinstance(answer, dict) or not set(answer) <= set(ANSWERS):
        return None
    values = {one: float(answer.get(one, 0.0)) for one in ANSWERS}
    legal = all(isfinite(value) and value >= 0 for value in values.values())
    total = sum(values.values()) if legal else 0.0
    if abs(total - 1) > 0.01:
        return None
    return {one: value / total for one, value in values.items()}
