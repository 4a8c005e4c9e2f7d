"""CausalGame: looks at no set flight that returned, only at those that were lost.

Orders are fixed beforehand, and a part is taken when enough of its set flights were lost: the
mirror of counting good results against it, which theorem T2 leaves open.
"""

from causarium.families.causalgame.players.expeditions import exact, shortcuts


def fly(orders):
    notes = []
    for order in orders:
        note = yield order
        notes.append(note)
    return notes


def fly_dial(leg):
    """A fixed script with the first part alone: half unset, half set."""
    orders = shortcuts.write_script(leg, alone=True)
    table = shortcuts.make_table(leg, (yield from fly(orders)))
    unset = table.keep(~table.is_set)
    column = shortcuts.find_column(unset)
    suits = unset.keep(unset.shown[:, column] > 0).find_effect() > 0
    name = leg.readings[column].name
    sent = sum(order.count for order in orders if order.set == name)
    lost = int(((table.was_set[:, column] > 0) & (table.back < 0.5)).sum())
    return exact.choose_lean(leg, 1 if lost > (0.75 if suits else 0.25) * sent else -1)


def fly_line(leg):
    """Six unset flights with each part show which suits; then 26 gauges are set, once each."""
    notes = yield from fly([exact.order_lean(leg, 1, 3), exact.order_lean(leg, -1, 3)])
    unset = shortcuts.make_table(leg, notes)
    at = unset.lean * unset.shown[:, 0] * (unset.back - 0.5)
    way = 1 if at.sum() > 0 else -1
    rest = [exact.order_lean(leg, way, 1, set=reading.name) for reading in leg.readings[:26]]
    table = shortcuts.make_table(leg, [*notes, *(yield from fly(rest))])
    seen = (table.shown > 0).any(axis=1) & table.is_set
    here = table.was_set @ shortcuts.count_places(leg, table) > -0.5
    return exact.choose_lean(leg, way if (seen & here & (table.back < 0.5)).any() else -way)


def attack(session):
    fitted = {}
    for leg in session.public.legs:
        if leg.kind == "depot":
            end = exact.choose_lean(leg, 1 if shortcuts.read_adjusted(leg) > 0 else -1)
        else:
            mine = {"dial": fly_dial, "line": fly_line}.get(leg.kind)
            plan = mine(leg) if mine else exact.EXACT[leg.kind](leg, session.rng)
            try:
                order = next(plan)
                while True:
                    seen = session.step({"kind": "fly", "orders": [order.model_dump()]})
                    order = plan.send(exact.read_notes(leg, seen))
            except StopIteration as stop:
                end = stop.value
        fitted[leg.name] = [part for part, on in zip(leg.parts, end.fitted, strict=True) if on]
    session.step({"kind": "commit", "fitted": fitted})
