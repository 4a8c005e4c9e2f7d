"""What is proved about a model: held against lists of all models, and against a SAT solver."""

import math
from functools import reduce
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from causarium.errors import ContractError
from causarium.scm.boolean.certify_model import find_simplest_known, list_reachable_rows, prove
from causarium.scm.boolean.formula import parse_formula
from causarium.scm.boolean.model import BooleanScm
from causarium.scm.boolean.row_evidence import Admissible, Evidence, ModelFacts
from causarium.scm.dag import mask_of
from tests.scm.boolean.listed import all_models, fits
from tests.scm.boolean.made import (
    draw_evidence,
    draw_model,
    draw_world,
    join,
    reach_with_one_target,
)
from tests.scm.boolean.test_simplest_model import disclosures

SAMPLE = Path(__file__).resolve().parents[4] / "shared" / "data" / "replayscm"


def right_about_all(models, rows):
    return all(fits(model, rows) for model in models)


@pytest.mark.parametrize("seed", range(10))
def test_every_claim_of_a_proof_is_true_of_all_models_that_fit(seed):
    rng = Random(seed)
    n, roots, most = [(5, 3, 2), (6, 3, 2), (5, 2, 3)][seed % 3]
    scm = draw_model(rng, n, roots=roots, most=most)
    train = draw_evidence(rng, scm, worlds=3 + seed, rows=5)
    query = [draw_world(rng, scm, rows=4) for _ in range(3)]
    for admissible in disclosures(scm, most):
        models = all_models(admissible, train)
        own = [model for model in models if model.roots == scm.roots]
        proof = prove(scm, train, query, admissible)
        assert proof.models == len(models)
        assert set(proof.feasible_roots) == {model.roots for model in models}
        assert proof.unique == (models == [scm])
        assert (proof.open_all == 0) == (own == [scm])
        asked = reduce(join, query)
        assert (proof.open_query == 0) == right_about_all(own, asked)
        few = reach_with_one_target(scm)
        assert (prove(scm, train, [few], admissible).open_query == 0) == right_about_all(own, few)
        assert proof.chance == pytest.approx(sum(fits(m, asked) for m in models) / len(models))
        for world, share in zip(query, proof.by_world, strict=True):
            assert share * len(models) == sum(fits(model, world) for model in models)


def test_a_sat_solver_agrees_on_what_is_determined():
    satisfied = pytest.importorskip("tests.scm.boolean.satisfied", exc_type=ImportError)
    verdicts = []
    for seed in range(14):
        rng = Random(100 + seed)
        n, most = (7, 2) if seed % 2 else (6, 3)
        scm = draw_model(rng, n, most=most)
        train = draw_evidence(rng, scm, worlds=3 + seed % 4, rows=4 + seed % 3)
        query = draw_evidence(rng, scm, worlds=1, rows=3)
        for admissible in disclosures(scm, most)[:3]:
            proof = prove(scm, train, [query], admissible)
            verdicts.append(proof.open_query > 0)
            assert satisfied.Doubt(admissible, train, query).holds() == verdicts[-1]
    assert 10 <= sum(verdicts) <= len(verdicts) - 10


@pytest.mark.parametrize("seed", range(8))
def test_what_is_proved_with_less_disclosed_holds_with_more(seed):
    rng = Random(seed)
    scm = draw_model(rng, 7)
    train = draw_evidence(rng, scm, worlds=60, rows=8)
    query = [draw_world(rng, scm)]
    proofs = [prove(scm, train, query, a) for a in disclosures(scm, 4)]
    for more, less in pairwise(proofs):
        assert more.models <= less.models
        assert more.unique >= less.unique
        assert more.determined >= less.determined


def test_more_rows_leave_fewer_models_and_fewer_obligations():
    rng = Random(5)
    scm = draw_model(rng, 8)
    admissible = Admissible.from_roots(8, scm.roots)
    train, query = draw_evidence(rng, scm, 3), [draw_world(rng, scm)]
    before = prove(scm, train, query, admissible)
    for _ in range(8):
        train = join(train, draw_world(rng, scm))
        after = prove(scm, train, query, admissible)
        assert after.models <= before.models
        assert after.open_all <= before.open_all or after.models < before.models
        before = after


def test_every_row_there_is_proves_the_model_and_the_solver_finds_it():
    scm = draw_model(Random(8), 7)
    train = list_reachable_rows(scm)
    for admissible in disclosures(scm, 4):
        proof = prove(scm, train, [train], admissible)
        assert (proof.unique, proof.models, proof.chance) == (True, 1, 1)
        found = find_simplest_known(ModelFacts.of(train, admissible))
        assert found is not None
        assert found == scm


def test_reachable_rows_are_those_that_their_targets_bring_about():
    scm = draw_model(Random(9), 6)
    rows = list_reachable_rows(scm)
    assert rows.rows.tolist() == list(range(1 << 6))
    assert scm.replay(rows.rows, rows.targets).tolist() == rows.rows.tolist()
    for row, targets in zip(rows.rows.tolist(), rows.targets.tolist(), strict=True):
        assert all(scm.run(row, targets & ~(1 << v)) != row for v in range(6) if targets >> v & 1)


def test_a_model_that_contradicts_its_rows_or_its_rules_is_refused():
    scm = draw_model(Random(1), 6)
    train = draw_evidence(Random(1), scm, 2)
    wrong = Evidence(6, train.rows ^ (1 << scm.order[0]), train.targets)
    with pytest.raises(ContractError, match="does not replay"):
        prove(scm, wrong, [], Admissible.from_roots(6, scm.roots))
    with pytest.raises(ContractError, match="not admissible"):
        prove(scm, train, [], Admissible.from_roots(6, scm.roots, 1))
    with pytest.raises(ContractError, match="not admissible"):
        prove(scm, train, [], Admissible.from_order(6, scm.roots, scm.order[::-1], 4))


def released_records():
    if not (SAMPLE / "sample_runtime.yaml").exists():
        pytest.skip("the released sample is not at hand")
    import yaml

    text = (SAMPLE / "sample_runtime.yaml").read_text(encoding="utf-8")
    for entry in yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))["problems"]:
        record = entry["problem"]
        names = record["signature"]["variables"]
        written = record["goldAnswer"]["scm"]["mechanisms"]
        parsed = {name: parse_formula(text, names) for name, text in written.items()}
        scm = BooleanScm.of(names, record["signature"]["rootVariables"], parsed)
        order = [names.index(name) for name in record["signature"]["topologicalOrder"]]
        worlds: dict[str, list[Evidence]] = {"train": [], "heldout": []}
        for world in record["worlds"]:
            rows = [int(row[::-1], 2) for row in world["rows"]]
            targets = mask_of(names.index(name) for name in world["intervention"]["targets"])
            worlds[world["split"]].append(Evidence.of(len(names), rows, [targets] * len(rows)))
        yield scm, order, worlds["train"], worlds["heldout"]


def test_released_records_are_as_ambiguous_as_was_measured():
    found = []
    for scm, order, worlds, heldout in released_records():
        train = worlds[0]
        for world in worlds[1:]:
            train = join(train, world)
        ordered = Admissible.from_order(scm.n, scm.roots, order[3:])
        proof = prove(scm, train, heldout, ordered)
        roots = prove(scm, train, heldout, Admissible.hidden_roots(scm.n, 3))
        assert roots.feasible_roots == (scm.roots,)
        found.append((len(worlds), round(math.log2(proof.models), 1), proof.unique))
    assert found == [(9, 11.9, False), (10, 9.8, False)]
