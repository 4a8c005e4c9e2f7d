"""The certificate once more, by a path that shares nothing with drawing, and faults to try it.

Machines are sets of names here, not masks, and the worlds are written out and filtered row by row;
graphs are walked edge by edge and played state by state. What `certify` claims must come out the
same. The faults spoil a good case in one way each; a proof that still holds then proves nothing.
"""

from collections import deque
from collections.abc import Callable
from enum import StrEnum
from itertools import combinations, product
from statistics import fmean
from typing import NamedTuple

from causarium.contract.certificate import Findings, Proof
from ..model.instance import (
    ARROW,
    LinkInstance,
    LinkPublic,
    LogRow,
    MachinePublic,
    MachineSecret,
    Needs,
)

Names = frozenset[str]


class Claim(StrEnum):
    """What is claimed of a case, by `certify` and here in the same words."""

    LOG_ANSWER = "the answer is yes exactly if the suspect asked about is live"
    TOGETHER = (
        "both suspects were seen in every row, moved together or held together, so every row comes "
        "out alike whichever of them is live"
    )
    FITS = "the stored machine is one that the rules allow, and fits every row"
    COUNT = "as many worlds fit the log as the case says"
    SURE = "one run is decisive in every world that fits the log"
    LAWS = (
        "the log is shown under one of three laws, the told one, and whoever does not read the law "
        "earns at most one third"
    )
    REPEATS = "no run of the log is decisive in any world that fits it, under any of the three laws"
    GRAPH_ANSWER = "the stored answer is the reachability of the stored edges"
    START = "every effect of what is active at the start is active"
    PLAN = "the answer can be found within as many interventions as the worst case needs"
    TWIN = "a twin that differs in the answer and in no other relation looks the same at first"
    DEPTH = "fewer interventions than the depth leave it a coin toss which of the two it is"


def list_proofs(method: str, holds: dict[Claim, bool]) -> tuple[Proof, ...]:
    """Return a proof of each claim, all by one method."""
    return tuple(Proof(claim=claim, method=method, holds=held) for claim, held in holds.items())


class Build(NamedTuple):
    """One way in which a machine may be built."""

    helpers: Names
    rivals: Names
    guards: Names
    needs: Needs

    @classmethod
    def of(cls, shown: MachinePublic, secret: MachineSecret) -> "Build":
        """Return how the machine of a case is built."""
        helpers, rivals, guards = map(frozenset, (secret.helpers, secret.rivals, secret.guards))
        return cls(helpers, rivals, guards, shown.needs)

    def moves(self, moved: Names, *, live: bool) -> bool:
        """Say whether the target moves.

        Args:
            moved: The others that move.
            live: Whether the live suspect moves.
        """
        helped, fired, allowed = (
            {
                "all": names <= moved,
                "none": not names & moved,
                "one": len(names & moved) == 1,
                "some": bool(names & moved),
                "not all": bool(names - moved),
            }[need]
            for names, need in zip(self[:3], self.needs, strict=True)
        )
        return allowed and (fired or (live and helped))

    def decides(self, moved: Names) -> bool:
        """Say whether a run with these others tells which suspect is live."""
        return self.moves(moved, live=True) and not self.moves(moved, live=False)


def recheck(instance: LinkInstance) -> Findings:
    """Compute the claims, bounds and optimum of a case once more."""
    shown, secret = instance.public.machine, instance.secret.machine
    if shown is not None and secret is not None:
        return _recheck_log(instance, shown, secret)
    return _recheck_graph(instance)


def _list_runs(names: tuple[str, ...]) -> list[Names]:
    """Return every choice of the others to move, smaller ones first."""
    sizes = range(len(names) + 1)
    return [frozenset(moved) for size in sizes for moved in combinations(names, size)]


def _recheck_log(instance: LinkInstance, shown: MachinePublic, secret: MachineSecret) -> Findings:
    public, laws = instance.public, secret.list_needs()
    suspects = {public.cause, shown.companion}
    names = tuple(name for name in public.parts if name not in suspects)
    runs = _list_runs(names)
    builds = _list_fitting(public.cause, runs, shown.log, shown.needs)
    earned = _weigh_runs(runs, builds)
    fitting = [_list_fitting(public.cause, runs, shown.log, needs) for needs in laws]
    weighed = [_weigh_runs(runs, some) for some in fitting]
    by_size = [
        fmean(share for moved, share in earned.items() if len(moved) == size)
        for size in range(len(names) + 1)
    ]
    logged = [frozenset(row.moved) - suspects for row in shown.log]
    repeated = [
        fmean(any(map(build.decides, logged)) for build in some) if some else 1.0
        for some in fitting
    ]
    bounds = {
        "ignores_log": max(by_size),
        "ignores_law": max(fmean(one[moved] for one in weighed) for moved in runs),
        "repeats_run": fmean(repeated),
    }
    proofs = {
        Claim.LOG_ANSWER: secret.suspect in suspects
        and instance.secret.truth == (secret.suspect == public.cause),
        Claim.TOGETHER: all(len(suspects & set(row.moved)) != 1 for row in shown.log),
        Claim.FITS: Build.of(shown, secret) in builds,
        Claim.COUNT: len(builds) == instance.facets.get("worlds"),
        Claim.SURE: max(earned.values()) == 1,
        Claim.LAWS: shown.needs in laws and bounds["ignores_law"] <= 1 / 3 + 1e-9,
        Claim.REPEATS: not any(repeated),
    }
    return Findings(
        optimum=1, proofs=list_proofs("sets of names, written out", proofs), bounds=bounds
    )


def _list_fitting(
    cause: str, runs: list[Names], log: tuple[LogRow, ...], needs: Needs
) -> list[Build]:
    """Write out all machines that the law allows and that fit every row."""
    pairs = [moved for moved in runs if len(moved) == 2]
    builds = [
        Build(helpers, rivals, guards, needs)
        for helpers, rivals, guards in product(pairs, repeat=3)
        if not rivals & guards and len(helpers & (rivals | guards)) == 1
    ]
    for row in log:
        moved, live = frozenset(row.moved), cause in row.moved
        builds = [build for build in builds if build.moves(moved, live=live) == row.target]
    return [build for build in builds if any(map(build.decides, runs))]


def _weigh_runs(runs: list[Names], builds: list[Build]) -> dict[Names, float]:
    """Return for each run in how large a share of some machines it is decisive."""
    return {
        moved: sum(build.decides(moved) for build in builds) / len(builds) if builds else 1.0
        for moved in runs
    }


def _recheck_graph(instance: LinkInstance) -> Findings:
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
    if (depth := instance.facets.get("depth")) is not None:
        twin = {name: set(found) for name, found in below.items()}
        twin[public.cause] ^= {public.effect}
        transitive = all(twin[b] <= twin[a] for a in twin for b in twin[a])
        proofs[Claim.TWIN] = transitive and all(twin[name] <= moving for name in moving)
        proofs[Claim.DEPTH] = _find_depth(public, below, twin) == depth
    return Findings(optimum=least, proofs=list_proofs("walk along the edges", proofs))


def _walk(effects: dict[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    todo = [start]
    while todo:
        new = effects[todo.pop()] - found
        found |= new
        todo += new
    return found


def _find_depth(
    public: LinkPublic, below: dict[str, set[str]], twin: dict[str, set[str]]
) -> int | None:
    """Return after how many interventions a graph and its twin first look different."""
    start = frozenset(public.moving)
    todo, seen = deque([(start, 0)]), {start}
    while todo:
        state, acts = todo.popleft()
        for name in public.shapes:
            one, other = _act(below, state, name), _act(twin, state, name)
            if one != other:
                return acts + 1
            if one not in seen:
                seen.add(one)
                todo.append((one, acts + 1))
    return None


def _act(below: dict[str, set[str]], state: Names, name: str) -> Names:
    """Start what is at rest and stop what is active, as the rules say."""
    if name not in state:
        return state | {name} | below[name]
    if any(name in below[other] for other in state):
        return state
    kept = [other for other in state if other != name and other not in below[name]]
    return frozenset(kept).union(*(below[other] for other in kept))


Fault = Callable[[LinkInstance], LinkInstance | None]


def _spoil(instance: LinkInstance, part: str, **changes: object) -> LinkInstance:
    """Return a case with other values in its public or secret part."""
    return instance.model_copy(update={part: getattr(instance, part).model_copy(update=changes)})


def _flip_answer(instance: LinkInstance) -> LinkInstance:
    return _spoil(instance, "secret", truth=not instance.secret.truth)


def _spoil_machine(
    part: str, change: Callable[[LinkPublic, MachinePublic, MachineSecret], dict[str, object]]
) -> Fault:
    """Return a fault that changes values of the machine, as it is shown or as it is."""

    def plant(instance: LinkInstance) -> LinkInstance | None:
        shown, secret = instance.public.machine, instance.secret.machine
        if shown is None or secret is None:
            return None
        changes, machine = change(instance.public, shown, secret), getattr(instance, part).machine
        return _spoil(instance, part, machine=machine.model_copy(update=changes))

    return plant


def _part_suspects(
    public: LinkPublic, shown: MachinePublic, _secret: MachineSecret
) -> dict[str, object]:
    """Move one suspect alone in the first row."""
    first, *rest = shown.log
    moved = tuple(name for name in first.moved if name != public.cause)
    if moved == first.moved:
        moved = (*moved, public.cause)
    return {"log": (first.model_copy(update={"moved": moved}), *rest)}


def _log_decisive_run(
    public: LinkPublic, shown: MachinePublic, secret: MachineSecret
) -> dict[str, object]:
    """Add a row that is decisive, for those who repeat what worked."""
    suspects = {public.cause, shown.companion}
    runs = _list_runs(tuple(name for name in public.parts if name not in suspects))
    truth = Build.of(shown, secret)
    moved = suspects | next(moved for moved in runs if truth.decides(moved))
    row = LogRow(moved=tuple(name for name in public.shapes if name in moved), target=True)
    return {"log": (*shown.log, row)}


def _hide_effect(instance: LinkInstance) -> LinkInstance | None:
    """Show the effect at rest though all its causes are active."""
    if "depth" not in instance.facets:
        return None
    moving = tuple(name for name in instance.public.moving if name != instance.public.effect)
    return _spoil(instance, "public", moving=moving)


def _drop_edge(instance: LinkInstance) -> LinkInstance | None:
    """Leave out an arrow to the effect that the depth rests on; some worlds have none."""
    if "depth" not in instance.facets:
        return None
    cause, effect, edges = instance.public.cause, instance.public.effect, instance.secret.edges
    for edge in edges:
        name, end = edge.split(ARROW)
        if end == effect and name != cause and f"{name}{ARROW}{cause}" not in edges:
            rest = tuple(other for other in edges if other != edge)
            spoilt = _spoil(instance, "secret", edges=rest)
            if not all(proof.holds for proof in _recheck_graph(spoilt).proofs):
                return spoilt
    return None


FAULTS: dict[str, Fault] = {
    "the other answer": _flip_answer,
    "a log cut short": _spoil_machine("public", lambda _, shown, __: {"log": shown.log[:1]}),
    "suspects apart": _spoil_machine("public", _part_suspects),
    "rivals that guard": _spoil_machine("secret", lambda _, __, true: {"guards": true.rivals}),
    "a law of another log": _spoil_machine("public", lambda *_: {"needs": ("some", "one", "some")}),
    "a single law": _spoil_machine("secret", lambda _, __, true: {"laws": true.laws[:1]}),
    "a decisive run in the log": _spoil_machine("public", _log_decisive_run),
    "an effect at rest": _hide_effect,
    "an arrow left out": _drop_edge,
}
"""Each spoils a good case in one way; None where there is no room for it."""
