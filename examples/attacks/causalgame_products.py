"""CausalGame: correlations of products of columns, and no causal model.

In version 2 it was right on 94 to 98 of 100 pairs, as good as inference. It tests every leg with
random parts, finds the product of part and reading that correlates best with returning, and picks
the part that this product favours at the fleet's reading. It takes a book at face value.
"""

CLASS = "blind on every leg"


def attack(session):
    fitted = {leg.name: choose_parts(session, leg) for leg in session.public.legs}
    session.step({"kind": "commit", "fitted": fitted})


def choose_parts(session, leg):
    tie = read_book(leg) if leg.kind == "depot" else find_best_product(session, leg)
    return list(leg.parts[:1] if tie > 0 else leg.parts[1:2])


def read_book(leg):
    """Return how much more often drones came back with the part."""
    # A column's counts: lost and returned without the part, then with it, for each of its values.
    book = leg.book[0]
    lost, back, lost_with, back_with = (book[at] + book[at + 4] for at in range(4))
    return back_with / (back_with + lost_with) - back / (back + lost)


def find_best_product(session, leg):
    cells, left = [], leg.drones
    while left > 0:
        order = {"leg": leg.name, "vary": list(leg.parts), "count": min(20, left)}
        seen = session.step({"kind": "fly", "orders": [order]})
        cells += seen.data["orders"][0]["cells"]
        left -= 20
    ties = []
    for reading in leg.readings:
        tie = 0
        for cell in cells:
            part = 1 if leg.parts[0] in cell["fitted"] else -1
            shown = 1 if cell["shown"][reading.name] == reading.target else -1
            tie += part * shown * (cell["returned"] - cell.get("lost", 0))
        ties.append(tie)
    return max(ties, key=abs)
