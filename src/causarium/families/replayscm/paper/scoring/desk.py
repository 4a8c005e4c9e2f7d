"""A desk for each problem, on which many answers to it are tried at little cost.

A problem is packed into integers, one bit a row, so that a model is replayed in all rows at once.
Behind the rows of the worlds stands one more stretch of bits, a row for every assignment of all
variables. There every variable shows its own value, so the same evaluation of a formula that
replays it also yields its whole truth table.

What no answer changes is computed once. A formula is read and valued in one pass, on what was
seen. As long as nothing that it reads is replayed wrong, that is also what it does in the replay;
only otherwise is it run again. Formulas are remembered, for answers repeat them.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from itertools import accumulate, pairwise
from operator import eq
from typing import TYPE_CHECKING, NamedTuple

from causarium.scm.boolean.formula import (
    FormulaError,
    parse_formula,
    run_words,
    split_words,
    value,
)
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.truth_table import all_rows, column, essential, look_up, rewrite
from causarium.scm.dag import bits
from causarium.scoring.graph_scores import EdgeAgreement
from ..mechanics import mask_names
from ..model.actions import Difference
from ..model.instance import Mechanism, ReplayInstance, WorldRows, gold_formulas, true_roots
from ..play.examine_answer import (
    Answer,
    Disclosure,
    Executable,
    FormulaText,
    Refusal,
    examine_answer,
    list_other_answers,
    read_formula,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEPT_FORMULAS = 8_192
"""So many formulas of one problem are remembered."""
KEPT_CHARS = 400
"""Longer ones are not."""


class Group(NamedTuple):
    """The training worlds, or the held-out ones."""

    worlds: tuple[int, ...]
    """For each world the mask of its rows."""
    rows: int
    """The mask of all their rows."""
    cells: dict[str, int]
    """For each variable, in how many of these rows it is not set from outside."""


class ReferenceModel(NamedTuple):
    """A model to compare with."""

    tables: tuple[int, ...]
    """For each variable the truth table of its mechanism over all variables; 0 for roots."""
    parents: tuple[int, ...]
    """For each variable the mask of what it depends on; 0 for roots."""


class Worlds(NamedTuple):
    """How a model replays one group of worlds."""

    exact: int
    """How many worlds it replays in every scored cell."""
    of: int
    wrong_cells: int
    cells: int
    """How many cells are scored: those of its own mechanisms, where nobody intervened."""

    @property
    def all_exact(self) -> bool:
        """Whether every world is replayed exactly."""
        return self.exact == self.of


class ModelRun(NamedTuple):
    """What a model does in a problem."""

    model: Executable
    train: Worlds
    heldout: Worlds
    known: ReferenceModel
    """Its truth tables and what its mechanisms really depend on."""


class Evaluation(NamedTuple):
    """What became of one answer."""

    answer: Answer
    refusal: Refusal | None
    replayed: ModelRun | None
    """None if the answer was refused."""
    slips: int = 0
    """How many formulas had to be forgiven their form."""


class Likeness(NamedTuple):
    """How much a model is like a known one, mechanism by mechanism."""

    same_parents: int
    """How many mechanisms depend on exactly what the known ones do."""
    same_rule: int
    """How many are the same function."""
    of: int


class Separation(NamedTuple):
    """How well an experiment tells two models apart."""

    experiment_valid: bool
    """Whether it sets exactly one variable, to 0 or to 1."""
    share: float
    """In which share of the combinations of root values the models differ under it."""
    best: float
    """The same for the best experiment there is on these two models."""
    witness: bool
    """Whether the models differ at the given values of the roots."""


class ParsedFormula(NamedTuple):
    """A formula of one variable that was read, and what it does on what was seen."""

    written: FormulaText
    names: int
    """The mask of the variables in it."""
    table: int
    """Its truth table over all variables."""
    parents: int
    """The mask of what it depends on."""
    now: int
    """Its variable's values in all rows."""
    wrong: int
    """The rows in which that is not what was seen."""


def list_places(worlds: Sequence[WorldRows]) -> tuple[int, ...]:
    """Return the mask of each world's rows, which stand one after the other."""
    ends = [0, *accumulate(len(world.units) for world in worlds)]
    return tuple((1 << end) - (1 << first) for first, end in pairwise(ends))


def group_worlds(worlds: tuple[int, ...], free: Mapping[str, int]) -> Group:
    """Return worlds as a group, with the rows in which each variable is `free`."""
    rows = sum(worlds)
    return Group(worlds, rows, {name: (mask & rows).bit_count() for name, mask in free.items()})


def pack_model(
    known: Mapping[str, Mechanism], texts: Mapping[str, str], columns: Mapping[str, int]
) -> ReferenceModel:
    """Return a model to compare with: mechanisms that are stored, and formulas for the others.

    Args:
        known: The mechanisms that are stored.
        texts: The formulas.
        columns: The table of each variable by itself, over all of them.
    """
    n, bit = len(columns), {name: 1 << i for i, name in enumerate(columns)}
    tables, parents = [0] * n, [0] * n
    for i, name in enumerate(columns):
        if name in known:
            # A stored table saves reading its formula, half of what it takes to pack a problem.
            inputs = known[name].parents
            table = int(known[name].table, 16)
            tables[i] = look_up(table, [columns[other] for other in inputs], all_rows(n))
            parents[i] = sum([bit[other] for other in inputs])
        elif name in texts:
            tables[i] = value(parse_formula(texts[name], columns).tree, columns, all_rows(n))
            parents[i] = essential(tables[i], n)
    return ReferenceModel(tuple(tables), tuple(parents))


class Desk:
    """One problem, ready for answers."""

    def __init__(self, instance: ReplayInstance, *, strict: bool = False) -> None:
        public, secret = instance.public, instance.secret
        self.instance = instance
        self.variables = names = public.variables
        self.disclosure = Disclosure.of(public, strict=strict)
        self.roots = true_roots(instance)
        n, worlds = len(names), (*public.train, *secret.heldout)
        self.n_rows = rows = sum(len(world.units) for world in worlds)
        self.ones = (1 << rows) - 1 | all_rows(n) << rows
        """All rows, and all assignments behind them."""
        tables = {name: column(i, n) for i, name in enumerate(names)}
        self.observed: dict[str, int] = {}
        """For each variable its values in all rows, and behind them its own truth table."""
        for name, table in tables.items():
            text = "".join([world.columns[name] for world in worlds])
            self.observed[name] = int(text[::-1] or "0", 2) | table << rows
        self.free = dict.fromkeys(names, (1 << rows) - 1)
        """The rows in which a variable is not set from outside."""
        places = list_places(worlds)
        for world, place in zip(worlds, places, strict=True):
            for name in world.targets:
                self.free[name] &= ~place
        self.fixed = {name: self.observed[name] & ~self.free[name] for name in names}
        """The values of a variable where it is."""
        self.train = group_worlds(places[: len(public.train)], self.free)
        self.heldout = group_worlds(places[len(public.train) :], self.free)
        given = public.reference
        self.gold = pack_model(secret.gold, given or {}, tables)
        self.reference = None if given is None else pack_model({}, given, tables)
        """The model that an alternative is asked for."""
        self.kept: dict[tuple[str, str], ParsedFormula | FormulaError] = {}
        self._bit = {name: 1 << i for i, name in enumerate(names)}
        self._zeros = {name: all_rows(n) ^ table for name, table in tables.items()}

    @cached_property
    def gold_size(self) -> int:
        """How many operators and names the shortest formulas of the true model have."""
        shortest = {name: one.minimal for name, one in self.instance.secret.gold.items()}
        texts = {**gold_formulas(self.instance), **shortest}.values()
        return sum(len(text.replace("(", " ").replace(")", " ").split()) for text in texts)

    @cached_property
    def _given_rows(self) -> "NDArray[np.uint32]":
        """What the given model does in every experiment on one variable."""
        return self._run_experiments(self.reference or self.gold)

    def _run_experiments(self, known: ReferenceModel) -> "NDArray[np.uint32]":
        from causarium.scm.boolean.certify_model import run_experiments

        n = len(self.variables)
        pairs = zip(known.tables, known.parents, strict=True)
        tables = tuple(rewrite(table, range(n), list(bits(mask))) for table, mask in pairs)
        roots = mask_names(self.roots, self.variables)
        return run_experiments(BooleanScm(n, roots, known.parents, tables))

    def separate(
        self,
        known: ReferenceModel,
        experiment: Mapping[str, int] | None,
        witness: Mapping[str, int] | None,
        claims: Sequence[Difference] | None = None,
    ) -> Separation:
        """Say how well an experiment tells a model from the given one.

        Args:
            known: A model with the same roots.
            experiment: What is set, to which value.
            witness: A value for each root.
            claims: What is said to differ there; where given, one of these has to be right.
        """
        theirs, ours = self._given_rows, self._run_experiments(known)
        differ = theirs != ours
        counts: list[int] = differ.sum(axis=1).tolist()
        contexts = differ.shape[1]
        best, set_ = max(counts) / contexts, list((experiment or {}).items())
        if len(set_) != 1 or set_[0][0] not in self.variables or set_[0][1] not in (0, 1):
            return Separation(experiment_valid=False, share=0.0, best=best, witness=False)
        target = self.variables.index(set_[0][0])
        number, context = 2 * target + set_[0][1], self._find_context(witness)
        shown = context is not None and bool(differ[number, context])
        if shown and context is not None and claims is not None:
            # A claim counts if it names what is no root and not set, and the two models' values.
            free = [v for v in self.variables if v not in (*self.roots, set_[0][0])]
            values = {
                name: tuple(int(rows[number, context]) >> i & 1 for rows in (theirs, ours))
                for i, name in enumerate(self.variables)
                if name in free
            }
            said = ((one.variable, (one.reference, one.alternative)) for one in claims)
            shown = any(pair in {(0, 1), (1, 0)} and values.get(v) == pair for v, pair in said)
        return Separation(
            experiment_valid=True, share=counts[number] / contexts, best=best, witness=shown
        )

    def _find_context(self, witness: Mapping[str, int] | None) -> int | None:
        """Return the context that the witness names; None unless it names every root."""
        if witness is None or witness.keys() != set(self.roots):
            return None
        if any(bit not in (0, 1) for bit in witness.values()):
            return None
        return sum(witness[root] << j for j, root in enumerate(self.roots))

    def evaluate(self, answer: Answer) -> Evaluation:
        """Take an answer through all stages and, if it can be executed, replay it.

        Of several answers in one reply the first that can be executed counts.
        """
        refused: Evaluation | None = None
        for candidate in (answer, *list_other_answers(answer)):
            reads: dict[str, ParsedFormula] = {}
            ready = examine_answer(candidate, self.disclosure, partial(self._read_into, reads))
            if isinstance(ready, Executable):
                return Evaluation(candidate, None, self._replay(ready, reads), ready.slips)
            slips = sum(parsed.written.slip for parsed in reads.values())
            refused = refused or Evaluation(candidate, ready, None, slips)
        return refused or Evaluation(answer, None, None)

    def read(self, name: str, text: str) -> FormulaText:
        """Read the formula of a variable.

        Raises:
            FormulaError: It is none.
        """
        return self._read_into({}, name, text)

    def _read_into(self, reads: dict[str, ParsedFormula], name: str, text: str) -> FormulaText:
        parsed = self._read(name, text)
        if isinstance(parsed, FormulaError):
            raise FormulaError(parsed.fault, parsed.position, str(parsed))
        reads[name] = parsed
        return parsed.written

    def _read(self, name: str, text: str) -> ParsedFormula | FormulaError:
        """Read a formula, or say why it is refused."""
        found = self.kept.get((name, text))
        if found is None:
            found = self._evaluate_text(name, text)
            if len(text) <= KEPT_CHARS:
                if len(self.kept) >= KEPT_FORMULAS:
                    self.kept.clear()
                self.kept[name, text] = found
        return found

    def _evaluate_text(self, name: str, text: str) -> ParsedFormula | FormulaError:
        told = self.disclosure
        limits, words = told.limits, split_words(text)
        size = len(words) - 2 * words.count("(")
        said = None
        if not told.strict and len(text) <= limits.chars and size <= limits.nodes:
            said = run_words(words, self.observed, self.ones, limits.depth)
        if said is not None:
            written = FormulaText(tuple(words), told.variables.intersection(words), size)
        else:
            try:
                written = read_formula(text, told)
            except FormulaError as wrong:
                return wrong
            said = run_words(written.words, self.observed, self.ones) or 0
        now = said & self.free[name] | self.fixed[name]
        table = said >> self.n_rows
        names = parents = 0
        for other in written.names:
            bit = self._bit[other]
            names |= bit
            if (table ^ table >> bit) & self._zeros[other]:
                parents |= bit
        return ParsedFormula(written, names, table, parents, now, now ^ self.observed[name])

    def _replay(self, model: Executable, reads: Mapping[str, ParsedFormula]) -> ModelRun:
        """Run a model in every row of every world."""
        columns = {root: self.observed[root] for root in model.roots}
        wrong: dict[str, int] = {}
        tables, parents = dict.fromkeys(self.variables, 0), dict.fromkeys(self.variables, 0)
        astray = 0
        for name in model.written:
            read = reads[name]
            now, mistakes = read.now, read.wrong
            if read.names & astray:
                said = run_words(read.written.words, columns, self.ones) or 0
                now = said & self.free[name] | self.fixed[name]
                mistakes = now ^ self.observed[name]
            columns[name], wrong[name] = now, mistakes
            if mistakes:
                astray |= self._bit[name]
            tables[name], parents[name] = read.table, read.parents
        return ModelRun(
            model=model,
            train=count_worlds(self.train, wrong),
            heldout=count_worlds(self.heldout, wrong),
            known=ReferenceModel(tuple(tables.values()), tuple(parents.values())),
        )


def count_worlds(group: Group, wrong: Mapping[str, int]) -> Worlds:
    """Count what is right and wrong in a group of worlds, by the rows that are wrong."""
    anywhere = mistakes = 0
    for mask in wrong.values():
        if mask and (here := mask & group.rows):
            anywhere |= here
            mistakes += here.bit_count()
    count, cells = len(group.worlds), sum([group.cells[name] for name in wrong])
    if not anywhere:
        return Worlds(count, count, 0, cells)
    exact = count - sum([bool(anywhere & rows) for rows in group.worlds])
    return Worlds(exact, count, mistakes, cells)


def compare(ours: ReferenceModel, theirs: ReferenceModel, roots: int) -> Likeness:
    """Compare two models that have mechanisms for the same variables, and so many roots."""
    parents, rules = map(eq, ours.parents, theirs.parents), map(eq, ours.tables, theirs.tables)
    return Likeness(sum(parents) - roots, sum(rules) - roots, len(ours.tables) - roots)


def compare_parents(proposed: Sequence[int], true: Sequence[int]) -> EdgeAgreement:
    """Count how the edges into every variable agree, given as masks of parents."""
    matched = extra = missing = turned = 0
    for i, (ours, theirs) in enumerate(zip(proposed, true, strict=True)):
        matched += (ours & theirs).bit_count()
        if ours == theirs:
            continue
        missing += (theirs & ~ours).bit_count()
        extra += (ours & ~theirs).bit_count()
        for j in bits(ours & ~theirs):
            turned += (true[j] & ~proposed[j]) >> i & 1
    return EdgeAgreement(
        matched=matched, reversed=turned, missing=missing - turned, extra=extra - turned
    )
