"""What is proven about an instance of ReplaySCM, and what tells two apart."""

from causarium.contract.certificate import Findings
from causarium.contract.companions import Proofs
from causarium.contract.frozen import canonical_json, digest
from causarium.families.replayscm.model.instance import (
    ReplayInstance,
    ReplayPublic,
    ReplaySecret,
)
from causarium.families.replayscm.proofs.paper_proofs import certify_paper
from causarium.families.replayscm.proofs.unit_proofs import (
    FAULTS,
    certify_units,
    describe_kin,
    recheck_units,
)


def certify(instance: ReplayInstance) -> Findings:
    """Prove what can be proved about a problem of either edition."""
    return certify_paper(instance) if instance.public.task is None else certify_units(instance)


def recheck(instance: ReplayInstance) -> Findings:
    """Prove the same by another path; in the paper edition there is none."""
    return certify_paper(instance) if instance.public.task is None else recheck_units(instance)


def canonical_key(instance: ReplayInstance) -> str:
    """Return a digest that a problem shares with all that are the same under other names.

    What is told of the structure and what is asked for do not count in the paper edition: the same
    worlds are the same problem in every setting. In the certified edition the members of a clan and
    the units of a quad share it too, so that no split parts them.
    """
    public = instance.public
    if public.task is not None:
        return digest(canonical_json(describe_kin(instance)))
    worlds = (*public.train, *instance.secret.heldout)
    columns = (
        [[name in world.targets, world.columns[name]] for world in worlds]
        for name in public.variables
    )
    return digest(canonical_json(sorted(columns)))


def revealed_fields(public: ReplayPublic) -> frozenset[str]:
    """Return the secret fields whose values an agent may come to see.

    Units have the same names in all worlds, shown or held out. Where worlds can be asked for, one
    may ask for a world that stands in the plan.
    """
    return frozenset({"units", "plan"} if public.budget else {"units"})


PROOFS: Proofs[ReplayPublic, ReplaySecret] = Proofs(
    certify=certify,
    recheck=recheck,
    faults=FAULTS,
    canonical_key=canonical_key,
    revealed_fields=revealed_fields,
)
