"""CausalLink: one constant script, and one look at the very end.

In version 2 the script held everything, moved the cause and looked once: full marks on every level.
On practice levels it still gets full marks. If there is a log, the script makes the same run
whatever the log shows: it moves the cause and the first half of the other parts.
"""

CLASS = "ignores_log"


def attack(session):
    public = session.public
    if public.machine is None:
        seen = follow_script(session, public)
    else:
        known = {public.cause, public.effect, public.machine.companion}
        others = [name for name in public.shapes if name not in known]
        seen = session.step({"kind": "run", "move": [public.cause, *others[: len(others) // 2]]})
    moves = public.effect in seen.data.get("moving", ())
    session.step({"kind": "answer", "answer": "yes" if moves else "no"})


def follow_script(session, public):
    """Hold the others, the cause and the others again; then move the cause."""
    others = [name for name in public.shapes if name != public.cause]
    script = [(name, "hold") for name in (*others, public.cause, *others)]
    for name, action in [*script, (public.cause, "move")]:
        seen = session.step({"kind": "intervene", "shape": name, "action": action})
    return seen
