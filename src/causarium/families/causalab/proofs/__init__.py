"""What is proven about an instance of CausaLab, and what tells two apart."""

from causarium.contract.certificate import Findings, Proof
from causarium.contract.companions import Proofs
from causarium.contract.frozen import Json, canonical_json, digest
from ..evidence.infer_mechanism import least_interventions
from ..model.bench import BenchInstance
from ..model.instance import FREQUENCY, LabInstance
from ..model.stored_instance import EitherPublic, EitherSecret, by_edition
from .bench_certificate import BENCH_FAULTS, certify_bench, recheck_bench


def make_paper_key(instance: LabInstance) -> str:
    """Return a digest that an instance shares with all that are the same under other names."""
    public, secret = instance.public, instance.secret
    readings = (*public.records, *(step.reading for step in public.chain), public.manipulator)
    columns = {
        name: [
            *(reading.values[place] for reading in readings),
            public.reactor[place],
            secret.manipulator_bases[place],
            secret.reactor_bases[place],
        ]
        for place, name in enumerate(public.names)
    }
    order = sorted(columns, key=lambda name: columns[name])
    number = {**{name: place for place, name in enumerate(order)}, FREQUENCY: len(order)}
    arrows = sorted(
        [number[edge.cause], number[edge.effect], edge.linear, edge.square] for edge in secret.edges
    )
    return digest(
        canonical_json(
            {
                "columns": [columns[name] for name in order],
                "frequencies": [reading.frequency for reading in readings],
                "arrows": arrows,
                "base": secret.base_frequency,
                "target": secret.target,
            }
        )
    )


def make_bench_key(instance: BenchInstance) -> str:
    """Return a digest that an instance shares with all that are the same under other names."""
    public, secret = instance.public, instance.secret
    marks: dict[str, str] = {
        name: canonical_json([rest, reactor, name in public.holdable, name == FREQUENCY])
        for name, rest, reactor in zip(
            public.nodes, public.manipulator, secret.reactor, strict=True
        )
    }
    for _ in public.nodes:
        beside: dict[str, list[Json]] = {name: [] for name in public.nodes}
        for edge in secret.edges:
            beside[edge.effect].append(["from", edge.weight, marks[edge.cause]])
            beside[edge.cause].append(["to", edge.weight, marks[edge.effect]])
        marks = {
            name: digest(canonical_json([marks[name], sorted(beside[name], key=canonical_json)]))
            for name in public.nodes
        }
    questions: list[Json] = [
        [sorted([marks[name], str(value)] for name, value in one.holds.items()), marks[one.asked]]
        for one in secret.questions
    ]
    return digest(
        canonical_json(
            {
                "nodes": sorted(marks.values()),
                "questions": sorted(questions, key=canonical_json),
                "rules": [public.budget, public.limit, public.largest],
            }
        )
    )


def certify_paper(instance: LabInstance) -> Findings:
    """Prove that the crystals that are shown, and the target, follow from the mechanism."""
    public, secret = instance.public, instance.secret
    mechanism, base = secret.mechanism(public), secret.base_frequency
    start = public.manipulator
    crystals = [
        (secret.manipulator_bases, (*start.values, start.frequency)),
        (secret.reactor_bases, (*public.reactor, secret.target)),
        *(
            (bases, (*reading.values, reading.frequency))
            for bases, reading in zip(secret.record_bases, public.records, strict=True)
        ),
    ]
    return Findings(
        optimum=None,
        proofs=(
            Proof(
                claim="every crystal that is shown, and the target, follow from the one mechanism",
                method="replay",
                holds=all(
                    tuple(mechanism.evaluate((*bases, base))) == values
                    for bases, values in crystals
                ),
            ),
        ),
        extra={"fewest_at_least": least_interventions(instance) if public.budget else 0},
    )


PROOFS: Proofs[EitherPublic, EitherSecret] = Proofs(
    certify=by_edition(certify_bench, certify_paper),
    # The paper edition's proof is a replay already.
    recheck=by_edition(recheck_bench, certify_paper),
    faults={name: by_edition(spoil, lambda _: None) for name, spoil in BENCH_FAULTS.items()},
    canonical_key=by_edition(make_bench_key, make_paper_key),
    # What the lock opens, or the original prints. A plan names properties that can be held, in
    # listing order, as the public part does.
    revealed_fields=by_edition(
        lambda _: frozenset({"reactor", "questions", "plan"}),
        lambda _: frozenset({"order", "manipulator_bases", "reactor_bases", "record_bases"}),
    ),
)
