"""What is proven about an instance of the paper edition, and what tells two apart."""

from causarium.contract.certificate import Findings, Proof
from causarium.contract.companions import Proofs
from causarium.contract.frozen import canonical_json, digest
from .evidence.infer_mechanism import least_interventions
from .model.instance import FREQUENCY, LabInstance, LabPublic, LabSecret


def make_key(instance: LabInstance) -> str:
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


def certify(instance: LabInstance) -> Findings:
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


PROOFS: Proofs[LabPublic, LabSecret] = Proofs(
    certify=certify,
    canonical_key=make_key,
    # What the original prints.
    revealed_fields=frozenset({"order", "manipulator_bases", "reactor_bases", "record_bases"}),
)
