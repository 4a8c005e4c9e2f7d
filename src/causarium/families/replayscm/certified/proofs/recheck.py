"""The claims by another path: a solver finds the systems, and each case is run one by one.

Nothing of drawing or of the first proof is used: no masks, no planner, no reading of formulas.
Needs the extra `generate`.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import combinations, count, product
from typing import Any, NamedTuple, TypeAlias

from causarium.contract.certificate import Findings
from causarium.errors import MissingExtra
from ..mechanics.fits import MOST_HANDS
from ..model import LETTERS, OUTSIDE, TRAIT, ReplayInstance, ReplayPublic
from .claims import Claim, list_proofs

_BY = "solver and replay"
_Row: TypeAlias = Mapping[str, int]


class _Law(NamedTuple):
    """The rule of a variable."""

    causes: tuple[str, ...]
    values: tuple[int, ...]
    """The value at each pattern of the causes, the last cause changing fastest."""


class _Model(NamedTuple):
    """A system that fits, with the trait of the test unit."""

    laws: Mapping[str, _Law]
    traits: tuple[int, ...]
    hands: Mapping[str, str | None]
    trait: int


def recheck(instance: ReplayInstance) -> Findings:
    """Return the findings on an instance by another path."""
    public = instance.public
    models = list(_Clauses(public).list_models())
    shown = [_show(public, model) for model in models]
    answers = [_answer(public, model) for model in models]
    true = [m for m, model in enumerate(models) if _is_true(instance, model)]
    budget = public.asking.budget if public.asking else 0
    settling = {one.id: _settle(public, models, one.id) for one in public.plans}
    proofs = {
        Claim.FITS: len(true) == 1,
        Claim.OPEN: not budget
        or all(len({m.laws.get(v) for m in models}) > 1 for v in public.rules_asked),
        Claim.SETTLED: len(set(zip(shown, answers, strict=True))) == len(set(shown)),
        Claim.FEWEST: _is_fewest(shown, answers, budget),
        Claim.PLAN: all(len(one) == 1 for one in settling.values()),
        Claim.KEY: bool(true) and _has_key(instance, answers[true[0]], settling),
    }
    return Findings(
        optimum=float(budget),
        proofs=list_proofs(_BY, proofs),
    )


class _Clauses:
    """The systems that fit what is shown, as clauses."""

    def __init__(self, public: ReplayPublic) -> None:
        if find_spec("pysat") is None:
            raise MissingExtra("proving by a solver which systems fit", "generate")
        from pysat.solvers import Minicard

        self.public, self._new = public, count(1)
        self.solver: Any = Minicard()
        units = len(public.worlds[0].rows)
        self.names = (*public.names, *((TRAIT,) if public.trait_rules else ()))
        # The traits of the units, and then of those of the what-ifs.
        self.traits = [next(self._new) for _ in range(units + len(public.whatifs))]
        self.chosen: dict[tuple[str, tuple[str, ...]], int] = {}
        self.value: dict[tuple[str, tuple[str, ...], tuple[int, ...]], int] = {}
        self.hands = {
            world.id: {v: next(self._new) for v in public.with_rules}
            for world in public.worlds
            if world.hand is None
        }
        for v in public.with_rules:
            self._add_rule(v)
        self._order()
        self._bind_traits(units)
        self._bind_hands()
        self._bind_rows()

    def list_models(self) -> Iterator[_Model]:
        """Yield every system that fits, once for each trait that the test unit may have."""
        told = [*self.chosen.values(), *self.value.values()]
        units = len(self.public.worlds[0].rows)
        told += self.traits[:units] if self.public.trait_rules else []
        while self.solver.solve():
            true = {literal for literal in self.solver.get_model() if literal > 0}
            for trait in (0, 1) if self.public.asking and self.public.trait_rules else (0,):
                yield self._read(true, units, trait)
            self.solver.add_clause([-one if one in true else one for one in told])

    def _read(self, true: set[int], units: int, trait: int) -> _Model:
        laws = {
            v: _Law(
                causes,
                tuple(
                    int(self.value[v, causes, pattern] in true)
                    for pattern in product((0, 1), repeat=len(causes))
                ),
            )
            for (v, causes), literal in self.chosen.items()
            if literal in true and causes != (OUTSIDE,)
        }
        traits = tuple(int(literal in true) for literal in self.traits[:units])
        place = {name: i for i, name in enumerate(self.public.names)}
        hands: dict[str, str | None] = {}
        for world in self.public.worlds:
            if world.hand is None:
                hands[world.id] = None
                for row, unit in zip(world.rows, traits, strict=True):
                    seen = {name: int(row[place[name]]) for name in place} | {TRAIT: unit}
                    for v, law in laws.items():
                        if _follow(law, seen) != seen[v]:
                            hands[world.id] = v
        return _Model(laws, traits, hands, trait)

    def _add_rule(self, v: str) -> None:
        public, causes = self.public, [name for name in self.names if name != v]
        sizes = range(public.causes + 1) if public.rung == 1 else (public.causes,)
        choices = [one for size in sizes for one in combinations(causes, size)]
        choices += [(OUTSIDE,)] if public.outside is None else []
        for one in choices:
            self.chosen[v, one] = next(self._new)
        literals = [self.chosen[v, one] for one in choices]
        self.solver.add_clause(literals)
        for a, b in combinations(literals, 2):
            self.solver.add_clause([-a, -b])
        for one in choices:
            if one == (OUTSIDE,):
                continue
            patterns = list(product((0, 1), repeat=len(one)))
            for pattern in patterns:
                literal = self.value[v, one, pattern] = next(self._new)
                # The table of a rule that is not chosen is all 0, so that no system counts twice.
                self.solver.add_clause([-literal, self.chosen[v, one]])
            for place in range(len(one)):
                self._let_matter(v, one, place)

    def _let_matter(self, v: str, causes: tuple[str, ...], place: int) -> None:
        """Say that a chosen rule differs somewhere as one of its causes changes."""
        differ = []
        for pattern in product((0, 1), repeat=len(causes)):
            if pattern[place]:
                continue
            other = (*pattern[:place], 1, *pattern[place + 1 :])
            a, b = self.value[v, causes, pattern], self.value[v, causes, other]
            literal = next(self._new)
            self.solver.add_clause([-literal, a, b])
            self.solver.add_clause([-literal, -a, -b])
            differ.append(literal)
        self.solver.add_clause([-self.chosen[v, causes], *differ])

    def _order(self) -> None:
        names = self.public.with_rules
        first = {pair: next(self._new) for pair in combinations(names, 2)}

        def before(a: str, b: str) -> int:
            return first[a, b] if (a, b) in first else -first[b, a]

        for a, b, c in product(names, repeat=3):
            if len({a, b, c}) == len((a, b, c)):
                self.solver.add_clause([-before(a, b), -before(b, c), before(a, c)])
        for (v, causes), literal in self.chosen.items():
            for cause in causes:
                if cause in names and cause != v:
                    self.solver.add_clause([-literal, before(cause, v)])

    def _bind_traits(self, units: int) -> None:
        number = self.public.trait_rules
        if self.public.outside is None:
            free = [literal for (_, causes), literal in self.chosen.items() if causes == (OUTSIDE,)]
            self._bind_number(free, 1)
        if not number:
            return
        self.solver.add_clause([-self.traits[0]])
        self.solver.add_clause(self.traits[:units])
        users = [literal for (_, causes), literal in self.chosen.items() if TRAIT in causes]
        self._bind_number(users, number)

    def _bind_number(self, literals: list[int], number: int) -> None:
        self.solver.add_atmost(literals, number)
        self.solver.add_atmost([-one for one in literals], len(literals) - number)

    def _bind_hands(self) -> None:
        for literals in self.hands.values():
            self._bind_number(list(literals.values()), 1)
        for v in self.public.with_rules:
            set_here = [literals[v] for literals in self.hands.values()]
            if len(set_here) > MOST_HANDS:
                self.solver.add_atmost(set_here, MOST_HANDS)

    def _bind_rows(self) -> None:
        for world in self.public.worlds:
            for u, row in enumerate(world.rows):
                for v in self.public.with_rules:
                    if v not in (world.hand or ()):
                        self._bind_row(v, row, u, self.hands.get(world.id, {}).get(v))
        units = len(self.public.worlds[0].rows)
        for number, one in enumerate(self.public.whatifs):
            for v in self.public.with_rules:
                self._bind_row(v, one.row, units + number, None)

    def _bind_row(self, v: str, row: str, unit: int, hand: int | None) -> None:
        seen = dict(zip(self.public.names, map(int, row), strict=True))
        spared = [] if hand is None else [hand]
        for (w, causes), literal in self.chosen.items():
            if w != v or causes == (OUTSIDE,):
                continue
            for trait in (0, 1) if TRAIT in causes else (0,):
                case = {**seen, TRAIT: trait}
                value = self.value[v, causes, tuple(case[cause] for cause in causes)]
                clause = [-literal, *spared, value if seen[v] else -value]
                if TRAIT in causes:
                    clause.append(-self.traits[unit] if trait else self.traits[unit])
                self.solver.add_clause(clause)


def _follow(law: _Law, row: _Row) -> int:
    place = 0
    for cause in law.causes:
        place = 2 * place + row[cause]
    return law.values[place]


def _run(model: _Model, outside: _Row, setting: _Row, trait: int) -> dict[str, int]:
    """Return the values of all variables, found by following rules until nothing is left."""
    row = {**outside, **setting, TRAIT: trait}
    left = [v for v in model.laws if v not in setting]
    while left:
        v = next(v for v in left if all(cause in row for cause in model.laws[v].causes))
        row[v] = _follow(model.laws[v], row)
        left.remove(v)
    return row


def _show(public: ReplayPublic, model: _Model) -> tuple[int, ...]:
    """Return the readings after every question."""
    asking = public.asking
    if asking is None:
        return ()
    settings = [
        dict(zip(names, values, strict=True))
        for number in (1, 2)
        for names in combinations(public.names, number)
        for values in product((0, 1), repeat=number)
    ]
    rows = [_run(model, asking.outside, setting, model.trait) for setting in settings]
    return tuple(row[gauge] for gauge in asking.gauges for row in rows)


def _answer(public: ReplayPublic, model: _Model) -> tuple[object, ...]:
    """Return the answers of a system to all items but those on planning."""
    said: list[object] = [model.laws.get(v) for v in public.rules_asked]
    said += [model.hands[world] for world in public.hands_asked]
    for one in public.whatifs:
        seen = dict(zip(public.names, map(int, one.row), strict=True))
        outside = {v: value for v, value in seen.items() if v not in model.laws}
        found = {
            _run(model, outside, one.set, trait)[one.variable]
            for trait in (0, 1)
            if {**_run(model, outside, {}, trait), TRAIT: 0} == {**seen, TRAIT: 0}
        }
        said.append("?" if len(found) > 1 else "".join(map(str, found)))
    return tuple(said)


def _is_true(instance: ReplayInstance, model: _Model) -> bool:
    secret = instance.secret
    true = {}
    for v, rule in secret.rules.items():
        patterns = product((0, 1), repeat=len(rule.causes))
        places = [sum(bit << j for j, bit in enumerate(pattern)) for pattern in patterns]
        true[v] = _Law(rule.causes, tuple(rule.table >> place & 1 for place in places))
    digits = "".join(map(str, model.traits)) + str(model.trait)
    shown = len(digits) if instance.public.asking else len(digits) - 1
    return true == dict(model.laws) and secret.traits[:shown] in ("", digits[:shown])


def _settle(public: ReplayPublic, models: Sequence[_Model], item: str) -> str:
    """Return the letters of the questions that settle a rule of which two are left."""
    plan = next(one for one in public.plans if one.id == item)
    laws = [model.laws[plan.variable] for model in models]
    outside = public.asking.outside if public.asking else {}
    letters = ""
    for letter, option in zip(LETTERS, plan.options, strict=True):
        seen = [_run(model, outside, option.set, model.trait)[option.read] for model in models]
        if len(set(laws)) == len(set(zip(laws, seen, strict=True))) == len(set(seen)):
            letters += letter
    return letters


def _is_fewest(
    shown: Sequence[tuple[int, ...]], answers: Sequence[tuple[object, ...]], budget: int
) -> bool:
    """Tell whether so many questions settle all, and one fewer has too few outcomes to do so."""
    kinds = len(set(answers))
    enough = 2 ** (budget - 1) < kinds if budget else kinds == 1
    return enough and _can_settle(shown, answers, tuple(range(len(shown))), budget)


def _can_settle(
    shown: Sequence[tuple[int, ...]],
    answers: Sequence[tuple[object, ...]],
    models: tuple[int, ...],
    left: int,
) -> bool:
    kinds = len({answers[m] for m in models})
    if kinds == 1:
        return True
    if kinds > 2**left:
        return False
    parts = {}
    for column in {tuple(shown[m][q] for m in models) for q in range(len(shown[0]))}:
        halves = [
            tuple(m for m, bit in zip(models, column, strict=True) if bit == b) for b in (0, 1)
        ]
        most = max(len({answers[m] for m in half}) for half in halves)
        if all(halves) and most <= 2 ** (left - 1):
            parts[tuple(halves)] = most
    return any(
        all(_can_settle(shown, answers, half, left - 1) for half in halves)
        for halves in sorted(parts, key=lambda one: (parts[one], one))
    )


def _has_key(
    instance: ReplayInstance, answers: tuple[object, ...], settling: Mapping[str, str]
) -> bool:
    """Tell whether the stored answers are those of the true system, formulas by their values."""
    stored = instance.secret.answers
    for item, answer in zip(instance.public.items, answers, strict=False):
        if isinstance(answer, _Law):
            words = f" {stored[item]} ".replace("(", " ( ").replace(")", " ) ")
            if not _says(words.split(), answer):
                return False
        elif stored[item] != (OUTSIDE if answer is None else answer):
            return False
    return all(stored[item] == letter for item, letter in settling.items())


def _says(words: list[str], law: _Law) -> bool:
    """Tell whether a stored formula of at most two causes has the values of a rule."""
    if set(words) - {"and", "or", "xor", "not", "(", ")", "0", "1"} != set(law.causes):
        return False
    for pattern in product((0, 1), repeat=len(law.causes)):
        row = dict(zip(law.causes, pattern, strict=True))
        if _count(words, row) != _follow(law, row):
            return False
    return True


def _count(words: list[str], row: _Row) -> int:
    """Return the value of a stored formula: a name, a constant, a negation, or two such joined."""
    if words[0] == "(":
        return _count(words[1:-1], row)
    if words[:2] == ["not", "("]:
        return 1 - _count(words[1:], row)
    for word in ("and", "or", "xor"):
        if word in words:
            a = _count(words[: words.index(word)], row)
            b = _count(words[words.index(word) + 1 :], row)
            return {"and": a & b, "or": a | b, "xor": a ^ b}[word]
    if words[0] == "not":
        return 1 - _count(words[1:], row)
    return row[words[0]] if words[0] in row else int(words[0])
