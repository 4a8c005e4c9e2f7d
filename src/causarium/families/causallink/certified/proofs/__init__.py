"""What is proven about one table, and how the proofs are tried."""

from causarium.contract.certificate import Findings
from causarium.contract.companions import Proofs
from ..evidence.pairs import Table
from ..evidence.planner import read_watched
from ..mechanics import decides, find_decisive, moves
from ..model import LinkInstance, LinkPublic, LinkSecret, Parts
from .canonical_key import canonical_key
from .claims import Claim, list_proofs
from .recheck import FAULTS, recheck


def certify(instance: LinkInstance) -> Findings:
    """Return the proofs of a table: by masks, all pairs of worlds at once."""
    public, parts, truth = instance.public, instance.secret.parts, instance.secret.truth
    table = Table(public)
    rows = [(row.started, row.held) for row in public.watched]
    seen = [row.moved for row in public.watched]
    decisive = [decides(public, parts, *row) for row in rows]
    proofs = {
        Claim.ROWS: [moves(public, parts, *row, truth=truth) for row in rows] == seen,
        Claim.ALIKE: decisive == [not public.trials] * len(rows),
        Claim.FITS: bool(table.find(parts).any()),
        Claim.DECISIVE: not public.trials or _is_decided(public, parts),
        Claim.READ: bool(public.trials) or read_watched(public) == truth,
    }
    return Findings(
        optimum=float(min(public.trials, 1)),
        proofs=list_proofs("masks of all pairs of worlds", proofs),
        extra={"pairs": len(table.pairs)},
    )


def _is_decided(public: LinkPublic, parts: Parts) -> bool:
    """Say whether some trial that the hands allow is decisive."""
    started, held = find_decisive(public, parts)
    within = len(started) + len(held) <= public.hands
    return within and decides(public, parts, started, held)


PROOFS: Proofs[LinkPublic, LinkSecret] = Proofs(
    certify=certify, recheck=recheck, faults=FAULTS, canonical_key=canonical_key
)
