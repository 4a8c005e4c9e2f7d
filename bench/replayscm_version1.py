"""How version 1 came from a reply to a verdict, kept as a baseline: everything anew each time.

The reply is read in general, recorded as a turn and rebuilt from it; the problem is packed for each
verdict; formulas are parsed into trees, which are remembered, and the trees are valued; what is
shown is written down to look up how many models fit; the verdict is checked field by field.
"""

from functools import lru_cache
from math import log2, nan

from causarium.contract.frozen import canonical_json
from causarium.contract.texts.replies import excerpt
from causarium.contract.turn import Turn
from causarium.contract.verdict import Verdict
from causarium.contract.world import Unparsed
from causarium.families.replayscm.mechanics import admissible, evidence
from causarium.families.replayscm.model.actions import ACTIONS, Extracted, Submit
from causarium.families.replayscm.model.config import ReplayRules
from causarium.families.replayscm.model.instance import (
    ReplayInstance,
    ReplayPublic,
    gold_formulas,
    true_roots,
)
from causarium.families.replayscm.play.examine_answer import (
    Disclosure,
    Executable,
    FormulaText,
    Refusal,
    examine_answer,
)
from causarium.families.replayscm.play.replies import read_generally
from causarium.families.replayscm.scoring.desk import (
    Desk,
    Evaluation,
    ModelRun,
    ReferenceModel,
    compare,
    compare_parents,
    count_worlds,
    group_worlds,
    list_places,
    pack_model,
)
from causarium.families.replayscm.scoring.score import (
    PAPER_METRICS,
    replay_numbers,
    root_numbers,
    size_numbers,
    stage_numbers,
    structure_numbers,
)
from causarium.scm.boolean.certify_model import count_models
from causarium.scm.boolean.formula import Formula, parse_formula, split_words, value
from causarium.scm.boolean.row_evidence import ModelFacts
from causarium.scm.boolean.truth_table import all_rows, column


def score_reply(instance: ReplayInstance, reply: str, rules: ReplayRules) -> Verdict:
    """Score one reply to a problem in which no second model is asked for."""
    move = read_generally(reply, (Submit, Extracted), rules)
    turn = Turn(
        action=None if isinstance(move, Unparsed) else move.record(),
        unparsed=move if isinstance(move, Unparsed) else None,
        observation="Your answer is recorded.",
        legal=True,
        cost=0,
    )
    again = turn.move(ACTIONS)
    answer = again if isinstance(again, Submit) else None
    packed = _Packed(instance)
    found = None if answer is None else _evaluate(packed, answer)
    refusal = found.refusal if found else Refusal("extraction", "unread", "nothing was read")
    replayed = found.replayed if found else None
    replay = replay_numbers(replayed)
    structure = {}
    if replayed is not None and set(replayed.model.roots) == set(packed.roots):
        edges = compare_parents(replayed.known.parents, packed.gold.parents)
        like = compare(replayed.known, packed.gold, len(packed.roots))
        structure = structure_numbers(replayed, like)
        structure |= {"parent_recall": edges.recall, "parent_f1": edges.f1}
        structure |= {"parent_shd": float(edges.distance)}
    hidden = instance.public.roots is None
    numbers = {
        **dict.fromkeys(PAPER_METRICS, nan),
        **stage_numbers(refusal, strict=True, silent=False),
        **replay,
        **structure,
        **size_numbers(packed, replayed),
        **(root_numbers(packed, found, replay) if hidden else {}),
        "models_log2": _count_open_models(instance.public),
        "worlds": float(len(instance.public.train)),
    }
    words = (
        "; ".join(f"{name} = {text}" for name, text in answer.mechanisms.items()) if answer else ""
    )
    return Verdict(
        numbers=numbers,
        labels={"stage": refusal.stage if refusal else "valid"},
        answer=excerpt(words),
        explanation=f"{replay['train_world']} of the training worlds are replayed exactly.",
    )


def forget() -> None:
    """Drop what is remembered of formulas and problems, so that the next problem is met anew."""
    _tree.cache_clear()
    _count_written.cache_clear()


class _Packed(Desk):
    """A problem that is packed row by row, its true model read from formulas."""

    def __init__(self, instance: ReplayInstance) -> None:
        public = instance.public
        worlds = (*public.train, *instance.secret.heldout)
        names, n = public.variables, len(public.variables)
        self.instance, self.variables, self.disclosure = instance, names, Disclosure.of(public)
        self.n_rows = rows = sum(len(world.units) for world in worlds)
        self.observed, self.free = {}, {}
        for i, name in enumerate(names):
            text = "".join(world.columns[name] for world in worlds)
            self.observed[name] = int(text[::-1] or "0", 2) | column(i, n) << rows
            acted = ("0" if name in w.targets else "1" for w in worlds for _ in w.units)
            self.free[name] = int("".join(acted)[::-1] or "0", 2)
        places = list_places(worlds)
        self.train = group_worlds(places[: len(public.train)], self.free)
        self.heldout = group_worlds(places[len(public.train) :], self.free)
        self.fixed = {name: self.observed[name] & ~self.free[name] for name in names}
        self.ones = (1 << rows) - 1 | all_rows(n) << rows
        self.flips = {name: (1 << i, all_rows(n) & ~column(i, n)) for i, name in enumerate(names)}
        self.roots = true_roots(instance)
        columns = {name: column(i, n) for i, name in enumerate(names)}
        self.gold = pack_model({}, gold_formulas(instance), columns)


def _count_open_models(public: ReplayPublic) -> float:
    told = public.model_dump(mode="json", exclude={"reference", "budget", "max_targets"})
    return _count_written(canonical_json(told))


@lru_cache(maxsize=4096)
def _count_written(told: str) -> float:
    public = ReplayPublic.model_validate_json(told)
    seen = evidence(public.train, public.variables)
    return log2(sum(count_models(ModelFacts.of(seen, admissible(public))).values()))


@lru_cache(maxsize=8192)
def _tree(text: str, variables: frozenset[str]) -> Formula:
    return parse_formula(text, variables)


def _evaluate(packed: _Packed, answer: Submit) -> Evaluation:
    def read(_: str, text: str) -> FormulaText:
        _tree(text, packed.disclosure.variables)
        words = tuple(split_words(text))
        size = len(words) - 2 * words.count("(")
        return FormulaText(words, packed.disclosure.variables.intersection(words), size)

    found = examine_answer(answer, packed.disclosure, read)
    if isinstance(found, Refusal):
        return Evaluation(answer, found, None)
    return Evaluation(answer, None, _replay(packed, found, answer))


def _replay(packed: _Packed, model: Executable, answer: Submit) -> ModelRun:
    columns = {root: packed.observed[root] for root in model.roots}
    wrong: dict[str, int] = {}
    number = {name: i for i, name in enumerate(packed.variables)}
    tables, parents = [0] * len(number), [0] * len(number)
    for name, written in model.written.items():
        tree = _tree(answer.mechanisms[name], packed.disclosure.variables).tree
        said = value(tree, columns, packed.ones)
        columns[name] = now = said & packed.free[name] | packed.fixed[name]
        wrong[name] = now ^ packed.observed[name]
        place = number[name]
        tables[place] = table = said >> packed.n_rows
        for other in written.names:
            bit, zeros = packed.flips[other]
            if (table ^ table >> bit) & zeros:
                parents[place] |= bit
    return ModelRun(
        model=model,
        train=count_worlds(packed.train, wrong),
        heldout=count_worlds(packed.heldout, wrong),
        known=ReferenceModel(tuple(tables), tuple(parents)),
    )
