"""The other models that a run of ReCITE may name: judges, and one that repairs replies.

The model in the role `repair` puts into form what could not be read. It is shown the end of the
reply, never the document: it can copy a graph and not find one. What it sends is read like any
reply. Every name has to stand in the reply that is repaired, in whatever case and spacing, and
every id among those given; otherwise nothing is repaired.
"""

import re

from causarium.contract.companions import Helpers
from causarium.contract.texts.role_questions import Ask, Consultation
from causarium.contract.world import Move, Unparsed
from ..levels import ReciteRules
from ..model.instance import RecitePublic, ReciteSecret
from ..play.prompts import node_list, repair_text
from ..play.replies import SEVERAL, Unread, read_graph
from .judge import JUDGE

ROLE = "repair"
MOST_TRIES = 2


def repair(public: RecitePublic, rules: ReciteRules, move: Move) -> Consultation[Move] | None:
    """Have a model repair an unread reply; None where there is nothing to repair."""
    return _repair_reply(public, rules, move) if isinstance(move, Unread) else None


def _repair_reply(public: RecitePublic, rules: ReciteRules, move: Unread) -> Consultation[Move]:
    nodes = node_list(public.names) if public.names is not None else ""
    system = repair_text("repair_system", rules, nodes=nodes, several=move.mode == SEVERAL)
    user = repair_text("repair_user", rules, reply=move.reply)
    for _ in range(MOST_TRIES):
        reply = yield Ask(role=ROLE, system=system, user=user)
        found = read_graph(reply)
        if isinstance(found, Unparsed) or not found.relationships:
            continue
        ends = {end for pair in found.relationships for end in (pair.source, pair.sink)}
        if all(_is_spoken_of(end, public, _fold_text(move.reply)) for end in ends):
            slips = {**found.slips, f"repaired: {move.mode}": 1}
            return found.model_copy(update={"repaired": "model", "slips": slips})
    return move


def _is_spoken_of(end: str | int, public: RecitePublic, said: str) -> bool:
    if public.names is None or not str(end).isdecimal():
        return _fold_text(str(end)) in said
    if not 1 <= int(end) <= len(public.names):
        return False
    # The 1 of 10 is no 1.
    return (
        bool(re.search(rf"\b{int(end)}\b", said)) or _fold_text(public.names[int(end) - 1]) in said
    )


def _fold_text(text: str) -> str:
    return " ".join(text.casefold().split())


HELPERS: Helpers[RecitePublic, ReciteSecret, ReciteRules] = Helpers(
    judge=JUDGE,
    repair_move=repair,
    repair_roles=(ROLE,),
)
