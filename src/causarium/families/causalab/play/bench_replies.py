"""The words that open an episode at the bench, and how replies are read, written and held to form.

The texts are `prompts/bench_*.md`. A reply is one JSON object that names its action; whatever can
mean one thing only is read.
"""

from collections.abc import Mapping
from pathlib import Path

from causarium.contract.family import Prompt
from causarium.contract.texts.prompt_texts import Texts
from causarium.contract.texts.read_reply import read_action
from causarium.contract.texts.reply_schemas import (
    NULL,
    Schema,
    any_schema,
    choice_schema,
    list_schema,
    object_schema,
    text_schema,
)
from causarium.contract.unparsed import Unparsed
from causarium.contract.world import Action
from causarium.families.causalab.model.actions import BENCH_ACTIONS, Answer, Hold
from causarium.families.causalab.model.bench import BenchPublic
from causarium.families.causalab.model.config import LabRules
from causarium.families.causalab.model.lab_plan import PLAN
from causarium.families.causalab.play.bench_world import turn_cap, write_readings
from causarium.families.causalab.play.dialog import count_dialog_turns

UNREADABLE = "unreadable"
"""The one way in which a reply at the bench can fail to be read."""
_OTHER_NAMES = {
    **dict.fromkeys(("experiment", "intervene", "set", "push"), "hold"),
    **dict.fromkeys(("finish", "stop"), "lock"),
    **dict.fromkeys(("answers", "submit"), "answer"),
}
_SLOTS = frozenset(
    {"size", "largest", "budget", "limit", "holdable", "fixed", "readings", "questions", "turns"}
)
_NEEDED = {
    "bench_system": frozenset({"reply"}),
    "bench_task": frozenset({"readings"}),
    "bench_reply_embodied": frozenset({"laboratory"}),
    "bench_reply_embodied_tools": frozenset({"laboratory"}),
    "laboratory": frozenset({"plan", "table_top", "desk"}),
}
_REPLIES = {
    name: f"bench_reply_{name}" for name in ("tools", "dialog", "embodied", "embodied_tools")
}
_INTEGER: Schema = {"type": "integer"}
_TEXTS = Texts(
    Path(__file__).parent / "prompts",
    lambda name: (_NEEDED.get(name, frozenset()), _SLOTS),
)


def open_bench(public: BenchPublic, rules: LabRules) -> Prompt:
    """Return the words that open an episode.

    Args:
        public: The public part.
        rules: How it is played.
    """
    reply = _REPLIES.get(rules.interface, "bench_reply")
    texts = _TEXTS.load(rules.prompts, ("bench_system", "bench_task", reply))
    fixed = [name for name in public.names if name not in public.holdable]
    facts = {
        "size": str(len(public.names)),
        "largest": str(public.largest),
        "budget": str(public.budget),
        "limit": str(public.limit),
        "holdable": ", ".join(public.holdable),
        "fixed": f"{', '.join(fixed)} cannot be held here." if fixed else "",
        "readings": write_readings(public, public.manipulator),
        "questions": str(public.questions),
        "turns": str(rules.max_turns or _count_turns(public, rules)),
    }
    if rules.has_body:
        about = {"plan": PLAN, "table_top": texts["empty_table"].substitute({}), "desk": ""}
        facts["laboratory"] = texts["laboratory"].substitute(about)
    return Prompt(
        system=texts["bench_system"].substitute({**facts, "reply": texts[reply].substitute(facts)}),
        user=texts["bench_task"].substitute(facts),
    )


def _count_turns(public: BenchPublic, rules: LabRules) -> int:
    return count_dialog_turns(public.budget, rules) if rules.has_dialogs else turn_cap(public)


def read_bench_reply(reply: str, allowed_actions: tuple[type[Action], ...]) -> Action | Unparsed:
    """Read a reply as an action of the bench.

    What is not expected just now is read all the same: the world says why it is refused.

    Args:
        reply: What a model wrote.
        allowed_actions: What is expected now.
    """
    first = allowed_actions[0] if len(allowed_actions) == 1 else Hold
    others = tuple(action for action in BENCH_ACTIONS if action is not first)
    return read_action(reply, (first, *others), mode=UNREADABLE, other_names=_OTHER_NAMES)


def make_bench_schema(
    public: BenchPublic, allowed_actions: Mapping[type[Action], dict[str, Schema]]
) -> Schema:
    """Return the schema of one of the expected actions, in the names of this instance.

    Args:
        public: The public part.
        allowed_actions: What is expected now, with the fields of what is no action of the bench.
    """
    names = choice_schema(*public.nodes)
    arrow: Schema = list_schema(names, 2, least=2)
    fields: dict[type[Action], dict[str, Schema]] = {
        Hold: {"property": choice_schema(*public.holdable), "value": _INTEGER},
        Answer: {
            "answers": list_schema(
                any_schema(_INTEGER, NULL), public.questions, least=public.questions
            ),
            "arrows": any_schema(list_schema(arrow, 2 * len(public.nodes)), NULL),
        },
    }
    return any_schema(
        *(
            object_schema(
                {
                    "thought": text_schema(),
                    "action": choice_schema(action.kind),
                    **fields.get(action, own),
                },
                optional=("arrows",),
            )
            for action, own in allowed_actions.items()
        )
    )
