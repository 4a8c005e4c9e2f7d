"""The JSON schema of a reply: the answer or, where worlds can be asked for, a question."""

from causarium.contract.reply_schemas import Schema, either, keyed, listed, record, text, word
from causarium.contract.world import Action
from causarium.families.replayscm.config import ReplayRules
from causarium.families.replayscm.instance import Ask, ReplayPublic

_FORMULA_CHARS = 2_000
_BIT: Schema = {"type": "integer", "enum": [0, 1]}


def reply_schema(
    public: ReplayPublic,
    expects: tuple[type[Action], ...],
    rules: ReplayRules,  # noqa: ARG001
) -> Schema:
    """Return the schema of what is expected, in the names of this problem."""
    questions = _questions(public) if Ask in expects else ()
    return either(*questions, _answer(public))


def _questions(public: ReplayPublic) -> tuple[Schema, ...]:
    names = listed(word(*public.variables), public.max_targets)
    return record({"constant": keyed(public.variables, _BIT)}), record({"assigned": names})


def _answer(public: ReplayPublic) -> Schema:
    if public.roots is None:
        mechanisms = keyed(public.variables, text(_FORMULA_CHARS))
        roots = listed(word(*public.variables), len(public.variables))
        return record({"roots": roots, "mechanisms": mechanisms})
    endogenous = [name for name in public.variables if name not in public.roots]
    fields = {"mechanisms": record(dict.fromkeys(endogenous, text(_FORMULA_CHARS)))}
    if public.alternative:
        fields["experiment"] = keyed(public.variables, _BIT)
        fields["witness"] = record(dict.fromkeys(public.roots, _BIT))
    return record(fields)
