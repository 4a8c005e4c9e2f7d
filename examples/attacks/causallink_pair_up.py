"""CausalLink: start the asked object with each other one in turn, and count how often it helps.

It wins rungs 1 to 3, where a group has at most two objects and there is a trial for each pair.
"""


def attack(session):
    public = session.public
    asked, others = public.asked, [name for name in public.objects if name != public.asked]
    if not public.trials:
        row = public.watched[0]
        moved = row.moved == (asked in row.started)
        session.step({"kind": "answer", "answer": "yes" if moved else "no"})
        return
    moved = 0
    for name in others[: public.trials]:
        start = [one for one in (asked, name) if one not in public.lively]
        hold = [one for one in public.lively if one not in (asked, name)]
        if len(start) + len(hold) <= public.hands:
            moved += session.step({"kind": "trial", "start": start, "hold": hold}).data["moved"]
    alone = public.plan.rivals.count(1)  # Other groups of one object move the target anyway.
    session.step({"kind": "answer", "answer": "yes" if moved > alone else "no"})
