"""ReplaySCM: find each rule by itself, as the pair of causes that fits the rows best.

It asks for nothing, knows of no trait, takes no unnamed hand into account, and guesses the rest.
"""

from itertools import product

CLASS = ""


def attack(session):
    public = session.public
    answers = {name: find_rule(public, name) for name in public.rules_asked}
    answers |= dict.fromkeys(public.hands_asked, public.with_rules[0])
    answers |= {one.id: "?" for one in public.whatifs} | {one.id: "A" for one in public.plans}
    session.step({"kind": "answer", "answers": answers})


def find_rule(public, name):
    """Return the rule with the fewest mistakes in the rows in which it is on."""
    rows = [
        dict(zip(public.names, row, strict=True))
        for world in public.worlds
        if name not in (world.hand or ())
        for row in world.rows
    ]
    others = [one for one in public.names if one != name]
    rules = [one for pair in product(others, repeat=public.causes) for one in list_rules(pair)]
    return min(rules, key=lambda rule: sum(rule[1](row) != (row[name] == "1") for row in rows))[0]


def list_rules(causes):
    """Return rules of these causes: as text, and as a function of a row."""
    if len(causes) == 1:
        (a,) = causes
        return [(a, lambda row: row[a] == "1"), (f"not {a}", lambda row: row[a] == "0")]
    a, b = causes
    if a >= b:
        return []
    found = [
        (f"{a} xor {b}", lambda row: row[a] != row[b]),
        (f"not ({a} xor {b})", lambda row: row[a] == row[b]),
    ]
    for x, y in product("01", repeat=2):
        text = f"{'' if x == '1' else 'not '}{a} and {'' if y == '1' else 'not '}{b}"
        found.append((text, lambda row, x=x, y=y: (row[a], row[b]) == (x, y)))
        found.append((f"not ({text})", lambda row, x=x, y=y: (row[a], row[b]) != (x, y)))
    return found
