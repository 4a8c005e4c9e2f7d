"""CausalLink: everything that the log reveals to a player that skips the law.

It knows the generator: all laws, and that three of them have one sure run each. It fits the
machines of every law to the log, keeps the laws that have a sure run, and makes that of one of
them. The text says which law holds, and it does not read the text.
"""

from itertools import chain

from causarium.families.causallink.generation.draw_log import LAWS, mirror
from causarium.families.causallink.mechanics import LogCase, build_machine

CLASS = "ignores_law"


def attack(session):
    shown = session.public
    if shown.machine is None:  # Practice: nothing is tried here.
        return
    case = LogCase.of(shown)
    half = set(chain.from_iterable(LAWS))
    machines = [build_machine(needs) for needs in sorted(half | set(map(mirror, half)))]
    left = [(machine, machine.fit_all(case.log)) for machine in machines]
    runs = [machine.find_best(one) for machine, one in left if machine.has_sure(one)]
    moved = [shown.cause, *case.list_names(session.rng.choice(runs))]
    seen = session.step({"kind": "run", "move": moved})
    moves = shown.effect in seen.data["moving"]
    session.step({"kind": "answer", "answer": "yes" if moves else "no"})
