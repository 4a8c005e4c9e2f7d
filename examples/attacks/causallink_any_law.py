"""CausalLink: all that a log can tell to somebody who skips the law.

It knows the generator: all laws there are, and that three of them leave one machine each. It fits
the machines of every law to the log, keeps the laws that leave one, and makes the run that is
decisive under one of them. Which of them the case tells stands in the text that it does not read.
"""

from causarium.families.causallink.generation.draw_log import NEEDS
from causarium.families.causallink.mechanics import LogCase, build_machine

CLASS = "ignores_law"


def attack(session):
    shown = session.public
    if shown.machine is None or shown.machine.needs is None:  # Practice: nothing is tried here.
        return
    case = LogCase.of(shown)
    machines = [build_machine(case.machine.law._replace(needs=needs)) for needs in NEEDS]
    left = [(machine, machine.fit_all(case.log)) for machine in machines]
    runs = [machine.find_best(worlds) for machine, worlds in left if worlds.bit_count() == 1]
    moved = [shown.cause, *case.list_names(session.rng.choice(runs))]
    seen = session.step({"kind": "run", "move": moved})
    moves = shown.effect in seen.data["moving"]
    session.step({"kind": "answer", "answer": "yes" if moves else "no"})
