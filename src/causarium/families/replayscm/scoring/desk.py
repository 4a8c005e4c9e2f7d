"""A desk for each problem, on which answers to it are tried: what no answer changes is done once.

A formula is read and valued in one pass, on what was seen. As long as nothing that it reads is
replayed wrong, that is also what it does in the replay; only otherwise is it run again. Formulas
are remembered, for answers repeat them.
"""

from typing import NamedTuple

from causarium.families.replayscm.evidence.open_models import open_models
from causarium.families.replayscm.model.actions import Submit
from causarium.families.replayscm.model.instance import ReplayInstance
from causarium.families.replayscm.play.compile_answer import (
    Answer,
    Executable,
    Refusal,
    Written,
    examine,
    list_other_answers,
    read_formula,
)
from causarium.families.replayscm.scoring.packed_rows import (
    Evaluation,
    Known,
    Replayed,
    compare_parents,
    count_worlds,
    pack,
)
from causarium.families.replayscm.scoring.tell_apart import Experiments
from causarium.families.replayscm.scoring.verdict_numbers import Numbers, edge_numbers
from causarium.scm.boolean.formula import FormulaError, depth_of, run_words, split_words

KEPT_FORMULAS = 8_192
"""So many formulas of one problem are remembered."""
KEPT_CHARS = 400
"""Longer ones are not."""


class ParsedFormula(NamedTuple):
    """A formula of one variable that was read, and what it does on what was seen."""

    written: Written
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


class Desk:
    """One problem, ready for answers."""

    def __init__(self, instance: ReplayInstance, *, strict: bool = False) -> None:
        self.instance = instance
        self.packed = pack(instance, strict=strict)
        self.models_log2 = open_models(instance.public)
        self.kept: dict[tuple[str, str], ParsedFormula | FormulaError] = {}
        self.sorted_roots = sorted(self.packed.roots)
        self._bit = {name: 1 << i for i, name in enumerate(self.packed.variables)}
        self._allowed = self._allowed_names()
        self._needed: dict[tuple[str, ...], frozenset[str]] = {}
        self._cells: dict[tuple[str, ...], tuple[int, int]] = {}
        self._edges: dict[tuple[int, ...], Numbers] = {}
        self.experiments = self._experiments()

    def _allowed_names(self) -> dict[str, int]:
        disclosure = self.packed.disclosure
        every = (1 << len(self._bit)) - 1
        if disclosure.admissible is None:
            return {name: every & ~bit for name, bit in self._bit.items()}
        return {
            name: sum(self._bit[other] for other in may)
            for name, may in disclosure.admissible.items()
        }

    def _experiments(self) -> Experiments | None:
        reference = self.instance.public.reference
        if reference is None:
            return None
        given = examine(Submit(mechanisms=reference), self.packed.disclosure)
        return Experiments(given, self.packed.variables) if isinstance(given, Executable) else None

    def evaluate(self, answer: Answer) -> Evaluation:
        """Take an answer through all stages and, if it can be executed, replay it.

        Of several answers in one reply the first that can be executed counts.
        """
        for candidate in (answer, *list_other_answers(answer)):
            ready = self._compile(candidate)
            if ready is not None:
                replayed = self._replay(*ready)
                return Evaluation(candidate, None, replayed, replayed.model.slips)
        forgiven: list[Written] = []

        def read(name: str, text: str) -> Written:
            written = self._get_written(name, text)
            forgiven.extend([written] if written.slip else [])
            return written

        refusal = examine(answer, self.packed.disclosure, read)
        refused = refusal if isinstance(refusal, Refusal) else None
        return Evaluation(answer, refused, None, len(forgiven))

    def _compile(self, answer: Answer) -> tuple[tuple[str, ...], dict[str, ParsedFormula]] | None:
        """Return the roots and the formulas, causes first; None if the answer is refused."""
        disclosure = self.packed.disclosure
        roots = disclosure.roots
        if roots is None:
            roots = answer.roots
            if roots is None or len(roots) != disclosure.n_roots:
                return None
        needed = self._needed.get(roots)
        if needed is None:
            needed = disclosure.variables.difference(roots)
            if len(needed) + len(roots) != len(disclosure.variables):
                return None
            self._needed[roots] = needed
        if answer.mechanisms.keys() != needed:
            return None
        reads: dict[str, ParsedFormula] = {}
        kept, allowed, mechanisms = self.kept, self._allowed, answer.mechanisms
        for name in disclosure.listing:
            if name not in needed:
                continue
            text = mechanisms[name]
            read = kept[name, text] if (name, text) in kept else self._read(name, text)
            if isinstance(read, FormulaError) or read.names & ~allowed[name]:
                return None
            reads[name] = read
        placed = 0
        for root in roots:
            placed |= self._bit[root]
        return self._order_reads(roots, reads, placed)

    def _order_reads(
        self, roots: tuple[str, ...], reads: dict[str, ParsedFormula], placed: int
    ) -> tuple[tuple[str, ...], dict[str, ParsedFormula]] | None:
        found: dict[str, ParsedFormula] = {}
        while len(found) < len(reads):
            before = len(found)
            for name, read in reads.items():
                if name not in found and not read.names & ~placed:
                    found[name] = read
                    placed |= self._bit[name]
            if len(found) == before:
                return None
        return roots, found

    def _get_written(self, name: str, text: str) -> Written:
        read = self.kept[name, text] if (name, text) in self.kept else self._read(name, text)
        if isinstance(read, FormulaError):
            raise FormulaError(read.fault, read.position, str(read))
        return read.written

    def _read(self, name: str, text: str) -> ParsedFormula | FormulaError:
        """Read a formula, or say why it is refused."""
        found = self._evaluate_text(name, text)
        if len(text) <= KEPT_CHARS:
            if len(self.kept) >= KEPT_FORMULAS:
                self.kept.clear()
            self.kept[name, text] = found
        return found

    def _evaluate_text(self, name: str, text: str) -> ParsedFormula | FormulaError:
        packed, disclosure = self.packed, self.packed.disclosure
        limits, words = disclosure.limits, split_words(text)
        size = len(words) - 2 * words.count("(")
        said = None
        if not disclosure.strict and len(text) <= limits.chars and size <= limits.nodes:
            said = run_words(words, packed.observed, packed.ones)
        if said is not None and depth_of(words) <= limits.depth:
            written = Written(tuple(words), disclosure.variables.intersection(words), size)
        else:
            try:
                written = read_formula(text, disclosure)
            except FormulaError as wrong:
                return wrong
            said = run_words(written.words, packed.observed, packed.ones) or 0
        now = said & packed.free[name] | packed.fixed[name]
        table = said >> packed.n_rows
        names = parents = 0
        for other in written.names:
            bit, zeros = packed.flips[other]
            names |= bit
            if (table ^ table >> bit) & zeros:
                parents |= bit
        return ParsedFormula(written, names, table, parents, now, now ^ packed.observed[name])

    def _replay(self, roots: tuple[str, ...], reads: dict[str, ParsedFormula]) -> Replayed:
        """Run a model in every row of every world."""
        packed = self.packed
        number = packed.number
        columns = {root: packed.observed[root] for root in roots}
        wrong: dict[str, int] = {}
        tables, parents = [0] * len(number), [0] * len(number)
        astray = 0
        for name, read in reads.items():
            if read.names & astray:
                said = run_words(read.written.words, columns, packed.ones) or 0
                columns[name] = now = said & packed.free[name] | packed.fixed[name]
                wrong[name] = mistakes = now ^ packed.observed[name]
            else:
                columns[name], wrong[name] = read.now, read.wrong
                mistakes = read.wrong
            if mistakes:
                astray |= self._bit[name]
            place = number[name]
            tables[place], parents[place] = read.table, read.parents
        written = {name: read.written for name, read in reads.items()}
        train_cells, heldout_cells = self._count_cells(roots)
        return Replayed(
            model=Executable(roots, written),
            train=count_worlds(packed.train, wrong, train_cells),
            heldout=count_worlds(packed.heldout, wrong, heldout_cells),
            wrong=wrong,
            columns=columns,
            known=Known(tuple(tables), tuple(parents), tuple(number[name] for name in wrong)),
        )

    def _count_cells(self, roots: tuple[str, ...]) -> tuple[int, int]:
        """Return how many cells are scored, where these are the roots."""
        if roots not in self._cells:
            train, heldout = self.packed.train.cells, self.packed.heldout.cells
            scored = self._needed[roots]
            self._cells[roots] = (
                sum(train[name] for name in scored),
                sum(heldout[name] for name in scored),
            )
        return self._cells[roots]

    def edge_numbers(self, parents: tuple[int, ...]) -> Numbers:
        """Say how the edges of a model agree with the true ones."""
        numbers = self._edges.get(parents)
        if numbers is None:
            numbers = edge_numbers(compare_parents(parents, self.packed.gold.parents))
            if len(self._edges) >= KEPT_FORMULAS:
                self._edges.clear()
            self._edges[parents] = numbers
        return numbers
