"""CausalLink: one product of two columns, and no thought of suspects, helpers or sizes.

For each pair of parts x and y, "x moved and y held" is compared with what the target did; the pair
that comes nearest by fourth powers is held, everything else is moved. It wins on `screens`, and so
that level is called practice.
"""

from itertools import permutations

CLASS = "rival_and_brake"


def attack(session):
    shown = session.public
    if shown.machine is None:  # Practice: nothing is tried here.
        return
    others = [name for name in shown.parts if name not in {shown.cause, shown.machine.companion}]
    columns = {
        name: [0.5 if name in row.unseen else float(name in row.moved) for row in shown.machine.log]
        for name in others
    }

    def miss(pair):
        rows = zip(columns[pair[0]], columns[pair[1]], shown.machine.log, strict=True)
        return sum((x * (1 - y) - row.target) ** 4 for x, y, row in rows)

    held = min(permutations(others, 2), key=miss)
    run = [shown.cause, *(name for name in others if name not in held)]
    seen = session.step({"kind": "run", "move": run})
    session.step(
        {"kind": "answer", "answer": "yes" if shown.effect in seen.data["moving"] else "no"}
    )
