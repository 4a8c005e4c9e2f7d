"""The words that open a session. The texts themselves are in `prompts/`."""

from causarium.contract.family import Prompt
from causarium.families.causalgame.model.actions import PUBLISHED_ACTIONS
from causarium.families.causalgame.model.config import GameRules
from causarium.families.causalgame.model.instance import RETURNED, GamePublic
from causarium.families.causalgame.play.published.flight_tables import (
    flight_table,
    percent,
    space_text,
)
from causarium.families.causalgame.play.published.wording import Wording

_KINDS = frozenset(action.kind for action in PUBLISHED_ACTIONS)


def open_session(public: GamePublic, rules: GameRules) -> Prompt:
    """Return the words that open a session of a published game."""
    words = Wording(public, rules)
    user = words.fill_text("task", **_parts(public, rules, words))
    while "\n\n\n" in user:
        user = user.replace("\n\n\n", "\n\n")
    return Prompt(system=words.fill_text("system"), user=user.strip())


def _parts(public: GamePublic, rules: GameRules, words: Wording) -> dict[str, str]:
    return {
        "story": _story(public, rules, words),
        "space": space_text(public),
        "visible": "\n".join(f"- {v.name}: {v.about}".rstrip(": ") for v in public.visible),
        "history": _history(public, rules, words),
        "archive": _archive(public, rules, words),
        "shift": words.fill_text("shift") if public.shift_announced else "",
        "noise": words.fill_text("noise") if public.noise_announced else "",
        "flow": _flow(rules, words),
        "claims": words.fill_text("claims") if rules.claims else "",
        "reply": _reply(public, rules, words),
    }


def _story(public: GamePublic, rules: GameRules, words: Wording) -> str:
    story = words.fill_text(f"story_{public.setting}")
    hinted = rules.altitude_hint and public.setting == "zone"
    return f"{story} {words.fill_text('altitude_hint')}" if hinted else story


def _archive(public: GamePublic, rules: GameRules, words: Wording) -> str:
    if not public.queries_answered:
        return ""
    return words.fill_text("archive_names" if rules.names_only else "archive")


def _flow(rules: GameRules, words: Wording) -> str:
    return words.fill_text(
        "flow_code" if rules.interface == "code" else "flow",
        guard=words.fill_text("flow_guard") if rules.guards else "",
        report=words.fill_text("flow_report") if rules.report else "",
    )


def _history(public: GamePublic, rules: GameRules, words: Wording) -> str:
    if not public.history:
        return words.fill_text("no_history")
    table = flight_table(public.history)
    if not rules.opening_rate:
        return words.fill_text("history", flights=table)
    back = sum(flight.status == RETURNED for flight in public.history)
    return words.fill_text("history_rate", flights=table, rate=percent(back / len(public.history)))


def _reply(public: GamePublic, rules: GameRules, words: Wording) -> str:
    kinds = _find_offered_kinds(public, rules)
    lines = words.fill_text(f"reply_{rules.interface}").split("\n")
    return "\n".join(line for line in lines if _is_offered(line, kinds))


def _find_offered_kinds(public: GamePublic, rules: GameRules) -> frozenset[str]:
    left_out = {
        "query": not public.queries_answered,
        "run_analysis": not rules.analysis,
        "believe": not rules.claims,
        "report": not rules.report,
    }
    return _KINDS - {kind for kind, out in left_out.items() if out}


def _is_offered(line: str, kinds: frozenset[str]) -> bool:
    """Keep a line that begins with `- deploy:` (or another kind) where that is on offer."""
    kind, colon, _ = line.removeprefix("- ").partition(":")
    is_named = line.startswith("- ") and colon and kind in _KINDS
    return not is_named or kind in kinds
