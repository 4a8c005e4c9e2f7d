"""Say what each answer of a reply means, and what is wrong with those that mean nothing."""

from typing import NamedTuple

from causarium.contract.texts.replies import excerpt
from causarium.scm.boolean.formula import FormulaError, tabulate
from causarium.scm.boolean.read_formula import fold_name, read_formula
from causarium.scm.dag import bits
from ..mechanics.systems import OUTSIDE as NO_RULE
from ..mechanics.systems import Rule
from ..model import LETTERS, OUTSIDE, TRAIT, ReplayPublic

_SURE = {"unknown": "?", "undetermined": "?", "open": "?", "both": "?"}


class Meant(NamedTuple):
    """The meaning of a reply."""

    rules: dict[str, Rule]
    """Rules over the places of the names, the trait last."""
    words: dict[str, str]
    """The other items, each with its answer."""
    faults: dict[str, str]
    """By name, a sentence on each answer that means nothing, and on each item without an answer."""


def examine_answers(public: ReplayPublic, answers: dict[str, str]) -> Meant:
    """Return the meaning of answers."""
    rules: dict[str, Rule] = {}
    words: dict[str, str] = {}
    plans = {one.id for one in public.plans}
    faults: dict[str, str] = {}
    for name in public.items:
        said = answers.get(name, "").strip()
        if not said:
            faults[name] = f"{name} has no answer"
            continue
        try:
            if name in public.rules_asked:
                rules[name] = _read_rule(public, name, said)
            elif name in public.hands_asked:
                words[name] = _read_hand(public, name, said)
            elif name in plans:
                words[name] = _read_letter(name, said)
            else:
                words[name] = _read_value(name, said)
        except _FaultError as wrong:
            faults[name] = str(wrong)
    others = [name for name in answers if name not in public.items]
    faults |= {name: f"{excerpt(name)} is not asked for" for name in others}
    return Meant(rules, words, faults)


class _FaultError(Exception):
    """An answer that means nothing; never leaves this module."""


def _read_rule(public: ReplayPublic, name: str, said: str) -> Rule:
    plain = said.strip(" .`'\"").lower()
    if plain == OUTSIDE and public.outside is None:
        return NO_RULE
    if plain in {"0", "1"} and public.rung == 1:
        return Rule((), int(plain))
    known = (*public.names, *((TRAIT,) if public.trait_rules else ()))
    try:
        formula = read_formula(said, known, of=name)
    except FormulaError as wrong:
        raise _FaultError(f"{name}: {wrong}") from wrong
    if name in formula.names:
        raise _FaultError(f"{name}: no variable depends on itself")
    mask, table = tabulate(formula, known)
    causes = tuple(bits(mask))
    least = 0 if public.rung == 1 else public.causes
    if not least <= len(causes) <= public.causes:
        wanted = f"at most {public.causes}" if public.rung == 1 else f"exactly {public.causes}"
        raise _FaultError(f"{name}: {len(causes)} variables matter in it; {wanted} must")
    return Rule(causes, table)


def _read_hand(public: ReplayPublic, name: str, said: str) -> str:
    folded = {fold_name(one): one for one in public.with_rules}
    found = folded.get(fold_name(said.strip(" .'\"")))
    if found is None:
        raise _FaultError(f"{name}: {excerpt(said)!r} is none of {', '.join(public.with_rules)}")
    return found


def _read_value(name: str, said: str) -> str:
    plain = said.strip(" .`'\"").lower()
    plain = _SURE.get(plain, plain)
    if plain not in {"0", "1", "?"}:
        raise _FaultError(f"{name}: {excerpt(said)!r} is not 0, 1 or ?")
    return plain


def _read_letter(name: str, said: str) -> str:
    plain = said.strip(" .`'\"()").upper()
    if len(plain) != 1 or plain not in LETTERS:
        raise _FaultError(f"{name}: {excerpt(said)!r} is not one of {', '.join(LETTERS)}")
    return plain
