"""CausalLink: all that a log can tell to somebody who skips the law.

It knows the generator: all laws there are, and that three of them have a sure run each. It fits the
machines of every law to the log, keeps the laws that have one, and makes the sure run of one of
them. Which of them the case tells stands in the text that it does not read.
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
