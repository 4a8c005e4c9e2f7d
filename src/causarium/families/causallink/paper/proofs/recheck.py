"""The certificate once more, by a path that shares nothing with drawing, and a fault to try it.

Graphs are walked edge by edge. What `certify` claims must come out the same.
"""

from enum import StrEnum

from causarium.contract.certificate import Findings, Proof
from ..model.instance import (
    ARROW,
    LinkInstance,
)

Names = frozenset[str]


class Claim(StrEnum):
    """What is claimed of a case, by `certify` and here in the same words."""

    GRAPH_ANSWER = "the stored answer is the reachability of the stored edges"
    START = "every effect of what is active at the start is active"
    PLAN = "the answer can be found within as many interventions as the worst case needs"


def list_proofs(method: str, holds: dict[Claim, bool]) -> tuple[Proof, ...]:
    """Return a proof of each claim, all by one method."""
    return tuple(Proof(claim=claim, method=method, holds=held) for claim, held in holds.items())


def recheck(instance: LinkInstance) -> Findings:
    """Compute the claims and the optimum of a case once more."""
    public = instance.public
    edges = [edge.split(ARROW) for edge in instance.secret.edges]
    effects = {name: {b for a, b in edges if a == name} for name in public.shapes}
    below = {name: _walk(effects, name) for name in public.shapes}
    moving = set(public.moving)
    acyclic = all(name not in below[name] for name in public.shapes)
    closed = all(below[name] <= moving for name in moving)
    others = len(moving - {public.cause, public.effect})
    if public.effect not in moving:
        least = 0 if public.cause in moving else 1
    else:
        least = others + (1 if public.cause in moving else 2)
    answer = public.effect in below[public.cause]
    proofs = {
        Claim.GRAPH_ANSWER: acyclic and answer == instance.secret.truth,
        Claim.START: closed,
        Claim.PLAN: least <= public.cap,
    }
    return Findings(optimum=least, proofs=list_proofs("walk along the edges", proofs))


def _walk(effects: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    todo = [start]
    while todo:
        new = effects[todo.pop()] - found
        found |= new
        todo += new
    return found


def _flip_answer(instance: LinkInstance) -> LinkInstance:
    secret = instance.secret.model_copy(update={"truth": not instance.secret.truth})
    return instance.model_copy(update={"secret": secret})


FAULTS = {"the other answer": _flip_answer}
"""Spoils a good case."""
