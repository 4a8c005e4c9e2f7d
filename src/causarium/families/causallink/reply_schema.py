"""The JSON schema of a reply, one for each kind of turn."""

from causarium.contract.texts.reply_schemas import (
    Schema,
    any_schema,
    choice_schema,
    object_schema,
    text_schema,
)
from causarium.contract.world import Action
from causarium.families.causallink.actions import CONTINUE, STOP, Answer, Choose, Intervene
from causarium.families.causallink.config import LinkRules
from causarium.families.causallink.instance import LinkPublic
from causarium.families.causallink.mechanics.theme import theme


def reply_schema(
    public: LinkPublic, allowed_actions: tuple[type[Action], ...], rules: LinkRules
) -> Schema:
    """Return the schema of one of the expected actions, in the names of this case.

    Where more is taken than is asked for, it is the schema of what is asked for.
    """
    words = theme(public.theme)
    forms: dict[type[Action], dict[str, Schema]] = {
        Choose: {"next": choice_schema(CONTINUE, STOP)},
        Intervene: {
            words.thing: choice_schema(*public.shapes),
            "action": choice_schema(words.start, words.stop),
        },
        Answer: {"answer": choice_schema("yes", "no")},
    }
    # Reasoning may hold braces, and a reply that is read up to the first one would end there.
    reasons = rules.strategy.startswith("cot") and not rules.first_object_parsing
    before: dict[str, Schema] = {"reasoning": text_schema()} if reasons else {}
    asked = allowed_actions if rules.strict_form else allowed_actions[:1]
    return any_schema(*(object_schema({**before, **forms[action]}) for action in asked))
