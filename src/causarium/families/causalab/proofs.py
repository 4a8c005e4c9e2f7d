"""What is proven about an instance of CausaLab, and what tells two apart."""

from collections.abc import Callable
from typing import cast

from causarium.contract.certificate import Findings
from causarium.contract.companions import Proofs
from causarium.families.causalab.certify import certify_paper
from causarium.families.causalab.instance import LabInstance
from causarium.families.causalab.kin import make_bench_key, make_paper_key
from causarium.families.causalab.model.bench_instance import BenchInstance, BenchPublic
from causarium.families.causalab.model.stored_instance import (
    EitherInstance,
    EitherPublic,
    EitherSecret,
    is_bench,
)
from causarium.families.causalab.strategies.bench_certificate import (
    BENCH_FAULTS,
    certify_bench,
    recheck_bench,
)


def certify(instance: EitherInstance) -> Findings:
    """Prove what can be proven about one instance."""
    if is_bench(instance):
        return certify_bench(instance)
    return certify_paper(cast("LabInstance", instance))


def recheck(instance: EitherInstance) -> Findings:
    """Make the same claims by another path; the paper edition's proof is a replay already."""
    return recheck_bench(instance) if is_bench(instance) else certify(instance)


def canonical_key(instance: EitherInstance) -> str:
    """Return a digest that an instance shares with all that are the same under other names."""
    if is_bench(instance):
        return make_bench_key(instance)
    return make_paper_key(cast("LabInstance", instance))


def list_revealed(public: EitherPublic) -> frozenset[str]:
    """Return the secret fields that play shows: what the lock opens, what the original prints.

    A plan names properties that can be held, in listing order, as the public part does.
    """
    if isinstance(public, BenchPublic):
        return frozenset({"reactor", "questions", "plan"})
    return frozenset({"order", "manipulator_bases", "reactor_bases", "record_bases"})


def _at_the_bench(
    spoil: Callable[[BenchInstance], BenchInstance],
) -> Callable[[EitherInstance], EitherInstance | None]:
    def plant(instance: EitherInstance) -> EitherInstance | None:
        return cast("EitherInstance", spoil(instance)) if is_bench(instance) else None

    return plant


PROOFS: Proofs[EitherPublic, EitherSecret] = Proofs(
    certify=certify,
    recheck=recheck,
    faults={name: _at_the_bench(spoil) for name, spoil in BENCH_FAULTS.items()},
    canonical_key=canonical_key,
    revealed_fields=list_revealed,
)
